#include "noise/add_noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/check.h"
#include "support/fake_noise.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

using Key = std::vector<Value>;
using Numbers = std::vector<Int128>;

constexpr Int128 kScale = Int128{1} << kMostStepBits;

Key Named(const char* name) { return {std::string(name)}; }

// A door with two coordinates of moments, one of rows and one of units. Two bounded columns keep
// the count of rows in a vector of its own.
NoisyTable Noisy(ExactTable exact, const KeySet& keys, const Door& door, Noise& noise) {
  return AddNoise(std::move(exact), keys, DrawnNoise(keys.keys.size(), door, noise));
}

class AddNoiseTest : public ::testing::Test {
 protected:
  AddNoiseTest()
      : catalog_(MakeShopCatalog({.min_frequency = 1, .max_groups = 3})),
        plan_(PlanQuery("SELECT city, avg(age), count(*), count(DISTINCT customer_id) "
                        "FROM customer GROUP BY city",
                        catalog_)),
        door_(plan_.doors()[0]) {
    // The planner would count the rows without an age in the vector of the ages.
    const std::vector<GridSigma> ages(door_.statistics[0].sigmas.begin(),
                                      door_.statistics[0].sigmas.begin() + 2);
    const std::size_t all_rows = door_.readings[1].cell_class;
    Statistic rows{.shape = {.kind = StatisticKind::kRows}, .cell_class = all_rows};
    rows.sigmas = {RoundSigmaUp(3.25e6)};
    door_.statistics[0].shape.counts_missing = false;
    door_.statistics[0].sigmas = ages;
    door_.statistics.insert(door_.statistics.begin() + 1, rows);
  }

  const Door& door() const { return door_; }

  static ExactTable Table(std::vector<std::pair<Key, Numbers>> rows) {
    ExactTableBuilder builder;
    for (auto& [key, numbers] : rows) builder.Add(std::move(key), std::move(numbers));
    return std::move(builder).Finish();
  }

  static KeySet Keys(std::vector<std::pair<Key, std::vector<bool>>> rows) {
    KeySet keys;
    for (auto& [key, cells] : rows) {
      keys.keys.push_back({.key = std::move(key), .cells = std::move(cells)});
    }
    return keys;
  }

  Catalog catalog_;
  DpPlan plan_;
  Door door_;
};

TEST_F(AddNoiseTest, DoorIsTheOneMeant) {
  ASSERT_EQ(door().statistics.size(), 3u);
  EXPECT_EQ(door().statistics[0].shape, Moments(1));
  EXPECT_EQ(door().statistics[1].shape.kind, StatisticKind::kRows);
  EXPECT_EQ(door().statistics[2].shape.kind, StatisticKind::kUnits);
  EXPECT_EQ(door().statistics[0].cell_class, 0u);
  EXPECT_EQ(door().statistics[1].cell_class, 1u);
}

TEST_F(AddNoiseTest, OneDrawPerCoordinateWithTheSigmaOfItsStatistic) {
  FakeNoise noise([](std::size_t) { return 0; });
  Noisy(Table({{Named("a"), {1, 2, 3, 4}}, {Named("b"), {0, 0, 0, 0}}}),
        Keys({{Named("a"), {true, true}}, {Named("b"), {false, false}}}), door(), noise);
  ASSERT_EQ(noise.drawn(), 8u);
  std::multiset<double> drawn;
  for (const GridSigma& sigma : noise.sigmas()) drawn.insert(sigma.value());
  const auto& statistics = door().statistics;
  ASSERT_NE(statistics[1].sigmas[0].value(), statistics[2].sigmas[0].value());
  std::multiset<double> wanted;
  for (const Statistic& statistic : statistics) {
    ASSERT_EQ(statistic.sigmas.size(), Coordinates(statistic.shape));
    for (const GridSigma& sigma : statistic.sigmas) {
      wanted.insert(sigma.value());
      wanted.insert(sigma.value());
    }
  }
  EXPECT_EQ(drawn, wanted);
}

