#include "validate/query_node.h"

#include <algorithm>
#include <utility>

#include "base/error_codes.h"
#include "base/try.h"
#include "validate/literals.h"
#include "validate/overloads.h"
#include "validate/ownership.h"
#include "validate/scope.h"

namespace dpsql {
namespace {

// A self-join squares a person's rows; a third scan would cube them. The clip keeps the answer
// private whatever the number, but the time would show who has many rows.
constexpr std::size_t kMostWideScans = 2;

// A public table that no key reaches multiplies a row by as much as an analyst likes.
constexpr std::size_t kMostWidePublicScans = 1;

constexpr std::size_t kMostPublicScans = 4;  // they cost time and memory only

std::size_t CountScans(const Relation& relation) {
  std::size_t scans = 0;
  for (const Scan& scan : relation.scans) scans += scan.node ? scan.node->total_scans : 1;
  return scans;
}

Status CheckSize(const Relation& relation, SourceSpan span) {
  if (CountScans(relation) > kMostScans) {
    return MakeError(ErrorCode::kTooLarge, "the query reads too many tables", span);
  }
  if (!relation.owner && relation.wide_scans > kMostPublicScans) {
    return MakeError(ErrorCode::kTooManyRows, "this join of public tables could have too many rows",
                     relation.scans.back().span);
  }
  if (!relation.owner || (relation.wide_scans <= kMostWideScans &&
                          relation.wide_public_scans <= kMostWidePublicScans)) {
    return Done{};
  }
  return MakeError(ErrorCode::kTooManyRows,
                   "this join could multiply one person's rows without limit",
                   relation.scans.back().span);
}

CatalogColumn DescribeColumn(const NamedExpr& named, const RelationView& view) {
  const BoundExpr& expr = *named.expr;
  CatalogColumn column{.name = named.name, .type = expr.type, .nullable = expr.nullable};
  column.hidden = named.hidden;
  column.bounds = expr.interval;
  column.bounds_origin = expr.interval_origin;
  column.reads_unit = ReadsUnit(expr, view.relation);
  if (HoldsUnit(expr, view.relation)) column.nullable = false;  // rows without an owner are dropped
  if (expr.kind == BoundKind::kColumn) column.values = view.column(expr.column).values;
  return column;
}

std::vector<CatalogColumn> DescribeColumns(const std::vector<NamedExpr>& columns,
                                           const RelationView& view) {
  std::vector<CatalogColumn> described;
  for (const NamedExpr& column : columns) described.push_back(DescribeColumn(column, view));
  return described;
}

// Where a column of the relation stands among the outputs, bare.
std::optional<std::size_t> PositionOf(BoundColumn at, const std::vector<BoundExprPtr>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i]->kind == BoundKind::kColumn && outputs[i]->column == at) return i;
  }
  return std::nullopt;
}

std::optional<std::vector<std::size_t>> PositionsOf(std::size_t scan,
                                                    const std::vector<std::size_t>& columns,
                                                    const std::vector<BoundExprPtr>& outputs) {
  std::vector<std::size_t> positions;
  for (const std::size_t column : columns) {
    const auto at = PositionOf({scan, column}, outputs);
    if (!at) return std::nullopt;
    positions.push_back(*at);
  }
  return positions;
}

// The parent rows that inner scans name are named by the outputs still.
void KeepOwnerKeys(const RelationView& view, const std::vector<BoundExprPtr>& outputs,
                   CatalogTable& table) {
  for (std::size_t s = 0; s < view.relation.scans.size(); ++s) {
    if (view.relation.scans[s].role != ScanRole::kInner) continue;
    for (const OwnerKey& key : view.table(view.relation.scans[s]).owner_keys) {
      const auto positions = PositionsOf(s, key.columns, outputs);
      if (!positions) continue;
      table.owner_keys.push_back({.parent_table = key.parent_table,
                                  .parent_columns = key.parent_columns,
                                  .columns = *positions});
    }
  }
}

bool OneRowPerUnit(const Relation& relation) {
  for (std::size_t s = 0; s < relation.scans.size(); ++s) {
    if (relation.scans[s].role != ScanRole::kTested && !relation.determined[s]) return false;
  }
  return true;
}

bool OneRow(const RelationView& view) {
  return std::all_of(view.relation.scans.begin(), view.relation.scans.end(), [&](const Scan& scan) {
    return scan.role == ScanRole::kTested || view.table(scan).IsUnique({});
  });
}

