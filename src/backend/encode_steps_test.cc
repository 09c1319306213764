#include "backend/encode_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <random>
#include <vector>

namespace dpsql {
namespace {

constexpr ValueEncoding kX{.low = 0, .high = 100, .origin = 0, .scale = 10485.76};
constexpr ValueEncoding kY{.low = -300, .high = 300, .origin = -300, .scale = 1 << 20 >> 10};

// The formula as it is written.
std::int64_t Step(const ValueEncoding& encoding, double x) {
  const double clamped = std::min(std::max(x, encoding.low), encoding.high);
  return static_cast<std::int64_t>(std::floor((clamped - encoding.origin) * encoding.scale + 0.5));
}

TEST(EncodeStepsTest, StepsAreThoseOfTheFormula) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> anywhere(-400, 400);
  for (int i = 0; i < 100'000; ++i) {
    const double x = i % 7 == 0 ? std::round(anywhere(random)) : anywhere(random);
    for (const ValueEncoding& encoding : {kX, kY, ValueEncoding{-300, 300, 0, 1048576 / 300.0}}) {
      ASSERT_EQ(EncodeStep(encoding, x), Step(encoding, x)) << x;
    }
  }
}

void ExpectStepsOfEach(const std::vector<std::int64_t>& data, const ValueEncoding& encoding,
                       double divisor) {
  std::vector<std::int64_t> steps(data.size());
  EncodeSteps(data.data(), data.size(), encoding, divisor, steps.data());
  for (std::size_t i = 0; i < data.size(); ++i) {
    const double x = static_cast<double>(data[i]) / divisor;
    ASSERT_EQ(steps[i], Step(encoding, x)) << data[i] << " / " << divisor;
  }
}

// Several at a time, of numbers that a DOUBLE holds and of longer ones beside them.
TEST(EncodeStepsTest, StepsOfManyNumbersAreThoseOfEach) {
  std::mt19937_64 random(4);
  constexpr std::int64_t kExact = std::int64_t{1} << 51;
  const std::int64_t edges[] = {
      0, -1, kExact - 1, kExact, -kExact, -kExact - 1, 4 * kExact + 1, INT64_MAX, INT64_MIN};
  for (int bits = 1; bits < 64; ++bits) {
    std::vector<std::int64_t> data(301);
    for (std::int64_t& one : data) one = static_cast<std::int64_t>(random()) >> bits;
    if (bits % 3 == 0) data[random() % data.size()] = edges[random() % std::size(edges)];
    for (const double divisor : {1.0, 100.0, 1e6}) {
      ExpectStepsOfEach(data, kX, divisor);
      ExpectStepsOfEach(data, {-4e12, 9e12, 9, 0x1p19 / 9e12}, divisor);
      ExpectStepsOfEach(data, {-300, 300, 0, 3495.25}, divisor);
    }
  }
}

}  // namespace
}  // namespace dpsql
