#include "backend/cell_bounding.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "backend/cell_claims.h"
#include "backend/keyed_hash.h"
#include "backend/unit_bounding.h"
#include "base/check.h"

namespace dpsql {

namespace {

// Leaves the first C0 of a unit's cells by (priority, bytes), as in unit_bounding.cc; nothing is
// hashed for units that have no more.
class GroupLimit {
 public:
  GroupLimit(const MergedCells& cells, const CellBounds& bounds) : cells_(cells), bounds_(bounds) {
    Check(bounds.groups_per_unit >= 1, "a unit may be in a group");
    if (cells.keys() <= static_cast<std::size_t>(bounds.groups_per_unit)) return;
    for (std::uint32_t key = 0; key < cells.keys(); ++key) {
      bytes_.push_back(KeyBytes(cells.key(key)));
    }
  }

  // Requires: the view is of this part.
  void Apply(std::size_t part, const UnitView& unit, std::vector<std::uint32_t>& chosen) const {
    const auto most = static_cast<std::size_t>(bounds_.groups_per_unit);
    if (chosen.size() <= most) return;
    struct Ranked {
      std::uint64_t priority;
      const std::string* bytes;
      std::uint32_t cell;
    };
    UnitPriority priority(bounds_.key, cells_.UnitText(part, unit.unit()));
    std::vector<Ranked> ranked;
    ranked.reserve(chosen.size());
    for (const std::uint32_t cell : chosen) {
      const std::string& bytes = bytes_[unit.key(cell)];
      ranked.push_back({priority.Of(bytes), &bytes, cell});
    }
    const auto first = [](const Ranked& a, const Ranked& b) {
      return std::tie(a.priority, *a.bytes) < std::tie(b.priority, *b.bytes);
    };
    std::nth_element(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(most - 1),
                     ranked.end(), first);
    chosen.clear();
    for (std::size_t i = 0; i < most; ++i) chosen.push_back(ranked[i].cell);
  }

 private:
  const MergedCells& cells_;
  const CellBounds& bounds_;
  std::vector<std::string> bytes_;  // per key; none where no unit can have too many
};

// Units per (group, class) of one part.
class PartCounter {
 public:
  PartCounter(const MergedCells& cells, std::size_t part)
      : part_(part), classes_(cells.layout().classes.size()), counts_(cells.keys() * classes_, 0) {}

  void Add(const UnitView& unit, const GroupLimit& limit) {
    chosen_.clear();
    for (std::uint32_t cell = 0; cell < unit.cells(); ++cell) chosen_.push_back(cell);
    limit.Apply(part_, unit, chosen_);
    for (const std::uint32_t cell : chosen_) {
      std::int64_t* const count = counts_.data() + unit.key(cell) * classes_;
      for (std::size_t c = 0; c < classes_; ++c) count[c] += unit.HasRows(cell, c) ? 1 : 0;
    }
  }

  // Where each row is a unit of its own, in one group.
  void AddRows(const UnitView& rows) {
    for (std::uint32_t cell = 0; cell < rows.cells(); ++cell) {
      std::int64_t* const count = counts_.data() + rows.key(cell) * classes_;
      for (std::size_t c = 0; c < classes_; ++c) count[c] += rows.Rows(cell, c);
    }
  }

  const std::vector<std::int64_t>& counts() const { return counts_; }

