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

// What one group's aggregates would be with fresh noise on top, around the numbers shown.
class RowDraws {
 public:
  RowDraws(const Door& door, const NoisyTable& noisy, std::size_t row)
      : door_(door), shown_(door.query->aggregates.size()) {
    const Decoder decoder(door);
    for (std::size_t s = 0; s < door.statistics.size(); ++s) {
      samples_.push_back(noisy.Sample(row, s));
    }
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      shown_[i] = decoder.Decode(noisy, row, i).value;
      const auto whole = Decode(i, samples_);
      rounding_.push_back(shown_[i] && whole ? *shown_[i] - *whole : 0);
    }
    replay_ = NoiseReplay(SeedOf(row, shown_));
  }

  std::vector<std::vector<double>> Lists(std::size_t draws) {
    std::vector<std::vector<double>> lists(shown_.size());
    for (std::size_t draw = 0; draw < draws; ++draw) {
      std::vector<StatisticSample> again;
      for (const StatisticSample& sample : samples_) again.push_back(replay_.Again(sample));
      for (std::size_t i = 0; i < lists.size(); ++i) {
        const auto drawn = shown_[i] ? Decode(i, again) : std::nullopt;
        lists[i].push_back(drawn.value_or(kNone) + rounding_[i]);
      }
    }
    return lists;
  }

 private:
  std::optional<double> Decode(std::size_t aggregate,
                               const std::vector<StatisticSample>& samples) const {
    const Aggregate& function = *door_.query->aggregates[aggregate].aggregate;
    return function.decode(samples[door_.readings[aggregate].statistic]).value;
  }

  const Door& door_;
  std::vector<StatisticSample> samples_;
  ShownNumbers shown_;
  std::vector<double> rounding_;  // from what was decoded to what is shown
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
