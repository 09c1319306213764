#include "noise/select_keys.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "noise/exact_reader.h"
#include "privacy/truncated_geometric.h"

namespace dpsql {
namespace {

// One flag for each class of each row.
using Flags = std::vector<bool>;

bool HasEnough(Int128 exact, const Door& door) { return exact >= 1 && exact >= door.min_frequency; }

// A cell below k stays hidden whatever its noise; the others are noised and compared with tau.
Flags PassThreshold(ExactReader& counts, const Door& door, Noise& noise) {
  const std::int64_t threshold = noise.CountThreshold(door.tau, door.min_frequency);
  const std::size_t classes = door.classes.size();
  std::vector<Int128> draws(counts.size() * classes);
  noise.Draw(door.count_sigma, draws);
  Flags passed(draws.size());
  for (std::size_t i = 0; i < draws.size(); ++i) {
    const Int128 exact = counts.numbers(i / classes)[i % classes];
    passed[i] = HasEnough(exact, door) && exact + draws[i] >= threshold;
  }
  return passed;
}

// One coin for each cell, below k a coin that never keeps it.
Flags PassCoins(ExactReader& counts, const Door& door, Noise& noise) {
  const TruncatedGeometric coins(door.keep, door.min_frequency);
  const std::size_t classes = door.classes.size();
  std::vector<UInt128> keep(counts.size() * classes);
  for (std::size_t i = 0; i < keep.size(); ++i) {
    const Int128 exact = counts.numbers(i / classes)[i % classes];
    keep[i] = HasEnough(exact, door) ? coins.Keep(static_cast<std::int64_t>(exact)) : UInt128{0};
  }
  return noise.Toss(keep);
}

std::vector<SelectedKey> PassingKeys(ExactReader& counts, const Door& door, Noise& noise) {
  const Flags passed = door.selection == KeySelection::kThreshold
                           ? PassThreshold(counts, door, noise)
                           : PassCoins(counts, door, noise);
  const std::size_t classes = door.classes.size();
  std::vector<SelectedKey> keys;
  for (std::size_t row = 0; row < counts.size(); ++row) {
    const auto first = passed.begin() + static_cast<std::ptrdiff_t>(row * classes);
    SelectedKey key{.key = {}, .cells = {first, first + static_cast<std::ptrdiff_t>(classes)}};
    if (!key.any()) continue;
    key.key = std::move(counts.key(row));
    keys.push_back(std::move(key));
  }
  std::sort(keys.begin(), keys.end(),
            [](const SelectedKey& a, const SelectedKey& b) { return a.key < b.key; });
  return keys;
}

}  // namespace

KeySet SelectKeys(ExactTable counts, std::vector<std::vector<Value>> known_keys, const Door& door,
                  Noise& noise) {
  KeySet selected;
  if (door.selects_keys()) {
    ExactReader reader(std::move(counts));
    selected.keys = PassingKeys(reader, door, noise);
  }
  if (door.key_mode == KeyMode::kDiscovered) {
    Check(door.selects_keys(), "keys that nobody declared are selected");
    return selected;
  }
  KeySet known;
  for (std::vector<Value>& key : known_keys) {
    const auto found = std::lower_bound(
        selected.keys.begin(), selected.keys.end(), key,
        [](const SelectedKey& one, const std::vector<Value>& other) { return one.key < other; });
    std::vector<bool> shown(door.classes.size(), !door.selects_keys());
    if (found != selected.keys.end() && found->key == key) shown = found->cells;
    known.keys.push_back({.key = std::move(key), .cells = std::move(shown)});
  }
  std::sort(known.keys.begin(), known.keys.end(),
            [](const SelectedKey& a, const SelectedKey& b) { return a.key < b.key; });
  return known;
}

}  // namespace dpsql
