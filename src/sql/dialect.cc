#include "sql/dialect.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace dpsql {
namespace {

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
  std::string_view any_number;
  for (const Function& candidate : functions_) {
    if (candidate.name != function) continue;
    if (candidate.text.find("$*") != std::string_view::npos) {
      any_number = candidate.text;
    } else if (CountPlaceholders(candidate.text) == arguments) {
      return candidate.text;
    }
  }
  return any_number;
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
  return Quote(identifier, quoting_.identifier_quote);
}

std::string Dialect::QuoteString(std::string_view text) const {
  if (!quoting_.backslash_escapes) return Quote(text, '\'');
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
