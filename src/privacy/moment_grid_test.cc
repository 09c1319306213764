#include "privacy/moment_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <random>
#include <span>
#include <vector>

#include "base/check.h"
#include "privacy/clip.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

constexpr std::array<BernsteinShape, 7> kShapes = {
    {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {1, 1}, {2, 1}, {2, 2}}};

struct Steps {
  Int128 x = 0;
  Int128 y = 0;
};

cpp_int Binomial(unsigned n, unsigned k) {
  cpp_int result = 1;
  for (unsigned i = 1; i <= k; ++i) result = result * (n + 1 - i) / i;
  return result;
}

// C(d,i) X^i (S-X)^(d-i), by the definition.
cpp_int Bernstein(unsigned degree, unsigned i, const cpp_int& step, const cpp_int& top) {
  return Binomial(degree, i) * pow(step, i) * pow(cpp_int(top - step), degree - i);
}

std::vector<cpp_int> DirectRow(BernsteinShape shape, unsigned step_bits, Steps row) {
  const cpp_int top = cpp_int(1) << step_bits;
  std::vector<cpp_int> result;
  for (unsigned i = 0; i <= shape.x_degree; ++i) {
    for (unsigned j = 0; j <= shape.y_degree; ++j) {
      result.push_back(Bernstein(shape.x_degree, i, cpp_int(row.x), top) *
                       Bernstein(shape.y_degree, j, cpp_int(row.y), top));
    }
  }
  return result;
}

void AddPowers(BernsteinShape shape, Steps row, std::vector<Int128>& sums) {
  sums.resize(PowerSums(shape), 0);
  Int128 x_power = 1;
  for (unsigned a = 0; a <= shape.x_degree; ++a, x_power *= row.x) {
    Int128 power = x_power;
    for (unsigned b = 0; b <= shape.y_degree; ++b, power *= row.y) {
      sums[a * (shape.y_degree + 1) + b] += power;
    }
  }
}

std::vector<Int128> CoordinatesOfRow(BernsteinShape shape, unsigned step_bits, Steps row) {
  std::vector<Int128> sums;
  AddPowers(shape, row, sums);
  return CoordinatesOfPowerSums(shape, step_bits, sums);
}

// What the header promises of every row: not negative, S^(dx+dy) in all, no longer than that in the
// norm with the weights.
void ExpectRowWithinOne(BernsteinShape shape, unsigned step_bits, Steps row) {
  const std::vector<Int128> vector = CoordinatesOfRow(shape, step_bits, row);
  const ClipWeights weights = MiddleWeights(shape);
  ASSERT_EQ(vector.size(), weights.weight.size());
  const cpp_int one = cpp_int(1) << (step_bits * (shape.x_degree + shape.y_degree));
  cpp_int sum = 0;
  cpp_int norm = 0;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    ASSERT_TRUE(vector[i] >= 0);
    sum += cpp_int(vector[i]);
    norm += cpp_int(weights.weight[i]) * cpp_int(vector[i]) * cpp_int(vector[i]);
  }
  ASSERT_TRUE(sum == one);
  ASSERT_TRUE(norm <= cpp_int(weights.whole) * one * one);
  const std::vector<cpp_int> direct = DirectRow(shape, step_bits, row);
  for (std::size_t i = 0; i < vector.size(); ++i) ASSERT_TRUE(cpp_int(vector[i]) == direct[i]);
}

void ExpectEveryRowWithinOne(BernsteinShape shape, unsigned step_bits) {
  const Int128 top = Int128{1} << step_bits;
  for (Int128 x = 0; x <= top; ++x) {
    for (Int128 y = 0; y <= (shape.y_degree > 0 ? top : 0); ++y) {
      ExpectRowWithinOne(shape, step_bits, {x, y});
    }
  }
}

TEST(MomentGridTest, EveryRowOfEverySmallGridWeighsOne) {
  for (const BernsteinShape shape : kShapes) {
    const unsigned finest = shape.y_degree > 0 ? 4 : 8;
    for (unsigned bits = 1; bits <= finest; ++bits) ExpectEveryRowWithinOne(shape, bits);
  }
}

TEST(MomentGridTest, RandomRowsOfFineGridsWeighOne) {
  std::mt19937_64 random(7);
  for (int n = 0; n < 8000; ++n) {
    const BernsteinShape shape = kShapes[random() % kShapes.size()];
    const auto step_bits = static_cast<unsigned>(5 + random() % 20);
    const Int128 top = Int128{1} << step_bits;
    // Half of the steps are next to an end or to the middle, where the norm is 1 or nearly.
    const auto step = [&] {
      const auto near = static_cast<Int128>(random() % 4);
      const std::array<Int128, 4> places = {near, top / 2 + near, top / 2 - near, top - near};
      return random() % 2 == 0 ? places[random() % 4]
                               : static_cast<Int128>(random() % static_cast<UInt128>(top + 1));
    };
    ExpectRowWithinOne(shape, step_bits, {step(), step()});
  }
}

