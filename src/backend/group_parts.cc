#include "backend/group_parts.h"

#include <algorithm>
#include <utility>

#include "backend/tree.h"
#include "backend/unit_bounding.h"
#include "base/check.h"

namespace dpsql {

using tree::AddGroup;
using tree::AddItem;
using tree::AsTable;
using tree::Call;
using tree::Column;
using tree::Numbered;
using tree::When;
using tree::Whole;

ast::ExprPtr AnyOf(std::vector<ast::ExprPtr> conditions) {
  return tree::Logic(ast::LogicOp::kOr, std::move(conditions));
}

ast::ExprPtr AllOf(std::vector<ast::ExprPtr> conditions) {
  return tree::Logic(ast::LogicOp::kAnd, std::move(conditions));
}

std::vector<std::string> KeyNames(const Door& door) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < door.query->keys.size(); ++i) names.push_back(Numbered("k", i));
  return names;
}

ast::ExprPtr GroupText(const Door& door) {
  std::vector<ast::ExprPtr> texts;
  for (const std::string& name : KeyNames(door)) {
    texts.push_back(Call("key text", tree::Cast(Column("r", name), "text")));
  }
  return tree::CallOf("joined texts", std::move(texts));
}

namespace {

std::string SeedText(const PriorityKey& key) {
  std::string text;
  for (const std::uint32_t word : key) text += std::to_string(word) + ".";
  return text;
}

}  // namespace

ast::ExprPtr PriorityBy(const PriorityKey& key, const std::vector<std::string>& columns) {
  std::vector<ast::ExprPtr> what;
  what.push_back(tree::Text(SeedText(key)));
  for (const std::string& column : columns) what.push_back(Column("r", column));
  return tree::CallOf("keyed hash", std::move(what));
}

ast::ExprPtr GroupPriorityBy(const PriorityKey& key) { return PriorityBy(key, {"u", "g"}); }

ast::ExprPtr RankOf(ast::ExprPtr counts) {
  std::vector<ast::ExprPtr> unit;
  unit.push_back(Column("r", "u"));
  std::vector<ast::ExprPtr> order;
  if (counts) order.push_back(When(std::move(counts), Whole(0), Whole(1)));
  order.push_back(Column("r", "h"));
  order.push_back(Column("r", "g"));
  return tree::Over(Call("row_number"), std::move(unit), std::move(order));
}

void Keep(const std::vector<std::string>& columns, ast::Select& select) {
  for (const std::string& column : columns) AddItem(select, Column("r", column), column);
}

std::int64_t MostCounted(const Door& door) {
  return std::max<std::int64_t>(1, door.groups_per_unit.value);
}

bool NeedsRank(const Door& door, std::size_t most_groups) {
  return static_cast<std::size_t>(MostCounted(door)) < most_groups;
}

std::size_t MostGroups(const Door& door) {
  if (door.key_mode == KeyMode::kScalar) return 1;
  if (door.key_mode == KeyMode::kKnown) return door.known_keys.size();
  return ~std::size_t{0};
}

ast::Select Placed(const Door& door, const KeySet& keys, ast::Select cells,
                   std::vector<std::string> columns) {
  ast::Select with_group;
  Keep(columns, with_group);
  const KeyAccess access = AccessOf(door, keys);
  if (access == KeyAccess::kNone) {
    with_group.from.push_back(AsTable(std::move(cells)));
    return with_group;
  }
  AddItem(with_group, GroupText(door), "g");
  with_group.from.push_back(AsTable(std::move(cells)));
  if (access == KeyAccess::kOwn) return with_group;
  ast::Select placed;
  columns.push_back("g");
  Keep(columns, placed);
  AddItem(placed, Column("y", "e"), "e");
  for (std::size_t s = 0; s < door.statistics.size(); ++s) {
    if (AllReleased(door.statistics[s], keys)) continue;
    AddItem(placed, Column("y", Numbered("f", s)), Numbered("f", s));
  }
  ast::From own_keys{.alias = "y", .column_aliases = {}, .span = {}};
  own_keys.node = ast::TableName{.parts = {kKeysTable}};
  ast::Join join;
  join.left = std::make_unique<ast::From>(AsTable(std::move(with_group)));
  join.right = std::make_unique<ast::From>(std::move(own_keys));
  join.on = Call("=", Column("r", "g"), Column("y", "g"));
  ast::From from{.alias = "", .column_aliases = {}, .span = {}};
  from.node = std::move(join);
  placed.from.push_back(std::move(from));
  return placed;
}