void AddUnique(CatalogTable& table, std::vector<std::size_t> key) {
  std::sort(key.begin(), key.end());
  if (!table.IsUnique(key)) table.unique_keys.push_back(std::move(key));
}

// Keys of the only table are keys of its rows, where all their columns are kept.
void KeepUniqueKeys(const RelationView& view, const std::vector<BoundExprPtr>& outputs,
                    CatalogTable& table) {
  if (OneRow(view)) AddUnique(table, {});
  if (table.unit_column && OneRowPerUnit(view.relation)) AddUnique(table, {*table.unit_column});
  const auto joined = [](const Scan& scan) { return scan.role != ScanRole::kTested; };
  const auto& scans = view.relation.scans;
  if (std::count_if(scans.begin(), scans.end(), joined) != 1) return;
  const auto only = std::find_if(scans.begin(), scans.end(), joined);
  for (const std::vector<std::size_t>& key : view.table(*only).unique_keys) {
    const auto scan = static_cast<std::size_t>(only - scans.begin());
    if (const auto positions = PositionsOf(scan, key, outputs)) AddUnique(table, *positions);
  }
}

void SetType(const RelationView& view, CatalogTable& table) {
  table.is_public = !view.relation.owner;
  if (view.relation.owner) table.kind = view.relation.owner->kind;
  table.max_rows_per_unit = view.relation.rows_per_unit;
}

// The first output that holds the unit in every row.
std::optional<std::size_t> OwnerAmong(const std::vector<BoundExprPtr>& outputs,
                                      const Relation& relation) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (HoldsUnit(*outputs[i], relation)) return i;
  }
  return std::nullopt;
}

std::vector<std::size_t> Count(std::size_t end) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < end; ++i) positions.push_back(i);
  return positions;
}

// Who names a parent row names its owner, so that the owner makes no more groups. The owner's name
// may be all that names that row; without it the other columns name nothing.
void KeepWithoutOwner(CatalogTable& groups, std::size_t keys) {
  if (!groups.unit_column) return;
  const auto without_owner = [&](const OwnerKey& key) {
    return std::find(key.columns.begin(), key.columns.end(), *groups.unit_column) ==
           key.columns.end();
  };
  if (std::none_of(groups.owner_keys.begin(), groups.owner_keys.end(), without_owner)) return;
  std::vector<std::size_t> others = Count(keys);
  std::erase(others, *groups.unit_column);
  AddUnique(groups, std::move(others));
}

Status CheckDistinct(const Projection& body, const CatalogTable& table, SourceSpan span) {
  if (!body.distinct) return Done{};
  if (!table.is_public && table.columns[*table.unit_column].hidden) {
    return MakeError(ErrorCode::kNotJoinedOnUnit, "DISTINCT without the privacy unit mixes people",
                     span, "select the unit as well, or use GROUP BY");
  }
  for (const CatalogColumn& column : table.columns) {
    if (table.is_public || IsExactType(column.type)) continue;
    return MakeError(ErrorCode::kInexactKey,
                     "distinct values of type " + column.type.name + " are not exact", span);
  }
  return Done{};
}

bool IsExact(const BoundExprPtr& expr) { return IsExactType(expr->type); }

bool IsStable(const Projection& body) {
  const bool cut = body.limit || body.offset;
  const bool exact = std::all_of(body.columns.begin(), body.columns.end(), IsExact);
  return (!cut || body.total_order) && (!body.distinct || exact);
}

bool IsStable(const Grouping& body) {
  const auto stable = [](const ExactAggregate& aggregate) {
    const bool counts = aggregate.function == "count" && !aggregate.distinct;
    return counts || !aggregate.argument || IsExact(aggregate.argument);
  };
  return std::all_of(body.keys.begin(), body.keys.end(), IsExact) &&
         std::all_of(body.aggregates.begin(), body.aggregates.end(), stable);
}

bool IsStable(const Windowing& body) {
  return std::all_of(body.windows.begin(), body.windows.end(),
                     [](const WindowCall& window) { return window.stable; });
}

bool ReadsStable(const Relation& relation) {
  return std::all_of(relation.scans.begin(), relation.scans.end(),
                     [](const Scan& scan) { return !scan.node || scan.node->stable; });
}

