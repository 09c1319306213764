#include "privacy/bounding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "privacy/moment_grid.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;
using Vector = std::vector<int>;

constexpr UInt128 kTop = ~UInt128{0};

int SquaredL2(const Vector& vector) {
  int sum = 0;
  for (const int value : vector) sum += value * value;
  return sum;
}

int L1(const Vector& vector) {
  int sum = 0;
  for (const int value : vector) sum += std::abs(value);
  return sum;
}

// All integer vectors of this size with coordinates from low to high.
std::vector<Vector> Box(std::size_t size, int low, int high) {
  std::vector<Vector> result = {{}};
  for (std::size_t i = 0; i < size; ++i) {
    std::vector<Vector> longer;
    for (const Vector& vector : result) {
      for (int value = low; value <= high; ++value) {
        longer.push_back(vector);
        longer.back().push_back(value);
      }
    }
    result = longer;
  }
  return result;
}

struct Longest {
  int l2_squared = 0;
  int l1 = 0;

  void See(const Vector& vector) {
    l2_squared = std::max(l2_squared, SquaredL2(vector));
    l1 = std::max(l1, L1(vector));
  }
  void ExpectIs(const Sensitivity& stated) const {
    EXPECT_TRUE(stated.l2_squared == static_cast<UInt128>(l2_squared));
    EXPECT_TRUE(stated.l1 == static_cast<UInt128>(l1));
  }
};

// Rows are (2 - y, y): L1 norm 2, L2 norm at most 2, attained at the ends. Three groups.
constexpr RowNorm kRow{.l1 = 2, .l2 = 2};
constexpr std::size_t kGroups = 3;

void Place(Vector& unit, std::size_t group, int y) {
  unit[2 * group] += 2 - y;
  unit[2 * group + 1] += y;
}

// Every unit of `rows` rows: each row is a digit that says its group and its y.
template <typename See>
void ForEachUnit(int rows, const See& see) {
  for (const Vector& digits : Box(static_cast<std::size_t>(rows), 0, 3 * kGroups - 1)) {
    Vector unit(2 * kGroups, 0);
    for (const int digit : digits) Place(unit, static_cast<std::size_t>(digit / 3), digit % 3);
    see(unit);
  }
}

TEST(BoundingTest, RowBoundIsTheLongestOfAllUnits) {
  for (int rows = 1; rows <= 4; ++rows) {
    Longest longest;
    ForEachUnit(rows, [&](const Vector& unit) { longest.See(unit); });
    longest.ExpectIs(OfRowBound(static_cast<std::uint64_t>(rows), kRow));
  }
}

TEST(BoundingTest, GroupsAndRowsIsTheLongestOfAllUnits) {
  for (int groups = 1; groups <= 3; ++groups) {
    for (int rows = 1; rows <= 2; ++rows) {
      Longest longest;
      ForEachUnit(groups * rows, [&](const Vector& unit) {
        int used = 0;
        int most = 0;
        for (std::size_t g = 0; g < kGroups; ++g) {
          const int in_group = (unit[2 * g] + unit[2 * g + 1]) / 2;
          used += in_group > 0 ? 1 : 0;
          most = std::max(most, in_group);
        }
        if (used <= groups && most <= rows) longest.See(unit);
      });
      longest.ExpectIs(OfGroupsAndRows(static_cast<std::uint64_t>(groups),
                                       static_cast<std::uint64_t>(rows), kRow));
    }
  }
}

TEST(BoundingTest, ClipsAreTheLongestOfAllVectors) {
  for (int clip = 1; clip <= 2; ++clip) {
    Longest sums;
    for (const Vector& vector : Box(4, -clip, clip)) sums.See(vector);
    sums.ExpectIs(OfSumClip(2, 2, static_cast<std::uint64_t>(clip)));
  }
  for (int bound = 1; bound <= 6; ++bound) {
    Longest in_l1;
    Longest in_l2;
    for (const Vector& vector : Box(4, -bound, bound)) {
      if (L1(vector) <= bound) in_l1.See(vector);
      if (SquaredL2(vector) <= bound * bound) in_l2.See(vector);
    }
    in_l1.ExpectIs(OfL1Clip(static_cast<std::uint64_t>(bound)));
    const Sensitivity stated = OfL2Clip(static_cast<std::uint64_t>(bound), 4);
    EXPECT_TRUE(stated.l2_squared == static_cast<UInt128>(in_l2.l2_squared));
    // Whole vectors need not reach the even spread; they never exceed it.
    EXPECT_TRUE(static_cast<UInt128>(in_l2.l1) <= stated.l1);
    EXPECT_TRUE(static_cast<UInt128>(in_l2.l1 + 4) > stated.l1);
  }
  EXPECT_TRUE(OfL2Clip(10, 2).l1 == 15);
  EXPECT_TRUE(OfL2Clip(10, 4).l1 == 20);
}

TEST(BoundingTest, SaturatesAndNeverWraps) {
  const std::uint64_t top = ~std::uint64_t{0};
  EXPECT_TRUE(OfRowBound(std::uint64_t{1} << 32, {1, std::uint64_t{1} << 32}).l2_squared == kTop);
  EXPECT_TRUE(OfGroupsAndRows(top, top, {top, top}).l1 == kTop);
  EXPECT_TRUE(OfSumClip(4, 1, std::uint64_t{1} << 63).l2_squared == kTop);
  EXPECT_TRUE(OfL1Clip(top).l2_squared == static_cast<UInt128>(top) * top);
  EXPECT_TRUE(OfL2Clip(top, top).l1 < kTop);
}

TEST(BoundingTest, RootsAreTheLeastDoubleNotBelow) {
  std::mt19937_64 random(4);
  for (int n = 0; n < 20000; ++n) {
    const UInt128 high = static_cast<UInt128>(random()) << 64;
    const UInt128 square = (high | random()) >> random() % 128;
    const double root = L2Up({.l2_squared = square});
    const cpp_int scaled(std::ldexp(root, 52));
    ASSERT_TRUE(scaled * scaled >= cpp_int(square) << 104);
    if (root < 2) continue;
    const cpp_int below(std::ldexp(std::nextafter(root, 0.0), 52));
    ASSERT_TRUE(below * below < cpp_int(square) << 104);
  }
  EXPECT_EQ(L2Up({.l2_squared = 0}), 0);
  EXPECT_EQ(L2Up({.l2_squared = 1}), 1);
  EXPECT_EQ(L2Up({.l2_squared = kTop}), 0x1p64);
}

// In the norm that weighs the middle coordinate, over every unit of three rows.
TEST(BoundingTest, BernsteinRowsOfAUnitAreInsideAndReachIt) {
  const BernsteinShape shape{2, 0};
  const ClipWeights weights = MiddleWeights(shape);
  const Sensitivity stated = OfGroupsAndRows(1, 3, {.l1 = 256, .l2 = 256});
  UInt128 longest = 0;
  for (int n = 0; n < 17 * 17 * 17; ++n) {
    std::vector<Int128> sums(3, 0);
    for (const int step : {n % 17, n / 17 % 17, n / 289}) {
      sums[0] += 1;
      sums[1] += step;
      sums[2] += step * step;
    }
    const std::vector<Int128> unit = CoordinatesOfPowerSums(shape, 4, sums);
    UInt128 norm = 0;
    for (std::size_t i = 0; i < unit.size(); ++i) {
      norm += static_cast<UInt128>(unit[i] * unit[i]) * weights.weight[i];
    }
    longest = std::max(longest, norm);
  }
  EXPECT_TRUE(longest == stated.l2_squared * weights.whole);
}

}  // namespace
}  // namespace dpsql
