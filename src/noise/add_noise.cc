#include "noise/add_noise.h"

#include <cmath>
#include <utility>

#include "base/check.h"
#include "noise/exact_reader.h"
#include "plan/calibrate.h"

namespace dpsql {
namespace {

// The noise of one coordinate in all rows.
void DrawCoordinate(const Statistic& statistic, std::size_t coordinate, Noise& noise,
                    std::span<Int128> out) {
  if (statistic.mechanism == Mechanism::kGaussian) {
    noise.Draw(statistic.sigmas.at(coordinate), out);
  } else {
    noise.DrawLaplace(statistic.rate, out);
  }
}

StatisticSample LikeOf(const Statistic& statistic, const Noise& noise) {
  StatisticSample like{.shape = statistic.shape, .mechanism = statistic.mechanism};
  if (!statistic.arguments.empty()) like.x = statistic.arguments[0].bounds;
  if (statistic.arguments.size() > 1) like.y = statistic.arguments[1].bounds;
  for (const double sd : PlannedSds(statistic)) like.sd.push_back(noise.StandardDeviation(sd));
  return like;
}

// One statistic with its noise, in natural units. Its numbers begin at `offset` in each row.
NoisyTable::Column AddStatistic(ExactReader& exact, const Statistic& statistic, std::size_t offset,
                                Noise& noise) {
  const std::size_t width = Coordinates(statistic.shape);
  const int bits = static_cast<int>(statistic.grid_bits());
  NoisyTable::Column column{.like = LikeOf(statistic, noise), .values = {}};
  column.values.resize(exact.size() * width);
  std::vector<Int128> draws(exact.size());
  for (std::size_t i = 0; i < width; ++i) {
    DrawCoordinate(statistic, i, noise, draws);
    for (std::size_t row = 0; row < exact.size(); ++row) {
      const Int128 noisy = exact.numbers(row)[offset + i] + draws[row];
      column.values[row * width + i] = std::ldexp(static_cast<double>(noisy), -bits);
    }
  }
  return column;
}

}  // namespace

StatisticSample NoisyTable::Sample(std::size_t row, std::size_t statistic) const {
  const Column& column = columns_.at(statistic);
  StatisticSample sample = column.like;
  const std::size_t width = sample.sd.size();
  const auto first = column.values.begin() + static_cast<std::ptrdiff_t>(row * width);
  sample.value.assign(first, first + static_cast<std::ptrdiff_t>(width));
  return sample;
}

NoisyTable AddNoise(ExactTable exact, const KeySet& keys, const Door& door, Noise& noise) {
  ExactReader reader(std::move(exact));
  Check(reader.size() == keys.keys.size(), "every selected key has a row");
  std::vector<NoisyTable::Column> columns;
  std::size_t offset = 0;
  for (const Statistic& statistic : door.statistics) {
    columns.push_back(AddStatistic(reader, statistic, offset, noise));
    offset += Coordinates(statistic.shape);
  }
  return {keys, std::move(columns)};
}

}  // namespace dpsql
