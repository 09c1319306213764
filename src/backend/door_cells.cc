#include "backend/door_cells.h"

#include <algorithm>
#include <utility>

#include "backend/encode.h"
#include "backend/unit_bounding.h"

namespace dpsql {

Units UnitsOf(const Door& door, Keys keys) {
  return door.rows_are_units && keys == Keys::kEnforced ? Units::kLeftOut : Units::kRead;
}

RowInputs::RowInputs(const Door& door) : door_(door) {
  for (const Statistic& statistic : door.statistics) {
    for (std::size_t i = 0; i < statistic.arguments.size(); ++i) AddArgument(statistic, i);
  }
  for (const CellClass& cell_class : door.classes) classes_.push_back(ClassOf(cell_class));
}

CellLayout RowInputs::Layout(Units units) const {
  std::vector<std::vector<Value>> listed;
  for (const BoundKey& key : door_.query->keys) listed.push_back(key.values);
  return {.rows_are_units = units == Units::kLeftOut,
          .keys = door_.query->keys.size(),
          .listed = std::move(listed),
          .values = encodings_,
          .presences = presences_.size(),
          .classes = classes_};
}

void RowInputs::AddArgument(const Statistic& statistic, std::size_t argument) {
  if (argument == 0) {
    inputs_.resize(static_cast<std::size_t>(&statistic - &door_.statistics[0]) + 1);
  }
  const BoundExpr& expr = *statistic.arguments[argument].expr;
  if (statistic.shape.kind == StatisticKind::kDistinct) {
    inputs_.back().push_back(PresenceOf(expr));
    return;
  }
  if (CountsUnits(statistic.shape.kind)) return;
  inputs_.back().push_back(values_.size());
  values_.push_back(&expr);
  encodings_.push_back(EncodingOf(statistic, argument));
}

std::size_t RowInputs::PresenceOf(const BoundExpr& expr) {
  for (std::size_t i = 0; i < presences_.size(); ++i) {
    if (SameExpr(*presences_[i], expr)) return i;
  }
  presences_.push_back(&expr);
  return presences_.size() - 1;
}

RowClass RowInputs::ClassOf(const CellClass& cell_class) {
  RowClass found;
  for (const BoundExprPtr& expr : cell_class.present) {
    bool is_value = false;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (!SameExpr(*values_[i], *expr)) continue;
      found.values.push_back(i);
      is_value = true;
    }
    if (!is_value) found.presences.push_back(PresenceOf(*expr));
  }
  return found;
}

namespace {

CellStatistic SumsOf(const Statistic& statistic, const std::vector<std::size_t>& sums,
                     std::int64_t rows) {
  CellStatistic cells{.kind = CellStatistic::Kind::kSums, .row_class = statistic.cell_class};
  if (statistic.shape.counts_missing) cells.missing_class = statistic.row_class;
  cells.sums = sums;
  cells.width = Coordinates(statistic.shape);
  cells.coordinates = [&statistic](std::span<const Int128> class_rows, std::span<const Int128> own,
                                   std::span<Int128> out) {
    const std::vector<Int128> found = Coordinates(statistic, class_rows, own);
    std::copy(found.begin(), found.end(), out.begin());
  };
  cells.clip = [&statistic](std::span<Int128> vector) { Clip(statistic, vector); };
  cells.rows_inside = rows;
  return cells;
}

}  // namespace

DoorCells CellsOf(const Door& door, Units units) {
  const RowInputs inputs(door);
  DoorCells cells{.layout = inputs.Layout(units), .statistics = {}};
  for (std::size_t s = 0; s < door.statistics.size(); ++s) {
    const Statistic& statistic = door.statistics[s];
    if (statistic.shape.kind == StatisticKind::kUnits) {
      cells.statistics.push_back(
          {.kind = CellStatistic::Kind::kUnits, .row_class = statistic.cell_class});
      continue;
    }
    if (statistic.shape.kind == StatisticKind::kDistinct) {
      cells.statistics.push_back({.kind = CellStatistic::Kind::kDistinct,
                                  .row_class = statistic.cell_class,
                                  .distinct = cells.layout.distincts.size()});
      cells.layout.distincts.push_back(
          {.row_class = statistic.cell_class, .presence = inputs.InputOf(s, 0)});
      continue;
    }
    std::vector<std::size_t> sums;
    for (const Powers& powers : SummedPowers(statistic.shape)) {
      MonomialSum sum{.row_class = statistic.cell_class};
      const bool has_x = powers.x > 0;
      sum.a = inputs.InputOf(s, has_x ? 0 : 1);
      sum.power_a = static_cast<int>(has_x ? powers.x : powers.y);
      if (has_x && powers.y > 0) {
        sum.b = inputs.InputOf(s, 1);
        sum.power_b = static_cast<int>(powers.y);
      }
      sums.push_back(cells.layout.sums.size());
      cells.layout.sums.push_back(sum);
    }
    cells.statistics.push_back(SumsOf(statistic, sums, door.rows_per_unit.value));
  }
  return cells;
}

}  // namespace dpsql
