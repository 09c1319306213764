#include "publish/draws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "publish/decode.h"
#include "support/fake_noise.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

constexpr std::size_t kDraws = 20;

// Draws of the sum of ages, which is withheld, and of two numbers that are shown.
class DrawsTest : public ::testing::Test {
 protected:
  DrawsTest()
      : catalog_(MakeShopCatalog()),
        plan_(PlanQuery("SELECT sum(age), sum(balance), count(*) FROM customer", catalog_)) {}

  std::vector<std::vector<double>> DrawsWhereAgesSumTo(Int128 withheld) const {
    const Door& door = plan_.doors()[0];
    EXPECT_EQ(door.classes.size(), 2u);
    EXPECT_EQ(door.statistics.size(), 3u);
    std::vector<Int128> numbers;
    std::vector<bool> shown;
    for (const Statistic& statistic : door.statistics) {
      const bool ages = statistic.cell_class == door.readings[0].cell_class;
      numbers.push_back((ages ? withheld : Int128{1000}) << statistic.grid_bits());
    }
    for (std::size_t c = 0; c < door.classes.size(); ++c) {
      shown.push_back(c != door.readings[0].cell_class);
    }
    KeySet keys;
    keys.keys = {{.key = {}, .cells = shown}};
    ExactTableBuilder builder;
    builder.Add({}, std::move(numbers));
    FakeNoise noise([](std::size_t) { return 0; });
    const NoisyTable noisy =
        AddNoise(std::move(builder).Finish(), keys, DrawnNoise(keys.keys.size(), door, noise));
    PublicTable release = DecodeRelease(door, 0, noisy);
    AddDraws(door, noisy, kDraws, release);
    return release.draws.at(0);
  }

  Catalog catalog_;
  DpPlan plan_;
};

TEST_F(DrawsTest, AWithheldNumberHasNone) {
  const std::vector<std::vector<double>> draws = DrawsWhereAgesSumTo(40);
  ASSERT_EQ(draws.size(), 3u);
  const auto is_none = [](double drawn) { return std::isnan(drawn); };
  EXPECT_EQ(std::count_if(draws[0].begin(), draws[0].end(), is_none), kDraws);
  for (const std::size_t shown : {1U, 2U}) {
    EXPECT_EQ(std::count_if(draws[shown].begin(), draws[shown].end(), is_none), 0);
  }
}

TEST_F(DrawsTest, AWithheldNumberMovesNoOther) {
  const std::vector<std::vector<double>> some = DrawsWhereAgesSumTo(40);
  const std::vector<std::vector<double>> others = DrawsWhereAgesSumTo(4000);
  EXPECT_EQ(some[1], others[1]);
  EXPECT_EQ(some[2], others[2]);
}

}  // namespace
}  // namespace dpsql
