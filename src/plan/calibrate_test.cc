#include "plan/calibrate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "privacy/door_calibration.h"
#include "privacy/threshold.h"
#include "privacy/truncated_geometric.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

const std::vector<StatisticShape>& AllShapes() {
  static const std::vector<StatisticShape> shapes = [] {
    std::vector<StatisticShape> all = {{.kind = StatisticKind::kUnits},
                                       {.kind = StatisticKind::kDistinct},
                                       {.kind = StatisticKind::kRows},
                                       {.kind = StatisticKind::kValue},
                                       Moments(1, 1),
                                       Moments(2, 1),
                                       Moments(2, 2)};
    for (unsigned degree = 1; degree <= 4; ++degree) {
      all.push_back(Moments(degree));
      all.push_back(Moments(degree));
      all.back().counts_missing = true;
    }
    return all;
  }();
  return shapes;
}

// A door with public parameters alone: what it asks of which rows plays no part.
struct Case {
  Door door;
  Settings settings;
};

// The exact square of a sigma.
cpp_rational SquareOf(GridSigma sigma) {
  const cpp_rational value(cpp_int(sigma.numerator), cpp_int(1) << sigma.bits);
  return value * value;
}

// How far a unit can move a statistic, from the caps and the grid alone.
cpp_int Longest(const Door& door, const Statistic& statistic) {
  return cpp_int(door.rows_per_unit.value) << statistic.grid_bits();
}

// The largest sum of v_i^2 / sigma_i^2 over all v that the clip lets pass: at a vertex, where all
// of the length is in one coordinate.
cpp_rational WorstMuSquared(const Door& door, const Statistic& statistic) {
  if (CountsUnits(statistic.shape.kind)) {
    return cpp_rational(door.groups_per_unit.value) / SquareOf(statistic.sigmas.at(0));
  }
  const ClipWeights weights = WeightsOf(statistic.shape);
  const cpp_int length = Longest(door, statistic);
  cpp_rational worst = 0;
  for (std::size_t i = 0; i < weights.weight.size(); ++i) {
    const cpp_rational vertex(length * length * weights.whole, cpp_int(weights.weight[i]));
    worst = std::max(worst, cpp_rational(vertex / SquareOf(statistic.sigmas.at(i))));
  }
  return worst;
}

cpp_rational EpsilonOf(const Door& door, const Statistic& statistic) {
  const cpp_int l1 = CountsUnits(statistic.shape.kind) ? cpp_int(door.groups_per_unit.value)
                                                       : Longest(door, statistic);
  return cpp_rational(l1 * statistic.rate.numerator, cpp_int(statistic.rate.denominator));
}

std::int64_t CellsOf(const Door& door) {
  return door.groups_per_unit.value * static_cast<std::int64_t>(door.classes.size());
}

// The delta of a threshold beside statistics of this mu^2, at what is left of epsilon.
double DeltaOf(const Door& door, double epsilon, const cpp_rational& mu_squared) {
  const double mu = std::sqrt(static_cast<double>(mu_squared));
  if (!door.selects_keys()) return GaussianDelta(epsilon, mu);
  return JointDelta({.epsilon = epsilon,
                     .cells = CellsOf(door),
                     .sigma_count = door.count_sigma.value(),
                     .shown = ShownProbability(door.count_sigma, door.tau - door.min_frequency),
                     .mu_statistics = mu});
}

class CalibrateTest : public ::testing::TestWithParam<const char*> {
 protected:
  CalibrateTest()
      : catalog_(MakeShopCatalog({.accountant = GetParam()})),
        query_(
            std::make_shared<const BoundDoor>(BindDoor("SELECT count(*) FROM orders", catalog_))) {}

  double LogUniform(double low, double high) {
    return low * std::exp(std::uniform_real_distribution<double>(0, std::log(high / low))(random_));
  }

  Door EmptyDoor(std::size_t classes) const {
    Door door{.query = query_, .asked = {1, 1e-7}};
    door.classes.resize(classes);
    door.rows_per_unit = {1, ""};
    door.groups_per_unit = {1, ""};
    door.min_frequency = 1;
    return door;
  }

  Case RandomCase() {
    Case one{.door = EmptyDoor(1 + random_() % 3), .settings = {}};
    Door& door = one.door;
    door.asked = {LogUniform(1e-3, 100), LogUniform(1e-12, 1e-2)};
    door.rows_per_unit.value = static_cast<std::int64_t>(LogUniform(1, 1e9));
    door.groups_per_unit.value = static_cast<std::int64_t>(LogUniform(1, 30));
    door.min_frequency = static_cast<std::int64_t>(LogUniform(1, 100));
    for (std::size_t n = random_() % 5; n > 0; --n) {
      door.statistics.push_back({.shape = AllShapes()[random_() % AllShapes().size()]});
    }
    const bool selects = door.statistics.empty() || random_() % 2 == 0;
    door.selection = selects ? KeySelection::kThreshold : KeySelection::kNone;
    constexpr NoiseChoice kChoices[] = {NoiseChoice::kAuto, NoiseChoice::kGaussian,
                                        NoiseChoice::kLaplace};
    one.settings.noise = kChoices[random_() % 3];
    return one;
  }

