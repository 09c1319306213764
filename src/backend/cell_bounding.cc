#include "backend/cell_bounding.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "backend/cell_claims.h"
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

  void Apply(const CellPart& part, std::size_t unit, std::vector<std::uint32_t>& chosen) const {
    const auto most = static_cast<std::size_t>(bounds_.groups_per_unit);
    if (chosen.size() <= most) return;
    struct Ranked {
      std::uint64_t priority;
      const std::string* bytes;
      std::uint32_t cell;
    };
    UnitPriority priority(bounds_.key, cells_.UnitText(part, unit));
    std::vector<Ranked> ranked;
    ranked.reserve(chosen.size());
    for (const std::uint32_t cell : chosen) {
      const std::string& bytes = bytes_[part.keys[cell]];
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
std::vector<std::int64_t> CountPart(const MergedCells& cells, const CellPart& part,
                                    const GroupLimit& limit) {
  const std::size_t classes = part.record.classes;
  std::vector<std::int64_t> counts(cells.keys() * classes, 0);
  std::vector<std::uint32_t> chosen;
  for (std::size_t unit = 0; unit < part.units(); ++unit) {
    chosen.clear();
    for (std::uint32_t cell = part.first_cell(unit); cell < part.end_cell(unit); ++cell) {
      chosen.push_back(cell);
    }
    limit.Apply(part, unit, chosen);
    for (const std::uint32_t cell : chosen) {
      std::int64_t* const count = counts.data() + part.keys.data()[cell] * classes;
      const std::uint32_t* const rows =
          part.record.counts(part.records.data() + cell * part.record.words);
      for (std::size_t c = 0; c < classes; ++c) count[c] += rows[c] != 0 ? 1 : 0;
    }
  }
  return counts;
}

// The same where each row is a unit of its own, in one group.
std::vector<std::int64_t> CountRows(const MergedCells& cells, const CellPart& part) {
  const std::size_t classes = part.record.classes;
  std::vector<std::int64_t> counts(cells.keys() * classes, 0);
  for (std::size_t cell = 0; cell < part.keys.size(); ++cell) {
    for (std::size_t c = 0; c < classes; ++c) {
      counts[part.keys[cell] * classes + c] += part.Rows(cell, c);
    }
  }
  return counts;
}

}  // namespace

ExactTable CountCells(const MergedCells& cells, const CellBounds& bounds) {
  const GroupLimit limit(cells, bounds);
  std::vector<std::vector<std::int64_t>> counts(cells.parts().size());
  RunTasks(counts.size(), [&](std::size_t i) {
    const CellPart& part = cells.parts()[i];
    counts[i] =
        cells.layout().rows_are_units ? CountRows(cells, part) : CountPart(cells, part, limit);
  });
  const std::size_t classes = cells.layout().classes.size();
  ExactTableBuilder builder;
  for (std::uint32_t key = 0; key < cells.keys(); ++key) {
    std::vector<Int128> total(classes, 0);
    for (const std::vector<std::int64_t>& part : counts) {
      for (std::size_t c = 0; c < classes; ++c) total[c] += part[key * classes + c];
    }
    const bool any = std::any_of(total.begin(), total.end(), [](Int128 n) { return n != 0; });
    if (any) builder.Add(cells.key(key), std::move(total));
  }
  return std::move(builder).Finish();
}

namespace {

constexpr std::int32_t kNotSelected = -1;

// Where the groups of the cells are in the key set.
std::vector<std::int32_t> PlaceKeys(const MergedCells& cells, const KeySet& keys) {
  std::unordered_map<std::string, std::int32_t> index;
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
  PartSummer(const MergedCells& cells, const CellPart& part, const CellStatistic& statistic,
             std::vector<std::int32_t> places, std::size_t selected)
      : cells_(cells),
        part_(part),
        statistic_(statistic),
        places_(std::move(places)),
        classes_(part.record.classes),
        sums_(statistic.sums.size()),
        raw_(selected * (classes_ + sums_), 0),
        totals_(selected * statistic.width, 0),
        claims_(statistic.kind == CellStatistic::Kind::kDistinct ? selected : 0) {}

  void Run(const GroupLimit& limit) {
    for (std::size_t unit = 0; unit < part_.units(); ++unit) {
      Choose(unit);
      if (chosen_.empty()) continue;
      if (statistic_.kind == CellStatistic::Kind::kSums) {
        AddSums();
        continue;
      }
      limit.Apply(part_, unit, chosen_);
      for (const std::uint32_t cell : chosen_) AddToGroup(unit, cell);
    }
  }

  // Where each row is a unit of its own: within every bound, and each in one group.
  void RunRows() {
    for (std::uint32_t cell = 0; cell < part_.keys.size(); ++cell) {
      if (places_[part_.keys[cell]] == kNotSelected) continue;
      switch (statistic_.kind) {
        case CellStatistic::Kind::kSums:
          AddRaw(cell);
          break;
        case CellStatistic::Kind::kUnits:
          *Totals(cell) += part_.Rows(cell, statistic_.row_class);
          break;
        case CellStatistic::Kind::kDistinct:
          *Totals(cell) += static_cast<Int128>(part_.Values(cell, statistic_.distinct).size());
          break;
      }
    }
  }

  const std::vector<Int128>& raw() const { return raw_; }
  const std::vector<Int128>& totals() const { return totals_; }
  const std::vector<std::vector<OwnValues>>& claims() const { return claims_; }

 private:
  // The unit's cells that are selected and have rows of the class.
  void Choose(std::size_t unit) {
    chosen_.clear();
    rows_ = 0;
    for (std::uint32_t cell = part_.first_cell(unit); cell < part_.end_cell(unit); ++cell) {
      if (places_.data()[part_.keys.data()[cell]] == kNotSelected) continue;
      const std::int64_t rows =
          part_.Rows(cell, statistic_.missing_class.value_or(statistic_.row_class));
      if (rows == 0) continue;
      chosen_.push_back(cell);
      rows_ += rows;
    }
  }

  Int128* Totals(std::uint32_t cell) {
    const auto place = static_cast<std::size_t>(places_.data()[part_.keys.data()[cell]]);
    return totals_.data() + place * statistic_.width;
  }

  void AddRaw(std::uint32_t cell) {
    const auto place = static_cast<std::size_t>(places_.data()[part_.keys.data()[cell]]);
    Int128* const raw = raw_.data() + place * (classes_ + sums_);
    for (std::size_t c = 0; c < classes_; ++c) raw[c] += part_.Rows(cell, c);
    for (std::size_t s = 0; s < sums_; ++s) {
      raw[classes_ + s] += part_.Sum(cell, statistic_.sums[s]);
    }
  }

  void AddSums() {
    if (rows_ <= statistic_.rows_inside) {
      for (const std::uint32_t cell : chosen_) AddRaw(cell);
      return;
    }
    const std::size_t width = statistic_.width;
    vector_.assign(chosen_.size() * width, 0);
    std::vector<Int128> rows(classes_);
    std::vector<Int128> sums(sums_);
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      for (std::size_t c = 0; c < classes_; ++c) rows[c] = part_.Rows(chosen_[i], c);
      for (std::size_t s = 0; s < sums_; ++s) sums[s] = part_.Sum(chosen_[i], statistic_.sums[s]);
      statistic_.coordinates(rows, sums, std::span(vector_).subspan(i * width, width));
    }
    statistic_.clip(vector_);
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      Int128* const totals = Totals(chosen_[i]);
      for (std::size_t w = 0; w < width; ++w) totals[w] += vector_[i * width + w];
    }
  }

  void AddToGroup(std::size_t unit, std::uint32_t cell) {
    if (statistic_.kind == CellStatistic::Kind::kUnits) {
      *Totals(cell) += 1;
      return;
    }
    const auto place = static_cast<std::size_t>(places_[part_.keys[cell]]);
    claims_[place].push_back({&part_, unit, part_.Values(cell, statistic_.distinct)});
  }

  const MergedCells& cells_;
  const CellPart& part_;
  const CellStatistic& statistic_;
  std::vector<std::int32_t> places_;  // per group, among the keys selected for the class
  std::size_t classes_;
  std::size_t sums_;
  std::vector<Int128> raw_;     // per key: rows and sums of the units that need no clip
  std::vector<Int128> totals_;  // per key: coordinates
  std::vector<std::vector<OwnValues>> claims_;
  std::vector<std::uint32_t> chosen_;
  std::int64_t rows_ = 0;
  std::vector<Int128> vector_;
};