std::vector<std::string> PlacedColumns(const Door& door, const KeySet& keys,
                                       std::vector<std::string> columns) {
  const KeyAccess access = AccessOf(door, keys);
  if (access != KeyAccess::kNone) columns.push_back("g");
  if (access != KeyAccess::kJoined) return columns;
  columns.push_back("e");
  for (std::size_t s = 0; s < door.statistics.size(); ++s) {
    if (!AllReleased(door.statistics[s], keys)) columns.push_back(Numbered("f", s));
  }
  return columns;
}

void AddResultKeys(const Door& door, const KeySet& keys, ast::Select& select) {
  std::vector<std::string> names;
  if (AccessOf(door, keys) == KeyAccess::kJoined) names = {"e"};
  if (AccessOf(door, keys) == KeyAccess::kOwn) names = KeyNames(door);
  for (const std::string& name : names) {
    AddItem(select, Column("r", name), name);
    AddGroup(select, Column("r", name));
  }
}

bool HasFlag(const Door& door, const KeySet& keys, std::size_t statistic) {
  return AccessOf(door, keys) == KeyAccess::kJoined &&
         !AllReleased(door.statistics[statistic], keys);
}

KeyAccess AccessOf(const Door& door, const KeySet& keys) {
  if (door.query->keys.empty()) return KeyAccess::kNone;
  const bool all = std::all_of(keys.keys.begin(), keys.keys.end(), [](const SelectedKey& key) {
    return std::all_of(key.cells.begin(), key.cells.end(), [](bool cell) { return cell; });
  });
  // Rows of other groups than the declared ones are no rows of the door.
  const bool every = door.key_mode == KeyMode::kKnown && keys.keys.size() == door.known_keys.size();
  return all && every ? KeyAccess::kOwn : KeyAccess::kJoined;
}

bool UnitsAreRows(const Door& door) {
  return door.rows_are_units &&
         std::none_of(door.statistics.begin(), door.statistics.end(), [](const Statistic& one) {
           return one.shape.kind == StatisticKind::kDistinct;
         });
}

bool AnyReleased(const Statistic& statistic, const KeySet& keys) {
  return std::any_of(keys.keys.begin(), keys.keys.end(),
                     [&](const SelectedKey& key) { return IsReleased(statistic, key); });
}

bool AllReleased(const Statistic& statistic, const KeySet& keys) {
  return std::all_of(keys.keys.begin(), keys.keys.end(),
                     [&](const SelectedKey& key) { return IsReleased(statistic, key); });
}

std::string KeyText(const std::vector<Value>& key) {
  std::string text;
  for (const Value& value : key) {
    if (IsNull(value)) {
      text += "n";
      continue;
    }
    Check(!std::holds_alternative<double>(value), "a group key is exact");
    const bool* const flag = std::get_if<bool>(&value);
    const std::string own = flag == nullptr ? ToText(value) : *flag ? "true" : "false";
    text += "s" + std::to_string(own.size()) + ":" + own;
  }
  return text;
}

PublicTable KeysTableOf(const Door& door, const KeySet& keys) {
  PublicTable table{.name = kKeysTable};
  table.columns = {{"g", ParseType("VARCHAR")}, {"e", ParseType("BIGINT")}};
  std::vector<const Statistic*> flagged;
  for (std::size_t s = 0; s < door.statistics.size(); ++s) {
    if (AllReleased(door.statistics[s], keys)) continue;
    table.columns.push_back({Numbered("f", s), ParseType("BOOLEAN")});
    flagged.push_back(&door.statistics[s]);
  }
  for (std::size_t i = 0; i < keys.keys.size(); ++i) {
    std::vector<Value> row = {KeyText(keys.keys[i].key), static_cast<std::int64_t>(i)};
    for (const Statistic* statistic : flagged) {
      row.emplace_back(std::in_place_type<bool>, IsReleased(*statistic, keys.keys[i]));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace dpsql
