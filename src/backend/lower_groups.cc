#include "backend/lower_groups.h"

#include <algorithm>
#include <utility>

#include "backend/encode.h"
#include "backend/group_parts.h"
#include "backend/lower.h"
#include "backend/tree.h"
#include "backend/unit_bounding.h"
#include "backend/unit_clip.h"
#include "base/check.h"

namespace dpsql {
namespace {

using tree::AddGroup;
using tree::AddItem;
using tree::AsTable;
using tree::Call;
using tree::Column;
using tree::Numbered;
using tree::When;
using tree::Whole;

ast::ExprPtr HasRows(std::size_t row_class) {
  return Call(">", Column("r", Numbered("n", row_class)), Whole(0));
}

ast::ExprPtr CountWhere(ast::ExprPtr condition) {
  return Call("sum", When(std::move(condition), Whole(1), Whole(0)));
}

// Stage 2 of a door, all statistics but claims.
class SumsLowering {
 public:
  SumsLowering(const Door& door, const KeySet& keys, const PriorityKey& key)
      : door_(door), keys_(keys), key_(key) {
    std::size_t sum = 0;
    for (std::size_t s = 0; s < door.statistics.size(); ++s) {
      const Statistic& statistic = door.statistics[s];
      if (!CountsUnits(statistic.shape.kind)) {
        sums_.push_back({.statistic = &statistic,
                         .number = s,
                         .first_sum = sum,
                         .one_cell = AccessOf(door, keys) == KeyAccess::kNone,
                         .shown_in_some = HasFlag(door, keys, s),
                         .rows_inside = door.rows_per_unit.value});
      } else if (statistic.shape.kind == StatisticKind::kUnits) {
        counts_.push_back(s);
      }
      sum += SummedPowers(statistic.shape).size();
    }
    all_sums_ = sum;
  }

  std::optional<ast::Select> Lower() const {
    if (sums_.empty() && counts_.empty()) return std::nullopt;
    const bool units = !UnitsAreRows(door_);
    std::vector<std::string> columns = KeyNames(door_);
    if (units) columns.push_back("u");
    for (std::size_t c = 0; c < door_.classes.size(); ++c) columns.push_back(Numbered("n", c));
    for (std::size_t s = 0; s < all_sums_; ++s) columns.push_back(Numbered("s", s));
    ast::Select placed =
        Placed(door_, keys_, LowerGroups(door_, {.units = units, .sums = true}), columns);
    Levels levels(std::move(placed), PlacedColumns(door_, keys_, std::move(columns)));
    if (units) AddBounds(levels);
    return Totals(std::move(levels), units);
  }

 private:
  bool IsRanked() const {
    return !counts_.empty() && NeedsRank(door_, std::min(MostGroups(door_), keys_.keys.size()));
  }

  // A unit counts in a cell where the cell is released and it has rows.
  ast::ExprPtr Counts(std::size_t statistic) const {
    ast::ExprPtr rows = HasRows(door_.statistics[statistic].cell_class);
    if (!HasFlag(door_, keys_, statistic)) return rows;
    std::vector<ast::ExprPtr> both;
    both.push_back(std::move(rows));
    both.push_back(Column("r", Numbered("f", statistic)));
    return AllOf(std::move(both));
  }

  void AddBounds(Levels& levels) const {
    if (IsRanked()) {
      levels.Add("h", GroupPriorityBy(key_));
      levels.Next();
      for (const std::size_t s : counts_) levels.Add(Numbered("q", s), RankOf(Counts(s)));
    }
    for (const ClippedStatistic& own : sums_) AddInside(own, levels);
    levels.Next();
    if (!sums_.empty()) AddLengths(sums_, levels);
  }

  void AddCount(std::size_t statistic, bool units, ast::Select& select) const {
    if (!units) {  // each row is a unit
      const std::string rows = Numbered("n", door_.statistics[statistic].cell_class);
      ast::ExprPtr counted = Column("r", rows);
      if (HasFlag(door_, keys_, statistic)) {
        counted = When(Column("r", Numbered("f", statistic)), std::move(counted), Whole(0));
      }
      return AddItem(select, Call("sum", std::move(counted)), Numbered("t", select.items.size()));
    }
    std::vector<ast::ExprPtr> both;
    both.push_back(Counts(statistic));
    if (IsRanked()) {
      both.push_back(Call("<=", Column("r", Numbered("q", statistic)), Whole(MostCounted(door_))));
    }
    AddItem(select, CountWhere(AllOf(std::move(both))), Numbered("t", select.items.size()));
  }