Result<NodePtr> Finish(QueryNode node, const Relation& relation, SourceSpan span) {
  TRY_DONE(CheckSize(relation, span));
  node.stable = node.stable && ReadsStable(relation);
  node.total_scans = std::max<std::size_t>(1, CountScans(relation));
  node.wide_scans = node.table.IsUnique({}) ? 0 : relation.wide_scans;
  node.wide_public_scans = relation.owner ? relation.wide_public_scans : 0;
  node.uncapped_table = relation.uncapped_table;
  node.span = span;
  return std::make_shared<const QueryNode>(std::move(node));
}

}  // namespace

// A float has -0.0, which equals 0.0 and is printed otherwise; intervals have many spellings.
bool IsExactType(const Type& type) {
  return type.family != TypeFamily::kFloat && type.family != TypeFamily::kInterval &&
         type.family != TypeFamily::kOther;
}

Result<NodePtr> MakeProjection(Projection body, std::vector<NamedExpr> columns, std::string name,
                               const Catalog& catalog, SourceSpan span) {
  const RelationView view{body.relation, catalog};
  CatalogTable table{.name = std::move(name)};
  SetType(view, table);
  for (const NamedExpr& column : columns) body.columns.push_back(column.expr);
  if (!table.is_public) {
    table.unit_column = OwnerAmong(body.columns, body.relation);
    if (!table.unit_column) {
      table.unit_column = columns.size();
      BoundExprPtr owner =
          ColumnExpr(body.relation.scans, catalog, body.relation.owner->column, span);
      columns.push_back({.name = "(owner)", .expr = owner, .hidden = true});
      body.columns.push_back(std::move(owner));
    }
  }
  table.columns = DescribeColumns(columns, view);
  TRY_DONE(CheckDistinct(body, table, span));
  KeepOwnerKeys(view, body.columns, table);
  KeepUniqueKeys(view, body.columns, table);
  if (body.distinct) AddUnique(table, Count(body.columns.size()));
  if (body.limit && *body.limit <= 1) AddUnique(table, {});
  QueryNode node{.table = std::move(table), .body = Projection()};
  const Relation relation = body.relation;
  node.stable = IsStable(body);
  node.body = std::move(body);
  return Finish(std::move(node), relation, span);
}

Result<NodePtr> MakeGrouping(Grouping body, std::vector<std::string> names, const Catalog& catalog,
                             SourceSpan span) {
  const RelationView view{body.relation, catalog};
  CatalogTable table{.name = "(groups)"};
  SetType(view, table);
  table.unit_column = OwnerAmong(body.keys, body.relation);
  std::vector<NamedExpr> columns;
  for (std::size_t i = 0; i < body.keys.size(); ++i) columns.push_back({names[i], body.keys[i]});
  table.columns = DescribeColumns(columns, view);
  for (std::size_t i = 0; i < body.aggregates.size(); ++i) {
    const ExactAggregate& aggregate = body.aggregates[i];
    CatalogColumn column{.name = names[body.keys.size() + i],
                         .type = aggregate.type,
                         .nullable = aggregate.function != "count"};
    const bool chooses = aggregate.function == "min" || aggregate.function == "max";
    if (aggregate.argument) {
      column.reads_unit = ReadsUnit(*aggregate.argument, body.relation);
      if (chooses || aggregate.function == "avg") {
        column.bounds = aggregate.argument->interval;
        column.bounds_origin = aggregate.argument->interval_origin;
      }
    }
    table.columns.push_back(std::move(column));
  }
  KeepOwnerKeys(view, body.keys, table);
  AddUnique(table, Count(body.keys.size()));
  if (table.unit_column && OneRowPerUnit(body.relation)) AddUnique(table, {*table.unit_column});
  KeepWithoutOwner(table, body.keys.size());
  if (body.keys.size() == 1 && table.unit_column) table.max_rows_per_unit = 1;
  QueryNode node{.table = std::move(table), .body = Projection()};
  const Relation relation = body.relation;
  node.stable = IsStable(body);
  node.body = std::move(body);
  return Finish(std::move(node), relation, span);
}

Result<NodePtr> MakeWindowing(Windowing body, const Catalog& catalog, SourceSpan span) {
  const RelationView view{body.relation, catalog};
  CatalogTable table{.name = "(windows)"};
  SetType(view, table);
  table.unit_column = OwnerAmong(body.inputs, body.relation);
  std::vector<NamedExpr> columns;
  for (const BoundExprPtr& input : body.inputs) columns.push_back({Describe(*input, view), input});
  table.columns = DescribeColumns(columns, view);
  for (const WindowCall& window : body.windows) {
    CatalogColumn column{.name = window.function, .type = window.type};
    for (const BoundExprPtr& argument : window.arguments) {
      column.reads_unit = column.reads_unit || ReadsUnit(*argument, body.relation);
    }
    table.columns.push_back(std::move(column));
  }
  KeepOwnerKeys(view, body.inputs, table);
  KeepUniqueKeys(view, body.inputs, table);
  QueryNode node{.table = std::move(table), .body = Projection()};
  const Relation relation = body.relation;
  node.stable = IsStable(body);
  node.body = std::move(body);
  return Finish(std::move(node), relation, span);
}

