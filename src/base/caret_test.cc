#include <gtest/gtest.h>

#include <string>

#include "base/error_codes.h"
#include "base/utf8.h"
#include "dpsql/error.h"

namespace dpsql {
namespace {

// An error that marks the first `marked` of `sql`.
Error ErrorAt(std::string_view sql, std::string_view marked, std::string hint = "") {
  const std::size_t begin = sql.find(marked);
  return {.code = "V305",
          .sqlstate = "42P10",
          .message = "message",
          .hint = std::move(hint),
          .span = {static_cast<std::uint32_t>(begin),
                   static_cast<std::uint32_t>(begin + marked.size())}};
}

std::string Render(std::string_view sql, std::string_view marked) {
  return RenderError(ErrorAt(sql, marked), sql);
}

TEST(Caret, StandsUnderTheSpan) {
  const std::string sql =
      "SELECT count(*)\nFROM customer c\nJOIN orders o ON c.c_nationkey = o.o_custkey";
  Error error = ErrorAt(sql, "c.c_nationkey = o.o_custkey");
  error.message = "private tables are not joined on their privacy unit: customer, orders";
  error.hint = "add  c.c_custkey = o.o_custkey  to the join condition";
  EXPECT_EQ(RenderError(error, sql),
            "ERROR V305: private tables are not joined on their privacy unit: customer, orders\n"
            "LINE 3: JOIN orders o ON c.c_nationkey = o.o_custkey\n"
            "                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
            "HINT:  add  c.c_custkey = o.o_custkey  to the join condition\n");
  EXPECT_EQ(ErrorToJson(error, sql),
            R"({"error":{"code":"V305","sqlstate":"42P10","message":"private tables are not )"
            R"(joined on their privacy unit: customer, orders","hint":"add  c.c_custkey = )"
            R"(o.o_custkey  to the join condition","line":3,"column":18,"length":27}})");
}

TEST(Caret, IsLeftOutWithoutAPlace) {
  Error error = ErrorAt("x", "x");
  error.span = {};
  EXPECT_EQ(RenderError(error, "SELECT"), "ERROR V305: message\n");
  EXPECT_EQ(ErrorToJson(error, "SELECT"),
            R"({"error":{"code":"V305","sqlstate":"42P10","message":"message","hint":""}})");
  error.span = {100, 200};
  EXPECT_EQ(RenderError(error, "SELECT"), "ERROR V305: message\n");
}

TEST(Caret, KnowsWideAndCombiningCharacters) {
  EXPECT_EQ(Render("SELECT 日本, x", "x"),
            "ERROR V305: message\n"
            "LINE 1: SELECT 日本, x\n"
            "                     ^\n");
  EXPECT_EQ(Render("SELECT 日本, x", "日本"),
            "ERROR V305: message\n"
            "LINE 1: SELECT 日本, x\n"
            "               ^^^^\n");
  EXPECT_EQ(Render("SELECT e\u0301, x", "x"),
            "ERROR V305: message\n"
            "LINE 1: SELECT e\u0301, x\n"
            "                  ^\n");
  const std::string json = ErrorToJson(ErrorAt("a\n日本 x", "x"), "a\n日本 x");
  EXPECT_NE(json.find(R"("line":2,"column":4,"length":1)"), std::string::npos) << json;
}

TEST(Caret, KeepsTabs) {
  EXPECT_EQ(Render("\ta\tb", "b"),
            "ERROR V305: message\n"
            "LINE 1: \ta\tb\n"
            "        \t \t^\n");
  EXPECT_EQ(Render("a\tb", "a\tb"),
            "ERROR V305: message\n"
            "LINE 1: a\tb\n"
            "        ^^^^^^^^^\n");
}

