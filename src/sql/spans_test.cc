#include "sql/spans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "sql/parser.h"
#include "support/ast_dump.h"
#include "support/query_corpus.h"
#include "support/query_generator.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

std::string Cut(std::string_view sql, SourceSpan span) {
  return std::string(sql.substr(span.begin, span.end - span.begin));
}

std::vector<std::string> TextsOf(std::string_view sql, std::string_view kind) {
  auto parsed = Parse(sql);
  EXPECT_TRUE(parsed.ok()) << RenderError(parsed.error(), sql);
  std::vector<std::string> texts;
  for (const Place& place : Places(parsed->at(0))) {
    if (place.kind == kind) texts.push_back(Cut(sql, place.span));
  }
  return texts;
}

// Where a construct can stand alone, so that its own text can be read again.
std::string Alone(const Place& place, const std::string& text) {
  static const std::map<std::string, std::pair<std::string, std::string>> kAround = {
      {"Expr", {"SELECT ", ""}},      {"Select", {"", ""}},
      {"From", {"SELECT FROM ", ""}}, {"Group", {"SELECT GROUP BY ", ""}},
      {"Cte", {"WITH ", " SELECT"}},  {"Type", {"SELECT cast(NULL AS ", ")"}},
      {"Statement", {"", ""}},
  };
  if (place.kind == "Window") {
    const bool entry = place.dump.starts_with("(window '");
    return (entry ? "SELECT WINDOW " : "SELECT f() OVER ") + text;
  }
  const auto found = kAround.find(place.kind);
  if (found == kAround.end()) return "";
  return found->second.first + text + found->second.second;
}

// Words that are constants only where they stand (the field of EXTRACT), constants that the grammar
// adds (the * of TABLE t), and an interval's type before its units.
bool ReadsDifferentlyAlone(const Place& place, const std::string& text) {
  if (place.dump.starts_with("(type interval")) return true;
  if (place.kind != "Expr") return false;
  if (place.dump == "*") return text != "*";  // TABLE t
  if (place.dump.starts_with("'")) return text.find('\'') == std::string::npos && text[0] != '$';
  return false;
}

// Whether the outermost construct of its kind is `place` again. The NOT of `x NOT IN (SELECT …)`
// and its operand share one text, so a second one of the same span counts as outermost too.
bool Holds(const ast::Statement& statement, const Place& place) {
  const std::vector<Place> places = Places(statement);
  const auto first = std::find_if(places.begin(), places.end(),
                                  [&](const Place& p) { return p.kind == place.kind; });
  return std::any_of(first, places.end(), [&](const Place& p) {
    return p.span.begin == first->span.begin && p.span.end == first->span.end &&
           p.kind == place.kind && p.dump == place.dump;
  });
}

// Reads the text of every place alone; answers how many there were.
int ReadAllAlone(std::string_view sql, const ast::Statement& statement) {
  int compared = 0;
  for (const Place& place : Places(statement)) {
    const std::string text = Cut(sql, place.span);
    const std::string alone = Alone(place, text);
    if (alone.empty() || ReadsDifferentlyAlone(place, text)) continue;
    auto again = Parse(alone);
    EXPECT_TRUE(again.ok() && Holds(again->at(0), place)) << sql << "\n"
                                                          << place.kind << " «" << text << "»\n"
                                                          << place.dump;
    ++compared;
  }
  return compared;
}

TEST(Spans, HoldExactlyTheirConstruct) {
  int compared = 0;
  for (const std::string_view sql : kQueryCorpus) {
    auto parsed = Parse(sql);
    ASSERT_TRUE(parsed.ok()) << sql << "\n" << RenderError(parsed.error(), sql);
    for (const ast::Statement& statement : *parsed) compared += ReadAllAlone(sql, statement);
  }
  EXPECT_GT(compared, 800);
}

TEST(Spans, HoldExactlyTheirConstructInGeneratedQueries) {
  const Catalog catalog = MakeShopCatalog();
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::string sql = GenerateQuery(catalog.tables(), seed).sql;
    auto parsed = Parse(sql);
    ASSERT_TRUE(parsed.ok()) << sql << "\n" << RenderError(parsed.error(), sql);
    compared += ReadAllAlone(sql, parsed->at(0));
  }
  EXPECT_GT(compared, 2'000);
}

