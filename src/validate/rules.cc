#include "validate/rules.h"

#include <array>

#include "base/try.h"

namespace dpsql {

Status RefuseUnitKeys(const BoundQuery& query);
Status RefuseUnitArguments(const BoundQuery& query);
Status RefuseInexactKeys(const BoundQuery& query);

namespace {

constexpr auto kRules = std::to_array<Rule>({
    RefuseUnitKeys,
    RefuseUnitArguments,
    RefuseInexactKeys,
});

}  // namespace

Status ApplyRules(const BoundQuery& query) {
  for (const Rule rule : kRules) TRY_DONE(rule(query));
  return Done{};
}

}  // namespace dpsql
