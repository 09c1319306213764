#include "base/error_codes.h"
#include "validate/ownership.h"
#include "validate/rules.h"

namespace dpsql {

// A group per unit would be a list of units. The thresholds would withhold nearly all of it, but a
// unit's own name is never a result.
Status RefuseUnitKeys(const BoundDoor& query) {
  for (const BoundKey& key : query.keys) {
    if (!ReadsUnit(*key.expr, query.relation)) continue;
    return MakeError(ErrorCode::kUnitReleased, "a group key may not be the privacy unit",
                     key.expr->span);
  }
  return Done{};
}

}  // namespace dpsql