 private:
  std::size_t part_;
  std::size_t classes_;
  std::vector<std::int64_t> counts_;
  std::vector<std::uint32_t> chosen_;
};

}  // namespace

ExactTable CountCells(const MergedCells& cells, const CellBounds& bounds) {
  const GroupLimit limit(cells, bounds);
  std::vector<PartCounter> counters;
  for (std::size_t i = 0; i < cells.parts(); ++i) counters.emplace_back(cells, i);
  RunTasks(counters.size(), [&](std::size_t i) {
    cells.ForEachUnit(i, [&](const UnitView& unit) {
      cells.layout().rows_are_units ? counters[i].AddRows(unit) : counters[i].Add(unit, limit);
    });
  });
  const std::size_t classes = cells.layout().classes.size();
  ExactTableBuilder builder;
  for (std::uint32_t key = 0; key < cells.keys(); ++key) {
    std::vector<Int128> total(classes, 0);
    for (const PartCounter& part : counters) {
      for (std::size_t c = 0; c < classes; ++c) total[c] += part.counts()[key * classes + c];
    }
    const bool any = std::any_of(total.begin(), total.end(), [](Int128 n) { return n != 0; });
    if (any) builder.Add(cells.key(key), std::move(total));
  }
  return std::move(builder).Finish();
}

std::vector<std::int64_t> MostRows(const MergedCells& cells) {
  const std::size_t classes = cells.layout().classes.size();
  std::vector<std::vector<std::int64_t>> parts(cells.parts(), std::vector<std::int64_t>(classes));
  RunTasks(parts.size(), [&](std::size_t i) {
    cells.ForEachUnit(i, [&](const UnitView& unit) {
      for (std::size_t c = 0; c < classes; ++c) {
        std::int64_t rows = 0;
        for (std::uint32_t cell = 0; cell < unit.cells(); ++cell) rows += unit.Rows(cell, c);
        parts[i][c] = std::max(parts[i][c], rows);
      }
    });
  });
  std::vector<std::int64_t> most(classes);
  for (const std::vector<std::int64_t>& part : parts) {
    for (std::size_t c = 0; c < classes; ++c) most[c] = std::max(most[c], part[c]);
  }
  return most;
}

namespace {

constexpr std::int32_t kNotSelected = -1;

// Where the groups of the cells are in the key set.
std::vector<std::int32_t> PlaceKeys(const MergedCells& cells, const KeySet& keys) {
  std::unordered_map<std::string, std::int32_t, KeyedTextHash> index;
  for (std::size_t i = 0; i < keys.keys.size(); ++i) {
    index.emplace(KeyBytes(keys.keys[i].key), static_cast<std::int32_t>(i));
  }
  std::vector<std::int32_t> places;
  for (std::uint32_t key = 0; key < cells.keys(); ++key) {
    const auto found = index.find(KeyBytes(cells.key(key)));
    places.push_back(found == index.end() ? kNotSelected : found->second);
  }
  return places;
}

// Sums one statistic over the units of one part.
class PartSummer {
 public:
  PartSummer(const MergedCells& cells, std::size_t part, const CellStatistic& statistic,
             std::vector<std::int32_t> places, std::size_t selected)
      : part_(part),
        statistic_(statistic),
        places_(std::move(places)),
        classes_(cells.layout().classes.size()),
        sums_(statistic.sums.size()),
        raw_(selected * (classes_ + sums_), 0),
        totals_(selected * statistic.width, 0),
        claims_(statistic.kind == CellStatistic::Kind::kDistinct ? selected : 0,
                CellVector<Claim>(CellAllocator<Claim>(cells.memory()))),
        values_(CellAllocator<std::uint32_t>(cells.memory())) {}

  void Add(const UnitView& unit, const GroupLimit& limit) {
    Choose(unit);
    if (chosen_.empty()) return;
    if (statistic_.kind == CellStatistic::Kind::kSums) return AddSums(unit);
    limit.Apply(part_, unit, chosen_);
    for (const std::uint32_t cell : chosen_) AddToGroup(unit, cell);
  }

  // Where each row is a unit of its own: within every bound, and each in one group.
  void AddRows(const UnitView& rows) {
    for (std::uint32_t cell = 0; cell < rows.cells(); ++cell) {
      if (places_[rows.key(cell)] == kNotSelected) continue;
      switch (statistic_.kind) {
        case CellStatistic::Kind::kSums:
          AddRaw(rows, cell);
          break;
        case CellStatistic::Kind::kUnits:
          totals_[PlaceOf(rows, cell)] += rows.Rows(cell, statistic_.row_class);
          break;
        case CellStatistic::Kind::kDistinct:
          totals_[PlaceOf(rows, cell)] +=
              static_cast<Int128>(rows.Values(cell, statistic_.distinct).size());
          break;
      }
    }
  }

  const std::vector<Int128>& raw() const { return raw_; }
  const std::vector<Int128>& totals() const { return totals_; }

  void ListOwnValues(std::size_t key, std::vector<OwnValues>& units) const {
    for (const Claim& claim : claims_[key]) {
      units.push_back({part_, claim.unit, std::span(values_).subspan(claim.first, claim.count)});
    }
  }

 private:
  // A unit's distinct values in a group, among those kept.
  struct Claim {
    std::uint64_t unit = 0;
    std::size_t first = 0;
    std::size_t count = 0;
  };

