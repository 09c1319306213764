#include "publish/format_cell.h"

#include <gtest/gtest.h>

#include "publish/format_number.h"
#include "support/answers.h"

namespace dpsql {
namespace {

std::string Estimate(const Value& value, double low, double high, const char* type = "DOUBLE") {
  return CellText(ShowCell(EstimateColumn("x", type), value, NoiseInterval{low, high}));
}

std::string Derived(const Value& value, double low, double high) {
  return CellText(ShowCell(DerivedColumn("x", "DOUBLE"), value, NoiseInterval{low, high}));
}

std::string Bare(const AnswerColumn& column, const Value& value) {
  return CellText(ShowCell(column, value, std::nullopt));
}

TEST(ShowCell, HasTwoDigitsOfTheMarginAndTheValueToTheSamePlace) {
  EXPECT_EQ(Estimate(std::int64_t{12028}, 11545, 12511), "12,030 ± 480");
  EXPECT_EQ(Estimate(std::int64_t{357}, 332, 382), "357 ± 25");
  EXPECT_EQ(Estimate(54.40213, 53.1712, 55.63306), "54.4 ± 1.2");
  EXPECT_EQ(Estimate(0.0312345, 0.0301, 0.032369), "0.0312 ± 0.0011");
  EXPECT_EQ(Estimate(1234567.8, 1222222.8, 1246912.8), "1,235,000 ± 12,000");
  EXPECT_EQ(Estimate(-1234.5, -1334.5, -1134.5), "-1,230 ± 100");
}

// 99.6 with two digits is 100, and its last digit that means something is that of the tens.
TEST(ShowCell, FindsThePlaceAfterRounding) {
  EXPECT_EQ(Estimate(1234.0, 1134.4, 1333.6), "1,230 ± 100");
  EXPECT_EQ(Estimate(12.345, 11.349, 13.341), "12.3 ± 1.0");
}

TEST(ShowCell, RoundsOnceAndHasNoNegativeZero) {
  EXPECT_EQ(Estimate(44.96, -455.04, 544.96), "~40 ± 500");
  EXPECT_EQ(Estimate(-0.3, -25.3, 24.7), "~0 ± 25");
  EXPECT_EQ(RoundedDecimal("999.95", -1), "1000.0");
  EXPECT_EQ(RoundedDecimal("-0.04", -1), "0.0");
  EXPECT_EQ(RoundedDecimal("4", 1), "0");
  EXPECT_EQ(RoundedDecimal("5", 1), "10");
  EXPECT_EQ(RoundedDecimal("45", 3), "0");
}

TEST(ShowCell, KnowsExactTypesByTheirText) {
  const std::string huge = "170141183460469231731687303715884105727";
  EXPECT_EQ(Estimate(huge, 1.701e38, 1.7018e38, "HUGEINT"),
            "170,141,000,000,000,000,000,000,000,000,000,000,000 ± "
            "41,000,000,000,000,000,000,000,000,000,000,000");
  EXPECT_EQ(Estimate(std::string("1234567.891"), 1234542.891, 1234592.891, "DECIMAL(15,3)"),
            "1,234,568 ± 25");
  EXPECT_EQ(Estimate(std::string("-12.50"), -12.62, -12.38, "DECIMAL(15,2)"), "-12.50 ± 0.12");
}

TEST(ShowCell, ShowsTheIntervalWhereItsSidesDiffer) {
  EXPECT_EQ(Estimate(3.1, 0, 9.2), "~3.1 [0.0, 9.2]");
  EXPECT_EQ(Estimate(31.04, 29.0, 35.0), "31.0 [29.0, 35.0]");
  EXPECT_EQ(Estimate(100.0, 90.0, 110.5), "100 ± 11");
  EXPECT_EQ(Estimate(100.0, 90.0, 112.0), "100 [90, 112]");
  // Quantiles of a few hundred draws differ by more than the law they are drawn from.
  EXPECT_EQ(Derived(100.0, 90.0, 112.0), "100 ± 12");
  EXPECT_EQ(Derived(100.0, 90.0, 115.0), "100 [90, 115]");
}

TEST(ShowCell, WholeNumbersMayLieHalfAUnitOff) {
  EXPECT_EQ(Estimate(std::int64_t{3}, 0.6, 4.6, "BIGINT"), "3 ± 3");
  EXPECT_EQ(Estimate(std::int64_t{30}, 29.7, 30.3, "BIGINT"), "30 ± 1");
  EXPECT_EQ(Estimate(std::int64_t{289}, 289, 289, "BIGINT"), "289 ± 0");
  EXPECT_EQ(Estimate(55.01, 55.01, 55.01), "55.01 ± 0.00");
}

TEST(ShowCell, MarksNoiseAsLargeAsTheNumber) {
  EXPECT_TRUE(ShowCell(EstimateColumn("x", "DOUBLE"), -5.0, NoiseInterval{-10, 0}).swamped);
  EXPECT_FALSE(ShowCell(EstimateColumn("x", "DOUBLE"), -5.0, NoiseInterval{-9, -1}).swamped);
  EXPECT_FALSE(ShowCell(EstimateColumn("x", "DOUBLE"), 0.0, NoiseInterval{0, 0}).swamped);
}

TEST(ShowCell, VerySmallAndVeryLargeNumbersAreScientific) {
  EXPECT_EQ(Estimate(1.2346e-12, 1.2e-12, 1.2692e-12), "1.235e-12 ± 3.5e-14");
  EXPECT_EQ(Estimate(1.2346e20, 1.2e20, 1.2692e20), "1.235e+20 ± 3.5e+18");
}

TEST(ShowCell, GroupsNoKeys) {
  EXPECT_EQ(Bare(KeyColumn("year", "BIGINT"), std::int64_t{2026}), "2026");
  EXPECT_EQ(Bare(KeyColumn("x", "DOUBLE"), 12345.678), "12345.678");
  EXPECT_EQ(Bare(KeyColumn("x", "HUGEINT"), std::string("12345678")), "12345678");
  EXPECT_EQ(Bare(DerivedColumn("n", "BIGINT"), std::int64_t{20260}), "20,260");
  EXPECT_EQ(Bare(DerivedColumn("n", "HUGEINT"), std::string("12345678")), "12,345,678");
  EXPECT_EQ(Bare(DerivedColumn("n", "VARCHAR"), std::string("12345678")), "12345678");
  EXPECT_EQ(Bare(DerivedColumn("n", "DOUBLE"), 12345.6789), "12,345.7");
  EXPECT_EQ(Bare(DerivedColumn("n", "DOUBLE"), 1234567.25), "1,234,567");
  EXPECT_EQ(Bare(DerivedColumn("n", "DOUBLE"), 0.5), "0.5");
}

TEST(ShowCell, SaysWhatIsWithheldAndWhatIsNull) {
  EXPECT_EQ(Bare(EstimateColumn("n", "BIGINT"), std::monostate()), "withheld");
  EXPECT_EQ(Bare(KeyColumn("k", "VARCHAR"), std::monostate()), "NULL");
  EXPECT_EQ(Bare(DerivedColumn("n", "DOUBLE"), std::monostate()), "NULL");
  EXPECT_EQ(Bare(KeyColumn("k", "BOOLEAN"), true), "true");
}

TEST(CellPrinter, MarksNoiseWithoutBounds) {
  Answer answer = PaidAnswer();
  answer.columns = {DerivedColumn("ratio", "DOUBLE"), DerivedColumn("place", "DOUBLE")};
  AddRow(answer, {3.27088, 3.27088}, {{{3.1, 3.4}}, {}});
  AddRow(answer, {3.27088, 3.27088}, {{}, {}});
  AddRow(answer, {std::monostate(), std::monostate()}, {{}, {}});
  const CellPrinter reader(answer);
  EXPECT_EQ(CellText(reader.Show(0, 0)), "3.27 ± 0.17");
  EXPECT_EQ(CellText(reader.Show(1, 0)), "~3.3");
  EXPECT_TRUE(reader.Show(1, 0).swamped);
  EXPECT_EQ(CellText(reader.Show(2, 0)), "NULL");
  EXPECT_EQ(CellText(reader.Show(0, 1)), "3.27088");
  EXPECT_FALSE(reader.Show(1, 1).swamped);
}

}  // namespace
}  // namespace dpsql
