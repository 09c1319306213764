#include "backend/cell_claims.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "backend/unit_bounding.h"

namespace dpsql {
namespace {

struct Claimant {
  std::size_t own = 0;
  std::uint64_t priority = 0;
  std::string name;
  std::span<const std::uint32_t> values;

  bool operator<(const Claimant& other) const {
    return std::tie(own, priority, name) < std::tie(other.own, other.priority, other.name);
  }
};

using Claimed = std::unordered_set<std::uint32_t>;

std::vector<std::uint32_t> Unclaimed(std::span<const std::uint32_t> values,
                                     const Claimed& claimed) {
  std::vector<std::uint32_t> free;
  for (const std::uint32_t value : values) {
    if (!claimed.contains(value)) free.push_back(value);
  }
  return free;
}

std::uint32_t FirstValue(const MergedCells& cells, std::size_t distinct, const PriorityKey& key,
                         const std::string& unit, std::span<const std::uint32_t> values) {
  using Ranked = std::tuple<std::uint64_t, std::string, std::uint32_t>;
  std::vector<Ranked> ranked;
  for (const std::uint32_t value : values) {
    std::string bytes = KeyBytes({cells.DistinctValue(distinct, value)});
    const std::uint64_t priority = GroupPriority(key, unit, bytes);
    ranked.emplace_back(priority, std::move(bytes), value);
  }
  return std::get<2>(*std::min_element(ranked.begin(), ranked.end()));
}

}  // namespace

std::int64_t ClaimValues(const MergedCells& cells, std::size_t distinct, const PriorityKey& key,
                         std::span<const OwnValues> units) {
  Claimed claimed;
  // Units with one value come first and their order does not matter.
  for (const OwnValues& unit : units) {
    if (unit.values.size() == 1) claimed.insert(unit.values[0]);
  }
  // Who has nothing left now will have nothing left in its turn.
  std::vector<Claimant> claimants;
  for (const OwnValues& unit : units) {
    if (Unclaimed(unit.values, claimed).empty()) continue;
    std::string name = cells.UnitText(unit.part, unit.unit);
    const std::uint64_t priority = GroupPriority(key, name, "");
    claimants.push_back({unit.values.size(), priority, std::move(name), unit.values});
  }
  std::sort(claimants.begin(), claimants.end());
  for (const Claimant& claimant : claimants) {
    const std::vector<std::uint32_t> free = Unclaimed(claimant.values, claimed);
    if (free.empty()) continue;
    claimed.insert(free.size() == 1 ? free[0]
                                    : FirstValue(cells, distinct, key, claimant.name, free));
  }
  return static_cast<std::int64_t>(claimed.size());
}

}  // namespace dpsql
