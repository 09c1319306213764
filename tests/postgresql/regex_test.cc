// Regular expressions as PostgreSQL itself finds them.
#include <deque>

#include "backend/regex_matcher.h"
#include "postgresql/engine_fixture.h"
#include "sql/parser.h"
#include "sql/printer.h"
#include "sql/regex.h"
#include "support/regex_maker.h"

namespace dpsql {
namespace {

constexpr std::size_t kPatterns = 100;

// What the server answers to a query, as the dialect prints it.
std::string AskServer(const std::string& sql) {
  const auto statements = Parse(sql);
  EXPECT_TRUE(statements.ok()) << sql;
  const auto& statement = std::get<ast::SelectStatement>(statements->front().node);
  return SharedServer().Sql(PrintSelect(statement.select, PostgreSqlDialect()));
}

// The texts t of a table, in the order of their id.
std::vector<std::string> MakeTexts(RegexMaker& maker) {
  std::vector<std::string> texts;
  std::string rows;
  for (int i = 0; i < 300; ++i) {
    texts.push_back(maker.Text());
    rows += (i == 0 ? "(" : ", (") + std::to_string(i) + ", " +
            PostgreSqlDialect().QuoteString(texts.back()) + ")";
  }
  SharedServer().Sql("CREATE TABLE texts (id int, t text); INSERT INTO texts VALUES " + rows);
  return texts;
}

// backend/regex_matcher_test.cc holds the automaton against DuckDB.
TEST(PostgreSqlServerRegex, FindsWhatOurAutomatonFinds) {
  constexpr int kRounds = 4;
  RegexMaker maker;
  const std::vector<std::string> texts = MakeTexts(maker);
  std::size_t found = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::string name = round % 2 == 0 ? "~" : "~*";
    std::deque<RegexMatcher> matchers;
    std::vector<std::string> patterns;
    std::string columns;
    while (patterns.size() < kPatterns) {
      std::string pattern = maker.Choice(2);
      const RegexReading reading = ReadRegexOf(name, pattern);
      if (!reading.fault.empty()) continue;
      columns +=
          (columns.empty() ? "t " : ", t ") + name + " " + PostgreSqlDialect().QuoteString(pattern);
      matchers.emplace_back(reading.regex);
      patterns.push_back(std::move(pattern));
    }
    const std::string answers = AskServer("SELECT " + columns + " FROM texts ORDER BY id");
    for (std::size_t i = 0; i < texts.size() * kPatterns; ++i) {
      const std::string& text = texts[i / kPatterns];
      const bool is_found = answers.at(2 * i) == 't';  // and | or a line's end behind it
      found += is_found ? 1 : 0;
      ASSERT_EQ(is_found, matchers[i % kPatterns].IsFoundIn(text))
          << patterns[i % kPatterns] << " in " << text;
    }
  }
  EXPECT_GT(found, kRounds * kPatterns * texts.size() / 10);
  EXPECT_LT(found, kRounds * kPatterns * texts.size() * 9 / 10);
}

// Whether a row is compared with the pattern must not decide whether there is an error.
TEST(PostgreSqlServerRegex, IsCompiledWhereNoRowIsCompared) {
  std::string text(PostgreSqlDialect().FindFunction("~", 2));
  for (const auto& [place, with] : {std::pair{"$1", "t"}, {"$2", "'('"}, {"$2", "'('"}}) {
    text.replace(text.find(place), 2, with);
  }
  SharedServer().Sql("CREATE TABLE compared AS SELECT CAST('a' AS text) AS t");
  const std::string sql =
      "SELECT count(*) FROM compared WHERE CASE WHEN t = 'b' THEN " + text + " ELSE true END";
  EXPECT_THROW(SharedServer().Sql(sql), std::exception);
}

}  // namespace
}  // namespace dpsql
