#include <gtest/gtest.h>

#include <string>

#include "sql/parser.h"

namespace dpsql {
namespace {

struct Refusal {
  std::string_view sql;
  std::string_view code;
  std::string_view marked;   // what the caret stands under
  std::string_view message;  // a part of it
};

constexpr std::string_view kStatement = "P104";
constexpr std::string_view kSyntax = "P105";

constexpr Refusal kRefusals[] = {
    // Statements that ask nothing.
    {"INSERT INTO t VALUES (1)", kStatement, "INSERT", "INSERT"},
    {"UPDATE t SET a = 1", kStatement, "UPDATE", "UPDATE"},
    {"DELETE FROM t", kStatement, "DELETE", "DELETE"},
    {"CREATE TABLE t (a int)", kStatement, "CREATE", "CREATE"},
    {"CREATE TABLE t AS SELECT 1", kStatement, "CREATE", "CREATE"},
    {"DROP TABLE t", kStatement, "DROP", "DROP"},
    {"COPY t TO 'x'", kStatement, "COPY", "COPY"},
    {"COPY (SELECT 1) TO PROGRAM 'x'", kStatement, "COPY", "COPY"},
    {"DO 'x'", kStatement, "DO", "DO"},
    {"PREPARE p AS SELECT 1", kStatement, "PREPARE", "PREPARE"},
    {"EXECUTE p", kStatement, "EXECUTE", "EXECUTE"},
    {"DECLARE c CURSOR FOR SELECT 1", kStatement, "DECLARE", "DECLARE"},
    {"BEGIN", kStatement, "BEGIN", "BEGIN"},
    {"CALL f()", kStatement, "CALL", "CALL"},
    {"LISTEN x", kStatement, "LISTEN", "LISTEN"},
    {"VACUUM", kStatement, "VACUUM", "VACUUM"},
    {"SHOW dp.x", kStatement, "SHOW", "SHOW"},
    {"RESET dp.x", kStatement, "RESET", "RESET"},
    {"SELECT 1; DELETE FROM t", kStatement, "DELETE", "DELETE"},
    // The scanner would let these overflow.
    {"SELECT $2147483648", kSyntax, "$2147483648", "a parameter other than $1 to $65535"},
    {"SELECT a + $4294967297", kSyntax, "$4294967297", "a parameter other than"},
    {"SELECT $65535, $65536", kSyntax, "$65536", "a parameter other than"},
    {"SELECT $0", kSyntax, "$0", "a parameter other than"},
    {"SELECT a INTO b FROM t", kStatement, "INTO", "INTO"},
    {"SELECT a FROM t FOR UPDATE", kStatement, "FOR", "FOR UPDATE"},
    {"SELECT a FROM (SELECT 1 FOR SHARE) t", kStatement, "FOR", "FOR SHARE"},
    {"WITH a AS (DELETE FROM t RETURNING 1) SELECT 1", kStatement, "DELETE", "DELETE"},
    {"WITH a AS (INSERT INTO t VALUES (1)) SELECT 1", kStatement, "INSERT", "INSERT"},
    {"EXPLAIN SELECT 1", kStatement, "EXPLAIN", "explained"},
    {"EXPLAIN ANALYZE SELECT 1", kStatement, "EXPLAIN", "explained"},
    {"EXPLAIN (DP, ANALYZE) SELECT 1", kStatement, "EXPLAIN", "explained"},
    {"EXPLAIN (DP false) SELECT 1", kStatement, "EXPLAIN", "explained"},
    {"EXPLAIN (ANALYZE) SELECT 1", kStatement, "EXPLAIN", "explained"},
    {"EXPLAIN (DP) INSERT INTO t VALUES (1)", kStatement, "INSERT", "INSERT"},
    {"SET work_mem = 1", kStatement, "SET", "SET"},
    {"SET \"DP\".x = 1", kStatement, "SET", "SET"},
    {"SET dp.x = DEFAULT", kStatement, "SET", "SET"},
    {"SET TIME ZONE 'x'", kStatement, "SET", "SET"},
    {"SET LOCAL dp.x = 1", kSyntax, "SET LOCAL", "SET LOCAL"},
    {"SET dp.x = 1, 2", "P106", "1, 2", "one value"},
    // What the tree cannot hold.
    {"SELECT ARRAY[1, 2]", kSyntax, "ARRAY", "ARRAY"},
    {"SELECT a[1]", kSyntax, "a", "subscript"},
    {"SELECT (a).b", kSyntax, "(", "field"},
    {"SELECT (a).*", kSyntax, "(", "field"},
    {"SELECT a COLLATE \"C\"", kSyntax, "COLLATE", "COLLATE"},
    {"SELECT a = ANY (b)", kSyntax, "=", "array"},
    {"SELECT a < ALL ('{1}'::int[])", kSyntax, "<", "array"},
    {"SELECT a OPERATOR(pg_catalog.+) b", kSyntax, "OPERATOR", "schema"},
    {"SELECT f(VARIADIC a)", kSyntax, "f", "VARIADIC"},
    {"SELECT b'01'", kSyntax, "b'01'", "bit string"},
    {"SELECT U&'x'", kSyntax, "U&", "U&"},
    {"SELECT U&\"x\"", kSyntax, "U&", "U&"},
    {"SELECT xmlelement(name a)", kSyntax, "xmlelement", "XML"},
    {"SELECT a::s.t", kSyntax, "s", "schema"},
    {"SELECT a::int[][]", kSyntax, "int", "array of arrays"},
    {"SELECT a::t(b)", kSyntax, "t", "modifier"},
    {"VALUES (DEFAULT)", kSyntax, "DEFAULT", "DEFAULT"},
    {"SELECT 1 FROM ONLY t", kSyntax, "t", "ONLY"},
    {"SELECT 1 FROM t TABLESAMPLE system (1)", kSyntax, "system", "TABLESAMPLE"},
    {"SELECT 1 FROM f(1) WITH ORDINALITY", kSyntax, "f", "ORDINALITY"},
    {"SELECT 1 FROM f(1) AS (a int)", kSyntax, "f", "column definition"},
    {"SELECT 1 FROM f(1) AS x (a int)", kSyntax, "f", "column definition"},
    {"SELECT 1 FROM ROWS FROM (f(1), g(2)) x", kSyntax, "ROWS", "ROWS FROM"},
    {"SELECT 1 FROM ROWS FROM (f(1)) x", kSyntax, "ROWS", "ROWS FROM"},
    {"SELECT 1 FROM a JOIN b USING (c) AS d", kSyntax, "a", "USING"},
    {"SELECT 1 FROM xmltable('a' PASSING b COLUMNS c int)", kSyntax, "xmltable", "XMLTABLE"},
    {"SELECT 1 ORDER BY a USING <", kSyntax, "<", "USING"},
    {"WITH RECURSIVE a AS (SELECT 1) SEARCH DEPTH FIRST BY b SET c SELECT 1", kSyntax, "a",
     "SEARCH"},
    {"WITH RECURSIVE a AS (SELECT 1) CYCLE b SET c USING d SELECT 1", kSyntax, "a", "CYCLE"},
    // What PostgreSQL does not read either.
    {"SELECT 1 FROM", "P101", "FROM", "end of input"},
    {"SELECT a b c", "P101", "c", "near \"c\""},
    {"SELECT 'é', ü üü üüü FROM t", "P101", "üüü", "near \"üüü\""},
    {"SELECT 'open", "P101", "'", "unterminated"},
    {"SELECT 'é' || 'open", "P101", "'", "unterminated"},
    {"SELECT /* open", "P101", "/", "unterminated"},
    {"SELECT 1 FROM (SELECT 1)", "P101", "(", "alias"},
    {"SELECT (1", "P101", "1", "end of input"},
    {"SELECT 1)", "P101", ")", "near \")\""},
    {"SELECT E'\\xff'", "P101", "", "UTF8"},
};

TEST(Refusals, NameTheConstructAndItsPlace) {
  for (const Refusal& refusal : kRefusals) {
    auto parsed = Parse(refusal.sql);
    ASSERT_FALSE(parsed.ok()) << refusal.sql;
    const Error& error = parsed.error();
    EXPECT_EQ(error.code, refusal.code) << RenderError(error, refusal.sql);
    EXPECT_NE(error.message.find(refusal.message), std::string::npos)
        << RenderError(error, refusal.sql);
    EXPECT_EQ(refusal.sql.substr(error.span.begin, error.span.end - error.span.begin),
              refusal.marked)
        << RenderError(error, refusal.sql);
  }
}

TEST(Refusals, OfExplainSayWhatToWrite) {
  auto parsed = Parse("EXPLAIN SELECT 1");
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().hint, "write EXPLAIN (DP) SELECT …");
}

}  // namespace
}  // namespace dpsql
