#include "base/error_codes.h"
#include "validate/rules.h"

namespace dpsql {
namespace {

// A self-join squares a person's rows; a third scan would cube them. The clip keeps the answer
// private whatever the number, but the time would show who has many rows.
constexpr std::size_t kMostWideScans = 2;

}  // namespace

Status RefuseWideJoins(const BoundQuery& query) {
  if (query.relation().wide_scans <= kMostWideScans) return Done{};
  return MakeError(ErrorCode::kTooManyRows,
                   "this join could multiply one person's rows without limit",
                   query.relation().scans[kMostWideScans].span);
}

}  // namespace dpsql
