#include "neighbours/stage_agreement.h"

#include <algorithm>
#include <utility>

namespace dpsql {
namespace {

// A unit has far fewer rows than there are steps in One from here on, so that whatever a clip
// divides by leaves one of them.
constexpr unsigned kFineGridBits = 20;

class StageCheck {
 public:
  StageCheck(const Door& door, const DoorIntegers& side, const KeySet& keys, Keys believed)
      : door_(door), side_(side), keys_(keys), believed_(believed) {}

  std::optional<std::string> Find() const {
    std::size_t at = 0;
    for (const Statistic& statistic : door_.statistics) {
      for (const SelectedKey& key : keys_.keys) {
        if (auto found = FindInCell(statistic, at, key)) return found;
      }
      at += Coordinates(statistic.shape);
    }
    return std::nullopt;
  }

 private:
  std::optional<std::string> FindInCell(const Statistic& statistic, std::size_t first,
                                        const SelectedKey& key) const {
    const Int128 counted = Counted(statistic, key);
    const std::vector<Int128>& numbers = side_.sums.at(key.key);
    Int128 found = 0;
    for (std::size_t i = 0; i < Coordinates(statistic.shape); ++i) found += numbers[first + i];
    switch (statistic.shape.kind) {
      case StatisticKind::kUnits: {
        const bool shown = key.cells[statistic.cell_class];
        if (shown && IsSame(statistic.cell_class) ? found == counted : found >= counted) {
          return std::nullopt;
        }
        break;
      }
      case StatisticKind::kRows:
      case StatisticKind::kMoments:
        if (statistic.grid_bits() < kFineGridBits || found >= counted) return std::nullopt;
        break;
      default:
        return std::nullopt;
    }
    return Name(statistic.shape) + ": stage 1 counted " + ToString(counted) +
           " units of a cell, in stage 2 there are " + ToString(found);
  }

  // The units of the class, or where missing values are counted of all rows, whichever is shown.
  Int128 Counted(const Statistic& statistic, const SelectedKey& key) const {
    const auto counts = side_.counts.find(key.key);
    if (counts == side_.counts.end()) return 0;
    const auto of_class = [&](std::size_t one) {
      return key.cells[one] ? counts->second[one] : Int128{0};
    };
    const Int128 own = of_class(statistic.cell_class);
    return statistic.shape.counts_missing ? std::max(own, of_class(statistic.row_class)) : own;
  }

  // Whether stage 2 can count nobody whom stage 1 did not.
  bool IsSame(std::size_t cell_class) const {
    if (believed_ == Keys::kVerified) return false;
    if (door_.rows_are_units || MostGroups() <= door_.groups_per_unit.value) return true;
    return door_.classes[cell_class].present.empty() && AllShown(cell_class);
  }

  // A unit with more groups than C0 was counted in C0 of them.
  std::int64_t MostGroups() const {
    if (door_.key_mode == KeyMode::kScalar) return 1;
    if (door_.key_mode != KeyMode::kDiscovered) return static_cast<std::int64_t>(keys_.keys.size());
    return static_cast<std::int64_t>(side_.counts.size()) + 1;
  }

  bool AllShown(std::size_t cell_class) const {
    for (const auto& [key, counts] : side_.counts) {
      const bool empty = std::all_of(counts.begin(), counts.end(), [](Int128 n) { return n == 0; });
      const auto found =
          std::find_if(keys_.keys.begin(), keys_.keys.end(),
                       [&, &own = key](const SelectedKey& one) { return one.key == own; });
      if (!empty && (found == keys_.keys.end() || !found->cells[cell_class])) return false;
    }
    return true;
  }

  const Door& door_;
  const DoorIntegers& side_;
  const KeySet& keys_;
  Keys believed_;
};

}  // namespace

std::optional<std::string> FindBetweenStages(const Door& planned, const DoorIntegers& side,
                                             const KeySet& keys, Keys believed) {
  if (!planned.selects_keys()) return std::nullopt;
  return StageCheck(planned, side, keys, believed).Find();
}

}  // namespace dpsql
