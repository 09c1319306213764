// The noise that a session really adds, seen from outside. Each of sixteen checks fails on good
// noise with a probability of about 1e-7.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "dpsql/session.h"
#include "privacy/normal.h"
#include "support/temp_folder.h"
#include "support/test_session.h"

namespace dpsql {
namespace {

constexpr double kFalseAlarm = 1e-7;
constexpr int kScalarRuns = 2000;
constexpr int kGroupedRuns = 400;
constexpr double kCustomers = 30;

double TwoSidedQuantile() { return UpperQuantile(kFalseAlarm / 2); }

// The interval that holds a chi-squared number with n degrees of freedom but for the false alarm;
// Wilson and Hilferty's cube is exact to four digits here.
std::pair<double, double> ChiSquaredRange(int n) {
  const double spread = 2.0 / (9.0 * n);
  const auto at = [&](double z) { return n * std::pow(1 - spread + z * std::sqrt(spread), 3); };
  return {at(-TwoSidedQuantile()), at(TwoSidedQuantile())};
}

class NoiseTest : public ::testing::Test {
 protected:
  NoiseTest()
      : database_(folder_ / "shop.duckdb"),
        house_((MakeCustomers(database_), database_), {.epsilon_budget = "100",
                                                       .delta_budget = "1e-3",
                                                       .epsilon_query = "0.2",
                                                       .delta_query = "1e-4"}),
        session_(house_.Open()) {}

  // The standard deviation that EXPLAIN (DP) promises.
  double PlannedSd(const std::string& sql) {
    double sd = 0;
    const Status status = session_.Run("EXPLAIN (DP) " + sql, [&](const Reply& reply) {
      const std::string& text = std::get<Explanation>(reply).text;
      const std::string label = "rows, gaussian noise sd ";
      std::istringstream(text.substr(text.find(label) + label.size())) >> sd;
    });
    EXPECT_TRUE(status.ok());
    return sd;
  }

  Answer Ask(const std::string& sql) {
    Result<Answer> answer = session_.Ask(sql);
    if (!answer) throw std::runtime_error(answer.error().message);
    return std::move(answer).value();
  }

  TempFolder folder_;
  std::string database_;
  TestHouse house_;
  Session session_;
};

double Number(const Value& value) { return static_cast<double>(std::get<std::int64_t>(value)); }

TEST_F(NoiseTest, ScalarCountsHaveThePlannedSdAndCoverage) {
  const std::string sql = "SELECT count(*) FROM customer";
  const double sd = PlannedSd(sql);
  ASSERT_GT(sd, 5);
  double squares = 0;
  double total = 0;
  int hits = 0;
  for (int i = 0; i < kScalarRuns; ++i) {
    const Answer answer = Ask(sql);
    const double noise = Number(answer.rows[0][0]) - kCustomers;
    squares += noise * noise / (sd * sd + 1.0 / 12);  // answers are rounded to whole numbers
    total += noise / sd;
    const NoiseInterval& interval = *answer.intervals[0][0];
    hits += interval.low <= kCustomers && kCustomers <= interval.high;
  }
  const auto [low, high] = ChiSquaredRange(kScalarRuns);
  EXPECT_GT(squares, low);
  EXPECT_LT(squares, high);
  EXPECT_LT(std::abs(total), TwoSidedQuantile() * std::sqrt(kScalarRuns));
  const double binomial_sd = std::sqrt(0.95 * 0.05 * kScalarRuns);
  EXPECT_NEAR(hits, 0.95 * kScalarRuns, TwoSidedQuantile() * binomial_sd);
}

TEST_F(NoiseTest, CellsAndRunsAreIndependent) {
  const std::string sql = "SELECT segment, count(*) FROM customer GROUP BY segment";
  const double sd = PlannedSd(sql);
  std::vector<std::vector<double>> series(3);
  for (int i = 0; i < kGroupedRuns; ++i) {
    const Answer answer = Ask(sql);
    ASSERT_EQ(answer.rows.size(), 3u);
    for (std::size_t cell = 0; cell < 3; ++cell) {
      series[cell].push_back((Number(answer.rows[cell][1]) - kCustomers / 3) / sd);
    }
  }
  // Products of independent standard normal numbers have mean 0 and variance 1.
  const double limit = TwoSidedQuantile() * 1.1 * std::sqrt(kGroupedRuns);
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      double together = 0;
      double lagged = 0;
      for (std::size_t i = 1; i < series[a].size(); ++i) {
        together += series[a][i] * series[b][i];
        lagged += series[a][i] * series[b][i - 1];
      }
      EXPECT_TRUE(a == b || std::abs(together) < limit) << a << " and " << b;
      EXPECT_LT(std::abs(lagged), limit) << a << " and " << b << " of the run before";
    }
  }
  const auto [low, high] = ChiSquaredRange(3 * kGroupedRuns);
  double squares = 0;
  for (const std::vector<double>& cell : series) {
    for (const double noise : cell) squares += noise * noise;
  }
  EXPECT_GT(squares, low);
  EXPECT_LT(squares, high);
}

}  // namespace
}  // namespace dpsql
