#include "privacy/clip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <random>
#include <vector>

#include "base/check.h"
#include "support/test_vectors.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;

constexpr Int128 kOne = 1;

cpp_int NormSquared(const std::vector<Int128>& vector) {
  cpp_int sum = 0;
  for (const Int128 value : vector) sum += cpp_int(value) * cpp_int(value);
  return sum;
}

std::vector<Int128> Clipped(std::vector<Int128> vector, std::uint64_t bound) {
  ClipL2(vector, bound);
  return vector;
}

void ExpectInside(const std::vector<Int128>& vector, std::uint64_t bound) {
  const std::vector<Int128> clipped = Clipped(vector, bound);
  ASSERT_TRUE(NormSquared(clipped) <= cpp_int(bound) * bound);
  for (std::size_t i = 0; i < vector.size(); ++i) {
    ASSERT_TRUE(clipped[i] == 0 || (clipped[i] < 0) == (vector[i] < 0));
  }
}

TEST(ClipTest, MatchesVectors) {
  for (const auto& row : TestVectors()["l2_clip"]) {
    const auto input = row["v"].get<std::vector<std::int64_t>>();
    const auto expected = row["out"].get<std::vector<std::int64_t>>();
    const std::vector<Int128> clipped =
        Clipped({input.begin(), input.end()}, row["B"].get<std::uint64_t>());
    EXPECT_TRUE(clipped == std::vector<Int128>(expected.begin(), expected.end())) << row;
  }
}

TEST(ClipTest, ExtremesStayInsideTheBound) {
  const Int128 least = static_cast<Int128>(UInt128{1} << 127);
  const std::vector<std::vector<Int128>> extremes = {std::vector<Int128>(4, kOne << 63),
                                                     std::vector<Int128>(16, kOne << 62),
                                                     std::vector<Int128>(1000, -(kOne << 62)),
                                                     {kOne << 100, -(kOne << 100)},
                                                     {least, ~least, 0, 1},
                                                     std::vector<Int128>(5, (kOne << 62) - 1)};
  for (const auto& vector : extremes) {
    for (const std::uint64_t bound : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40,
                                      (std::uint64_t{1} << 62) - 1}) {
      ExpectInside(vector, bound);
    }
  }
}

TEST(ClipTest, ANormThatWouldWrapIsStillClipped) {
  // 2^128 + 16: in 128 bits this would be the norm of a vector of length 4.
  std::vector<Int128> wraps(16, (kOne << 62) - 1);
  wraps.insert(wraps.end(), 2, kOne << 33);
  ASSERT_TRUE(NormSquared(wraps) == (cpp_int(1) << 128) + 16);
  ExpectInside(wraps, 1 << 20);
  ExpectInside(std::vector<Int128>(17, (kOne << 62) - 1), 1 << 20);
}

TEST(ClipTest, WhatDoesNotFitIsCutBeforeItIsClipped) {
  const std::vector<Int128> clipped = Clipped(std::vector<Int128>(4, kOne << 63), 1 << 20);
  EXPECT_TRUE(clipped == std::vector<Int128>(4, (1 << 19) - 1) ||
              clipped == std::vector<Int128>(4, 1 << 19));
}

TEST(ClipTest, RandomVectorsStayInsideAndLoseLittle) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    std::vector<Int128> vector(1 + random() % 24);
    const auto shift = static_cast<unsigned>(random() % 63);
    for (Int128& value : vector) {
      value = static_cast<std::int64_t>(random()) >> (1 + shift + random() % 4 * (shift < 50));
    }
    const std::uint64_t bound = random() >> (2 + random() % 62);
    ExpectInside(vector, bound);
    const std::vector<Int128> clipped = Clipped(vector, bound);
    if (NormSquared(vector) <= cpp_int(bound) * bound) {
      ASSERT_TRUE(clipped == vector);
      continue;
    }
    // Truncation loses less than one step a coordinate, and the rounded-up norm not even that.
    const cpp_int lost = boost::multiprecision::sqrt(NormSquared(clipped)) + 2 * vector.size() + 2;
    ASSERT_TRUE(lost >= bound);
  }
}

TEST(ClipTest, VectorsInsideAreUnchanged) {
  EXPECT_TRUE(Clipped({3, -4}, 5) == (std::vector<Int128>{3, -4}));
  EXPECT_TRUE(Clipped({}, 5).empty());
  const Int128 most = (kOne << 62) - 1;
  EXPECT_TRUE(Clipped({most}, (std::uint64_t{1} << 62) - 1) == std::vector<Int128>{most});
}

TEST(ClipTest, ABoundThatDoesNotFitIsABug) {
  std::vector<Int128> vector = {1};
  EXPECT_THROW(ClipL2(vector, std::uint64_t{1} << 62), Bug);
  EXPECT_THROW(ClipL1(vector, std::uint64_t{1} << 62), Bug);
}

