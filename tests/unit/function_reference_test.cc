// docs/reference/functions.md is written from the registry. To write it anew:
// DPSQL_UPDATE=1 dpsql_unit_tests --gtest_filter=FunctionReference.*
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "sql/dialect.h"
#include "validate/functions.h"

namespace dpsql {
namespace {

constexpr const char* kPath = DPSQL_SOURCE_DIR "/docs/reference/functions.md";

constexpr const char* kIntroduction = R"(# What a row expression may use

Written from the registry in `src/validate`; `tests/unit/function_reference_test.cc` keeps it so.

The meaning is PostgreSQL's, made total: where PostgreSQL would raise an error for a value, the
result is NULL. No row can make a query fail, so no error says what a row holds.

- Whole numbers are computed in 64 bits. Other numbers, decimals too, are computed as DOUBLE;
  decimals of one type are compared and grouped exactly. NaN is read as NULL and never comes out. A
  DOUBLE beyond the largest is an infinity, where PostgreSQL raises an error. On PostgreSQL itself
  an operand near the ends of DOUBLE gives NULL.
- Halves are rounded away from zero, also of DOUBLE, where PostgreSQL rounds to even.
- `-9223372036854775808 % -1` is NULL.
- Characters are code points. Small and capital letters beyond ASCII are the engine's; `reverse`
  keeps combining marks with their letter on DuckDB.
- Dates before year 1 have no year; infinite dates have no parts.
- A literal is asked for where its value decides how long a result is or whether there is one:
  lengths, positions, patterns, separators.
- A regular expression may use characters, `.`, `[a-z]`, `^`, `$`, `|`, `( )`, `*`, `+`, `?` and
  `{m,n}`: what all engines read alike and match in time linear in the text; at most 300 characters
  and classes when every `{m,n}` is written out. A pattern of `LIKE` has at most 10 times `%` and
  100 times `_`. `SIMILAR TO` is refused.
- At most 100 calls stand inside one another. On DuckDB -0.0 and 0.0 are one number to every
  function.
- `BETWEEN`, `BETWEEN SYMMETRIC`, `NOT IN` and `CASE x WHEN y` are written with what is below.
- A bare NULL takes the type of its neighbours. `NUMERIC` without digits is DOUBLE.
- Bounds: *follows* means that bounds of the arguments give bounds of the result, a range that the
  result always lies in it; such bounds serve every aggregate that needs bounds, SUM and the rest.

)";

const std::map<char, std::string>& LetterNames() {
  static const std::map<char, std::string> kNames = {
      {'i', "integer"},   {'r', "number"},    {'x', "exact number"}, {'b', "boolean"},
      {'t', "text"},      {'u', "uuid"},      {'d', "date"},         {'z', "timestamp"},
      {'s', "timestamp"}, {'v', "interval"},  {'a', "value"},        {'n', "*digits*"},
      {'k', "*0 … 100*"}, {'m', "*1 …*"},     {'c', "*number*"},     {'l', "*text*"},
      {'q', "*text*"},    {'p', "*pattern*"}, {'e', "*regex*"},      {'+', "…"},
  };
  return kNames;
}

// A bar would end the table's cell.
std::string Cell(const std::string& text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

std::string Form(const ScalarFunction& function) {
  std::vector<std::string> names;
  for (const char letter : function.arguments) names.push_back(LetterNames().at(letter));
  if (function.name == "case") names = {"boolean", "value", "value"};
  return Cell(WriteCall(function.name, names));
}

std::string Bounds(const ScalarFunction& function) {
  if (function.name == "greatest" || function.name == "least") return "follows";
  if (function.interval == nullptr) return "";
  if (function.range.empty()) return "follows";
  const auto range = function.interval({});
  std::ostringstream text;
  text << range->low << " to " << range->high;
  return text.str();
}

std::string Row(const ScalarFunction& function) {
  std::string row = "| " + Form(function) + " | " +
                    (function.result.empty() ? "value" : std::string(function.result)) + " | " +
                    Cell(std::string(function.meaning)) + " | " + Bounds(function) + " |";
  for (const Dialect* dialect : AllDialects()) {
    row += dialect->FindRefusal(function.key).empty() ? " yes |" : " — |";
  }
  return row + "\n";
}

std::string Section(const char* title, std::span<const ScalarFunction> functions) {
  std::string text =
      std::string("## ") + title +
      "\n\n| form | gives | meaning | bounds | DuckDB | PostgreSQL | SQLite | Spark |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const ScalarFunction& function : functions) text += Row(function);
  return text + "\n";
}

std::string Reasons() {
  std::string text =
      "## Why not on every engine\n\n| engine | function | reason |\n|---|---|---|\n";
  for (const Dialect* dialect : AllDialects()) {
    std::map<std::string, std::string> names_by_reason;
    for (const ScalarFunction& function : AllScalarFunctions()) {
      const std::string reason(dialect->FindRefusal(function.key));
      const std::string name = "`" + Cell(std::string(function.name)) + "`";
      if (reason.empty() || names_by_reason[reason].find(name) != std::string::npos) continue;
      names_by_reason[reason] += (names_by_reason[reason].empty() ? "" : ", ") + name;
    }
    for (const auto& [reason, names] : names_by_reason) {
      text += "| " + std::string(dialect->name()) + " | " + names + " | " + reason + " |\n";
    }
  }
  return text;
}

TEST(FunctionReference, IsWrittenFromTheRegistry) {
  const std::string text =
      kIntroduction + Section("Comparison, logic, choice", LogicFunctions()) +
      Section("Arithmetic", ArithmeticFunctions()) + Section("Text", TextFunctions()) +
      Section("Dates and times", TimeFunctions()) + Section("Casts", CastFunctions()) + Reasons();
  if (std::getenv("DPSQL_UPDATE") != nullptr) std::ofstream(kPath) << text;
  std::ostringstream stored;
  stored << std::ifstream(kPath).rdbuf();
  EXPECT_EQ(stored.str(), text);
}

}  // namespace
}  // namespace dpsql
