#include <algorithm>

#include "base/error_codes.h"
#include "validate/rules.h"

namespace dpsql {

// Which values a unit holds is kept in memory until all units have claimed theirs. Where a public
// table multiplies rows, an analyst could make one person's row hold as many as memory has room
// for, and whether the query ends would say something about that row.
Status RefuseWideClaims(const BoundDoor& query) {
  if (query.relation.wide_public_scans == 0) return Done{};
  for (const BoundAggregate& aggregate : query.aggregates) {
    if (aggregate.aggregate->form != AggregateForm::kDistinctValue) continue;
    return MakeError(ErrorCode::kTooManyRows,
                     "COUNT(DISTINCT …) over rows that a public table multiplies", aggregate.span,
                     "join the public table by a key of it");
  }
  return Done{};
}

}  // namespace dpsql