cpp_int SumOfMagnitudes(const std::vector<Int128>& vector) {
  cpp_int sum = 0;
  for (const Int128 value : vector) sum += abs(cpp_int(value));
  return sum;
}

std::vector<Int128> ClippedL1(std::vector<Int128> vector, std::uint64_t bound) {
  ClipL1(vector, bound);
  return vector;
}

TEST(ClipTest, L1ClipScalesTowardZero) {
  EXPECT_TRUE(ClippedL1({3000, -4000, 12000}, 9500) == (std::vector<Int128>{1500, -2000, 6000}));
  EXPECT_TRUE(ClippedL1({1, 1}, 1) == (std::vector<Int128>{0, 0}));
  EXPECT_TRUE(ClippedL1({3, -4}, 7) == (std::vector<Int128>{3, -4}));
  EXPECT_TRUE(ClippedL1({5}, 0) == std::vector<Int128>{0});
  EXPECT_TRUE(ClippedL1({}, 5).empty());
}

TEST(ClipTest, L1ExtremesStayInsideTheBound) {
  const Int128 least = static_cast<Int128>(UInt128{1} << 127);
  const Int128 most = (kOne << 62) - 1;
  const std::vector<std::vector<Int128>> extremes = {
      std::vector<Int128>(4, kOne << 126), std::vector<Int128>(100000, least),
      std::vector<Int128>(3, most),        {least, ~least, 0, 1},
      {kOne << 100, -(kOne << 100)},       {most, 1}};
  for (const auto& vector : extremes) {
    for (const std::uint64_t bound : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40,
                                      (std::uint64_t{1} << 62) - 1}) {
      const std::vector<Int128> clipped = ClippedL1(vector, bound);
      ASSERT_TRUE(SumOfMagnitudes(clipped) <= bound);
      for (std::size_t i = 0; i < vector.size(); ++i) {
        ASSERT_TRUE(clipped[i] == 0 || (clipped[i] < 0) == (vector[i] < 0));
      }
    }
  }
  EXPECT_TRUE(ClippedL1({least}, (std::uint64_t{1} << 62) - 1) == std::vector<Int128>{-most});
}

TEST(ClipTest, L1ClipDoesNotDependOnTheOrder) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 1000; ++i) {
    std::vector<Int128> vector(1 + random() % 24);
    for (Int128& value : vector) value = static_cast<std::int64_t>(random()) >> (random() % 63);
    const std::uint64_t bound = random() >> (2 + random() % 62);
    std::vector<Int128> clipped = ClippedL1(vector, bound);
    std::reverse(vector.begin(), vector.end());
    std::reverse(clipped.begin(), clipped.end());
    ASSERT_TRUE(ClippedL1(vector, bound) == clipped);
  }
}

// One cell of each shape, and of a shape with a coordinate for rows without a value.
std::vector<ClipWeights> AllWeights() {
  std::vector<ClipWeights> all = {{.weight = {1}, .whole = 1},
                                  {.weight = {(std::uint64_t{1} << 40) - 1, 1}, .whole = 3}};
  for (const BernsteinShape shape :
       std::vector<BernsteinShape>{{1, 0}, {2, 0}, {3, 0}, {4, 0}, {1, 1}, {2, 1}, {2, 2}}) {
    all.push_back(MiddleWeights(shape));
    all.push_back(all.back());
    all.back().weight.push_back(all.back().whole);
  }
  return all;
}

cpp_int WeightedNorm(const std::vector<Int128>& vector, const ClipWeights& weights) {
  cpp_int sum = 0;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    const cpp_int value(vector[i]);
    sum += value * value * weights.weight[i % weights.weight.size()];
  }
  return sum;
}

std::vector<Int128> ClippedWeighted(std::vector<Int128> vector, const ClipWeights& weights,
                                    std::uint64_t bound) {
  ClipWeightedL2(vector, weights, bound);
  return vector;
}

// Inside the bound, of the same signs, unchanged where it was inside, and not clipped for nothing.
void ExpectWeightedInside(const std::vector<Int128>& vector, const ClipWeights& weights,
                          std::uint64_t bound) {
  const std::vector<Int128> clipped = ClippedWeighted(vector, weights, bound);
  const cpp_int most = cpp_int(weights.whole) * bound * bound;
  const cpp_int norm = WeightedNorm(clipped, weights);
  ASSERT_TRUE(norm <= most);
  for (std::size_t i = 0; i < vector.size(); ++i) {
    ASSERT_TRUE(clipped[i] == 0 || (clipped[i] < 0) == (vector[i] < 0));
  }
  if (WeightedNorm(vector, weights) <= most) {
    ASSERT_TRUE(clipped == vector);
    return;
  }
  // A coordinate loses less than one step by truncation and one by the rounded-up root.
  cpp_int lost = 0;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    lost += 2 * sqrt(cpp_int(weights.weight[i % weights.weight.size()])) + 2;
  }
  ASSERT_TRUE(sqrt(norm) + lost + 1 >= sqrt(most));
}

