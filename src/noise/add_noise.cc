#include "noise/add_noise.h"

#include <cmath>
#include <utility>

#include "base/check.h"
#include "noise/exact_reader.h"
#include "plan/calibrate.h"

namespace dpsql {
namespace {

// Fewer are drawn sooner than a thread starts.
constexpr std::size_t kDrawsWorthAThread = 2000;

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

}  // namespace

StatisticSample NoisyTable::Sample(std::size_t row, std::size_t statistic) const {
  const Column& column = columns_.at(statistic);
  StatisticSample sample = column.like;
  const std::size_t width = sample.sd.size();
  const auto first = column.values.begin() + static_cast<std::ptrdiff_t>(row * width);
  sample.value.assign(first, first + static_cast<std::ptrdiff_t>(width));
  return sample;
}

DrawnNoise::Column DrawnNoise::DrawColumn(std::size_t keys, const Statistic& statistic,
                                          Noise& noise) {
  Column column{.like = LikeOf(statistic, noise), .grid_bits = statistic.grid_bits(), .draws = {}};
  for (std::size_t i = 0; i < Coordinates(statistic.shape); ++i) {
    DrawCoordinate(statistic, i, noise, column.draws.emplace_back(keys));
  }
  return column;
}

DrawnNoise::DrawnNoise(std::size_t keys, const Door& door, Noise& noise) {
  std::size_t draws = 0;
  for (const Statistic& statistic : door.statistics) draws += keys * Coordinates(statistic.shape);
  const std::launch when = draws < kDrawsWorthAThread ? std::launch::deferred : std::launch::async;
  columns_ = std::async(when, [keys, &door, &noise] {
    std::vector<Column> columns;
    for (const Statistic& statistic : door.statistics) {
      columns.push_back(DrawColumn(keys, statistic, noise));
    }
    return columns;
  });
}

NoisyTable AddNoise(ExactTable exact, const KeySet& keys, DrawnNoise drawn) {
  ExactReader reader(std::move(exact));
  Check(reader.size() == keys.keys.size(), "every selected key has a row");
  std::vector<NoisyTable::Column> columns;
  std::size_t offset = 0;
  for (const DrawnNoise::Column& noise : drawn.columns_.get()) {
    const std::size_t width = noise.draws.size();
    NoisyTable::Column column{.like = noise.like, .values = {}};
    column.values.resize(reader.size() * width);
    for (std::size_t i = 0; i < width; ++i) {
      Check(noise.draws[i].size() == reader.size(), "every number has a draw of its own");
      for (std::size_t row = 0; row < reader.size(); ++row) {
        const Int128 noisy = reader.numbers(row)[offset + i] + noise.draws[i][row];
        column.values[row * width + i] =
            std::ldexp(static_cast<double>(noisy), -static_cast<int>(noise.grid_bits));
      }
    }
    columns.push_back(std::move(column));
    offset += width;
  }
  return {keys, std::move(columns)};
}

}  // namespace dpsql
