#pragma once

#include <functional>

#include "dpsql/result.h"
#include "validate/bound_query.h"

// While a block is bound, an expression may name what has no place in a relation yet: an aggregate
// or a window of the block, a column of a subquery in an expression, a column of the query around.
// Such parts are columns of scans that no relation has; a rewrite gives them their places.
namespace dpsql {

inline constexpr std::size_t kAggregateScan = std::size_t{1} << 40;
inline constexpr std::size_t kWindowScan = kAggregateScan + 1;
inline constexpr std::size_t kNodeScan = kAggregateScan + 2;         // the block's own result
inline constexpr std::size_t kSubqueryScans = std::size_t{1} << 41;  // + number of the subquery
inline constexpr std::size_t kOuterScans = std::size_t{1} << 42;     // + scan of the outer query

inline bool IsOuter(BoundColumn at) { return at.scan >= kOuterScans; }
inline bool IsSubquery(BoundColumn at) {
  return at.scan >= kSubqueryScans && at.scan < kOuterScans;
}

// Replaces parts of an expression, from the top down: `replace` answers what stands in a part's
// place, or null to go on inside it. Types and bounds follow.
using Replace = std::function<Result<BoundExprPtr>(const BoundExprPtr&)>;
Result<BoundExprPtr> Rewrite(const BoundExprPtr& expr, const Replace& replace);

// Whether some part of the expression fulfils the predicate.
bool AnyPart(const BoundExpr& expr, const std::function<bool(const BoundExpr&)>& predicate);

// Whether the expression reads a column of the query around its block.
bool ReadsOuter(const BoundExpr& expr);

}  // namespace dpsql