TEST(ClipTest, WeightedClipKeepsTheWeightedNorm) {
  std::mt19937_64 random(4);
  for (const ClipWeights& weights : AllWeights()) {
    for (int n = 0; n < 600; ++n) {
      std::vector<Int128> vector(weights.weight.size() * (random() % 5));
      const auto shift = static_cast<unsigned>(1 + random() % 62);
      for (Int128& value : vector) value = static_cast<std::int64_t>(random()) >> shift;
      ExpectWeightedInside(vector, weights, random() >> (2 + random() % 62));
    }
  }
}

void ExpectWeightedExtremeInside(const std::vector<Int128>& vector, const ClipWeights& weights) {
  for (const std::uint64_t bound :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40, (std::uint64_t{1} << 62) - 1}) {
    const std::vector<Int128> clipped = ClippedWeighted(vector, weights, bound);
    ASSERT_TRUE(WeightedNorm(clipped, weights) <= cpp_int(weights.whole) * bound * bound);
    // Of a bound that can be seen something is left in each coordinate.
    const bool visible = bound >> 40 != 0 && weights.weight[0] < 100;
    ASSERT_TRUE(!visible || (clipped[0] != 0 && (clipped[0] < 0) == (vector[0] < 0)));
  }
}

// Sums of squares that pass 2^128, and 2^64 of either limb.
TEST(ClipTest, WeightedExtremesStayInsideTheBound) {
  const Int128 least = static_cast<Int128>(UInt128{1} << 127);
  const Int128 most = (kOne << 62) - 1;
  for (const ClipWeights& weights : AllWeights()) {
    for (const Int128 value : {kOne << 63, kOne << 126, -(kOne << 62), least, ~least, most}) {
      for (const std::size_t cells : {1, 2, 16, 1000}) {
        const std::vector<Int128> vector(weights.weight.size() * cells, value);
        ExpectWeightedExtremeInside(vector, weights);
      }
    }
  }
}

TEST(ClipTest, WeightedClipTurnsAtItsBound) {
  const ClipWeights middle = MiddleWeights({2, 0});
  // 2 * 4^2 + 7 * 4^2 + 2 * 0 = 144 = 2 * 72, so that the bound is between 8 and 9.
  const std::vector<Int128> vector = {4, 4, 0};
  EXPECT_TRUE(ClippedWeighted(vector, middle, 9) == vector);
  EXPECT_TRUE(ClippedWeighted(vector, middle, 8) == (std::vector<Int128>{3, 3, 0}));
  const ClipWeights two{.weight = {2, 7}, .whole = 2};
  EXPECT_TRUE(ClippedWeighted({9, 0}, two, 9) == (std::vector<Int128>{9, 0}));
  EXPECT_TRUE(ClippedWeighted({10, 0}, two, 9) == (std::vector<Int128>{9, 0}));
  EXPECT_TRUE(ClippedWeighted({}, two, 9).empty());
  std::vector<Int128> part = {1, 2, 3};
  EXPECT_THROW(ClipWeightedL2(part, two, 9), Bug);
  EXPECT_THROW(ClipWeightedL2(part, {.weight = {}, .whole = 1}, 9), Bug);
  EXPECT_THROW(ClipWeightedL2(part, middle, std::uint64_t{1} << 62), Bug);
}

TEST(ClipTest, WeightedClipDoesNotDependOnTheOrderOfCells) {
  std::mt19937_64 random(5);
  for (const ClipWeights& weights : AllWeights()) {
    const std::size_t width = weights.weight.size();
    for (int n = 0; n < 100; ++n) {
      std::vector<std::vector<Int128>> cells(1 + random() % 6, std::vector<Int128>(width));
      for (auto& cell : cells) {
        for (Int128& value : cell) value = static_cast<std::int64_t>(random()) >> (random() % 62);
      }
      const std::uint64_t bound = random() >> (2 + random() % 50);
      const auto clip = [&] {
        std::vector<Int128> vector;
        for (const auto& cell : cells) vector.insert(vector.end(), cell.begin(), cell.end());
        return ClippedWeighted(vector, weights, bound);
      };
      const std::vector<Int128> before = clip();
      std::rotate(cells.begin(), cells.begin() + 1, cells.end());
      std::vector<Int128> after = clip();
      std::rotate(after.begin(), after.end() - static_cast<std::ptrdiff_t>(width), after.end());
      ASSERT_TRUE(after == before);
    }
  }
}

}  // namespace
}  // namespace dpsql