  static void ExpectGrid(const Door& door) {
    for (const Statistic& own : door.statistics) {
      if (CountsUnits(own.shape.kind)) {
        EXPECT_EQ(own.clip, 0u);
        continue;
      }
      ASSERT_TRUE(cpp_int(own.clip) == Longest(door, own)) << Name(own.shape);
      ASSERT_TRUE(Longest(door, own) < cpp_int(1) << 62)
          << Name(own.shape) << " B " << door.rows_per_unit.value << " grid " << own.grid_bits();
      EXPECT_GE(own.step_bits, 4u);
      EXPECT_LE(own.step_bits, kMostStepBits);
      EXPECT_LE(own.grid_bits(), kMostGridBits);
    }
  }

  static void ExpectGaussian(const Case& one, const EpsilonDelta& asked) {
    const Door& door = one.door;
    cpp_rational mu_squared = 0;
    for (const Statistic& own : door.statistics) {
      ASSERT_EQ(own.sigmas.size(), Coordinates(own.shape));
      for (const GridSigma& sigma : own.sigmas) ASSERT_LT(sigma.value(), 0x1p59);
      mu_squared += WorstMuSquared(door, own);
    }
    EXPECT_LE(DeltaOf(door, asked.epsilon, mu_squared), asked.delta);
    if (!door.selects_keys()) {
      EXPECT_GT(DeltaOf(door, asked.epsilon, mu_squared), 0.99 * asked.delta);
    } else {
      mu_squared += cpp_rational(CellsOf(door)) / SquareOf(door.count_sigma);
    }
    ExpectCharged(DrawnBy(door).mu_squared, mu_squared);
    EXPECT_TRUE(DrawnBy(door).epsilon == 0);
    EXPECT_EQ(door.asked.delta, asked.delta);
  }

  // Rounded up, and by next to nothing.
  static void ExpectCharged(UInt128 charge, const cpp_rational& exact) {
    const cpp_rational units = exact * cpp_rational(cpp_int(1) << 96);
    EXPECT_TRUE(cpp_rational(cpp_int(charge)) >= units);
    EXPECT_TRUE(cpp_rational(cpp_int(charge)) <= units * cpp_rational(1'000'001, 1'000'000) + 100);
  }

