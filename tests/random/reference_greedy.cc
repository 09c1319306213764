#include "random/reference_greedy.h"

#include <map>
#include <set>
#include <tuple>

#include "backend/priority.h"
#include "backend/unit_bounding.h"

namespace dpsql {
namespace {

constexpr PriorityKey kKeyOfZeroNoise = {0, 1, 2, 3};

using ValuesOfUnits = std::map<std::string, std::set<std::string>>;  // values as bytes

ValuesOfUnits ByUnit(const UnitValues& pairs) {
  ValuesOfUnits values;
  for (const auto& [unit, value] : pairs) values[unit].insert(KeyBytes({value}));
  return values;
}

class Matching {
 public:
  explicit Matching(const ValuesOfUnits& values) : values_(values) {}

  std::int64_t Size() {
    std::int64_t size = 0;
    for (const auto& [unit, own] : values_) {
      std::set<std::string> seen;
      size += Augment(unit, seen) ? 1 : 0;
    }
    return size;
  }

 private:
  bool Augment(const std::string& unit, std::set<std::string>& seen) {
    for (const std::string& value : values_.at(unit)) {
      if (!seen.insert(value).second) continue;
      const auto taken = taken_.find(value);
      if (taken != taken_.end() && !Augment(std::string(taken->second), seen)) continue;
      taken_[value] = unit;
      return true;
    }
    return false;
  }

  const ValuesOfUnits& values_;
  std::map<std::string, std::string> taken_;
};

}  // namespace

[[gnu::weak]] bool UnitsTakeTurns() { return true; }

std::int64_t ReferenceGreedy(const UnitValues& pairs) {
  const ValuesOfUnits values = ByUnit(pairs);
  std::set<std::tuple<std::size_t, std::uint64_t, std::string>> speakers;
  for (const auto& [unit, own] : values) {
    speakers.emplace(own.size(), GroupPriority(kKeyOfZeroNoise, unit, ""), unit);
  }
  std::set<std::string> taken;
  for (const auto& [count, priority, unit] : speakers) {
    std::set<std::pair<std::uint64_t, std::string>> left;
    for (const std::string& value : values.at(unit)) {
      if (taken.contains(value)) continue;
      left.emplace(GroupPriority(kKeyOfZeroNoise, unit, value), value);
    }
    if (!left.empty()) taken.insert(left.begin()->second);
  }
  return static_cast<std::int64_t>(taken.size());
}

std::int64_t LargestMatching(const UnitValues& pairs) {
  const ValuesOfUnits values = ByUnit(pairs);
  return Matching(values).Size();
}

}  // namespace dpsql