// A statistic's coordinates for all selected keys, one after the other.
class StatisticTotals {
 public:
  StatisticTotals(const MergedCells& cells, const CellStatistic& statistic, std::size_t keys)
      : cells_(cells), statistic_(statistic), keys_(keys), totals_(keys * statistic.width, 0) {}

  void Add(const std::vector<PartSummer>& parts, const PriorityKey& key) {
    const std::size_t classes = cells_.layout().classes.size();
    const std::size_t numbers = classes + statistic_.sums.size();
    std::vector<Int128> raw(keys_ * numbers, 0);
    for (const PartSummer& part : parts) {
      for (std::size_t i = 0; i < raw.size(); ++i) raw[i] += part.raw()[i];
      for (std::size_t i = 0; i < totals_.size(); ++i) totals_[i] += part.totals()[i];
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
  void Claim(const std::vector<PartSummer>& parts, const PriorityKey& key) {
    const std::size_t threads = std::max<std::size_t>(parts.size(), 1);
    RunTasks(threads, [&](std::size_t thread) {
      for (std::size_t k = thread; k < keys_; k += threads) {
        std::vector<OwnValues> units;
        for (const PartSummer& part : parts) {
          units.insert(units.end(), part.claims()[k].begin(), part.claims()[k].end());
        }
        totals_[k] += ClaimValues(cells_, statistic_.distinct, key, std::move(units));
      }
    });
  }

  const MergedCells& cells_;
  const CellStatistic& statistic_;
  std::size_t keys_;
  std::vector<Int128> totals_;
};

}  // namespace

ExactTable SumCells(const MergedCells& cells, const KeySet& keys,
                    std::span<const CellStatistic> statistics, const CellBounds& bounds) {
  const GroupLimit limit(cells, bounds);
  const std::vector<std::int32_t> places = PlaceKeys(cells, keys);
  std::vector<StatisticTotals> totals;
  for (const CellStatistic& statistic : statistics) {
    Check(statistic.kind == CellStatistic::Kind::kSums || statistic.width == 1,
          "a count has one coordinate");
    std::vector<std::int32_t> of_class = places;
    for (std::int32_t& place : of_class) {
      if (place == kNotSelected) continue;
      const SelectedKey& key = keys.keys[static_cast<std::size_t>(place)];
      const bool selected = key.cells[statistic.row_class] ||
                            (statistic.missing_class && key.cells[*statistic.missing_class]);
      if (!selected) place = kNotSelected;
    }
    std::vector<PartSummer> parts;
    for (const CellPart& part : cells.parts()) {
      parts.emplace_back(cells, part, statistic, of_class, keys.keys.size());
    }
    RunTasks(parts.size(), [&](std::size_t i) {
      if (!cells.layout().rows_are_units) return parts[i].Run(limit);
      Check(statistic.kind != CellStatistic::Kind::kSums || statistic.rows_inside >= 1,
            "a row is inside the bound");
      parts[i].RunRows();
    });
    totals.emplace_back(cells, statistic, keys.keys.size()).Add(parts, bounds.key);
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