  static void ExpectLaplace(const Case& one, const EpsilonDelta& asked) {
    const Door& door = one.door;
    cpp_rational epsilon = 0;
    for (const Statistic& own : door.statistics) {
      EXPECT_TRUE(own.sigmas.empty());
      epsilon += EpsilonOf(door, own);
    }
    if (door.selection == KeySelection::kThreshold) {
      ExpectCharged(DrawnBy(door).epsilon, epsilon);
      const double left = static_cast<double>(cpp_rational(asked.epsilon) - epsilon);
      EXPECT_GT(left, 0);
      // The difference of exact numbers, rounded down.
      EXPECT_LE(DeltaOf(door, left * (1 - 0x1p-50), 0), asked.delta);
      return;
    }
    if (door.selection == KeySelection::kTruncatedGeometric) {
      epsilon += cpp_rational(door.keep.epsilon) * CellsOf(door);
      cpp_rational hidden = 1;
      for (std::int64_t i = 0; i < CellsOf(door); ++i) hidden *= 1 - cpp_rational(door.keep.delta);
      EXPECT_TRUE(1 - hidden <= cpp_rational(asked.delta));
      EXPECT_GT(TruncatedGeometric(door.keep, door.min_frequency).certain_from(), 0);
    }
    EXPECT_TRUE(epsilon <= cpp_rational(asked.epsilon));
    EXPECT_TRUE(epsilon >= cpp_rational(asked.epsilon) * cpp_rational(999'999, 1'000'000));
    ExpectCharged(DrawnBy(door).epsilon, epsilon);
    EXPECT_TRUE(DrawnBy(door).mu_squared == 0);
  }

  std::mt19937_64 random_{20261115};
  Catalog catalog_;
  std::shared_ptr<const BoundDoor> query_;
};

TEST_P(CalibrateTest, TheNoiseDrawnKeepsWhatWasAsked) {
  int laplace = 0;
  int gaussian = 0;
  int coins = 0;
  int refused = 0;
  for (int n = 0; n < 250; ++n) {
    Case one = RandomCase();
    const EpsilonDelta asked = one.door.asked;
    const Status status = Calibrate(one.door, one.settings);
    if (!status) {
      EXPECT_EQ(status.error().code, "V321");
      ++refused;
      continue;
    }
    const Door& door = one.door;
    const bool first_is_laplace =
        !door.statistics.empty() && door.statistics[0].mechanism == Mechanism::kLaplace;
    for (const Statistic& own : door.statistics) {
      EXPECT_EQ(own.mechanism == Mechanism::kLaplace, first_is_laplace);
    }
    EXPECT_EQ(door.asked.epsilon, asked.epsilon);
    const bool takes_delta = !first_is_laplace || door.selects_keys();
    EXPECT_EQ(door.asked.delta == 0, !takes_delta);
    EXPECT_TRUE((DrawnBy(door).delta > 0) == door.selects_keys());
    ExpectGrid(door);
    if (first_is_laplace) {
      ExpectLaplace(one, asked);
    } else {
      ExpectGaussian(one, asked);
    }
    if (HasFailure()) FAIL() << "case " << n;
    (first_is_laplace ? laplace : gaussian) += 1;
    coins += door.selection == KeySelection::kTruncatedGeometric ? 1 : 0;
  }
  EXPECT_GT(laplace, 30);
  EXPECT_GT(gaussian, 30);
  EXPECT_LT(refused, 60);
  EXPECT_EQ(coins > 0, std::string(GetParam()) == "basic");
}

TEST_P(CalibrateTest, TheNoiseIsTheOneAskedFor) {
  const bool basic = std::string(GetParam()) == "basic";
  const auto mechanism = [&](NoiseChoice choice, std::size_t statistics) {
    Door door = EmptyDoor(1);
    door.statistics.assign(statistics, {.shape = {.kind = StatisticKind::kRows}});
    EXPECT_TRUE(Calibrate(door, {.noise = choice}).ok());
    return door.statistics[0].mechanism;
  };
  EXPECT_EQ(mechanism(NoiseChoice::kGaussian, 1), Mechanism::kGaussian);
  EXPECT_EQ(mechanism(NoiseChoice::kLaplace, 40), Mechanism::kLaplace);
  // By itself: one question of pure noise is better by three times, forty are worse.
  EXPECT_EQ(mechanism(NoiseChoice::kAuto, 1), basic ? Mechanism::kLaplace : Mechanism::kGaussian);
  EXPECT_EQ(mechanism(NoiseChoice::kAuto, 40), Mechanism::kGaussian);
}

// At (1, 1e-6) pure noise is the smaller up to n = 11 statistics, or groups of a unit: there n is
// below sqrt(2/pi) sqrt(n) / mu = 3.37 sqrt(n).
TEST_P(CalibrateTest, TheSmallerNoiseIsTaken) {
  // Pure noise is taken by itself under basic composition alone.
  const bool basic = std::string(GetParam()) == "basic";
  const Mechanism pure = basic ? Mechanism::kLaplace : Mechanism::kGaussian;
  const auto mechanism = [&](StatisticKind kind, std::size_t statistics, std::int64_t groups) {
    Door door = EmptyDoor(1);
    door.asked = {1, 1e-6};
    door.groups_per_unit.value = groups;
    door.statistics.assign(statistics, {.shape = {.kind = kind}});
    EXPECT_TRUE(Calibrate(door, {.noise = NoiseChoice::kAuto}).ok());
    return door.statistics[0].mechanism;
  };
  EXPECT_EQ(mechanism(StatisticKind::kRows, 11, 1), pure);
  EXPECT_EQ(mechanism(StatisticKind::kRows, 12, 1), Mechanism::kGaussian);
  EXPECT_EQ(mechanism(StatisticKind::kUnits, 1, 11), pure);
  EXPECT_EQ(mechanism(StatisticKind::kUnits, 1, 12), Mechanism::kGaussian);
}

TEST_P(CalibrateTest, MiddleCoordinatesHaveLessNoiseAtTheSamePrice) {
  Door door = EmptyDoor(1);
  door.statistics = {{.shape = Moments(2)}};
  ASSERT_TRUE(Calibrate(door, {.noise = NoiseChoice::kGaussian}).ok());
  Door plain = EmptyDoor(1);
  plain.statistics = {{.shape = {.kind = StatisticKind::kRows}}};
  ASSERT_TRUE(Calibrate(plain, {.noise = NoiseChoice::kGaussian}).ok());
  const Statistic& own = door.statistics[0];
  const auto natural = [](const Statistic& statistic, std::size_t i) {
    return std::ldexp(statistic.sigmas[i].value(), -static_cast<int>(statistic.grid_bits()));
  };
  EXPECT_NEAR(natural(own, 0), natural(plain.statistics[0], 0), 1e-8);
  EXPECT_NEAR(natural(own, 1), natural(own, 0) / std::sqrt(3.5), 1e-8);
  EXPECT_NEAR(static_cast<double>(DrawnBy(door).mu_squared),
              static_cast<double>(DrawnBy(plain).mu_squared),
              1e-6 * static_cast<double>(DrawnBy(plain).mu_squared));
}

INSTANTIATE_TEST_SUITE_P(Accountants, CalibrateTest, ::testing::Values("gdp", "rdp", "basic"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace dpsql
