#include "publish/draws.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <utility>

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

// The shown numbers themselves, so that an answer and its intervals are one function of them; what
// is withheld takes no part.
std::uint64_t SeedOf(const Decoder& decoder, const NoisyTable& noisy, std::size_t row,
                     std::size_t aggregates) {
  std::uint64_t seed = row;
  for (std::size_t i = 0; i < aggregates; ++i) {
    const double value = decoder.Decode(noisy, row, i).value.value_or(0);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    seed = (seed ^ bits) * 0x9e3779b97f4a7c15;
    seed ^= seed >> 29;
  }
  return seed;
}

// How far each shown number is from what it was rounded from: draws lie around the shown ones.
std::vector<double> RoundingOf(const Door& door, const NoisyTable& noisy, std::size_t row) {
  const Decoder decoder(door);
  std::vector<double> rounding;
  for (std::size_t i = 0; i < door.query->aggregates.size(); ++i) {
    const auto shown = decoder.Decode(noisy, row, i).value;
    const Aggregate& function = *door.query->aggregates[i].aggregate;
    const auto whole = function.decode(noisy.Sample(row, door.readings[i].statistic)).value;
    rounding.push_back(shown && whole ? *shown - *whole : 0);
  }
  return rounding;
}

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
  const Decoder decoder(door);
  for (const std::size_t row : SortedRows(door, noisy)) {
    std::vector<std::vector<double>> lists(aggregates);
    const std::vector<double> rounding = RoundingOf(door, noisy, row);
    NoiseReplay replay(SeedOf(decoder, noisy, row, aggregates));
    for (std::size_t draw = 0; draw < draws; ++draw) {
      std::vector<StatisticSample> samples;
      for (std::size_t s = 0; s < door.statistics.size(); ++s) {
        samples.push_back(replay.Again(noisy.Sample(row, s)));
      }
      for (std::size_t i = 0; i < aggregates; ++i) {
        const Reading& reading = door.readings[i];
        const bool shown = noisy.IsShown(row, reading.cell_class);
        const Aggregate& function = *door.query->aggregates[i].aggregate;
        const Estimate estimate = shown ? function.decode(samples[reading.statistic]) : Estimate{};
        lists[i].push_back(estimate.value.value_or(kNone) + rounding[i]);
      }
    }
    table.draws.push_back(std::move(lists));
  }
}

}  // namespace dpsql
