#include "publish/decode.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "backend/encode.h"
#include "support/fake_noise.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

// A row of the customers as far as these queries read it.
struct Row {
  double balance = 0;
  std::optional<double> age;
};

// Six rows, four of them with an age.
const std::vector<Row> kRows = {{100, 20},           {-500, 40}, {1500, std::nullopt},
                                {250, std::nullopt}, {750, 60},  {0, 80}};

// Each of them a million times, so that the noise that is told leaves something to say.
constexpr Int128 kTimes = 1'000'000;

class DecoderTest : public ::testing::Test {
 protected:
  DecoderTest() : catalog_(MakeShopCatalog()) {}

  // What a scalar question of rows with an age and of all rows says without noise.
  std::vector<std::optional<double>> Ask(const std::string& aggregates,
                                         std::vector<bool> shown = {true, true}) const {
    const DpPlan plan = PlanQuery("SELECT " + aggregates + " FROM customer", catalog_);
    const Door& door = plan.doors()[0];
    shown.resize(door.classes.size(), true);
    KeySet keys;
    keys.keys = {{.key = {}, .cells = shown}};
    std::vector<Int128> numbers;
    for (const Statistic& statistic : door.statistics) {
      for (const Int128 number : Exact(door, statistic)) numbers.push_back(number * kTimes);
    }
    ExactTableBuilder builder;
    builder.Add({}, std::move(numbers));
    FakeNoise noise([](std::size_t) { return 0; });
    const NoisyTable table =
        AddNoise(std::move(builder).Finish(), keys, DrawnNoise(keys.keys.size(), door, noise));
    std::vector<std::optional<double>> answers;
    for (std::size_t i = 0; i < door.readings.size(); ++i) {
      answers.push_back(Decoder(door).Decode(table, 0, i).value);
    }
    return answers;
  }

  // Classes here are all rows, or those with an age.
  static bool Holds(const CellClass& cell_class, const Row& row) {
    return cell_class.present.empty() || row.age.has_value();
  }

  static std::vector<Int128> Exact(const Door& door, const Statistic& statistic) {
    std::vector<Int128> class_rows;
    for (const CellClass& cell_class : door.classes) {
      Int128 rows = 0;
      for (const Row& row : kRows) rows += Holds(cell_class, row) ? 1 : 0;
      class_rows.push_back(rows);
    }
    const std::vector<Powers> powers = SummedPowers(statistic.shape);
    std::vector<Int128> sums(powers.size(), 0);
    for (const Row& row : kRows) {
      if (powers.empty() || !Holds(door.classes[statistic.cell_class], row)) continue;
      const bool is_age = statistic.arguments[0].bounds.high == 100;
      const ValueEncoding encoding = EncodingOf(statistic, 0);
      const double value = is_age ? *row.age : row.balance;
      const auto step =
          static_cast<Int128>(std::floor((value - encoding.origin) * encoding.scale + 0.5));
      for (std::size_t i = 0; i < powers.size(); ++i) {
        Int128 power = 1;
        for (unsigned a = 0; a < powers[i].x; ++a) power *= step;
        sums[i] += power;
      }
    }
    return Coordinates(statistic, class_rows, sums);
  }

  Catalog catalog_;
};

using Answers = std::vector<std::optional<double>>;

TEST_F(DecoderTest, EveryCountIsOfItsOwnRows) {
  EXPECT_EQ(Ask("count(*), avg(age)"), (Answers{6e6, 50}));
  EXPECT_EQ(Ask("count(age), avg(age)"), (Answers{4e6, 50}));
  EXPECT_EQ(Ask("count(*), count(age), avg(age)"), (Answers{6e6, 4e6, 50}));
  EXPECT_EQ(Ask("avg(age), count(balance)"), (Answers{50, 6e6}));
  EXPECT_EQ(Ask("count(balance), count(age), count(*), sum(age)")[0], 6e6);
  EXPECT_EQ(Ask("count(*), avg(balance)"), (Answers{6e6, 350}));
}

TEST_F(DecoderTest, AWithheldClassSaysNothing) {
  const std::string question = "count(*), avg(age), count(age)";
  const StatisticShape shape =
      PlanQuery("SELECT " + question + " FROM customer", catalog_).doors()[0].statistics[0].shape;
  ASSERT_TRUE(shape.counts_missing);
  // The class of the ages comes first: bounded aggregates choose before counts do.
  const Answers all_rows = Ask(question, {false, true});
  EXPECT_EQ(all_rows, (Answers{6e6, std::nullopt, std::nullopt}));
  const Answers with_age = Ask(question, {true, false});
  EXPECT_EQ(with_age, (Answers{std::nullopt, 50, 4e6}));
}

// One vector of the second degree: (20, 40, 60, 80) has mean 50 and variance 500.
TEST_F(DecoderTest, OneVectorAnswersForAllMoments) {
  const Answers answers = Ask("var_pop(age), stddev_pop(age), var_samp(age), avg(age), sum(age)");
  const std::vector<double> expected = {500, std::sqrt(500.0), 500, 50, 2e8};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_TRUE(answers[i]);
    EXPECT_NEAR(*answers[i], expected[i], 1e-5 * expected[i]);
  }
}

}  // namespace
}  // namespace dpsql
