#include "base/error_codes.h"
#include "validate/ownership.h"
#include "validate/rules.h"

namespace dpsql {

// COUNT(DISTINCT unit) is an aggregate of its own and has no argument here; any other use of the
// unit inside an aggregate says something about its name.
Status RefuseUnitArguments(const BoundDoor& query) {
  for (const BoundAggregate& aggregate : query.aggregates) {
    if (!aggregate.argument) continue;
    if (!ReadsUnit(*aggregate.argument, query.relation)) continue;
    return MakeError(ErrorCode::kUnitReleased, "an aggregate may not read the privacy unit",
                     aggregate.argument->span);
  }
  return Done{};
}

}  // namespace dpsql
