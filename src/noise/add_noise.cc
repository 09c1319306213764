#include "noise/add_noise.h"

#include <cmath>
#include <utility>

#include "base/check.h"
#include "noise/exact_reader.h"

namespace dpsql {
namespace {

double GridStep(StatisticKind kind) {
  return kind == StatisticKind::kUnits ? 1.0 : 1.0 / static_cast<double>(kStatisticScale);
}

// Adds one statistic's noise to all rows at once.
void AddStatistic(ExactReader& exact, const Statistic& statistic, std::size_t offset,
                  Noise& noise) {
  const std::size_t width = Coordinates(statistic.kind);
  std::vector<Int128> draws(exact.size() * width);
  noise.Draw(statistic.sigma, draws);
  for (std::size_t row = 0; row < exact.size(); ++row) {
    for (std::size_t i = 0; i < width; ++i) {
      exact.numbers(row)[offset + i] += draws[row * width + i];
    }
  }
}

StatisticSample Sample(const Statistic& statistic, std::span<const Int128> numbers, double sd) {
  const double step = GridStep(statistic.kind);
  StatisticSample sample{.kind = statistic.kind, .bounds = statistic.bounds};
  for (const Int128 number : numbers) {
    sample.value.push_back(static_cast<double>(number) * step);
    sample.sd.push_back(sd * step);
  }
  return sample;
}

}  // namespace

NoisyTable AddNoise(ExactTable exact, const KeySet& keys, const Door& door, Noise& noise) {
  ExactReader reader(std::move(exact));
  Check(reader.size() == keys.keys.size(), "every selected key has a row");
  NoisyTable table;
  for (const SelectedKey& key : keys.keys) table.rows.push_back({.key = key.key});
  std::size_t offset = 0;
  for (const Statistic& statistic : door.statistics) {
    const std::size_t width = Coordinates(statistic.kind);
    AddStatistic(reader, statistic, offset, noise);
    const double sd = noise.StandardDeviation(statistic.sigma);
    for (std::size_t row = 0; row < reader.size(); ++row) {
      const std::span<const Int128> numbers(reader.numbers(row).data() + offset, width);
      const bool shown = keys.keys[row].cells[statistic.cell_class];
      table.rows[row].statistics.push_back(shown ? std::optional(Sample(statistic, numbers, sd))
                                                 : std::nullopt);
    }
    offset += width;
  }
  return table;
}

}  // namespace dpsql
