#include "sql/pattern_call.h"

#include <optional>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace dpsql {
namespace {

using Kind = Regex::Kind;

bool IsLike(std::string_view name) { return name == "like" || name == "not like"; }
bool IsFoldedLike(std::string_view name) { return name == "ilike" || name == "not ilike"; }

Regex OneOf(CharSet set) {
  Regex regex{.kind = Kind::kSet};
  regex.set = std::move(set);
  return regex;
}

Regex Many() {
  Regex regex{.kind = Kind::kRepeat, .least = 0, .most = Regex::kUnbounded};
  regex.parts.push_back(OneOf(CharSet::All()));
  return regex;
}

// Requires: UTF-8.
RegexReading ReadLike(std::string_view pattern, std::optional<char32_t> escape, bool folded) {
  RegexReading reading;
  std::vector<Regex>& parts = reading.regex.parts;
  parts.push_back({.kind = Kind::kBegin});
  bool literal = false;
  while (!pattern.empty()) {
    const CodePoint next = DecodeUtf8(pattern);
    pattern.remove_prefix(next.size);
    if (!literal && next.value == escape) {
      literal = true;
    } else if (!literal && next.value == U'%') {
      parts.push_back(Many());
    } else if (!literal && next.value == U'_') {
      parts.push_back(OneOf(CharSet::All()));
    } else {
      const auto letter = folded ? SmallLetter(next.value) : next.value;
      if (!letter) return {.fault = "it has a letter whose small form may differ there"};
      parts.push_back(OneOf(CharSet().Add({*letter, *letter})));
      literal = false;
    }
  }
  parts.push_back({.kind = Kind::kEnd});
  return reading;
}

// One character, or none where there is no such argument.
std::optional<char32_t> EscapeOf(const ast::Call& call) {
  if (call.arguments.size() < 3) return std::nullopt;
  const auto* text = std::get_if<ast::String>(&call.arguments[2].value->node);
  return text != nullptr && text->value.size() == 1
             ? std::optional(static_cast<char32_t>(text->value[0]))
             : std::nullopt;
}

}  // namespace

bool ReadsPattern(std::string_view function, RegexStyle style) {
  const bool like = style == RegexStyle::kJava && (IsLike(function) || IsFoldedLike(function));
  return like || (style != RegexStyle::kAsWritten && IsRegexOperator(function));
}

RegexReading ReadPattern(const ast::Call& call) {
  const auto* pattern = std::get_if<ast::String>(&call.arguments.at(1).value->node);
  if (pattern == nullptr) return {.fault = "the pattern must be a text"};
  if (IsRegexOperator(call.name)) return ReadRegexOf(call.name, pattern->value);
  return ReadLike(pattern->value, EscapeOf(call), IsFoldedLike(call.name));
}

std::size_t PlacesOf(std::string_view function, std::size_t arguments, RegexStyle style) {
  return !IsRegexOperator(function) && ReadsPattern(function, style) ? 2 : arguments;
}

}  // namespace dpsql
