// The law of the product's own noise, from the operating system's randomness, at a size that sees
// an error of one part in ten thousand in its standard deviation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "noise/noise.h"
#include "privacy/normal.h"

namespace dpsql {
namespace {

constexpr std::size_t kBatch = 1'000'000;
constexpr std::size_t kBatches = 200;
constexpr double kFalseAlarmZ = 5.0;  // two-sided 5.7e-7 for each check
constexpr GridSigma kSigma = {.numerator = 1'000'003, .bits = 0};

// Cells of equal probability under the normal law, by quantile.
constexpr std::size_t kCells = 256;

std::vector<double> CellEdges() {
  std::vector<double> edges;
  for (std::size_t i = kCells - 1; i >= 1; --i) {
    edges.push_back(UpperQuantile(static_cast<double>(i) / kCells));
  }
  return edges;
}

TEST(NoiseLawAudit, MomentsAndShapeOfTheProductsNoise) {
  const auto noise = MakeNoise();
  const std::vector<double> edges = CellEdges();
  std::vector<double> counts(kCells, 0);
  std::vector<Int128> draws(kBatch);
  long double sum = 0;
  long double squares = 0;
  for (std::size_t batch = 0; batch < kBatches; ++batch) {
    noise->Draw(kSigma, draws);
    for (const Int128 draw : draws) {
      const double z = static_cast<double>(draw) / kSigma.value();
      sum += z;
      squares += z * z;
      const auto cell = std::upper_bound(edges.begin(), edges.end(), z) - edges.begin();
      counts[static_cast<std::size_t>(cell)] += 1;
    }
  }
  const double n = static_cast<double>(kBatch) * kBatches;
  EXPECT_LT(std::abs(static_cast<double>(sum) / std::sqrt(n)), kFalseAlarmZ);
  EXPECT_LT(std::abs(static_cast<double>(squares) - n) / std::sqrt(2 * n), kFalseAlarmZ);
  double chi_square = 0;
  for (const double count : counts) chi_square += std::pow(count - n / kCells, 2) * kCells / n;
  const double freedom = kCells - 1;
  EXPECT_LT((chi_square - freedom) / std::sqrt(2 * freedom), kFalseAlarmZ + 2);
}

}  // namespace
}  // namespace dpsql