  // The unit's cells that are selected and have rows of the class.
  void Choose(const UnitView& unit) {
    const std::size_t row_class = statistic_.missing_class.value_or(statistic_.row_class);
    chosen_.clear();
    rows_ = 0;
    for (std::uint32_t cell = 0; cell < unit.cells(); ++cell) {
      if (places_.data()[unit.key(cell)] == kNotSelected) continue;
      if (!unit.HasRows(cell, row_class)) continue;
      chosen_.push_back(cell);
      rows_ += unit.Rows(cell, row_class);
    }
  }

  std::size_t PlaceOf(const UnitView& unit, std::uint32_t cell) const {
    return static_cast<std::size_t>(places_.data()[unit.key(cell)]);
  }

  void AddRaw(const UnitView& unit, std::uint32_t cell) {
    Int128* const raw = raw_.data() + PlaceOf(unit, cell) * (classes_ + sums_);
    for (std::size_t c = 0; c < classes_; ++c) raw[c] += unit.Rows(cell, c);
    for (std::size_t s = 0; s < sums_; ++s) {
      raw[classes_ + s] += unit.Sum(cell, statistic_.sums[s]);
    }
  }

  void AddSums(const UnitView& unit) {
    if (rows_ <= statistic_.rows_inside) {
      for (const std::uint32_t cell : chosen_) AddRaw(unit, cell);
      return;
    }
    const std::size_t width = statistic_.width;
    vector_.assign(chosen_.size() * width, 0);
    std::vector<Int128> rows(classes_);
    std::vector<Int128> sums(sums_);
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      for (std::size_t c = 0; c < classes_; ++c) rows[c] = unit.Rows(chosen_[i], c);
      for (std::size_t s = 0; s < sums_; ++s) sums[s] = unit.Sum(chosen_[i], statistic_.sums[s]);
      statistic_.coordinates(rows, sums, std::span(vector_).subspan(i * width, width));
    }
    statistic_.clip(vector_);
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      Int128* const totals = totals_.data() + PlaceOf(unit, chosen_[i]) * width;
      for (std::size_t w = 0; w < width; ++w) totals[w] += vector_[i * width + w];
    }
  }

  void AddToGroup(const UnitView& unit, std::uint32_t cell) {
    const std::size_t place = PlaceOf(unit, cell);
    if (statistic_.kind == CellStatistic::Kind::kUnits) {
      totals_[place] += 1;
      return;
    }
    const std::vector<std::uint32_t> own = unit.Values(cell, statistic_.distinct);
    claims_[place].push_back({unit.unit(), values_.size(), own.size()});
    values_.insert(values_.end(), own.begin(), own.end());
  }

  std::size_t part_;
  const CellStatistic& statistic_;
  std::vector<std::int32_t> places_;  // per group, among the keys selected for the class
  std::size_t classes_;
  std::size_t sums_;
  std::vector<Int128> raw_;                // per key: rows and sums of units that need no clip
  std::vector<Int128> totals_;             // per key: coordinates
  std::vector<CellVector<Claim>> claims_;  // per key
  CellVector<std::uint32_t> values_;       // of the claims, as codes
  std::vector<std::uint32_t> chosen_;
  std::int64_t rows_ = 0;
  std::vector<Int128> vector_;
};

// A statistic's coordinates for all selected keys, one after the other.
class StatisticTotals {
 public:
  StatisticTotals(const MergedCells& cells, const CellStatistic& statistic, std::size_t keys)
      : cells_(cells), statistic_(statistic), keys_(keys), totals_(keys * statistic.width, 0) {}

  // Adds what the parts have of it.
  void Add(const std::vector<const PartSummer*>& parts, const PriorityKey& key) {
    const std::size_t classes = cells_.layout().classes.size();
    const std::size_t numbers = classes + statistic_.sums.size();
    std::vector<Int128> raw(keys_ * numbers, 0);
    for (const PartSummer* part : parts) {
      for (std::size_t i = 0; i < raw.size(); ++i) raw[i] += part->raw()[i];
      for (std::size_t i = 0; i < totals_.size(); ++i) totals_[i] += part->totals()[i];
    }
    if (statistic_.kind == CellStatistic::Kind::kDistinct) return Claim(parts, key);
    if (statistic_.kind == CellStatistic::Kind::kUnits) return;
    std::vector<Int128> coordinates(statistic_.width);
    for (std::size_t k = 0; k < keys_; ++k) {
      std::fill(coordinates.begin(), coordinates.end(), 0);
      const std::span<const Int128> of_key = std::span(raw).subspan(k * numbers, numbers);
      statistic_.coordinates(of_key.first(classes), of_key.subspan(classes), coordinates);
      for (std::size_t w = 0; w < statistic_.width; ++w) {
        totals_[k * statistic_.width + w] += coordinates[w];
      }
    }
  }

