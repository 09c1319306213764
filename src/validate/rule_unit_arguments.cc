#include "base/error_codes.h"
#include "validate/ownership.h"
#include "validate/rules.h"

namespace dpsql {

// COUNT(DISTINCT unit) is an aggregate of its own and has no argument here; any other use of the
// unit inside an aggregate says something about its name.
Status RefuseUnitArguments(const BoundDoor& query) {
  for (const BoundAggregate& aggregate : query.aggregates) {
    for (const BoundedArgument& argument : aggregate.arguments) {
      if (!ReadsUnit(*argument.expr, query.relation)) continue;
      return MakeError(ErrorCode::kUnitReleased, "an aggregate may not read the privacy unit",
                       argument.expr->span);
    }
  }
  return Done{};
}

}  // namespace dpsql
