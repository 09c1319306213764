#include "sql/dialect.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace dpsql {
namespace {

// What every database writes alike. A dialect's own line or refusal of the same name comes first.
constexpr Dialect::Function kCommonFunctions[] = {
    {"=", "($1 = $2)"},
    {"<>", "($1 <> $2)"},
    {"<", "($1 < $2)"},
    {"<=", "($1 <= $2)"},
    {">", "($1 > $2)"},
    {">=", "($1 >= $2)"},
    {"< text", "($1 < $2)"},
    {"<= text", "($1 <= $2)"},
    {"> text", "($1 > $2)"},
    {">= text", "($1 >= $2)"},
    {"is distinct from", "($1 IS DISTINCT FROM $2)"},
    {"is not distinct from", "($1 IS NOT DISTINCT FROM $2)"},
    {"coalesce", "coalesce($*)"},
    {"nullif", "nullif($1, $2)"},
    {"greatest", "greatest($*)"},
    {"least", "least($*)"},
    {"greatest text", "greatest($*)"},
    {"least text", "least($*)"},
    {"greatest interval", "greatest($*)"},
    {"least interval", "least($*)"},
    {"byte order", "$1"},
    {"interval text", "CAST($1 AS VARCHAR)"},
    {"nan to null", "nullif($1, CAST('nan' AS DOUBLE))"},
    {"itself", "$1"},
    {"cut text", "left($1, 4096)"},
    {"negate real", "(0 - $1)"},
    {"abs real", "abs($1)"},
    {"&", "($1 & $2)"},
    {"|", "($1 | $2)"},
    {"cast integer to boolean", "($1 <> 0)"},
    {"real +", "($1 + $2)"},
    {"real -", "($1 - $2)"},
    {"real *", "($1 * $2)"},
    {"step *", "($1 * $2)"},
    {"stored timestamp", "$1"},
    {"avg", "avg($*)"},
    {"bool_and", "bool_and($*)"},
    {"bool_or", "bool_or($*)"},
    {"count", "count($*)"},
    {"max", "max($*)"},
    {"max text", "max($*)"},
    {"max uuid", "max($*)"},
    {"min", "min($*)"},
    {"min text", "min($*)"},
    {"min uuid", "min($*)"},
    {"sum", "sum($*)"},
    {"sum of steps", "sum($*)"},   // each at most 2^20
    {"sum of powers", "sum($*)"},  // each at most 2^40
    {"sum of a unit", "sum($*)"},
    {"addend", "$1"},  // a whole number as its sum cannot overflow
    {"mean", "($1 / nullif($2, 0))"},
    {"cume_dist", "cume_dist($*)"},
    {"dense_rank", "dense_rank($*)"},
    {"first_value", "first_value($*)"},
    {"lag", "lag($*)"},
    {"last_value", "last_value($*)"},
    {"lead", "lead($*)"},
    {"nth_value", "nth_value($*)"},
    {"ntile", "ntile($*)"},
    {"percent_rank", "percent_rank($*)"},
    {"rank", "rank($*)"},
    {"row_number", "row_number($*)"},
    // Of numbers up to 38 digits; see backend/unit_clip.h.
    {"wide +", "($1 + $2)"},
    {"wide *", "($1 * $2)"},
    {"wide abs", "abs($1)"},
    {"wide sum", "sum($*)"},
    {"wide sum or null", "sum($*)"},
    {"joined texts", "concat($*)"},
};

// The highest n of a text's $n.
std::size_t CountPlaceholders(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const char digit = text[i + 1];
    if (text[i] != '$' || digit < '1' || digit > '9') continue;
    count = std::max(count, static_cast<std::size_t>(digit - '0'));
  }
  return count;
}

std::string_view FindIn(std::span<const Dialect::Function> functions, std::string_view name,
                        std::size_t arguments) {
  std::string_view any_number;
  for (const Dialect::Function& candidate : functions) {
    if (candidate.name != name) continue;
    if (candidate.text.find("$*") != std::string_view::npos) {
      any_number = candidate.text;
    } else if (CountPlaceholders(candidate.text) == arguments) {
      return candidate.text;
    }
  }
  return any_number;
}

// Quotes by doubling, which standard SQL and every database here understands; a NUL byte would
// end the text in some of them.
std::string Quote(std::string_view text, char quote) {
  Check(text.find('\0') == std::string_view::npos, "quoted text holds no NUL byte");
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote) out += quote;
    out += c;
  }
  return out + quote;
}

}  // namespace

std::string_view Dialect::FindFunction(std::string_view function, std::size_t arguments) const {
  if (function.ends_with(kUnguarded)) {
    const std::string_view bare = FindIn(functions_, function, arguments);
    if (!bare.empty()) return bare;
    function.remove_suffix(kUnguarded.size());
  }
  const std::string_view own = FindIn(functions_, function, arguments);
  if (!own.empty() || !FindRefusal(function).empty()) return own;
  return FindIn(kCommonFunctions, function, arguments);
}

std::string_view Dialect::FindRefusal(std::string_view function) const {
  for (const Refusal& candidate : refusals_) {
    if (candidate.name == function) return candidate.reason;
  }
  return {};
}

std::string_view Dialect::FindType(std::string_view type) const {
  for (const Type& candidate : types_) {
    if (candidate.name == type) return candidate.text;
  }
  return {};
}

std::string Dialect::QuoteIdentifier(std::string_view identifier) const {
  Check(!identifier.empty(), "an identifier has a name");
  return Quote(identifier, traits_.identifier_quote);
}

std::string Dialect::QuoteString(std::string_view text) const {
  if (!traits_.backslash_escapes) return Quote(text, '\'');
  Check(text.find('\0') == std::string_view::npos, "quoted text holds no NUL byte");
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::span<const Dialect* const> AllDialects() {
  static const std::array<const Dialect*, 4> kAll = {&DuckDbDialect(), &PostgreSqlDialect(),
                                                     &SqliteDialect(), &SparkDialect()};
  return kAll;
}

}  // namespace dpsql