  std::span<const Int128> OfKey(std::size_t key) const {
    return std::span(totals_).subspan(key * statistic_.width, statistic_.width);
  }

 private:
  void Claim(const std::vector<const PartSummer*>& parts, const PriorityKey& key) {
    const std::size_t threads = std::max<std::size_t>(parts.size(), 1);
    RunTasks(threads, [&](std::size_t thread) {
      for (std::size_t k = thread; k < keys_; k += threads) {
        std::vector<OwnValues> units;
        for (const PartSummer* part : parts) part->ListOwnValues(k, units);
        totals_[k] += ClaimValues(cells_, statistic_.distinct, key, units);
      }
    });
  }

  const MergedCells& cells_;
  const CellStatistic& statistic_;
  std::size_t keys_;
  std::vector<Int128> totals_;
};

// Where the groups are among the keys that were selected for a class of the statistic.
std::vector<std::int32_t> PlacesOf(const CellStatistic& statistic, const KeySet& keys,
                                   std::vector<std::int32_t> places) {
  for (std::int32_t& place : places) {
    if (place == kNotSelected) continue;
    const SelectedKey& key = keys.keys[static_cast<std::size_t>(place)];
    const bool selected = key.cells[statistic.row_class] ||
                          (statistic.missing_class && key.cells[*statistic.missing_class]);
    if (!selected) place = kNotSelected;
  }
  return places;
}

// All statistics over the units of each part, each unit put together once.
std::vector<std::vector<PartSummer>> SumParts(const MergedCells& cells, const KeySet& keys,
                                              std::span<const CellStatistic> statistics,
                                              const CellBounds& bounds) {
  const GroupLimit limit(cells, bounds);
  const std::vector<std::int32_t> places = PlaceKeys(cells, keys);
  std::vector<std::vector<PartSummer>> parts(cells.parts());
  RunTasks(parts.size(), [&](std::size_t i) {
    for (const CellStatistic& statistic : statistics) {
      parts[i].emplace_back(cells, i, statistic, PlacesOf(statistic, keys, places),
                            keys.keys.size());
    }
    cells.ForEachUnit(i, [&](const UnitView& unit) {
      for (PartSummer& summer : parts[i]) {
        cells.layout().rows_are_units ? summer.AddRows(unit) : summer.Add(unit, limit);
      }
    });
  });
  return parts;
}

}  // namespace

ExactTable SumCells(const MergedCells& cells, const KeySet& keys,
                    std::span<const CellStatistic> statistics, const CellBounds& bounds) {
  for (const CellStatistic& statistic : statistics) {
    const bool sums = statistic.kind == CellStatistic::Kind::kSums;
    Check(sums || statistic.width == 1, "a count has one coordinate");
    Check(!sums || !cells.layout().rows_are_units || statistic.rows_inside >= 1,
          "a row is inside the bound");
  }
  const auto parts = SumParts(cells, keys, statistics, bounds);
  std::vector<StatisticTotals> totals;
  for (std::size_t s = 0; s < statistics.size(); ++s) {
    std::vector<const PartSummer*> of_statistic;
    for (const std::vector<PartSummer>& part : parts) of_statistic.push_back(&part[s]);
    totals.emplace_back(cells, statistics[s], keys.keys.size()).Add(of_statistic, bounds.key);
  }
  ExactTableBuilder builder;
  for (std::size_t k = 0; k < keys.keys.size(); ++k) {
    std::vector<Int128> numbers;
    for (const StatisticTotals& of_statistic : totals) {
      const std::span<const Int128> coordinates = of_statistic.OfKey(k);
      numbers.insert(numbers.end(), coordinates.begin(), coordinates.end());
    }
    builder.Add(keys.keys[k].key, std::move(numbers));
  }
  return std::move(builder).Finish();
}

}  // namespace dpsql