  // What units inside of their bounds have; all of them where they are not read.
  ast::ExprPtr Inside(const ClippedStatistic& own, const std::string& column, bool units) const {
    std::vector<ast::ExprPtr> both;
    if (units) both.push_back(Column("r", Numbered("i", own.number)));
    if (own.shown_in_some) both.push_back(Column("r", Numbered("f", own.number)));
    ast::ExprPtr number = Column("r", column);
    if (both.empty()) return number;
    return When(AllOf(std::move(both)), std::move(number), tree::Null());
  }

  void AddSums(const ClippedStatistic& own, bool units, ast::Select& select) const {
    const Statistic& statistic = *own.statistic;
    std::vector<std::string> columns = {Numbered("n", statistic.cell_class)};
    if (statistic.shape.counts_missing) columns.push_back(Numbered("n", statistic.row_class));
    for (std::size_t i = 0; i < SummedPowers(statistic.shape).size(); ++i) {
      columns.push_back(Numbered("s", own.first_sum + i));
    }
    for (const std::string& column : columns) {
      AddItem(select, Call("wide sum", Call("wide", Inside(own, column, units))),
              Numbered("t", select.items.size()));
    }
    if (!units) return;
    for (std::size_t c = 0; c < Coordinates(statistic.shape); ++c) {
      AddItem(select, Call("wide sum", ClippedCoordinate(own, c)),
              Numbered("t", select.items.size()));
    }
  }

  ast::Select Totals(Levels levels, bool units) const {
    ast::Select select;
    AddResultKeys(door_, keys_, select);
    auto sums = sums_.begin();
    for (std::size_t s = 0; s < door_.statistics.size(); ++s) {
      const StatisticKind kind = door_.statistics[s].shape.kind;
      if (kind == StatisticKind::kUnits) AddCount(s, units, select);
      if (!CountsUnits(kind)) AddSums(*sums++, units, select);
    }
    select.from.push_back(AsTable(std::move(levels).Finish()));
    return select;
  }

  const Door& door_;
  const KeySet& keys_;
  const PriorityKey& key_;
  std::vector<ClippedStatistic> sums_;
  std::vector<std::size_t> counts_;  // statistics that count units
  std::size_t all_sums_ = 0;
};

}  // namespace

ast::Select LowerGroupCounts(const Door& door, const PriorityKey& key) {
  const bool units = !UnitsAreRows(door);
  ast::Select cells = LowerGroups(door, {.units = units, .sums = false});
  ast::Select counts;
  for (const std::string& name : KeyNames(door)) {
    AddItem(counts, Column("r", name), name);
    AddGroup(counts, Column("r", name));
  }
  for (std::size_t c = 0; c < door.classes.size(); ++c) {
    ast::ExprPtr counted =
        units ? CountWhere(HasRows(c)) : Call("sum", Column("r", Numbered("n", c)));
    AddItem(counts, std::move(counted), Numbered("t", c));
  }
  if (!units || !NeedsRank(door, MostGroups(door))) {
    counts.from.push_back(AsTable(std::move(cells)));
    return counts;
  }
  std::vector<std::string> columns = KeyNames(door);
  columns.push_back("u");
  for (std::size_t c = 0; c < door.classes.size(); ++c) columns.push_back(Numbered("n", c));
  ast::Select with_group;
  Keep(columns, with_group);
  AddItem(with_group, GroupText(door), "g");
  with_group.from.push_back(AsTable(std::move(cells)));
  // A group where no class has a row is none of the unit's cells.
  std::vector<ast::ExprPtr> any;
  for (std::size_t c = 0; c < door.classes.size(); ++c) any.push_back(HasRows(c));
  with_group.where = AnyOf(std::move(any));
  columns.push_back("g");
  Levels levels(std::move(with_group), std::move(columns));
  levels.Add("h", GroupPriorityBy(key));
  levels.Next();
  levels.Add("q", RankOf(nullptr));
  levels.Next();
  counts.from.push_back(AsTable(std::move(levels).Finish()));
  counts.where = Call("<=", Column("r", "q"), Whole(MostCounted(door)));
  return counts;
}

std::optional<ast::Select> LowerGroupSums(const Door& door, const KeySet& keys,
                                          const PriorityKey& key) {
  return SumsLowering(door, keys, key).Lower();
}

}  // namespace dpsql
