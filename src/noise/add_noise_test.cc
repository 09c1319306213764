#include "noise/add_noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/check.h"
#include "support/fake_noise.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

using Key = std::vector<Value>;
using Numbers = std::vector<Int128>;

constexpr Int128 kScale = kStatisticScale;

Key Named(const char* name) { return {std::string(name)}; }

// A door with two coordinates of moments, one of rows and one of units.
class AddNoiseTest : public ::testing::Test {
 protected:
  AddNoiseTest()
      : catalog_(MakeShopCatalog({.min_frequency = 1, .max_groups = 3})),
        plan_(PlanQuery("SELECT city, avg(age), count(*), count(DISTINCT customer_id) "
                        "FROM customer GROUP BY city",
                        catalog_)) {}

  const Door& door() const { return plan_.doors()[0]; }

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
};

TEST_F(AddNoiseTest, DoorIsTheOneMeant) {
  ASSERT_EQ(door().statistics.size(), 3u);
  EXPECT_EQ(door().statistics[0].kind, StatisticKind::kMoments);
  EXPECT_EQ(door().statistics[1].kind, StatisticKind::kRows);
  EXPECT_EQ(door().statistics[2].kind, StatisticKind::kUnits);
  EXPECT_EQ(door().statistics[0].cell_class, 0u);
  EXPECT_EQ(door().statistics[1].cell_class, 1u);
}

TEST_F(AddNoiseTest, OneDrawPerCoordinateWithTheSigmaOfItsStatistic) {
  FakeNoise noise([](std::size_t) { return 0; });
  AddNoise(Table({{Named("a"), {1, 2, 3, 4}}, {Named("b"), {0, 0, 0, 0}}}),
           Keys({{Named("a"), {true, true}}, {Named("b"), {false, false}}}), door(), noise);
  ASSERT_EQ(noise.drawn(), 8u);
  std::multiset<double> drawn;
  for (const GridSigma& sigma : noise.sigmas()) drawn.insert(sigma.value());
  const auto& statistics = door().statistics;
  ASSERT_NE(statistics[1].sigma.value(), statistics[2].sigma.value());
  std::multiset<double> wanted;
  for (const Statistic& statistic : statistics) {
    for (std::size_t i = 0; i < 2 * Coordinates(statistic.kind); ++i) {
      wanted.insert(statistic.sigma.value());
    }
  }
  EXPECT_EQ(drawn, wanted);
}

TEST_F(AddNoiseTest, NumbersPlusNoiseInNaturalUnits) {
  FakeNoise noise([](std::size_t) { return 5; });
  const NoisyTable table = AddNoise(Table({{Named("a"), {3 * kScale, 2 * kScale, 7 * kScale, 4}}}),
                                    Keys({{Named("a"), {true, true}}}), door(), noise);
  const double step = 1.0 / static_cast<double>(kStatisticScale);
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0].key, Named("a"));
  const auto& samples = table.rows[0].statistics;
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_EQ(samples[0]->value, (std::vector<double>{3 + 5 * step, 2 + 5 * step}));
  EXPECT_EQ(samples[1]->value, (std::vector<double>{7 + 5 * step}));
  EXPECT_EQ(samples[2]->value, (std::vector<double>{9}));
  EXPECT_EQ(samples[0]->kind, StatisticKind::kMoments);
  EXPECT_EQ(samples[0]->bounds.high, 100);
  for (std::size_t s = 0; s < 3; ++s) {
    const Statistic& statistic = door().statistics[s];
    const double unit = statistic.kind == StatisticKind::kUnits ? 1.0 : step;
    for (const double sd : samples[s]->sd) EXPECT_EQ(sd, statistic.sigma.value() * unit);
  }
}

// All released numbers one after the other.
std::vector<double> AllValues(const NoisyTable& table) {
  std::vector<double> values;
  for (const NoisyRow& row : table.rows) {
    for (const auto& sample : row.statistics) {
      values.insert(values.end(), sample->value.begin(), sample->value.end());
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
        AddNoise(Table({{Named("a"), {0, 0, 0, 0}}, {Named("b"), {0, 0, 0, 0}}}),
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
      AddNoise(Table({{Named("a"), {0, 0, 0, 0}}, {Named("b"), {kScale, 0, kScale, 1}}}),
               Keys({{Named("a"), {true, true}}, {Named("b"), {true, true}}}), door(), noise);
  for (const double value : AllValues(table)) EXPECT_GE(value, 1000);
}

TEST_F(AddNoiseTest, WithheldCellsAreNotThere) {
  FakeNoise noise([](std::size_t) { return 0; });
  const NoisyTable table =
      AddNoise(Table({{Named("a"), {1, 2, 3, 4}}, {Named("b"), {1, 2, 3, 4}}}),
               Keys({{Named("a"), {false, true}}, {Named("b"), {true, false}}}), door(), noise);
  EXPECT_FALSE(table.rows[0].statistics[0]);
  EXPECT_TRUE(table.rows[0].statistics[1]);
  EXPECT_TRUE(table.rows[0].statistics[2]);
  EXPECT_TRUE(table.rows[1].statistics[0]);
  EXPECT_FALSE(table.rows[1].statistics[1]);
  EXPECT_FALSE(table.rows[1].statistics[2]);
}

TEST_F(AddNoiseTest, AMissingRowIsABug) {
  FakeNoise noise([](std::size_t) { return 0; });
  const KeySet keys = Keys({{Named("a"), {true, true}}, {Named("b"), {true, true}}});
  EXPECT_THROW(AddNoise(Table({{Named("a"), {1, 2, 3, 4}}}), keys, door(), noise), Bug);
}

}  // namespace
}  // namespace dpsql