// The middle coordinate has its own sigma, and no other gets it.
TEST_F(AddNoiseTest, CoordinatesHaveSigmasOfTheirOwn) {
  const DpPlan plan = PlanQuery("SELECT var_pop(balance), count(*) FROM customer", catalog_);
  const Door& own = plan.doors()[0];
  ASSERT_EQ(own.statistics.size(), 1u);
  const Statistic& statistic = own.statistics[0];
  ASSERT_EQ(statistic.shape, Moments(2));
  ASSERT_EQ(statistic.sigmas.size(), 3u);
  EXPECT_NEAR(statistic.sigmas[1].value() / statistic.sigmas[0].value(), std::sqrt(2.0 / 7), 1e-9);
  EXPECT_EQ(statistic.sigmas[0].value(), statistic.sigmas[2].value());
  // A draw is as large as its sigma, so that the samples show which one each coordinate had.
  FakeNoise sizes([](std::size_t) { return 0; });
  KeySet keys;
  keys.keys = {{.key = {}, .cells = {true}}};
  const NoisyTable table = Noisy(Table({{{}, {0, 0, 0}}}), keys, own, sizes);
  ASSERT_EQ(sizes.sigmas().size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(sizes.sigmas()[i].value(), statistic.sigmas[i].value()) << i;
    EXPECT_EQ(table.Sample(0, 0).sd[i],
              std::ldexp(statistic.sigmas[i].value(), -static_cast<int>(statistic.grid_bits())));
  }
}

TEST_F(AddNoiseTest, LaplaceNoiseHasOneRateForAllCoordinates) {
  Settings settings = DefaultSettings(catalog_.policy());
  settings.noise = NoiseChoice::kLaplace;
  const DpPlan plan =
      PlanQuery("SELECT var_pop(balance), count(*) FROM customer", catalog_, settings);
  const Statistic& statistic = plan.doors()[0].statistics[0];
  ASSERT_EQ(statistic.mechanism, Mechanism::kLaplace);
  EXPECT_TRUE(statistic.sigmas.empty());
  FakeNoise noise([](std::size_t i) { return static_cast<Int128>(i) + 1; });
  KeySet keys;
  keys.keys = {{.key = {}, .cells = {true}}};
  const NoisyTable table = Noisy(Table({{{}, {10, 20, 30}}}), keys, plan.doors()[0], noise);
  EXPECT_EQ(noise.drawn(), 0u);
  ASSERT_EQ(noise.rates().size(), 3u);
  for (const LaplaceRate& rate : noise.rates()) {
    EXPECT_EQ(rate.numerator, statistic.rate.numerator);
    EXPECT_EQ(rate.denominator, statistic.rate.denominator);
  }
  const StatisticSample sample = table.Sample(0, 0);
  EXPECT_EQ(sample.mechanism, Mechanism::kLaplace);
  const double step = std::ldexp(1.0, -static_cast<int>(statistic.grid_bits()));
  EXPECT_EQ(sample.value, (std::vector<double>{11 * step, 22 * step, 33 * step}));
  for (const double sd : sample.sd) {
    // sqrt(2) / rate where the rate is small.
    EXPECT_NEAR(sd / step * statistic.rate.value(), std::sqrt(2.0), 1e-6);
  }
}

TEST_F(AddNoiseTest, NumbersPlusNoiseInNaturalUnits) {
  FakeNoise noise([](std::size_t) { return 5; });
  const NoisyTable table = Noisy(Table({{Named("a"), {3 * kScale, 2 * kScale, 7 * kScale, 4}}}),
                                 Keys({{Named("a"), {true, true}}}), door(), noise);
  const double step = 1.0 / static_cast<double>(kScale);
  ASSERT_EQ(table.size(), 1u);
  EXPECT_EQ(table.key(0), Named("a"));
  EXPECT_EQ(table.Sample(0, 0).value, (std::vector<double>{3 + 5 * step, 2 + 5 * step}));
  EXPECT_EQ(table.Sample(0, 1).value, (std::vector<double>{7 + 5 * step}));
  EXPECT_EQ(table.Sample(0, 2).value, (std::vector<double>{9}));
  EXPECT_EQ(table.Sample(0, 0).shape, Moments(1));
  EXPECT_EQ(table.Sample(0, 0).x.high, 100);
  for (std::size_t s = 0; s < 3; ++s) {
    const Statistic& statistic = door().statistics[s];
    const double unit = statistic.shape.kind == StatisticKind::kUnits ? 1.0 : step;
    const StatisticSample sample = table.Sample(0, s);
    for (std::size_t i = 0; i < sample.sd.size(); ++i) {
      EXPECT_EQ(sample.sd[i], statistic.sigmas[i].value() * unit);
    }
  }
}