void ExpectNested(std::string_view sql, const ast::Statement& statement) {
  std::vector<Place> open;
  for (const Place& place : Places(statement)) {
    open.resize(static_cast<std::size_t>(place.depth));
    EXPECT_FALSE(place.span.empty()) << sql << " " << place.kind << " " << place.dump;
    const SourceSpan parent = open.empty() ? place.span : open.back().span;
    EXPECT_LE(parent.begin, place.span.begin) << sql << " " << place.dump;
    EXPECT_GE(parent.end, place.span.end) << sql << " " << place.dump;
    open.push_back(place);
  }
}

TEST(Spans, LieInsideTheirParent) {
  for (const std::string_view sql : kQueryCorpus) {
    auto parsed = Parse(sql);
    ASSERT_TRUE(parsed.ok()) << sql;
    for (const ast::Statement& statement : *parsed) ExpectNested(sql, statement);
  }
}

using Texts = std::vector<std::string>;

TEST(Spans, OfExpressionsExcludeRedundantBrackets) {
  EXPECT_EQ(TextsOf("SELECT ((a + b)) * c", "Expr"),
            (Texts{"((a + b)) * c", "a + b", "a", "b", "c"}));
  EXPECT_EQ(TextsOf("SELECT (((a AND b)) AND c)", "Expr"),
            (Texts{"((a AND b)) AND c", "a", "b", "c"}));
  EXPECT_EQ(TextsOf("SELECT NOT (a)", "Expr"), (Texts{"NOT (a)", "a"}));
  EXPECT_EQ(TextsOf("SELECT x NOT IN (SELECT 1)", "Expr"),
            (Texts{"x NOT IN (SELECT 1)", "x NOT IN (SELECT 1)", "x", "1"}));
}

TEST(Spans, OfCallsReachTheirLastClause) {
  EXPECT_EQ(TextsOf("SELECT sum(a) FILTER (WHERE b) OVER (ORDER BY c) x", "Expr").front(),
            "sum(a) FILTER (WHERE b) OVER (ORDER BY c)");
  EXPECT_EQ(TextsOf("SELECT sum(a) OVER w x WINDOW w AS ()", "Expr").front(), "sum(a) OVER w");
  EXPECT_EQ(TextsOf("SELECT s.f(a) + 1", "Name"), (Texts{"+", "s.f"}));
}

TEST(Spans, OfConstantsHoldTheirSign) {
  EXPECT_EQ(TextsOf("SELECT -5, - (2.5), 3 - 2", "Expr"),
            (Texts{"-5", "- (2.5)", "3 - 2", "3", "2"}));
}

TEST(Spans, OfOtherConstantsStandBehindTheirSign) {
  EXPECT_EQ(TextsOf("SELECT - 'a', -((NULL)), -TRUE = b", "Expr"),
            (Texts{"- 'a'", "'a'", "-((NULL))", "NULL", "-TRUE = b", "-TRUE", "TRUE", "b"}));
}

TEST(Spans, OfJoinsAndAliases) {
  EXPECT_EQ(TextsOf("SELECT 1 FROM (a x JOIN b AS y (c) ON (p = q)) AS j, d", "From"),
            (Texts{"(a x JOIN b AS y (c) ON (p = q)) AS j", "a x", "b AS y (c)", "d"}));
  EXPECT_EQ(TextsOf("SELECT 1 FROM LATERAL (SELECT 1) t", "From"), (Texts{"LATERAL (SELECT 1) t"}));
}

TEST(Spans, OfQueriesKeepTheirOwnTail) {
  EXPECT_EQ(
      TextsOf("(SELECT 1) UNION (SELECT 2 LIMIT 1) ORDER BY 1", "Select"),
      (Texts{"(SELECT 1) UNION (SELECT 2 LIMIT 1) ORDER BY 1", "SELECT 1", "SELECT 2 LIMIT 1"}));
  EXPECT_EQ(TextsOf("SELECT 1 WHERE a IN (SELECT 2 LIMIT 1) ORDER BY 1", "Select"),
            (Texts{"SELECT 1 WHERE a IN (SELECT 2 LIMIT 1) ORDER BY 1", "SELECT 2 LIMIT 1"}));
}

TEST(Spans, CountBytes) {
  EXPECT_EQ(TextsOf("SELECT 'é', ü + straße", "Expr"), (Texts{"'é'", "ü + straße", "ü", "straße"}));
}

}  // namespace
}  // namespace dpsql
