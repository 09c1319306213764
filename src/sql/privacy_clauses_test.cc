#include "sql/privacy_clauses.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "sql/parser.h"
#include "support/ast_dump.h"
#include "support/query_corpus.h"

namespace dpsql {
namespace {

std::string DumpOf(std::string_view sql) {
  auto parsed = Parse(sql);
  if (!parsed.ok()) return parsed.error().code + ": " + parsed.error().message;
  std::string out;
  for (const ast::Statement& statement : *parsed) {
    out += (out.empty() ? "" : "; ") + Dump(statement);
  }
  return out;
}

std::string Cut(std::string_view sql, SourceSpan span) {
  return std::string(sql.substr(span.begin, span.end - span.begin));
}

TEST(PrivacyClauses, BelongToTheirBlock) {
  EXPECT_EQ(DumpOf("SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(Epsilon=-1, delta=.5) a"),
            "(select (privacy 'epsilon' '-1' 'delta' '.5') (items (item (column 'a'))))");
  EXPECT_EQ(DumpOf("SELECT PRIVATE_QUERY OPTIONS (A = b.\"C\", D = 'it''s') 1"),
            "(select (privacy 'a' 'b.C' 'd' 'it's') (items (item 1)))");
  EXPECT_EQ(DumpOf("SELECT WITH DIFFERENTIAL_PRIVACY 1"), "(select (privacy) (items (item 1)))");
  EXPECT_EQ(DumpOf("SELECT (SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(x=1) 2)"),
            "(select (items (item (scalar (select (privacy 'x' '1') (items (item 2)))))))");
  EXPECT_EQ(DumpOf("WITH t AS (SELECT WITH ANONYMIZATION 1) SELECT PRIVATE_QUERY OPTIONS () 2"),
            "(select (cte 't' (select (privacy) (items (item 1)))) (privacy) (items (item 2)))");
  EXPECT_EQ(DumpOf("SELECT WITH DIFFERENTIAL_PRIVACY 1 UNION SELECT PRIVATE_QUERY OPTIONS(x=y) 2"),
            "(select (union (select (privacy) (items (item 1))) "
            "(select (privacy 'x' 'y') (items (item 2)))))");
  EXPECT_EQ(DumpOf("EXPLAIN (DP) ((SELECT WITH DIFFERENTIAL_PRIVACY 1))"),
            "(explain (select (privacy) (items (item 1))))");
}

// Without a select list the block would end before its own clause, and its span with it.
TEST(PrivacyClauses, StandBeforeASelectList) {
  EXPECT_EQ(DumpOf("SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1)"),
            "P101: syntax error at end of input");
  EXPECT_EQ(DumpOf("SELECT (SELECT PRIVATE_QUERY OPTIONS (x=1))"),
            "P101: syntax error at or near \")\"");
  for (const std::string next : {"UNION SELECT 1", "intersect SELECT 1", "except SELECT 1",
                                 "ORDER BY 1", "LIMIT 1", "offset 1", "; SELECT 1"}) {
    const std::string word = next.substr(0, next.find(' '));
    EXPECT_EQ(DumpOf("SELECT WITH ANONYMIZATION " + next),
              "P101: syntax error at or near \"" + word + "\"");
  }
}

TEST(PrivacyClauses, StatementsKeepTheirOrder) {
  EXPECT_EQ(DumpOf("SELECT 1; ALTER PRIVATE_TABLE s.\"T\" OPTIONS (Privacy_Unit_Column = c); "
                   "SET dp.x = 1; alter private_table u options ();"),
            "(select (items (item 1))); "
            "(alter (table 's' 'T') (privacy 'privacy_unit_column' 'c')); "
            "(set 'dp.x' '1'); (alter (table 'u') (privacy))");
}

TEST(PrivacyClauses, AreNotReadFromTextOrComments) {
  for (const std::string_view plain : {
           "SELECT 'SELECT WITH DIFFERENTIAL_PRIVACY'",
           "SELECT $$SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1)$$",
           "SELECT a /* SELECT PRIVATE_QUERY OPTIONS (x=1) */ FROM t",
           "SELECT \"WITH DIFFERENTIAL_PRIVACY\" FROM t -- SELECT WITH DIFFERENTIAL_PRIVACY",
           "SELECT private_query options FROM t",
           "SELECT private_query AS options, \"private_query\" FROM t",
           "SELECT t.select, differential_privacy FROM t",
           "SELECT alter private_table FROM t",
       }) {
    auto parsed = Parse(plain);
    ASSERT_TRUE(parsed.ok()) << plain;
    EXPECT_TRUE((*parsed)[0].privacy_clauses.empty()) << plain;
  }
  EXPECT_EQ(DumpOf("SELECT WITH \"differential_privacy\" 1").substr(0, 4), "P101");
}

// A clause moves nothing: the tree is that of the text with blanks in its place.
TEST(PrivacyClauses, KeepEverySpan) {
  const std::string clause = "WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = '東', \"x\"\"y\" = 1)";
  const std::string good = "WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = '東京', y = (1, f(2)))";
  EXPECT_EQ(DumpOf("SELECT " + clause + " 1").substr(0, 4), "P101");
  int compared = 0;
  for (const std::string_view query : kQueryCorpus) {
    if (!query.starts_with("SELECT ") || query.find("SELECT ", 1) != std::string_view::npos)
      continue;
    const std::string rest(query.substr(7));
    const std::string marked = "SELECT " + good + " " + rest;
    const std::string blank = "SELECT " + std::string(good.size(), ' ') + " " + rest;
    auto with = Parse(marked);
    auto without = Parse(blank);
    ASSERT_EQ(with.ok(), without.ok()) << marked;
    if (!with.ok()) continue;
    std::vector<Place> places = Places((*with)[0]);
    std::erase_if(places,
                  [](const Place& place) { return place.kind == "Privacy" || place.dump.empty(); });
    std::vector<Place> expected = Places((*without)[0]);
    std::erase_if(expected, [](const Place& place) { return place.dump.empty(); });
    ASSERT_EQ(places.size(), expected.size()) << marked;
    for (std::size_t i = 0; i < places.size(); ++i) {
      EXPECT_EQ(Cut(marked, places[i].span).size(), Cut(blank, expected[i].span).size());
      EXPECT_EQ(places[i].span.begin, expected[i].span.begin) << marked;
    }
    ++compared;
  }
  EXPECT_GT(compared, 20);
}

TEST(PrivacyClauses, SpansAreTheTextAsTyped) {
  const std::string sql =
      "SELECT 1; SELECT '東京' FROM (SELECT /* x */ WITH -- y\n DIFFERENTIAL_PRIVACY OPTIONS "
      "(a = -1.5, b = c . d) 2) t";
  auto parsed = Parse(sql);
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  ASSERT_EQ((*parsed)[1].privacy_clauses.size(), 1u);
  EXPECT_TRUE((*parsed)[0].privacy_clauses.empty());
  const auto& from = std::get<ast::SelectStatement>((*parsed)[1].node).select.from[0];
  const auto& inner = *std::get<ast::DerivedTable>(from.node).select;
  ASSERT_TRUE(inner.privacy.has_value());
  EXPECT_EQ(Cut(sql, inner.privacy->span),
            "WITH -- y\n DIFFERENTIAL_PRIVACY OPTIONS (a = -1.5, b = c . d)");
  EXPECT_EQ(Cut(sql, inner.privacy->options[0].value_span), "-1.5");
  EXPECT_EQ(Cut(sql, inner.privacy->options[1].name_span), "b");
  EXPECT_EQ(Cut(sql, inner.privacy->options[1].value_span), "c . d");
}

TEST(PrivacyClauses, HostileTextIsRefused) {
  EXPECT_EQ(
      DumpOf("SELECT WITH ANONYMIZATION OPTIONS(a = (SELECT WITH ANONYMIZATION 1)) 2").substr(0, 4),
      "P105");
  EXPECT_EQ(
      DumpOf("SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(a=" + std::string(300, '(')).substr(0, 4),
      "P102");
  for (const std::string_view sql :
       {"SELECT WITH", "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS", "ALTER PRIVATE_TABLE",
        "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(", "ALTER PRIVATE_TABLE t OPTIONS",
        "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(a", "ALTER PRIVATE_TABLE t OPTIONS (",
        "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(a=[)]", "ALTER PRIVATE_TABLE t.",
        "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(a=1]", "SELECT a select WITH ANONYMIZATION",
        "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(,)",
        "SELECT WITH DIFFERENTIAL_PRIVACY ; SELECT ("}) {
    const std::string dump = DumpOf(sql);
    EXPECT_TRUE(dump.starts_with("P10") || dump.starts_with("(select")) << sql << ": " << dump;
  }
}

}  // namespace
}  // namespace dpsql
