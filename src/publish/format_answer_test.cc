#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "base/display.h"
#include "dpsql/answer.h"
#include "support/answers.h"

namespace dpsql {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// A text without the escape sequences that change its colour.
std::string Colorless(std::string text) {
  for (std::size_t at = text.find("\033["); at != std::string::npos; at = text.find("\033[")) {
    text.erase(at, text.find('m', at) + 1 - at);
  }
  return text;
}

TEST(FormatBox, LinesUpValuesAndMargins) {
  Answer answer = PaidAnswer();
  answer.columns = {KeyColumn("city", "VARCHAR"), EstimateColumn("n", "BIGINT")};
  AddRow(answer, {std::string("Osaka"), std::int64_t{12028}}, {{}, {{11545, 12511}}});
  AddRow(answer, {std::string("東京"), std::int64_t{357}}, {{}, {{332, 382}}});
  AddRow(answer, {std::string("Zu\u0308rich"), std::monostate()}, {{}, {}});
  EXPECT_EQ(FormatAnswer(answer, Format::kBox),
            "┌────────┬──────────────┐\n"
            "│ city   │            n │\n"
            "├────────┼──────────────┤\n"
            "│ Osaka  │ 12,030 ± 480 │\n"
            "│ 東京   │    357 ±  25 │\n"
            "│ Zu\u0308rich │     withheld │\n"
            "└────────┴──────────────┘\n"
            "3 rows; spent ε 0.5, δ 1e-07 (r-000001); left ε 3.96, about 55 more queries like "
            "this\n");
}

TEST(FormatBox, MarksWhatTheNoiseSwamps) {
  Answer answer = PaidAnswer();
  answer.columns = {EstimateColumn("n", "BIGINT")};
  AddRow(answer, {std::int64_t{12}}, {{{-13, 37}}});
  answer.notices = {"cells are withheld"};
  const std::string text = FormatAnswer(answer, Format::kBox);
  EXPECT_THAT(text, HasSubstr("│ ~12 ± 25 │\n"));
  EXPECT_THAT(text, HasSubstr("┘\n~ the noise may be larger than the number\nnote: cells are "
                              "withheld\n1 row; "));
  answer.rows = {{std::int64_t{120}}};
  answer.intervals = {{NoiseInterval{95, 145}}};
  EXPECT_THAT(FormatAnswer(answer, Format::kBox), Not(HasSubstr("~")));
}

TEST(FormatBox, CannotBeForgedByText) {
  Answer answer = PaidAnswer();
  answer.columns = {KeyColumn("a\nb", "VARCHAR")};
  AddRow(answer, {std::string("x\n│ forged │\033[2J\r\u202Ey")}, {{}});
  const std::string text = FormatAnswer(answer, Format::kBox);
  EXPECT_EQ(Lines(text).size(), 6u);
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_EQ(text.find('\r'), std::string::npos);
  EXPECT_THAT(text, HasSubstr("│ x\uFFFD│ forged │\uFFFD[2J\uFFFD\uFFFDy │"));
}

TEST(FormatBox, ShortensTextsBeforeItDropsColumns) {
  Answer answer = PaidAnswer();
  answer.columns = {KeyColumn("name", "VARCHAR"), EstimateColumn("n", "BIGINT")};
  AddRow(answer, {std::string("a rather long name of a place"), std::int64_t{357}},
         {{}, {{332, 382}}});
  const std::string text = FormatAnswer(answer, Look{.width = 30});
  EXPECT_THAT(text, HasSubstr("│ a rather long … │ 357 ± 25 │\n"));
  EXPECT_THAT(text, HasSubstr("\n1 row; spent"));
  EXPECT_THAT(FormatAnswer(answer, Format::kBox), HasSubstr("of a place │"));
}

TEST(FormatBox, DropsColumnsInTheMiddleAndSaysSo) {
  const Answer answer = WideAnswer();
  const std::string text = FormatAnswer(answer, Look{.width = 60});
  EXPECT_THAT(Lines(text)[1], HasSubstr("│ … │"));
  EXPECT_THAT(Lines(text)[1], HasSubstr("│ city "));
  EXPECT_THAT(Lines(text)[1], HasSubstr("n11 │"));
  EXPECT_THAT(text, HasSubstr(" of 13 columns shown; spent"));
  EXPECT_THAT(FormatAnswer(answer, Format::kBox), Not(HasSubstr("shown")));
}

// The widest line of what is printed, in columns of the terminal.
std::size_t WidestLine(const Answer& answer, const Look& look) {
  std::size_t widest = 0;
  for (const std::string& line : Lines(Colorless(FormatAnswer(answer, look)))) {
    widest = std::max(widest, TextWidth(line));
  }
  return widest;
}

TEST(FormatBox, KeepsToTheWidth) {
  for (std::size_t width = 20; width <= 120; ++width) {
    for (const bool color : {false, true}) {
      EXPECT_LE(WidestLine(WideAnswer(), {.width = width, .color = color}), width);
      const Look records{.width = width, .color = color, .expanded = true};
      EXPECT_LE(WidestLine(WideAnswer(), records), width);
    }
  }
}

TEST(FormatBox, ANumberIsWholeOrNotThere) {
  Answer answer = PaidAnswer();
  answer.columns = {EstimateColumn("n", "BIGINT")};
  AddRow(answer, {std::int64_t{1234567890123}}, {{{1234567800000, 1234567980246}}});
  EXPECT_THAT(FormatAnswer(answer, Look{.width = 40}), HasSubstr("│ 1,234,567,890,000 ± 90,000 │"));
  EXPECT_THAT(FormatAnswer(answer, Look{.width = 24}), HasSubstr("│ 1,234,567,890,000 ±… │"));
  EXPECT_THAT(FormatAnswer(answer, Look{.width = 20}), HasSubstr("│                … │"));
}

TEST(FormatBox, ColorChangesNoText) {
  for (const bool expanded : {false, true}) {
    const Look plain{.width = 80, .expanded = expanded};
    Look colored = plain;
    colored.color = true;
    EXPECT_NE(FormatAnswer(WideAnswer(), colored), FormatAnswer(WideAnswer(), plain));
    EXPECT_EQ(Colorless(FormatAnswer(WideAnswer(), colored)), FormatAnswer(WideAnswer(), plain));
  }
  Answer answer = PaidAnswer();
  answer.columns = {EstimateColumn("n", "BIGINT")};
  AddRow(answer, {std::int64_t{357}}, {{{332, 382}}});
  answer.notices = {"a note"};
  const std::string text = FormatAnswer(answer, Look{.color = true});
  EXPECT_THAT(text, HasSubstr("\033[1mn\033[0m"));
  EXPECT_THAT(text, HasSubstr("357\033[2m ± 25\033[0m"));
  EXPECT_THAT(text, HasSubstr("\033[2mnote: a note\033[0m\n"));
}

TEST(FormatRecords, HasALineForEachColumn) {
  Answer answer = PaidAnswer();
  answer.columns = {KeyColumn("city", "VARCHAR"), EstimateColumn("customers", "BIGINT")};
  AddRow(answer, {std::string("Osaka"), std::int64_t{12028}}, {{}, {{11545, 12511}}});
  AddRow(answer, {std::string("a place with a long name"), std::int64_t{3}}, {{}, {{-22, 28}}});
  EXPECT_EQ(FormatAnswer(answer, Look{.width = 30, .expanded = true}),
            "─[ 1 ]────────────\n"
            "city      │ Osaka\n"
            "customers │ 12,030 ± 480\n"
            "─[ 2 ]────────────\n"
            "city      │ a place with a\n"
            "          │ long name\n"
            "customers │ ~3 ± 25\n"
            "~ the noise may be larger than\n"
            "the number\n"
            "2 rows; spent ε 0.5, δ 1e-07\n"
            "(r-000001)\n"
            "left ε 3.96, about 55 more\n"
            "queries like this\n");
}

TEST(FormatMarkdown, IsATableOfGitHub) {
  Answer answer = PaidAnswer();
  answer.columns = {KeyColumn("home_city", "VARCHAR"), EstimateColumn("n", "BIGINT")};
  answer.notices = {"groups are withheld"};
  AddRow(answer, {std::string("a|b\r\nc"), std::int64_t{12}}, {{}, {{-13, 37}}});
  AddRow(answer, {std::string("<b>*x*_</b>`\\"), std::monostate()}, {{}, {}});
  EXPECT_EQ(FormatAnswer(answer, Format::kMarkdown),
            "| home_city | n |\n"
            "|---|---:|\n"
            "| a\\|b<br>c | \\~12 ± 25 |\n"
            "| \\<b\\>\\*x\\*\\_\\</b\\>\\`\\\\ | withheld |\n"
            "\n"
            "\\~ the noise may be larger than the number\n"
            "\n"
            "note: groups are withheld\n"
            "\n"
            "2 rows; spent ε 0.5, δ 1e-07 (r-000001); left ε 3.96, about 55 more queries like "
            "this\n");
}

TEST(FormatFooter, TellsPriceAndWhatIsLeft) {
  Answer answer = PaidAnswer();
  answer.notices = {"one", "two"};
  EXPECT_EQ(FormatFooter(answer),
            "note: one\nnote: two\n0 rows; spent ε 0.5, δ 1e-07 (r-000001); left ε 3.96, about 55 "
            "more queries like this\n");
  answer.notices.clear();
  answer.stored = true;
  answer.remaining.queries_like_this = 1188;
  EXPECT_EQ(FormatFooter(answer),
            "0 rows; stored answer r-000001, nothing spent; left ε 3.96, about 1,188 more queries "
            "like this\n");
  answer.remaining = {.epsilon = 0.25, .delta = 1e-9, .queries_like_this = 1};
  EXPECT_THAT(FormatFooter(answer), HasSubstr("left ε 0.25, about 1 more query like this\n"));
  answer.remaining.queries_like_this = 0;
  EXPECT_THAT(FormatFooter(answer),
              HasSubstr("; left ε 0.25, δ 1e-09: too little for a new query like this\n"));
  answer.price.doors = 0;
  EXPECT_EQ(FormatFooter(answer), "0 rows; no private table was read, nothing spent\n");
}

TEST(FormatAnswer, PrintsAnswersWithoutRows) {
  Answer answer = PaidAnswer();
  answer.columns = {KeyColumn("city", "VARCHAR"), EstimateColumn("n", "BIGINT")};
  EXPECT_THAT(FormatAnswer(answer, Format::kBox), HasSubstr("│ city │ n │\n├──────┼───┤\n└"));
  EXPECT_EQ(FormatAnswer(answer, Format::kCsv), "city,n,n_low,n_high\n");
  EXPECT_EQ(FormatAnswer(answer, Format::kJsonLines), "");
  EXPECT_THAT(FormatAnswer(answer, Look{.expanded = true}), HasSubstr("0 rows; "));
}

}  // namespace
}  // namespace dpsql
