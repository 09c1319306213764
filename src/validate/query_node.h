#pragma once

#include <string>
#include <vector>

#include "dpsql/result.h"
#include "validate/bound_query.h"

// Makes queries into tables: names and types of their columns, whose their rows are, and the facts
// that the query around may use. Facts set defaults of caps; the caps are enforced whatever they
// say.
namespace dpsql {

// CTEs are expanded where they are read; this keeps a short text from becoming a long query.
inline constexpr std::size_t kMostScans = 64;

struct NamedExpr {
  std::string name;
  BoundExprPtr expr;
  bool hidden = false;
};

// Exact types: equal values of them are the same value, so that it does not matter which row's is
// kept.
bool IsExactType(const Type& type);

// A row for each row of `body.relation`. Over private rows the owner stays a column: the first that
// holds it, or a hidden one behind the others.
Result<NodePtr> MakeProjection(Projection body, std::vector<NamedExpr> columns, std::string name,
                               const Catalog& catalog, SourceSpan span);

// `names` are those of the keys and, behind them, of the aggregates.
Result<NodePtr> MakeGrouping(Grouping body, std::vector<std::string> names, const Catalog& catalog,
                             SourceSpan span);
Result<NodePtr> MakeWindowing(Windowing body, const Catalog& catalog, SourceSpan span);
Result<NodePtr> MakeRelease(const std::shared_ptr<const BoundDoor>& door,
                            const std::vector<std::string>& names, SourceSpan span);

// The FULL JOIN of two queries: the scans of `body.relation`, which is resolved. Both sides are
// private and tied by the ON, or both are public. The owner is whichever side has one.
Result<NodePtr> MakeFullJoin(Projection body, const std::vector<NamedExpr>& columns,
                             const Catalog& catalog, SourceSpan span);

// Columns by position, of one type on both sides. Both sides are private with the unit at one
// position, or both are public.
Result<NodePtr> MakeSetOperation(SetOperation body, const Catalog& catalog, SourceSpan span);

// The same query with new names for its first columns.
NodePtr Renamed(const NodePtr& node, const std::vector<std::string>& names);

}  // namespace dpsql
