#include "validate/rules.h"

#include <array>

#include "base/try.h"

namespace dpsql {

Status RefuseUnitKeys(const BoundDoor& query);
Status RefuseUnitArguments(const BoundDoor& query);
Status RefuseInexactKeys(const BoundDoor& query);
Status RefuseWideClaims(const BoundDoor& query);

namespace {

constexpr auto kRules = std::to_array<Rule>({
    RefuseUnitKeys,
    RefuseUnitArguments,
    RefuseInexactKeys,
    RefuseWideClaims,
});

}  // namespace

Status ApplyRules(const BoundDoor& query) {
  for (const Rule rule : kRules) TRY_DONE(rule(query));
  return Done{};
}

}  // namespace dpsql