Result<NodePtr> MakeRelease(const std::shared_ptr<const BoundDoor>& door,
                            const std::vector<std::string>& names, SourceSpan span) {
  CatalogTable table{.name = "(release)", .is_public = true};
  for (std::size_t i = 0; i < door->keys.size(); ++i) {
    const BoundExpr& key = *door->keys[i].expr;
    CatalogColumn column{.name = names[i], .type = key.type, .nullable = key.nullable};
    column.bounds = key.interval;
    column.bounds_origin = key.interval_origin;
    column.values = door->keys[i].values;
    table.columns.push_back(std::move(column));
  }
  for (std::size_t i = 0; i < door->aggregates.size(); ++i) {
    const std::string_view type = door->aggregates[i].aggregate->result_type;
    table.columns.push_back(
        {.name = names[door->keys.size() + i], .type = ParseType(std::string(type))});
  }
  table.unique_keys.push_back(Count(door->keys.size()));
  const Relation& relation = door->relation;
  TRY_DONE(CheckSize(relation, span));
  QueryNode node{.table = std::move(table), .body = Release{door}};
  node.total_scans = CountScans(relation);
  node.wide_scans = door->keys.empty() ? 0 : 1;
  return std::make_shared<const QueryNode>(std::move(node));
}

Result<NodePtr> MakeFullJoin(Projection body, const std::vector<NamedExpr>& columns,
                             const Catalog& catalog, SourceSpan span) {
  const RelationView view{body.relation, catalog};
  CatalogTable table{.name = "(join)"};
  SetType(view, table);
  table.max_rows_per_unit.reset();
  table.columns = DescribeColumns(columns, view);
  for (CatalogColumn& column : table.columns) column.nullable = true;
  for (const NamedExpr& column : columns) body.columns.push_back(column.expr);
  if (body.relation.owner) {
    const CatalogTable& left = view.table(body.relation.scans[0]);
    const CatalogTable& right = view.table(body.relation.scans[1]);
    const auto unit = [&](std::size_t scan, const CatalogTable& side) {
      return ColumnExpr(body.relation.scans, catalog, {scan, *side.unit_column}, span);
    };
    TRY(BoundExprPtr owner, BindOverload("coalesce", {unit(0, left), unit(1, right)}, span));
    for (std::size_t i = 0; i < body.columns.size() && !table.unit_column; ++i) {
      if (SameExpr(*body.columns[i], *owner)) table.unit_column = i;
    }
    if (!table.unit_column) {
      table.unit_column = table.columns.size();
      table.columns.push_back({.name = "(owner)", .type = owner->type, .hidden = true});
      body.columns.push_back(std::move(owner));
    }
    table.columns[*table.unit_column].nullable = false;
    if (left.max_rows_per_unit && right.max_rows_per_unit) {
      const std::int64_t a = std::min(*left.max_rows_per_unit, kMostRowsPerUnit) + 1;
      const std::int64_t b = std::min(*right.max_rows_per_unit, kMostRowsPerUnit) + 1;
      table.max_rows_per_unit = std::min(kMostRowsPerUnit, a * b - 1);
    }
  }
  QueryNode node{.table = std::move(table), .body = Projection()};
  Relation relation = body.relation;
  // Neither side's unit is in every row: the owner is the column made above.
  body.relation.owner.reset();
  node.body = std::move(body);
  for (const Scan& scan : relation.scans) {
    if (relation.uncapped_table.empty()) relation.uncapped_table = scan.node->uncapped_table;
  }
  return Finish(std::move(node), relation, span);
}

NodePtr Renamed(const NodePtr& node, const std::vector<std::string>& names) {
  if (names.empty()) return node;
  QueryNode renamed = *node;
  std::size_t next = 0;
  for (CatalogColumn& column : renamed.table.columns) {
    if (!column.hidden && next < names.size()) column.name = names[next++];
  }
  return std::make_shared<const QueryNode>(std::move(renamed));
}

}  // namespace dpsql
