#include "privacy/gaussian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/check.h"
#include "support/slow_privacy.h"
#include "support/test_vectors.h"

namespace dpsql {
namespace {

// Spread evenly over the orders of magnitude between the two ends.
double LogUniform(std::mt19937_64& random, double low, double high) {
  return std::exp(std::uniform_real_distribution(std::log(low), std::log(high))(random));
}

// The definition in extended precision: fast enough for many inputs, and good to 1e-13 relative
// where epsilon / mu^2 is below 1e5.
double PlainDelta(long double epsilon, long double mu) {
  const long double root = std::sqrt(2.0L);
  const long double a = epsilon / mu - mu / 2;
  const long double b = epsilon / mu + mu / 2;
  return static_cast<double>((std::erfc(a / root) - std::exp(epsilon) * std::erfc(b / root)) / 2);
}

TEST(GaussianTest, LogDeltaMatchesVectors) {
  for (const auto& row : TestVectors()["log_delta_from_eps_mu"]) {
    const double epsilon = NumberOf(row["eps"]);
    const double mu = NumberOf(row["mu"]);
    EXPECT_NEAR(LogGaussianDelta(epsilon, mu), NumberOf(row["ln_delta"]), 1e-12) << row;
    EXPECT_NEAR(GaussianDelta(epsilon, mu) / NumberOf(row["delta"]), 1, 1e-12) << row;
  }
}

TEST(GaussianTest, LogDeltaMatchesFiftyDigits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 1500; ++i) {
    const double epsilon = LogUniform(random, 1e-6, 50) * (i % 5 == 0 ? -1 : 1);
    const double mu = LogUniform(random, 1e-6, 10);
    const double exact = SlowGaussianDelta(epsilon, mu);
    if (exact < 1e-300) continue;
    EXPECT_NEAR(LogGaussianDelta(epsilon, mu), std::log(exact), kLogDeltaError / 3)
        << epsilon << " " << mu;
  }
}

// Here epsilon / mu - mu / 2 is what is left of two numbers of six digits.
TEST(GaussianTest, AHugeMuLosesNoDigits) {
  const double mu = 142741.42733335705;
  const double epsilon = 10188408020.729525;
  EXPECT_NEAR(LogGaussianDelta(epsilon, mu), -20.480247320901658, kLogDeltaError / 3);
}

TEST(GaussianTest, DeltaAtTheEdges) {
  EXPECT_EQ(GaussianDelta(1, 0), 0);
  EXPECT_EQ(GaussianDelta(0, 0), 0);
  EXPECT_EQ(GaussianDelta(-1, 0), -std::expm1(-1));
  EXPECT_EQ(LogGaussianDelta(1, 1e-200), -HUGE_VAL);
  EXPECT_NEAR(GaussianDelta(0, 1e-12) / (1e-12 / std::sqrt(2 * std::acos(-1.0))), 1, 1e-12);
  EXPECT_EQ(GaussianDelta(-800, 3), 1);
  EXPECT_THROW(LogGaussianDelta(1, -1), Bug);
  EXPECT_THROW(LogGaussianDelta(std::nan(""), 1), Bug);
}

TEST(GaussianTest, MuMatchesVectorsFromBelow) {
  for (const auto& row : TestVectors()["mu_from_eps_delta"]) {
    const double exact = NumberOf(row["mu"]);
    const double mu = GaussianMu({NumberOf(row["eps"]), NumberOf(row["delta"])});
    EXPECT_LT(mu, exact) << row;
    EXPECT_GT(mu, exact * (1 - 1e-10)) << row;
  }
}

struct MuRow {
  double epsilon;
  double delta;
  double mu;
};

TEST(GaussianTest, MuMatchesTheHandbookTable) {
  const MuRow rows[] = {{0.1, 1e-7, 0.02419582067936975},  {0.2, 1e-6, 0.05266262258234387},
                        {0.5, 1e-6, 0.1241061490305281},   {1, 1e-5, 0.2680511232112942},
                        {1, 1e-6, 0.2367043806634357},     {1, 2e-7, 0.2199877740647498},
                        {1, 1e-12, 0.1524896512459813},    {1, 1e-30, 0.09022743942771941},
                        {5, 1e-6, 1.020357145086108},      {10, 1e-9, 1.537877336814540},
                        {50, 1e-6, 6.385986778952409},     {0.05, 2.5e-8, 0.01170810622569135},
                        {1e-6, 1e-6, 3.622795883749222e-6}};
  for (const auto& [epsilon, delta, mu] : rows) {
    EXPECT_NEAR(GaussianMu({epsilon, delta}) / mu, 1, 1e-10) << epsilon << " " << delta;
  }
}

TEST(GaussianTest, MuIsRoundedDownAndTight) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 10000; ++i) {
    const double epsilon = LogUniform(random, 1e-3, 20);
    const double delta = LogUniform(random, 1e-40, 0.5);
    const double mu = GaussianMu({epsilon, delta});
    ASSERT_LE(PlainDelta(epsilon, mu), delta) << epsilon << " " << delta;
    ASSERT_GT(PlainDelta(epsilon, mu * (1 + 1e-10)), delta) << epsilon << " " << delta;
  }
}

