#include "privacy/truncated_geometric.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <string>

#include "base/check.h"
#include "support/test_vectors.h"

namespace dpsql {
namespace {

using Real = boost::multiprecision::cpp_bin_float_100;

constexpr UInt128 kCertain = UInt128{1} << kKeepBits;

Real ToReal(UInt128 units) { return ldexp(Real(units), -kKeepBits); }

TEST(TruncatedGeometricTest, MatchesVectors) {
  for (const auto& row : TestVectors()["truncated_geometric_keep_probability"]) {
    const EpsilonDelta share =
        CellShare({NumberOf(row["eps"]), NumberOf(row["delta"])}, row["C0"].get<std::int64_t>());
    EXPECT_NEAR(share.delta / NumberOf(row["delta0"]), 1, 1e-12) << row;
    const TruncatedGeometric table(share, row["k"].get<std::int64_t>());
    EXPECT_EQ(table.certain_from(), row["first_n_with_p1"].get<std::int64_t>()) << row;
    for (const auto& [units, keep] : row["p"].items()) {
      const auto ours = static_cast<double>(ToReal(table.Keep(std::stoll(units))));
      EXPECT_NEAR(ours / NumberOf(keep), 1, 1e-11) << row << " " << units;
    }
  }
}

// The four inequalities of (epsilon, delta)-DP between a cell of n and of n + 1 units, on the very
// numbers that the sampler gets, with a hundred digits.
void ExpectPrivate(EpsilonDelta share, std::int64_t k) {
  const TruncatedGeometric table(share, k);
  const Real growth = exp(Real(share.epsilon));
  const Real delta = share.delta;
  for (std::int64_t n = k - 1; n <= table.certain_from(); ++n) {
    const Real keep = ToReal(table.Keep(n));
    const Real more = ToReal(table.Keep(n + 1));
    ASSERT_LE(more, growth * keep + delta) << n;
    ASSERT_LE(keep, growth * more + delta) << n;
    ASSERT_LE(1 - more, growth * (1 - keep) + delta) << n;
    ASSERT_LE(1 - keep, growth * (1 - more) + delta) << n;
    ASSERT_GE(more, keep) << n;
  }
}

TEST(TruncatedGeometricTest, NeighboursAreWithinEpsilonAndDelta) {
  ExpectPrivate({1, 1e-5}, 1);
  ExpectPrivate({0.05, 1e-9}, 10);
  ExpectPrivate({0.37, 0.3}, 2);
  ExpectPrivate({30, 1e-30}, 1);
  ExpectPrivate({1e6, 0x1p-120}, 1);
  ExpectPrivate({0x1p-6, 0x1p-120}, 5);
  ExpectPrivate({0.25, std::nextafter(1.0, 0)}, 1);
}

// Rounding loses nothing that could be seen: each step is within 2^-115 of what DP allows.
TEST(TruncatedGeometricTest, NoStepKeepsLessThanItMay) {
  const EpsilonDelta share = {0.125, 1e-7};
  const TruncatedGeometric table(share, 3);
  const Real growth = exp(Real(share.epsilon));
  const Real slack = ldexp(Real(1), -115);
  for (std::int64_t n = 2; n < table.certain_from(); ++n) {
    const Real keep = ToReal(table.Keep(n));
    const Real grown = growth * keep + Real(share.delta);
    const Real shrunk = 1 - (1 - keep - Real(share.delta)) / growth;
    const Real allowed = std::min({grown, shrunk, Real(1)});
    ASSERT_GE(ToReal(table.Keep(n + 1)), allowed - slack) << n;
  }
}

TEST(TruncatedGeometricTest, BelowTheMinimumNothingIsKept) {
  const TruncatedGeometric table({2, 0.25}, 7);
  EXPECT_TRUE(table.Keep(6) == 0);
  EXPECT_TRUE(table.Keep(0) == 0);
  EXPECT_TRUE(table.Keep(7) == kCertain / 4);
  EXPECT_TRUE(table.Keep(table.certain_from()) == kCertain);
  EXPECT_TRUE(table.Keep(table.certain_from() - 1) < kCertain);
  EXPECT_TRUE(table.Keep(INT64_MAX) == kCertain);
}

// The longest table there is, and that it ends.
TEST(TruncatedGeometricTest, TheLeastEpsilonHasATable) {
  const TruncatedGeometric table({0x1p-12, 0x1p-120}, 1);
  EXPECT_GT(table.certain_from(), 500000);
  EXPECT_LT(table.certain_from(), 800000);
}

TEST(TruncatedGeometricTest, SharesStayWithinWhatWasAsked) {
  for (const std::int64_t cells : {2, 3, 7, 1000}) {
    const EpsilonDelta share = CellShare({0.1, 1e-7}, cells);
    EXPECT_LE(Real(share.epsilon) * cells, Real(0.1)) << cells;
    EXPECT_GT(Real(share.epsilon) * cells, Real(0.1) * (1 - 1e-12)) << cells;
    const Real all = 1 - pow(1 - Real(share.delta), cells);
    EXPECT_LE(all, Real(1e-7)) << cells;
    EXPECT_GT(all, Real(1e-7) * (1 - 1e-11)) << cells;
  }
}

TEST(TruncatedGeometricTest, TwoCellsPreferItAndThreeDoNot) {
  EXPECT_TRUE(PrefersTruncatedGeometric({0.1, 1e-7}, 1));
  EXPECT_TRUE(PrefersTruncatedGeometric({0.1, 1e-7}, 2));
  EXPECT_FALSE(PrefersTruncatedGeometric({0.1, 1e-7}, 3));
  EXPECT_FALSE(PrefersTruncatedGeometric({1e-5, 1e-7}, 1));
  EXPECT_FALSE(PrefersTruncatedGeometric({0.1, 1e-40}, 1));
}

TEST(TruncatedGeometricTest, ATableWithoutAnEndIsABug) {
  EXPECT_THROW(TruncatedGeometric({1e-5, 1e-7}, 1), Bug);
  EXPECT_THROW(TruncatedGeometric({1, 0}, 1), Bug);
  EXPECT_THROW(TruncatedGeometric({1, 1}, 1), Bug);
  EXPECT_THROW(TruncatedGeometric({1, 0.1}, 0), Bug);
}

}  // namespace
}  // namespace dpsql
