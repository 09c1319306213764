#include "privacy/monotone_edge.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dpsql {
namespace {

TEST(MonotoneEdgeTest, StaysOnTheInsideOfARisingCurve) {
  int evaluations = 0;
  const auto excess = [&](double x) {
    ++evaluations;
    return x * x - 2;
  };
  const double edge = MonotoneEdge(excess, 1, 2);
  EXPECT_LE(edge * edge, 2);
  EXPECT_NEAR(edge, std::sqrt(2), 1e-13);
  EXPECT_LT(evaluations, 15);
}

TEST(MonotoneEdgeTest, StaysOnTheInsideOfAFallingCurve) {
  const auto excess = [](double x) { return std::exp(-x) - 0.25; };
  const double edge = MonotoneEdge(excess, 100, 0);
  EXPECT_LE(std::exp(-edge), 0.25);
  EXPECT_NEAR(edge, std::log(4), 1e-13);
}

TEST(MonotoneEdgeTest, FindsAStep) {
  const auto excess = [](double x) { return x < 0.3 ? -HUGE_VAL : 1.0; };
  const double edge = MonotoneEdge(excess, 0, 1);
  EXPECT_LT(edge, 0.3);
  EXPECT_NEAR(edge, 0.3, 1e-13);
}

TEST(MonotoneEdgeTest, FindsAnEdgeAtTheOutsideEnd) {
  const auto excess = [](double x) { return x - 1; };
  EXPECT_NEAR(MonotoneEdge(excess, 0, std::nextafter(1, 2)), 1, 1e-13);
}

}  // namespace
}  // namespace dpsql
