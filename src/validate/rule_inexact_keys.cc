#include "base/error_codes.h"
#include "validate/rules.h"

namespace dpsql {
namespace {

// Types whose equal values are the same value, so that both stages see the same groups and the
// released key is not one row's spelling of it.
bool IsExact(const Type& type) {
  switch (type.family) {
    case TypeFamily::kBoolean:
    case TypeFamily::kInteger:
    case TypeFamily::kDecimal:
    case TypeFamily::kText:
    case TypeFamily::kDate:
    case TypeFamily::kTimestamp:
      return true;
    default:
      return false;
  }
}

}  // namespace

Status RefuseInexactKeys(const BoundDoor& query) {
  for (const BoundKey& key : query.keys) {
    if (IsExact(key.expr->type)) continue;
    return MakeError(ErrorCode::kInexactKey,
                     "groups of type " + key.expr->type.name + " are not exact", key.expr->span);
  }
  return Done{};
}

}  // namespace dpsql
