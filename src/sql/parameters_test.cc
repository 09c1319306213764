#include "dpsql/parameters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "sql/limits.h"
#include "sql/parser.h"
#include "support/ast_dump.h"
#include "support/query_corpus.h"

namespace dpsql {
namespace {

std::string DumpOf(std::string_view sql, const Parameters& parameters = {}) {
  const auto parsed = Parse(sql, parameters);
  if (!parsed.ok()) return parsed.error().code + ": " + parsed.error().message;
  std::string out;
  for (const ast::Statement& statement : *parsed) {
    out += (out.empty() ? "" : "; ") + Dump(statement);
  }
  return out;
}

Error RefusalOf(std::string_view sql, const Parameters& parameters = {}) {
  const auto parsed = Parse(sql, parameters);
  return parsed.ok() ? Error{} : parsed.error();
}

std::string Marked(std::string_view sql, const Error& error) {
  return std::string(sql.substr(error.span.begin, error.span.end - error.span.begin));
}

const Parameters& Known() {
  static const Parameters known = {
      {"low", Parameter::Integer(-5)},
      {"high", Parameter::Decimal("12.50")},
      {"n", Parameter::Integer(3)},
      {"rate", Parameter::Double(0.25)},
      {"whole", Parameter::Double(4)},
      {"yes", Parameter::Boolean(true)},
      {"nothing", Parameter::Null()},
      {"city", Parameter::Text("O'Brien; DROP TABLE customer --")},
      {"day", Parameter::Date("2026-01-31")},
      {"time", Parameter::Timestamp("2026-01-31 12:00:00")},
      {"select", Parameter::Integer(8)},
      {"_x9", Parameter::Integer(9)},
  };
  return known;
}

struct Written {
  std::string_view with;   // parameters
  std::string_view plain;  // what they stand for
};

// The tree is that of the literal written out, so everything behind the parser is the same.
constexpr Written kWritten[] = {
    {"SELECT $n, $_x9, $select", "SELECT 3, 9, 8"},
    {"SELECT a FROM t WHERE a > $low AND b < $high", "SELECT a FROM t WHERE a > -5 AND b < 12.50"},
    {"SELECT a - $low, a -$n, a+$n", "SELECT a - (-5), a -3, a+3"},
    {"SELECT -$n, -($n), - - $n, -$low, +$n", "SELECT -3, -(3), - - 3, -(-5), +3"},
    {"SELECT - -$high", "SELECT - -12.50"},
    {"SELECT $rate, $whole", "SELECT 0.25, 4.0"},
    {"SELECT $yes, $nothing", "SELECT true, NULL"},
    {"SELECT $day, $time", "SELECT DATE '2026-01-31', TIMESTAMP '2026-01-31 12:00:00'"},
    {"SELECT $city", "SELECT 'O''Brien; DROP TABLE customer --'"},
    {"SELECT a IN ($n, $low), a LIKE $city, a BETWEEN $low AND $n",
     "SELECT a IN (3, -5), a LIKE 'O''Brien; DROP TABLE customer --', a BETWEEN -5 AND 3"},
    {"SELECT sum(a, $low, $n), f(a, upper => $n)", "SELECT sum(a, -5, 3), f(a, upper => 3)"},
    {"SELECT CAST($n AS numeric), $n::text", "SELECT CAST(3 AS numeric), 3::text"},
    {"SELECT a FROM t ORDER BY a LIMIT $n OFFSET $n",
     "SELECT a FROM t ORDER BY a LIMIT 3 OFFSET 3"},
    {"SELECT CASE a WHEN $n THEN $city ELSE $nothing END",
     "SELECT CASE a WHEN 3 THEN 'O''Brien; DROP TABLE customer --' ELSE NULL END"},
    {"SELECT $n;SELECT $low", "SELECT 3; SELECT -5"},
    {"SET dp.x = $rate; SET dp.y TO $city; SET dp.z=$low",
     "SET dp.x = 0.25; SET dp.y TO 'O''Brien; DROP TABLE customer --'; SET dp.z=-5"},
    {"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = $rate, delta=$n) $n",
     "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0.25, delta=3) 3"},
    {"SELECT DATE $city, INTERVAL $city DAY, EXTRACT($city FROM a)",
     "SELECT DATE 'O''Brien; DROP TABLE customer --', "
     "INTERVAL 'O''Brien; DROP TABLE customer --' DAY, "
     "EXTRACT('O''Brien; DROP TABLE customer --' FROM a)"},
    {"SELECT 1 WHERE $n=$n", "SELECT 1 WHERE 3=3"},
};

TEST(Parameters, AreTheLiteralWrittenOut) {
  for (const Written& written : kWritten) {
    const std::string plain = DumpOf(written.plain);
    EXPECT_TRUE(plain.starts_with("(")) << plain;
    EXPECT_EQ(DumpOf(written.with, Known()), plain) << written.with;
  }
}

TEST(Parameters, AreFoundWhereTheScannerSeesThem) {
  for (const std::string_view sql :
       {"SELECT '$n'", "SELECT E'\\'$n'", "SELECT \"$n\" FROM t", "SELECT 1 -- $n",
        "SELECT /* $n */ 1", "SELECT $$ $n $$", "SELECT $n$ $low $n$", "SELECT a$n FROM t"}) {
    EXPECT_EQ(DumpOf(sql, Known()), DumpOf(sql)) << sql;
    EXPECT_TRUE(DumpOf(sql).starts_with("(")) << DumpOf(sql);
  }
}

TEST(Parameters, ChangeNoTextWithoutThem) {
  for (const std::string_view sql : kQueryCorpus) EXPECT_EQ(DumpOf(sql, Known()), DumpOf(sql));
}

TEST(Parameters, KeepTheirPlaces) {
  const std::string sql = "SELECT 'ö', sum(a, $low, -$n) FROM t WHERE d >= $day";
  const auto parsed = Parse(sql, Known());
  ASSERT_TRUE(parsed.ok());
  std::string found;
  for (const Place& place : Places(parsed->at(0))) {
    const std::string text = sql.substr(place.span.begin, place.span.end - place.span.begin);
    if (place.kind == "Expr" && text.find('$') < 2) found += text + "|";
  }
  EXPECT_EQ(found, "$low|-$n|$day|$day|");
}

TEST(Parameters, WithoutAValueAreRefused) {
  const std::string_view sql = "SELECT a FROM t WHERE a > $lwo";
  const Error near = RefusalOf(sql, Known());
  EXPECT_EQ(near.code, "P107");
  EXPECT_EQ(Marked(sql, near), "$lwo");
  EXPECT_EQ(near.hint, "did you mean  $low ?");
  const Error far = RefusalOf(sql);
  EXPECT_EQ(far.code, "P107");
  EXPECT_EQ(far.hint, "give it one:  --param lwo=value");
  EXPECT_EQ(RefusalOf("SELECT $N", Known()).hint, "did you mean  $n ?");
  EXPECT_EQ(RefusalOf("SELECT 1; SELECT $é", Known()).code, "P107");
}

TEST(Parameters, AreToldByNameInSyntaxErrors) {
  const auto message = [](std::string_view sql) { return RefusalOf(sql, Known()).message; };
  EXPECT_EQ(message("SELECT 1 $low"), "syntax error at or near \"$low\"");
  EXPECT_EQ(message("SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS ($low = 1) 1"),
            "syntax error at or near \"$low\"");
  EXPECT_EQ(message("SELECT ($low"), "syntax error at end of input");
  EXPECT_EQ(message("SELECT $ low"), "syntax error at or near \"$\"");
  EXPECT_EQ(message("SELECT $\"low\""), "syntax error at or near \"$\"");
  EXPECT_EQ(message("SET dp.x = -$low"), "syntax error at or near \"$low\"");
  EXPECT_EQ(message("SELECT a FROM $city"), "syntax error at or near \"$city\"");
}

// A name, a type, a function or a second statement is never made of a value.
TEST(Parameters, AreValuesOnly) {
  const auto code = [](std::string_view sql, const std::string& value) {
    return RefusalOf(sql, {{"x", Parameter::Text(value)}}).code;
  };
  EXPECT_EQ(code("SELECT a FROM $x", "customer"), "P101");
  EXPECT_EQ(code("SELECT $x(a)", "count"), "P101");
  EXPECT_EQ(code("SELECT a::$x", "int"), "P101");
  EXPECT_EQ(code("SELECT a AS $x", "b"), "P101");
  EXPECT_EQ(code("SELECT a FROM t ORDER BY (a) $x", "DESC"), "P101");
  EXPECT_EQ(code("$x", "SELECT 1"), "P101");
  EXPECT_EQ(code("SELECT x.$x", "a"), "P101");
  EXPECT_EQ(code("SET $x = 1", "dp.epsilon"), "P101");
  EXPECT_EQ(code("SET dp.x = $x, $x", "1"), "P106");
  EXPECT_EQ(code("SELECT a::numeric($x)", "3"), "P105");
  EXPECT_EQ(code("SELECT $x.a", "t"), "P105");
}

TEST(Parameters, HoldAnyTextAsItIs) {
  for (const std::string_view value : {"' OR '1'='1", "$n", "$1", "x'; SELECT $n; --", "\\", "\\'",
                                       "/*", "$$", "\n", "", "\u202E", "🦆"}) {
    const auto parsed = Parse("SELECT $x", {{"x", Parameter::Text(std::string(value))}});
    ASSERT_TRUE(parsed.ok()) << value;
    ASSERT_EQ(parsed->size(), 1u);
    const auto& select = std::get<ast::SelectStatement>(parsed->at(0).node).select;
    ASSERT_EQ(select.items.size(), 1u);
    EXPECT_EQ(std::get<ast::String>(select.items[0].expr->node).value, value);
  }
}

// A number goes to the database as it stands, so it must be one.
TEST(Parameters, OfAWrongTextAreRefused) {
  const auto code = [](ParameterType type, const std::string& text) {
    return RefusalOf("SELECT $x", {{"x", {type, text}}}).code;
  };
  constexpr auto kInteger = ParameterType::kInteger;
  EXPECT_EQ(code(kInteger, "9223372036854775807"), "");
  EXPECT_EQ(code(kInteger, "-9223372036854775808"), "");
  for (const char* text : {"9223372036854775808", "1.5", "1e3", "", "-", "+1", " 1", "1 ", "0x10",
                           "1_000", "1; DROP", "1) OR (1=1", "٣"}) {
    EXPECT_EQ(code(kInteger, text), "P108") << text;
  }
  for (const ParameterType type : {ParameterType::kDecimal, ParameterType::kDouble}) {
    for (const char* text : {"12.5", "-.5", "5.", "7", "1e6", "2E-3"})
      EXPECT_EQ(code(type, text), "");
    for (const char* text :
         {"nan", "inf", "-inf", "Infinity", "1e400", "1e", "1,5", "0x1p3", "--1"}) {
      EXPECT_EQ(code(type, text), "P108") << text;
    }
  }
  EXPECT_EQ(code(ParameterType::kBoolean, "yes"), "P108");
  EXPECT_EQ(code(ParameterType::kNull, "x"), "P108");
  EXPECT_EQ(code(ParameterType::kText, std::string("a\0b", 3)), "P108");
  EXPECT_EQ(code(ParameterType::kText, "\xC3"), "P108");
  EXPECT_EQ(code(ParameterType::kDate, std::string("2026-01-01\0", 11)), "P108");
  const Parameters nan = {{"x", Parameter::Double(std::nan(""))},
                          {"y", Parameter::Double(std::numeric_limits<double>::infinity())}};
  EXPECT_EQ(RefusalOf("SELECT $x", nan).code, "P108");
  EXPECT_EQ(RefusalOf("SELECT $y", nan).code, "P108");
}

TEST(Parameters, AreNotLongerThanAStatement) {
  const Parameters half = {{"x", Parameter::Text(std::string(kMaxTextBytes / 2, 'a'))}};
  EXPECT_EQ(RefusalOf("SELECT $x, $x", half).code, "");
  EXPECT_EQ(RefusalOf("SELECT $x, $x, $x", half).code, "P102");
}

TEST(Parameters, WithoutATypeReadAsWhatTheyLookLike) {
  const auto type = [](const std::string& text) { return Parameter::Untyped(text).type; };
  for (const char* text : {"0", "5", "-5", "9223372036854775807"}) {
    EXPECT_EQ(type(text), ParameterType::kInteger) << text;
  }
  for (const char* text : {"0.5", "-.5", "1e6", "9223372036854775808"}) {
    EXPECT_EQ(type(text), ParameterType::kDecimal) << text;
  }
  for (const char* text : {"true", "false"}) EXPECT_EQ(type(text), ParameterType::kBoolean);
  for (const char* text : {"", "01067", "-01", "00", "nan", "inf", "1e400", "+5", " 5", "True",
                           "null", "2026-01-31", "0x10", "five"}) {
    EXPECT_EQ(type(text), ParameterType::kText) << text;
  }
}

}  // namespace
}  // namespace dpsql
