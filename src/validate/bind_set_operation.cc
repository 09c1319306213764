#include <algorithm>
#include <utility>

#include "base/error_codes.h"
#include "base/try.h"
#include "validate/bind_block.h"
#include "validate/bind_expr.h"
#include "validate/overloads.h"
#include "validate/ownership.h"
#include "validate/query_node.h"

namespace dpsql {
namespace {

std::size_t Shown(const CatalogTable& table) {
  return static_cast<std::size_t>(
      std::count_if(table.columns.begin(), table.columns.end(),
                    [](const CatalogColumn& column) { return !column.hidden; }));
}

bool IsWhole(const Type& type) { return type.family == TypeFamily::kInteger; }

Status CheckWholeNames(const CatalogTable& side, SourceSpan span) {
  for (std::size_t i = 0; i < Shown(side); ++i) {
    const CatalogColumn& column = side.columns[i];
    if (IsWholeName(column.type)) continue;
    return MakeError(ErrorCode::kTypeMismatch,
                     "column " + std::to_string(i + 1) + " is " + column.type.name +
                         ": such values are not put under each other",
                     span,
                     "leave it out, or select  " + column.name + " IS NOT NULL  in its place");
  }
  return Done{};
}

// The side with its columns cast to the types that both sides have in common.
Result<NodePtr> Aligned(const NodePtr& side, const NodePtr& other, const Catalog& catalog,
                        SourceSpan span) {
  const CatalogTable& mine = side->table;
  const CatalogTable& theirs = other->table;
  bool same = true;
  for (std::size_t i = 0; i < Shown(mine); ++i) {
    same = same && mine.columns[i].type == theirs.columns[i].type;
  }
  if (same) return side;
  Projection body;
  body.relation.scans = {{.node = side, .alias = mine.name, .span = span}};
  TRY_DONE(ResolveOwnership(catalog, body.relation));
  std::vector<NamedExpr> columns;
  for (std::size_t i = 0; i < Shown(mine); ++i) {
    BoundExprPtr column = ColumnExpr(body.relation.scans, catalog, {0, i}, span);
    const Type& wanted = theirs.columns[i].type;
    if (column->type != wanted) {
      if (!column->type.is_numeric() || !wanted.is_numeric()) {
        return MakeError(ErrorCode::kTypeMismatch,
                         "column " + std::to_string(i + 1) + " is " + column->type.name +
                             " on one side and " + wanted.name + " on the other",
                         span, "CAST one of them; columns meet by their position");
      }
      const bool whole = IsWhole(column->type) && IsWhole(wanted);
      TRY(column,
          BindOverload(whole ? "cast bigint" : "cast double precision", {std::move(column)}, span));
    }
    columns.push_back({.name = mine.columns[i].name, .expr = std::move(column)});
  }
  return MakeProjection(std::move(body), std::move(columns), mine.name, catalog, span);
}

// A unit that one side shows is one on the other side too, or a column would hold both.
Status CheckShownUnits(const CatalogTable& left, const CatalogTable& right, SourceSpan span) {
  if (left.is_public || right.is_public) return Done{};
  const auto shown = [](const CatalogTable& side) {
    const bool hidden = side.columns[*side.unit_column].hidden;
    return hidden ? std::optional<std::size_t>() : side.unit_column;
  };
  if (shown(left) == shown(right)) return Done{};
  return MakeError(ErrorCode::kNotJoinedOnUnit,
                   "the privacy unit is not at the same position on both sides", span,
                   "select it as the same column of both: columns meet by position, not by name");
}

Status CheckOwners(const CatalogTable& left, const CatalogTable& right, const SetOperation& body,
                   SourceSpan span) {
  if (left.is_public != right.is_public) {
    return MakeError(ErrorCode::kNotJoinedOnUnit,
                     "private and public rows cannot be mixed: the public ones have no owner", span,
                     "count the private rows with GROUP BY, and join the released result");
  }
  if (left.is_public) return Done{};
  if (left.kind != right.kind) {
    return MakeError(ErrorCode::kMixedUnits,
                     "one side protects each " + left.kind + ", the other each " + right.kind,
                     span);
  }
  const bool hidden = left.columns[*left.unit_column].hidden;
  const bool both_hidden = hidden && right.columns[*right.unit_column].hidden;
  const bool same_place =
      left.unit_column == right.unit_column &&
      left.columns[*left.unit_column].type == right.columns[*right.unit_column].type &&
      hidden == right.columns[*right.unit_column].hidden;
  if (same_place && (!hidden || (body.all && body.op == ast::SetOp::kUnion))) return Done{};
  if (both_hidden && same_place) {
    return MakeError(ErrorCode::kNotJoinedOnUnit,
                     "equal rows of different people would be taken for one", span,
                     "select the privacy unit on both sides, at the same position");
  }
  return MakeError(ErrorCode::kNotJoinedOnUnit,
                   "the privacy unit is not at the same position on both sides", span,
                   "select it as the same column of both: columns meet by position, not by name");
}

Status CheckExact(const CatalogTable& table, const SetOperation& body, SourceSpan span) {
  if (table.is_public || (body.all && body.op == ast::SetOp::kUnion)) return Done{};
  for (const CatalogColumn& column : table.columns) {
    if (IsExactType(column.type)) continue;
    return MakeError(ErrorCode::kInexactKey,
                     "distinct values of type " + column.type.name + " are not exact", span);
  }
  return Done{};
}

std::optional<std::int64_t> RowCap(const SetOperation& body) {
  const auto& left = body.left->table.max_rows_per_unit;
  const auto& right = body.right->table.max_rows_per_unit;
  if (body.op == ast::SetOp::kExcept) return left;
  if (!left || !right) return std::nullopt;
  if (body.op == ast::SetOp::kIntersect) return std::min(*left, *right);
  return std::min(kMostRowsPerUnit, *left + *right);
}

// What is known of a column on both sides: facts of one side alone are lost.
CatalogColumn Merged(const CatalogColumn& left, const CatalogColumn& right) {
  CatalogColumn column{.name = left.name, .type = left.type};
  column.nullable = left.nullable || right.nullable;
  column.hidden = left.hidden;
  column.reads_unit = left.reads_unit || right.reads_unit;
  if (left.bounds && right.bounds) {
    column.bounds = Interval{std::min(left.bounds->low, right.bounds->low),
                             std::max(left.bounds->high, right.bounds->high)};
    column.bounds_origin = left.bounds_origin;
  }
  return column;
}

}  // namespace

Result<NodePtr> MakeSetOperation(SetOperation body, const Catalog& catalog, SourceSpan span) {
  const std::size_t shown = Shown(body.left->table);
  if (shown != Shown(body.right->table)) {
    return MakeError(ErrorCode::kWrongArguments, "the two sides have different numbers of columns",
                     span, "select as many columns on both sides");
  }
  TRY_DONE(CheckWholeNames(body.left->table, span));
  TRY_DONE(CheckWholeNames(body.right->table, span));
  TRY_DONE(CheckShownUnits(body.left->table, body.right->table, span));
  TRY(NodePtr left, Aligned(body.left, body.right, catalog, span));
  TRY(body.right, Aligned(body.right, left, catalog, span));
  TRY(body.left, Aligned(left, body.right, catalog, span));
  const CatalogTable& mine = body.left->table;
  const CatalogTable& theirs = body.right->table;
  TRY_DONE(CheckOwners(mine, theirs, body, span));
  CatalogTable table{.name = "(union)", .is_public = mine.is_public, .kind = mine.kind};
  table.unit_column = mine.unit_column;
  // Public columns behind the shown ones are of no use to anyone.
  const std::size_t columns = mine.is_public ? shown : mine.columns.size();
  if (columns > theirs.columns.size() || mine.columns.size() != theirs.columns.size()) {
    return MakeError(ErrorCode::kNotJoinedOnUnit,
                     "the privacy unit is not at the same position on both sides", span,
                     "select it as the same column of both: columns meet by position, not by name");
  }
  for (std::size_t i = 0; i < columns; ++i) {
    table.columns.push_back(Merged(mine.columns[i], theirs.columns[i]));
  }
  TRY_DONE(CheckExact(table, body, span));
  table.max_rows_per_unit = RowCap(body);
  QueryNode node{.table = std::move(table), .body = Projection()};
  node.total_scans = body.left->total_scans + body.right->total_scans;
  if (node.total_scans > kMostScans) {
    return MakeError(ErrorCode::kTooLarge, "the query reads too many tables", span);
  }
  node.wide_scans = std::max(body.left->wide_scans, body.right->wide_scans);
  node.wide_public_scans = std::max(body.left->wide_public_scans, body.right->wide_public_scans);
  node.uncapped_table =
      body.left->uncapped_table.empty() ? body.right->uncapped_table : body.left->uncapped_table;
  const bool keeps_all = body.all && body.op == ast::SetOp::kUnion;
  const bool exact =
      std::all_of(node.table.columns.begin(), node.table.columns.end(),
                  [](const CatalogColumn& column) { return IsExactType(column.type); });
  node.stable = body.left->stable && body.right->stable && (keeps_all || exact);
  node.body = std::move(body);
  return std::make_shared<const QueryNode>(std::move(node));
}

Result<NodePtr> BindSetOperation(const ast::SetOperation& operation, const Catalog& catalog,
                                 CteScope* ctes, SourceSpan span) {
  SetOperation body{.op = operation.op, .all = operation.all, .left = nullptr, .right = nullptr};
  TRY(BoundBlock left, BindBlock(*operation.left, catalog, {.ctes = ctes, .name = "left side"}));
  TRY(BoundBlock right, BindBlock(*operation.right, catalog, {.ctes = ctes, .name = "right side"}));
  body.left = std::move(left.node);
  body.right = std::move(right.node);
  return MakeSetOperation(std::move(body), catalog, span);
}

}  // namespace dpsql
