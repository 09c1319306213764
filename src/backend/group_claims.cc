#include <utility>

#include "backend/group_parts.h"
#include "backend/lower.h"
#include "backend/lower_groups.h"
#include "backend/lower_node.h"
#include "backend/tree.h"
#include "backend/unit_clip.h"

namespace dpsql {
namespace {

using tree::AddGroup;
using tree::AddItem;
using tree::AsTable;
using tree::Call;
using tree::Column;
using tree::Numbered;
using tree::Whole;

// A distinct value as a text; equal values, and only they, have equal texts.
ast::ExprPtr ValueText(const BoundExpr& value, const LowerScope& scope) {
  const bool has_nan = value.type.family == TypeFamily::kFloat;
  return tree::Cast(has_nan ? LowerArgument(value, scope) : LowerExpr(value, scope), "text");
}

// The rows of the statistic's class: u, k0 …, and d, the value.
ast::Select ValueRows(const Door& door, const Statistic& statistic) {
  const LowerScope scope = ScopeOf(door);
  ast::Select select;
  AddItem(select, tree::Cast(LowerOwner(scope), "text"), "u");
  for (std::size_t i = 0; i < door.query->keys.size(); ++i) {
    AddItem(select, CanonicalKey(*door.query->keys[i].expr, scope), Numbered("k", i));
  }
  const BoundExpr& value = *statistic.arguments.at(0).expr;
  AddItem(select, ValueText(value, scope), "d");
  select.from = LowerFrom(scope);
  std::vector<ast::ExprPtr> conditions = DoorConditions(door);
  for (const BoundExprPtr& present : door.classes[statistic.cell_class].present) {
    conditions.push_back(tree::IsNotNull(LowerArgument(*present, scope)));
  }
  select.where = AllOf(std::move(conditions));
  return select;
}

// Each value of a unit in a group once.
ast::Select OwnValues(const Door& door, const Statistic& statistic,
                      const std::vector<std::string>& columns) {
  ast::Select values;
  Keep(columns, values);
  for (const std::string& column : columns) AddGroup(values, Column("r", column));
  values.from.push_back(AsTable(ValueRows(door, statistic)));
  values.where = tree::IsNotNull(Column("r", "d"));
  return values;
}

// 1 for the value of a unit in a group that is the first by its hash w.
ast::ExprPtr PlaceOfValue(bool one_group) {
  std::vector<ast::ExprPtr> cell;
  cell.push_back(Column("r", "u"));
  if (!one_group) cell.push_back(Column("r", "g"));
  std::vector<ast::ExprPtr> order;
  order.push_back(Column("r", "w"));
  order.push_back(Column("r", "d"));
  return tree::Over(Call("row_number"), std::move(cell), std::move(order));
}

}  // namespace

ast::Select LowerGroupClaims(const Door& door, const KeySet& keys, const PriorityKey& key,
                             std::size_t statistic) {
  const bool one_group = AccessOf(door, keys) == KeyAccess::kNone;
  const bool ranked = NeedsRank(door, std::min(MostGroups(door), keys.keys.size()));
  std::vector<std::string> columns = KeyNames(door);
  columns.insert(columns.end(), {"u", "d"});
  ast::Select placed =
      Placed(door, keys, OwnValues(door, door.statistics[statistic], columns), columns);
  columns = PlacedColumns(door, keys, std::move(columns));
  if (HasFlag(door, keys, statistic)) {
    placed.where = Column("y", Numbered("f", statistic));
  }
  Levels levels(std::move(placed), columns);
  levels.Add("w", one_group ? PriorityBy(key, {"u", "d"}) : PriorityBy(key, {"u", "g", "d"}));
  if (ranked) levels.Add("h", GroupPriorityBy(key));
  levels.Next();
  levels.Add("o", PlaceOfValue(one_group));
  levels.Next();
  ast::Select first;  // one row for each unit and group
  if (ranked) columns.push_back("h");
  Keep(columns, first);
  first.from.push_back(AsTable(std::move(levels).Finish()));
  first.where = Call("=", Column("r", "o"), Whole(1));
  ast::Select claims;
  AddResultKeys(door, keys, claims);
  ast::ExprPtr count = Call("count", Column("r", "d"));
  std::get<ast::Call>(count->node).distinct = true;
  AddItem(claims, std::move(count), "t");
  if (!ranked) {
    claims.from.push_back(AsTable(std::move(first)));
    return claims;
  }
  Levels counted(std::move(first), std::move(columns));
  counted.Add("q", RankOf(nullptr));
  counted.Next();
  claims.from.push_back(AsTable(std::move(counted).Finish()));
  claims.where = Call("<=", Column("r", "q"), Whole(MostCounted(door)));
  return claims;
}

}  // namespace dpsql