TEST(Caret, DrawsLongSpansOnTheirFirstLine) {
  EXPECT_EQ(Render("SELECT a\r\nFROM t", "a\r\nFROM"),
            "ERROR V305: message\n"
            "LINE 1: SELECT a\n"
            "               ^\n");
  EXPECT_EQ(Render("SELECT\nFROM t", "\nFROM"),
            "ERROR V305: message\n"
            "LINE 1: SELECT\n"
            "              ^\n");
}

std::size_t Columns(std::string_view line) {
  std::size_t columns = 0;
  while (!line.empty()) {
    const CodePoint point = DecodeUtf8(line);
    columns += static_cast<std::size_t>(DisplayWidth(point.value));
    line.remove_prefix(point.size);
  }
  return columns;
}

// The marked text of a rendering, cut out by the carets' columns.
std::string UnderCarets(const std::string& rendered) {
  const std::size_t line = rendered.find("LINE");
  const std::size_t carets = rendered.find('\n', line) + 1;
  const std::size_t first = rendered.find('^', carets) - carets;
  const std::size_t count = rendered.find('\n', carets) - carets - first;
  std::string_view rest = std::string_view(rendered).substr(line);
  std::size_t column = 0;
  std::string out;
  while (column < first + count) {
    const CodePoint point = DecodeUtf8(rest);
    if (column >= first) out += rest.substr(0, point.size);
    column += static_cast<std::size_t>(DisplayWidth(point.value));
    rest.remove_prefix(point.size);
  }
  return out;
}

TEST(Caret, CutsLongLinesAroundTheSpan) {
  for (const std::string_view filler : {"a + ", "日本 + ", "\ta"}) {
    std::string left;
    for (int i = 0; i < 100; ++i) left += filler;
    for (const std::string& sql : {left + "HERE" + left, "HERE" + left, left + "HERE"}) {
      const std::string rendered = Render(sql, "HERE");
      const std::size_t begin = rendered.find("LINE");
      const std::string line = rendered.substr(begin, rendered.find('\n', begin) - begin);
      EXPECT_LE(Columns(line), 100u) << rendered;
      EXPECT_GE(Columns(line), 90u) << rendered;
      EXPECT_EQ(UnderCarets(rendered), "HERE") << rendered;
      EXPECT_NE(line.find("…"), std::string::npos) << rendered;
    }
  }
  const std::string all(500, 'x');
  EXPECT_LE(Columns(Render(all, all)), 320u);
}

TEST(Caret, FitsTheTerminal) {
  const std::string left(200, 'a');
  const std::string sql = left + " HERE " + left;
  for (int columns = 40; columns <= 200; columns += 20) {
    const std::string rendered = RenderError(ErrorAt(sql, "HERE"), sql, columns);
    const std::size_t begin = rendered.find("LINE");
    const std::string line = rendered.substr(begin, rendered.find('\n', begin) - begin);
    EXPECT_LE(Columns(line), static_cast<std::size_t>(columns)) << rendered;
    EXPECT_EQ(UnderCarets(rendered), "HERE") << rendered;
  }
}

TEST(Caret, PrintsNoControlCharacters) {
  EXPECT_EQ(Render("a\x1b[31mb", "b"),
            "ERROR V305: message\n"
            "LINE 1: a\uFFFD[31mb\n"
            "              ^\n");
  EXPECT_EQ(Render("a\u202e\u2028b", "b"),
            "ERROR V305: message\n"
            "LINE 1: a\uFFFD\uFFFDb\n"
            "           ^\n");
  EXPECT_EQ(Render("a\xff b", "b"),
            "ERROR V305: message\n"
            "LINE 1: a\uFFFD b\n"
            "           ^\n");
}

TEST(Caret, GivesEveryCodeItsDefaultHint) {
  const Error error = MakeError(ErrorCode::kInvalidText, "statement holds a NUL byte");
  EXPECT_EQ(RenderError(error, ""),
            "ERROR P103: statement holds a NUL byte\n"
            "HINT:  send the statement as UTF-8 without NUL bytes\n");
}

}  // namespace
}  // namespace dpsql