TEST(GaussianTest, MuIsRoundedDownByFiftyDigits) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000; ++i) {
    // At epsilon = 0 the definition itself loses as many digits as delta has zeros.
    const bool zero = i % 20 == 0;
    const double epsilon = zero ? 0 : LogUniform(random, 1e-8, 50);
    const double delta = LogUniform(random, zero ? 1e-25 : 1e-290, 0.999);
    const double mu = GaussianMu({epsilon, delta});
    ASSERT_LE(SlowGaussianDelta(epsilon, mu), delta) << epsilon << " " << delta;
  }
}

TEST(GaussianTest, EpsilonMatchesVectorsFromAbove) {
  for (const auto& row : TestVectors()["eps_from_mu_delta"]) {
    const double exact = NumberOf(row["eps"]);
    const double epsilon = GaussianEpsilon(NumberOf(row["delta"]), NumberOf(row["mu"]));
    EXPECT_GE(epsilon, exact) << row;
    EXPECT_LE(epsilon, exact * (1 + 1e-10)) << row;
  }
}

TEST(GaussianTest, EpsilonIsRoundedUpAndTight) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 10000; ++i) {
    const double mu = LogUniform(random, 0.01, 5);
    const double delta = LogUniform(random, 1e-40, 0.5);
    const double epsilon = GaussianEpsilon(delta, mu);
    ASSERT_LE(PlainDelta(epsilon, mu), delta) << delta << " " << mu;
    if (epsilon == 0) continue;
    ASSERT_GT(PlainDelta(epsilon - 1e-9 * (epsilon + mu), mu), delta) << delta << " " << mu;
  }
}

TEST(GaussianTest, EpsilonUndoesMu) {
  for (double epsilon : {1e-5, 0.1, 1.0, 7.0, 60.0}) {
    const double mu = GaussianMu({epsilon, 1e-8});
    EXPECT_NEAR(GaussianEpsilon(1e-8, mu) / epsilon, 1, 1e-9);
  }
  EXPECT_EQ(GaussianEpsilon(1e-8, 0), 0);
}

TEST(GaussianTest, CalibrationOfNoProbabilityIsABug) {
  EXPECT_THROW(GaussianMu({1, 0}), Bug);
  EXPECT_THROW(GaussianMu({1, 1}), Bug);
  EXPECT_THROW(GaussianMu({-1, 0.1}), Bug);
  EXPECT_THROW(GaussianMu({std::nan(""), 0.1}), Bug);
  EXPECT_THROW(GaussianEpsilon(0, 1), Bug);
}

}  // namespace
}  // namespace dpsql