// In doubles the count would be 2^53 already, and nothing would be left of it.
TEST_F(AddNoiseTest, TheSumIsRoundedOnce) {
  const Int128 large = Int128{1} << 53;
  FakeNoise noise([&](std::size_t) { return -large; });
  const NoisyTable table = Noisy(Table({{Named("a"), {0, 0, 0, large + 1}}}),
                                 Keys({{Named("a"), {true, true}}}), door(), noise);
  EXPECT_EQ(table.Sample(0, 2).value, (std::vector<double>{1}));
}

// All released numbers one after the other.
std::vector<double> AllValues(const NoisyTable& table) {
  std::vector<double> values;
  for (std::size_t row = 0; row < table.size(); ++row) {
    for (std::size_t s = 0; s < 3; ++s) {
      const StatisticSample sample = table.Sample(row, s);
      values.insert(values.end(), sample.value.begin(), sample.value.end());
    }
  }
  return values;
}

// Each of the eight numbers moves under exactly one of the eight draws.
TEST_F(AddNoiseTest, NoDrawIsUsedTwice) {
  std::set<std::ptrdiff_t> moved;
  for (std::size_t lifted = 0; lifted < 8; ++lifted) {
    FakeNoise noise([&](std::size_t i) { return i == lifted ? 1 : 0; });
    const std::vector<double> values = AllValues(
        Noisy(Table({{Named("a"), {0, 0, 0, 0}}, {Named("b"), {0, 0, 0, 0}}}),
              Keys({{Named("a"), {true, true}}, {Named("b"), {true, true}}}), door(), noise));
    ASSERT_EQ(values.size(), 8u);
    EXPECT_EQ(std::count(values.begin(), values.end(), 0.0), 7);
    const auto at = std::find_if(values.begin(), values.end(), [](double x) { return x != 0; });
    moved.insert(at - values.begin());
  }
  EXPECT_EQ(moved.size(), 8u);
}

TEST_F(AddNoiseTest, EverySelectedKeyGetsNoise) {
  FakeNoise noise([](std::size_t) { return 1000 * kScale; });
  const NoisyTable table =
      Noisy(Table({{Named("a"), {0, 0, 0, 0}}, {Named("b"), {kScale, 0, kScale, 1}}}),
            Keys({{Named("a"), {true, true}}, {Named("b"), {true, true}}}), door(), noise);
  for (const double value : AllValues(table)) EXPECT_GE(value, 1000);
}

TEST_F(AddNoiseTest, WithheldCellsAreNotShown) {
  FakeNoise noise([](std::size_t) { return 0; });
  const NoisyTable table =
      Noisy(Table({{Named("a"), {1, 2, 3, 4}}, {Named("b"), {1, 2, 3, 4}}}),
            Keys({{Named("a"), {false, true}}, {Named("b"), {true, false}}}), door(), noise);
  EXPECT_FALSE(table.IsShown(0, 0));
  EXPECT_TRUE(table.IsShown(0, 1));
  EXPECT_TRUE(table.IsShown(1, 0));
  EXPECT_FALSE(table.IsShown(1, 1));
}

TEST_F(AddNoiseTest, AMissingRowIsABug) {
  FakeNoise noise([](std::size_t) { return 0; });
  const KeySet keys = Keys({{Named("a"), {true, true}}, {Named("b"), {true, true}}});
  EXPECT_THROW(Noisy(Table({{Named("a"), {1, 2, 3, 4}}}), keys, door(), noise), Bug);
  const KeySet one = Keys({{Named("a"), {true, true}}});
  EXPECT_THROW(AddNoise(Table({{Named("a"), {1, 2, 3, 4}}}), one, DrawnNoise(2, door(), noise)),
               Bug);
}

// So many that they are drawn on a thread of their own.
TEST_F(AddNoiseTest, EveryNumberOfManyKeysHasADrawOfItsOwn) {
  FakeNoise noise([](std::size_t i) { return (static_cast<Int128>(i) + 1) << 40; });
  ExactTableBuilder builder;
  KeySet keys;
  for (int i = 0; i < 2000; ++i) {
    const std::vector<Value> key = {std::int64_t{i}};
    builder.Add(key, {0, 0, 0, 0});
    keys.keys.push_back({.key = key, .cells = {true, true}});
  }
  const std::vector<double> values =
      AllValues(Noisy(std::move(builder).Finish(), keys, door(), noise));
  ASSERT_EQ(values.size(), 8000u);
  EXPECT_EQ(noise.drawn(), 8000u);
  const std::set<double> different(values.begin(), values.end());
  EXPECT_EQ(different.size(), values.size());
  EXPECT_FALSE(different.contains(0));
}

}  // namespace
}  // namespace dpsql
