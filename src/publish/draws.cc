#include "publish/draws.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <random>

#include "publish/decode.h"

namespace dpsql {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostDraws = 1000;
constexpr std::size_t kFewestDraws = 200;
constexpr std::size_t kMostNumbers = 400'000;

class NoiseReplay {
 public:
  explicit NoiseReplay(std::uint64_t seed) : random_(seed) {}

  StatisticSample Again(StatisticSample sample) {
    for (std::size_t i = 0; i < sample.value.size(); ++i) {
      sample.value[i] += sample.sd[i] * Standard(sample.mechanism);
    }
    return sample;
  }

 private:
  // Of variance 1.
  double Standard(Mechanism mechanism) {
    if (mechanism == Mechanism::kGaussian) return normal_(random_);
    const double size = exponential_(random_) / std::sqrt(2.0);
    return (random_() & 1) != 0 ? size : -size;
  }

  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::exponential_distribution<double> exponential_;
};

using ShownNumbers = std::vector<std::optional<double>>;

// The shown numbers themselves, so that an answer and its intervals are one function of them; what
// is withheld takes no part.
std::uint64_t SeedOf(std::size_t row, const ShownNumbers& shown) {
  std::uint64_t seed = row;
  for (const std::optional<double>& number : shown) {
    const double value = number.value_or(0);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    seed = (seed ^ bits) * 0x9e3779b97f4a7c15;
    seed ^= seed >> 29;
  }
  return seed;
}

Drawer DrawerOf(const Aggregate& function, const StatisticSample& released) {
  if (function.drawer != nullptr) return function.drawer(released);
  return [&function](const StatisticSample& drawn) {
    return function.decode(drawn).value.value_or(kNone);
  };
}

// One group's aggregates in draws around its released statistics.
class RowDraws {
 public:
  RowDraws(const Door& door, const NoisyTable& noisy, std::size_t row) : door_(door) {
    const Decoder decoder(door);
    for (std::size_t s = 0; s < door.statistics.size(); ++s) {
      samples_.push_back(noisy.Sample(row, s));
    }
    ShownNumbers shown;
    for (std::size_t i = 0; i < door.query->aggregates.size(); ++i) {
      shown.push_back(decoder.Decode(noisy, row, i).value);
      const Aggregate& function = *door.query->aggregates[i].aggregate;
      drawers_.push_back(shown[i] ? DrawerOf(function, samples_[StatisticOf(i)]) : nullptr);
    }
    replay_ = NoiseReplay(SeedOf(row, shown));
  }

  std::vector<std::vector<double>> Lists(std::size_t draws) {
    std::vector<std::vector<double>> lists(drawers_.size());
    for (std::size_t draw = 0; draw < draws; ++draw) {
      std::vector<StatisticSample> again;
      for (const StatisticSample& sample : samples_) again.push_back(replay_.Again(sample));
      for (std::size_t i = 0; i < lists.size(); ++i) {
        lists[i].push_back(drawers_[i] ? drawers_[i](again[StatisticOf(i)]) : kNone);
      }
    }
    return lists;
  }

 private:
  std::size_t StatisticOf(std::size_t aggregate) const {
    return door_.readings[aggregate].statistic;
  }

  const Door& door_;
  std::vector<StatisticSample> samples_;
  std::vector<Drawer> drawers_;  // none where the number is withheld
  NoiseReplay replay_{0};
};

}  // namespace

std::size_t DrawsFor(const DpPlan& plan, const std::vector<NoisyTable>& releases) {
  std::size_t numbers = 1;
  for (std::size_t i = 0; i < releases.size(); ++i) {
    numbers += releases[i].size() * plan.doors()[i].query->aggregates.size();
  }
  const std::size_t draws = std::min(kMostDraws, kMostNumbers / numbers);
  return draws < kFewestDraws ? 0 : draws;
}

void AddDraws(const Door& door, const NoisyTable& noisy, std::size_t draws, PublicTable& table) {
  const std::size_t keys = door.query->keys.size();
  const std::size_t aggregates = door.query->aggregates.size();
  for (std::size_t i = 0; i < aggregates; ++i) {
    table.drawn_columns.push_back("d" + std::to_string(keys + i));
  }
  for (const std::size_t row : SortedRows(door, noisy)) {
    table.draws.push_back(RowDraws(door, noisy, row).Lists(draws));
  }
}

}  // namespace dpsql
