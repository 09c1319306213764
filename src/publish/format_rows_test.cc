#include "publish/format_rows.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "support/answers.h"

namespace dpsql {
namespace {

// A field of a CSV file; nothing where there are not even quotes.
using Field = std::optional<std::string>;

// RFC 4180, written apart from the writer.
std::vector<std::vector<Field>> ReadCsv(std::string_view text) {
  std::vector<std::vector<Field>> rows(1);
  Field field;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && text.substr(i + 1).starts_with('"')) {
      *field += c;
      ++i;
    } else if (c == '"') {
      if (!field) field = "";
      quoted = !quoted;
    } else if (!quoted && (c == ',' || c == '\n')) {
      rows.back().push_back(std::move(field));
      field.reset();
      if (c == '\n') rows.emplace_back();
    } else {
      field = field.value_or("") + c;
    }
  }
  rows.pop_back();
  return rows;
}

Answer OddAnswer() {
  Answer answer = PaidAnswer();
  answer.columns = {KeyColumn("a,\"b\"", "VARCHAR"), EstimateColumn("n", "DOUBLE"),
                    DerivedColumn("size", "VARCHAR")};
  return answer;
}

TEST(FormatCsv, HasTheEndsOfIntervalsBesideNumbers) {
  Answer answer = PaidAnswer();
  answer.columns = {KeyColumn("seg", "VARCHAR"), EstimateColumn("n", "BIGINT"),
                    DerivedColumn("half", "DOUBLE")};
  AddRow(answer, {std::string("A"), std::int64_t{12345}, 6172.5},
         {{}, {{12300.25, 12390}}, {{6150.125, 6195}}});
  AddRow(answer, {std::monostate(), std::monostate(), std::monostate()}, {{}, {}, {}});
  AddRow(answer, {std::string(), std::int64_t{-3}, 0.1}, {{}, {}, {}});
  EXPECT_EQ(FormatCsv(answer),
            "seg,n,n_low,n_high,half,half_low,half_high\n"
            "A,12345,12300.25,12390,6172.5,6150.125,6195\n"
            ",,,,,,\n"
            "\"\",-3,,,0.1,,\n");
}

TEST(FormatCsv, TextsComeBackAsTheyWere) {
  const std::vector<std::string> texts = {
      "",     "plain",     "a,b", "say \"so\"", "\"", "a\nb", "a\r\nb",  " edges ", "=1+2", "@x",
      "東京", "+49 30 12", "-5",  "\t",         ",",  "\"\"", "'quote'", "null",    "\\N"};
  Answer answer = OddAnswer();
  for (const std::string& text : texts) AddRow(answer, {text, 1.5, std::monostate()}, {{}, {}, {}});
  AddRow(answer, {std::monostate(), 1.5, std::monostate()}, {{}, {}, {}});
  const auto rows = ReadCsv(FormatCsv(answer));
  ASSERT_EQ(rows.size(), texts.size() + 2);
  EXPECT_EQ(rows[0][0], "a,\"b\"");
  for (std::size_t i = 0; i < texts.size(); ++i) {
    ASSERT_EQ(rows[i + 1].size(), 5u) << texts[i];
    EXPECT_EQ(rows[i + 1][0], texts[i]);
  }
  EXPECT_EQ(rows.back()[0], std::nullopt);
}

TEST(FormatCsv, NumbersComeBackAsTheyWere) {
  const std::vector<double> numbers = {0.1, 1.0 / 3, 1e300, 5e-324, -0.0, 123456789012345680.0};
  Answer answer = OddAnswer();
  for (const double number : numbers) {
    AddRow(answer, {std::string("x"), number, std::monostate()}, {{}, {{number, number / 7}}, {}});
  }
  const auto rows = ReadCsv(FormatCsv(answer));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(std::strtod(rows[i + 1][1]->c_str(), nullptr), numbers[i]);
    EXPECT_EQ(std::strtod(rows[i + 1][2]->c_str(), nullptr), numbers[i]);
    EXPECT_EQ(std::strtod(rows[i + 1][3]->c_str(), nullptr), numbers[i] / 7);
  }
}

TEST(FileColumns, NoTwoHaveOneName) {
  Answer answer = PaidAnswer();
  answer.columns = {EstimateColumn("n", "BIGINT"), EstimateColumn("n", "BIGINT"),
                    KeyColumn("n_low", "VARCHAR")};
  AddRow(answer, {std::int64_t{1}, std::int64_t{2}, std::string("x")}, {{}, {}, {}});
  EXPECT_TRUE(FormatCsv(answer).starts_with("n,n_low_2,n_high,n_2,n_2_low,n_2_high,n_low\n"));
  EXPECT_EQ(nlohmann::json::parse(FormatJsonLines(answer)).size(), 7u);
}

TEST(FormatJsonLines, HasAnObjectForEachRow) {
  Answer answer = PaidAnswer();
  answer.columns = {KeyColumn("s\"g", "VARCHAR"), EstimateColumn("n", "BIGINT"),
                    DerivedColumn("total", "HUGEINT")};
  AddRow(answer, {std::string("A\n"), std::int64_t{123}, std::string("170141183460469231731")},
         {{}, {{98, 148.5}}, {}});
  AddRow(answer, {std::monostate(), std::monostate(), std::monostate()}, {{}, {}, {}});
  EXPECT_EQ(FormatJsonLines(answer),
            R"({"s\"g":"A\n","n":123,"n_low":98,"n_high":148.5,)"
            R"("total":"170141183460469231731","total_low":null,"total_high":null})"
            "\n"
            R"({"s\"g":null,"n":null,"n_low":null,"n_high":null,)"
            R"("total":null,"total_low":null,"total_high":null})"
            "\n");
}

}  // namespace
}  // namespace dpsql