TEST(MomentGridTest, CoordinatesOfManyRowsAreTheSumOfEach) {
  std::mt19937_64 random(8);
  for (int n = 0; n < 300; ++n) {
    const BernsteinShape shape = kShapes[random() % kShapes.size()];
    const unsigned degree = shape.x_degree + shape.y_degree;
    const auto step_bits = static_cast<unsigned>(1 + random() % (40 / degree));
    std::vector<Int128> sums(PowerSums(shape), 0);
    std::vector<cpp_int> direct(PowerSums(shape), 0);
    for (std::size_t rows = random() % 40; rows > 0; --rows) {
      const std::uint64_t places = (std::uint64_t{1} << step_bits) + 1;
      const Steps row{static_cast<Int128>(random() % places),
                      static_cast<Int128>(random() % places)};
      AddPowers(shape, row, sums);
      const std::vector<cpp_int> one = DirectRow(shape, step_bits, row);
      for (std::size_t i = 0; i < one.size(); ++i) direct[i] += one[i];
    }
    const std::vector<Int128> together = CoordinatesOfPowerSums(shape, step_bits, sums);
    for (std::size_t i = 0; i < direct.size(); ++i) ASSERT_TRUE(cpp_int(together[i]) == direct[i]);
  }
}

TEST(MomentGridTest, AShapeGetsAllItsPowerSums) {
  EXPECT_EQ(PowerSums({1, 0}), 2u);
  EXPECT_EQ(PowerSums({4, 0}), 5u);
  EXPECT_EQ(PowerSums({2, 2}), 9u);
  EXPECT_THROW(CoordinatesOfPowerSums({2, 0}, 4, std::vector<Int128>{1, 2}), Bug);
}

// The squared norm at (x, y) in [0, 1], with `extra` added to one squared weight.
cpp_rational ExactNorm(BernsteinShape shape, const cpp_rational& x, const cpp_rational& y,
                       std::size_t changed = 1000, const cpp_rational& extra = 0) {
  const ClipWeights weights = MiddleWeights(shape);
  const auto b = [](unsigned degree, unsigned i, const cpp_rational& u) {
    cpp_rational result(Binomial(degree, i));
    for (unsigned k = 0; k < degree; ++k) result *= k < i ? u : cpp_rational(1 - u);
    return result;
  };
  cpp_rational norm = 0;
  for (std::size_t cell = 0; cell < weights.weight.size(); ++cell) {
    const auto i = static_cast<unsigned>(cell / (shape.y_degree + 1));
    const auto j = static_cast<unsigned>(cell % (shape.y_degree + 1));
    cpp_rational squared(weights.weight[cell], weights.whole);
    if (cell == changed) squared += extra;
    const cpp_rational value = b(shape.x_degree, i, x) * b(shape.y_degree, j, y);
    norm += squared * value * value;
  }
  return norm;
}

TEST(MomentGridTest, WeightsAreAsLargeAsTheyCanBe) {
  for (const BernsteinShape shape : kShapes) {
    const int steps = shape.y_degree > 0 ? 24 : 240;
    for (int i = 0; i <= steps; ++i) {
      for (int j = 0; j <= (shape.y_degree > 0 ? steps : 0); ++j) {
        ASSERT_TRUE(ExactNorm(shape, {i, steps}, {j, steps}) <= 1) << shape.x_degree << " " << i;
      }
    }
    for (std::size_t cell = 0; cell < PowerSums(shape); ++cell) {
      const auto worst = [](unsigned k, unsigned d) {
        return d == 0 || k == 0 ? cpp_rational(0) : k == d ? cpp_rational(1) : cpp_rational(1, 2);
      };
      const auto i = static_cast<unsigned>(cell / (shape.y_degree + 1));
      const auto j = static_cast<unsigned>(cell % (shape.y_degree + 1));
      const cpp_rational x = worst(i, shape.x_degree);
      const cpp_rational y = worst(j, shape.y_degree);
      ASSERT_TRUE(ExactNorm(shape, x, y) == 1);
      ASSERT_TRUE(ExactNorm(shape, x, y, cell, cpp_rational(1, 1000000)) > 1);
    }
  }
}

// B rows are never clipped at B: the clip touches only units above their cap.
TEST(MomentGridTest, RowsWithinTheCapPassTheClipUnchanged) {
  std::mt19937_64 random(3);
  for (const BernsteinShape shape : kShapes) {
    const unsigned degree = shape.x_degree + shape.y_degree;
    const unsigned step_bits = std::min(20U, 40 / degree);
    for (int n = 0; n < 200; ++n) {
      std::vector<Int128> sums(PowerSums(shape), 0);
      // All of them at the middle or at an end, where the norm of a row is one.
      const Int128 half = Int128{1} << (step_bits - 1);
      const Steps row{half * (random() % 3), half * (random() % 3)};
      for (int r = 0; r < 5; ++r) AddPowers(shape, row, sums);
      std::vector<Int128> unit = CoordinatesOfPowerSums(shape, step_bits, sums);
      const std::vector<Int128> before = unit;
      ClipWeightedL2(unit, MiddleWeights(shape), std::uint64_t{5} << (step_bits * degree));
      ASSERT_TRUE(unit == before);
      ClipWeightedL2(unit, MiddleWeights(shape), std::uint64_t{2} << (step_bits * degree));
      ASSERT_FALSE(unit == before);
    }
  }
}

}  // namespace
}  // namespace dpsql
