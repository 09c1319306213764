#include "noise/select_keys.h"

#include <algorithm>
#include <map>
#include <utility>

#include "noise/exact_reader.h"

namespace dpsql {
namespace {

using Cells = std::map<std::vector<Value>, std::vector<bool>>;

// A cell below k stays hidden whatever its noise; the others are noised and compared with tau.
Cells PassingCells(ExactReader& counts, const Door& door, Noise& noise) {
  const std::int64_t threshold = noise.CountThreshold(door.tau, door.min_frequency);
  const std::size_t classes = door.classes.size();
  std::vector<Int128> draws(counts.size() * classes);
  noise.Draw(door.count_sigma, draws);
  Cells cells;
  for (std::size_t row = 0; row < counts.size(); ++row) {
    std::vector<bool> passed(classes);
    for (std::size_t c = 0; c < classes; ++c) {
      const Int128 exact = counts.numbers(row)[c];
      const Int128 noisy = exact + draws[row * classes + c];
      passed[c] = exact >= 1 && exact >= door.min_frequency && noisy >= threshold;
    }
    cells.emplace(std::move(counts.key(row)), std::move(passed));
  }
  return cells;
}

}  // namespace

KeySet SelectKeys(ExactTable counts, const Door& door, Noise& noise) {
  Cells cells;
  if (door.selects_keys) {
    ExactReader reader(std::move(counts));
    cells = PassingCells(reader, door, noise);
  }
  KeySet selected;
  if (door.key_mode == KeyMode::kDiscovered) {
    for (auto& [key, passed] : cells) {
      SelectedKey candidate{.key = key, .cells = std::move(passed)};
      if (candidate.any()) selected.keys.push_back(std::move(candidate));
    }
    return selected;
  }
  for (const std::vector<Value>& key : door.known_keys) {
    const auto found = cells.find(key);
    std::vector<bool> shown(door.classes.size(), !door.selects_keys);
    if (found != cells.end()) shown = found->second;
    selected.keys.push_back({.key = key, .cells = std::move(shown)});
  }
  std::sort(selected.keys.begin(), selected.keys.end(),
            [](const SelectedKey& a, const SelectedKey& b) { return a.key < b.key; });
  return selected;
}

}  // namespace dpsql
