#include "backend/unit_bounding.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "backend/encode.h"
#include "base/check.h"
#include "privacy/clip.h"

namespace dpsql {
namespace {

// The first `most` of n things by (priority, bytes), as positions.
std::vector<std::size_t> FirstByPriority(const PriorityKey& key, const std::string& unit,
                                         const std::vector<std::string>& groups,
                                         std::int64_t most) {
  std::vector<std::size_t> order(groups.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (order.size() <= static_cast<std::size_t>(most)) return order;
  std::vector<std::uint64_t> priority;
  for (const std::string& group : groups) priority.push_back(GroupPriority(key, unit, group));
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(priority[a], groups[a]) < std::tie(priority[b], groups[b]);
  });
  order.resize(static_cast<std::size_t>(most));
  return order;
}

void AppendBytes(const Value& value, std::string& bytes) {
  struct Appender {
    std::string& bytes;
    void operator()(std::monostate) const { bytes += 'n'; }
    void operator()(bool flag) const { bytes += flag ? 't' : 'f'; }
    void operator()(std::int64_t number) const { bytes += 'i' + std::to_string(number) + ';'; }
    void operator()(double) const { throw Bug("a group key is exact"); }
    void operator()(const std::string& text) const {
      bytes += 's' + std::to_string(text.size()) + ':' + text;
    }
  };
  std::visit(Appender{bytes}, value);
}

}  // namespace

std::string KeyBytes(const std::vector<Value>& key) {
  std::string bytes;
  for (const Value& value : key) AppendBytes(value, bytes);
  return bytes;
}

void Clip(const Statistic& statistic, std::span<Int128> vector) {
  if (statistic.mechanism == Mechanism::kLaplace) {
    ClipL1(vector, statistic.clip);
  } else if (statistic.shape.kind == StatisticKind::kMoments) {
    ClipWeightedL2(vector, WeightsOf(statistic.shape), statistic.clip);
  } else {
    ClipL2(vector, statistic.clip);
  }
}

bool IsReleased(const Statistic& statistic, const SelectedKey& key) {
  return key.cells[statistic.cell_class] ||
         (statistic.shape.counts_missing && key.cells[statistic.row_class]);
}

CellCounter::CellCounter(const Door& door, const PriorityKey& key) : door_(door), key_(key) {}

void CellCounter::Add(UnitRows rows) {
  // A group where no class has a row is none of the unit's cells.
  std::erase_if(rows.cells, [](const UnitCell& cell) {
    return std::all_of(cell.rows.begin(), cell.rows.end(), [](Int128 n) { return n == 0; });
  });
  std::vector<std::string> groups;
  for (const UnitCell& cell : rows.cells) groups.push_back(KeyBytes(cell.key));
  for (const std::size_t i :
       FirstByPriority(key_, rows.unit, groups, door_.groups_per_unit.value)) {
    const auto [at, is_new] = index_.try_emplace(groups[i], keys_.size());
    if (is_new) {
      keys_.push_back(std::move(rows.cells[i].key));
      counts_.emplace_back(door_.classes.size(), 0);
    }
    for (std::size_t c = 0; c < door_.classes.size(); ++c) {
      if (rows.cells[i].rows[c] > 0) counts_[at->second][c] += 1;
    }
  }
}

ExactTable CellCounter::Finish() && {
  ExactTableBuilder builder;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    builder.Add(std::move(keys_[i]), std::move(counts_[i]));
  }
  return std::move(builder).Finish();
}

StatisticSummer::StatisticSummer(const Door& door, const KeySet& keys, const PriorityKey& key)
    : door_(door), keys_(keys), priority_key_(key) {
  std::size_t width = 0;
  for (const Statistic& statistic : door.statistics) width += Coordinates(statistic.shape);
  for (std::size_t i = 0; i < keys.keys.size(); ++i) {
    index_.emplace(KeyBytes(keys.keys[i].key), i);
  }
  sums_.assign(keys.keys.size(), std::vector<Int128>(width, 0));
}

void StatisticSummer::Add(UnitRows rows) {
  unit_ = std::move(rows.unit);
  placed_.clear();
  for (UnitCell& cell : rows.cells) {
    const auto found = index_.find(KeyBytes(cell.key));
    if (found == index_.end()) continue;
    placed_.push_back({.key = found->second, .cell = std::move(cell)});
  }
  Place at;
  for (const Statistic& statistic : door_.statistics) {
    if (CountsUnits(statistic.shape.kind)) {
      AddUnitCount(statistic, at);
    } else {
      AddSums(statistic, at);
    }
    at.coordinate += Coordinates(statistic.shape);
    at.sum += SummedPowers(statistic.shape).size();
  }
}

void StatisticSummer::AddSums(const Statistic& statistic, Place at) {
  const std::size_t width = Coordinates(statistic.shape);
  const std::size_t sums = SummedPowers(statistic.shape).size();
  std::vector<Int128> vector;
  std::vector<Int128*> targets;
  for (const Placed& placed : placed_) {
    if (!IsReleased(statistic, keys_.keys[placed.key])) continue;
    const std::span<const Int128> own(placed.cell.sums.data() + at.sum, sums);
    for (const Int128 number : Coordinates(statistic, placed.cell.rows, own)) {
      vector.push_back(number);
    }
    for (std::size_t i = 0; i < width; ++i) {
      targets.push_back(&sums_[placed.key][at.coordinate + i]);
    }
  }
  Clip(statistic, vector);
  for (std::size_t i = 0; i < vector.size(); ++i) *targets[i] += vector[i];
}

void StatisticSummer::AddUnitCount(const Statistic& statistic, Place at) {
  Check(statistic.shape.kind == StatisticKind::kUnits, "claims are counted elsewhere");
  std::vector<std::string> groups;
  std::vector<std::size_t> keys;
  for (const Placed& placed : placed_) {
    const bool shown = keys_.keys[placed.key].cells[statistic.cell_class];
    if (!shown || placed.cell.rows[statistic.cell_class] == 0) continue;
    groups.push_back(KeyBytes(placed.cell.key));
    keys.push_back(placed.key);
  }
  for (const std::size_t i :
       FirstByPriority(priority_key_, unit_, groups, door_.groups_per_unit.value)) {
    sums_[keys[i]][at.coordinate] += 1;
  }
}

ExactTable StatisticSummer::Finish() && {
  ExactTableBuilder builder;
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    builder.Add(keys_.keys[i].key, std::move(sums_[i]));
  }
  return std::move(builder).Finish();
}

}  // namespace dpsql
