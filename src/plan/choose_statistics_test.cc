#include "plan/choose_statistics.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/test_catalog.h"

namespace dpsql {
namespace {

using Names = std::vector<std::string>;

class ChooseStatisticsTest : public ::testing::Test {
 protected:
  StatisticChoice Choose(const std::string& sql) const {
    return ChooseStatistics(BindDoor(sql, catalog_));
  }

  // The names of the statistics of SELECT `aggregates` FROM `table`.
  Names Of(const std::string& aggregates, const std::string& table = "customer") const {
    Names names;
    for (const Statistic& statistic :
         Choose("SELECT " + aggregates + " FROM " + table).statistics) {
      names.push_back(Name(statistic.shape));
    }
    return names;
  }

  std::size_t Classes(const std::string& aggregates, const std::string& table = "customer") const {
    return Choose("SELECT " + aggregates + " FROM " + table).classes.size();
  }

  Catalog catalog_ = MakeShopCatalog();
};

TEST_F(ChooseStatisticsTest, OneColumnSharesOneVector) {
  const StatisticChoice choice = Choose("SELECT count(age), sum(age), avg(age) FROM customer");
  ASSERT_EQ(choice.statistics.size(), 1u);
  EXPECT_EQ(choice.statistics[0].shape, Moments(1));
  for (const Reading& reading : choice.readings) EXPECT_EQ(reading.statistic, 0u);
  EXPECT_EQ(Of("sum(age), count(age)"), Names{"moments"});
}

TEST_F(ChooseStatisticsTest, VarianceMeanSumAndCountShareOneVector) {
  for (const char* order : {"var_pop(age), avg(age), sum(age), count(age)",
                            "count(age), sum(age), avg(age), var_pop(age)",
                            "sum(age), stddev(age), count(age), variance(age)"}) {
    const StatisticChoice choice = Choose("SELECT " + std::string(order) + " FROM customer");
    ASSERT_EQ(choice.statistics.size(), 1u) << order;
    EXPECT_EQ(choice.statistics[0].shape, Moments(2)) << order;
    EXPECT_EQ(choice.classes.size(), 1u) << order;
    for (const Reading& reading : choice.readings) EXPECT_EQ(reading.statistic, 0u);
  }
  // A count of all rows too, with a coordinate for those without an age.
  EXPECT_EQ(Of("count(*), var_pop(age), avg(age)"), Names{"moments (2) and missing"});
}

TEST_F(ChooseStatisticsTest, ASumAloneUsesItsCheaperStatistic) {
  EXPECT_EQ(Of("sum(balance)"), Names{"value"});
  EXPECT_EQ(Of("sum(balance), sum(balance)"), Names{"value"});
  EXPECT_EQ(Of("avg(balance)"), Names{"moments"});
  EXPECT_EQ(Of("count(balance)"), Names{"rows"});
  EXPECT_EQ(Of("count(DISTINCT customer_id)"), Names{"units"});
}

TEST_F(ChooseStatisticsTest, ACountOfRowsJoinsMomentsWithoutNulls) {
  EXPECT_EQ(Of("count(*), avg(balance)"), Names{"moments"});
  EXPECT_EQ(Classes("count(*), avg(balance)"), 1u);
  EXPECT_EQ(Of("count(*), sum(balance)"), Names{"moments"});
}

TEST_F(ChooseStatisticsTest, ACountOfRowsJoinsNullableMomentsWithACoordinateForTheRest) {
  const StatisticChoice choice = Choose("SELECT count(*), avg(age) FROM customer");
  ASSERT_EQ(choice.statistics.size(), 1u);
  const Statistic& statistic = choice.statistics[0];
  EXPECT_EQ(Name(statistic.shape), "moments and missing");
  ASSERT_EQ(choice.classes.size(), 2u);
  const Reading& count = choice.readings[0];
  const Reading& mean = choice.readings[1];
  EXPECT_NE(count.cell_class, mean.cell_class);
  EXPECT_EQ(statistic.cell_class, mean.cell_class);
  EXPECT_EQ(statistic.row_class, count.cell_class);
  EXPECT_TRUE(choice.classes[count.cell_class].present.empty());
  EXPECT_EQ(choice.classes[mean.cell_class].present.size(), 1u);
}

// Beside two columns, or a sum whose bounds would make both errors larger, it stays alone.
TEST_F(ChooseStatisticsTest, ACountOfRowsStaysAloneWhereThatIsBetter) {
  EXPECT_EQ(Of("count(*), avg(age), avg(score)"), (Names{"moments", "moments", "rows"}));
  EXPECT_EQ(Of("count(*), sum(value, -50, 50)", "wild"), (Names{"value", "rows"}));
  EXPECT_EQ(Of("count(*), sum(age, 0, 50)"), Names{"moments and missing"});
}

TEST_F(ChooseStatisticsTest, ANullableArgumentMakesAClassOfItsOwn) {
  EXPECT_EQ(Classes("count(*), avg(age)"), 2u);
  // NULL among the values of a column with NaN, too.
  EXPECT_EQ(Classes("count(*), sum(score)"), 2u);
  // A column that drops its NULL rows has none.
  EXPECT_EQ(Classes("count(*), sum(seconds)", "visit"), 1u);
}

TEST_F(ChooseStatisticsTest, TheSameFilterMakesOneClass) {
  const StatisticChoice choice = Choose(
      "SELECT sum(balance) FILTER (WHERE active), count(*) FILTER (WHERE active) FROM customer");
  EXPECT_EQ(choice.classes.size(), 1u);
  EXPECT_EQ(choice.statistics.size(), 1u);
  EXPECT_EQ(choice.readings[0].cell_class, choice.readings[1].cell_class);
  EXPECT_EQ(Classes("sum(balance) FILTER (WHERE active), count(*) FILTER (WHERE NOT active)"), 2u);
  // With an age and active is not the same as active.
  EXPECT_EQ(Classes("sum(age) FILTER (WHERE active), count(*) FILTER (WHERE active)"), 2u);
  EXPECT_EQ(Classes("count(*), count(*) FILTER (WHERE active)"), 2u);
}

TEST_F(ChooseStatisticsTest, PairsShareTheVectorOfTheHigherDegrees) {
  const std::string orders = "orders";
  const std::string pair = "(amount, big, 0, 1000, -9, 9)";
  EXPECT_EQ(Of("covar_pop" + pair, orders), Names{"moments (1,1)"});
  EXPECT_EQ(Of("covar_pop" + pair + ", covar_samp" + pair, orders), Names{"moments (1,1)"});
  EXPECT_EQ(Of("covar_pop" + pair + ", regr_slope" + pair, orders), Names{"moments (2,1)"});
  EXPECT_EQ(Of("regr_slope" + pair + ", regr_intercept" + pair, orders), Names{"moments (2,1)"});
  EXPECT_EQ(Of("covar_pop" + pair + ", corr" + pair, orders), Names{"moments (2,2)"});
  EXPECT_EQ(Of("corr" + pair + ", regr_r2" + pair + ", covar_samp" + pair, orders),
            Names{"moments (2,2)"});
  // The first value is the dependent one.
  const StatisticChoice choice = Choose("SELECT corr" + pair + " FROM orders");
  ASSERT_EQ(choice.statistics[0].arguments.size(), 2u);
  EXPECT_EQ(choice.statistics[0].arguments[0].bounds.low, -9);
  EXPECT_EQ(choice.statistics[0].arguments[1].bounds.high, 1000);
}

TEST_F(ChooseStatisticsTest, ThePairsRowsAreWhereBothValuesAre) {
  const StatisticChoice choice =
      Choose("SELECT covar_pop(age, score), avg(age), count(*) FROM customer");
  ASSERT_EQ(choice.statistics.size(), 3u);
  const CellClass& pair = choice.classes[choice.readings[0].cell_class];
  EXPECT_EQ(pair.present.size(), 2u);
  EXPECT_EQ(choice.classes[choice.readings[1].cell_class].present.size(), 1u);
  // Of two pairs with the same values the rows are the same, in whatever order they are written.
  EXPECT_EQ(Classes("covar_pop(age, score), covar_pop(score, age)"), 1u);
  EXPECT_EQ(Of("covar_pop(age, score), covar_pop(score, age)"),
            (Names{"moments (1,1)", "moments (1,1)"}));
}

TEST_F(ChooseStatisticsTest, DifferentBoundsAreDifferentVectors) {
  EXPECT_EQ(Of("sum(age, 0, 50), sum(age, 0, 60)"), (Names{"value", "value"}));
  EXPECT_EQ(Of("sum(age, 0, 50), avg(age, 0, 50)"), Names{"moments"});
  EXPECT_EQ(Of("avg(balance), avg(age)").size(), 2u);
  EXPECT_EQ(Of("var_pop(age, 0, 50), avg(age, 0, 60)"), (Names{"moments (2)", "moments"}));
  EXPECT_EQ(Of("covar_pop(amount, big, 0, 9, 0, 9), corr(amount, big, 0, 9, 0, 8)", "orders"),
            (Names{"moments (1,1)", "moments (2,2)"}));
}

TEST_F(ChooseStatisticsTest, DistinctValuesAreCountedByColumn) {
  const StatisticChoice choice = Choose(
      "SELECT count(DISTINCT city), count(DISTINCT age), count(DISTINCT city), "
      "count(DISTINCT customer_id), count(*) FROM customer");
  Names names;
  for (const Statistic& statistic : choice.statistics) names.push_back(Name(statistic.shape));
  EXPECT_EQ(names, (Names{"claims", "claims", "units", "rows"}));
  EXPECT_EQ(choice.readings.size(), 4u);  // the same question twice is one aggregate
  EXPECT_EQ(choice.statistics[0].arguments.size(), 1u);
}

}  // namespace
}  // namespace dpsql
