#include "sql/spans.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "sql/tokens.h"

namespace dpsql {
namespace {

template <std::size_t N>
bool IsOneOf(const Tokens& tokens, std::size_t i, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return tokens.Is(i, word); });
}

constexpr auto kUnits =
    std::to_array<std::string_view>({"year", "month", "day", "hour", "minute", "second"});
constexpr auto kSetOperators = std::to_array<std::string_view>({"union", "intersect", "except"});
constexpr auto kTails =
    std::to_array<std::string_view>({"order", "limit", "offset", "fetch", "for"});

std::size_t SkipBrackets(const Tokens& tokens, std::size_t last) {
  return tokens.Is(last + 1, "(") ? tokens.Partner(last + 1) : last;
}

std::size_t SkipWord(const Tokens& tokens, std::size_t last, std::string_view word) {
  return tokens.Is(last + 1, word) ? last + 1 : last;
}

std::size_t EndOfTimeType(const Tokens& tokens, std::size_t first) {
  const std::size_t last = SkipBrackets(tokens, first);
  const bool zone = (tokens.Is(last + 1, "with") || tokens.Is(last + 1, "without")) &&
                    tokens.Is(last + 2, "time") && tokens.Is(last + 3, "zone");
  return zone ? last + 3 : last;
}

std::size_t EndOfSimpleType(const Tokens& tokens, std::size_t first) {
  if (tokens.Is(first, "double")) return SkipWord(tokens, first, "precision");
  if (tokens.Is(first, "timestamp") || tokens.Is(first, "time")) {
    return EndOfTimeType(tokens, first);
  }
  if (tokens.Is(first, "interval")) {
    return EndOfIntervalUnits(tokens, SkipBrackets(tokens, first));
  }
  std::size_t last = first;
  if (tokens.Is(first, "national")) ++last;
  last = SkipWord(tokens, last, "varying");
  while (tokens.Is(last + 1, ".")) last += 2;
  return SkipBrackets(tokens, last);
}

// A keyword is only a label after AS or a dot: `SELECT a AS from`, `t.order`.
bool IsLabel(const Tokens& tokens, std::size_t i) {
  return i > 0 && (tokens.Is(i - 1, "as") || tokens.Is(i - 1, "."));
}

template <typename Stop>
std::size_t Walk(const Tokens& tokens, std::size_t first, Stop stop) {
  std::size_t i = first;
  while (i < tokens.size() && !tokens.Is(i, ")") && !tokens.Is(i, ";")) {
    if (!IsLabel(tokens, i) && stop(i)) return i;
    const bool opens = tokens.Is(i, "(") || tokens.Is(i, "[");
    i = opens ? tokens.Partner(i) + 1 : i + 1;
  }
  return i;
}

}  // namespace

std::size_t FirstToken(const Tokens& tokens, SourceSpan span) { return tokens.At(span.begin); }

std::size_t LastToken(const Tokens& tokens, SourceSpan span) { return tokens.At(span.end) - 1; }

SourceSpan WithBrackets(const Tokens& tokens, SourceSpan span) {
  if (span.empty()) return span;
  std::size_t first = FirstToken(tokens, span);
  std::size_t last = LastToken(tokens, span);
  while (first > 0 && tokens.Is(first - 1, "(") && tokens.Partner(first - 1) == last + 1) {
    --first;
    ++last;
  }
  return tokens.SpanOf(first, last);
}

SourceSpan Balanced(const Tokens& tokens, SourceSpan span) {
  std::size_t first = FirstToken(tokens, span);
  std::size_t last = LastToken(tokens, span);
  const std::size_t begin = first;
  const std::size_t end = last;
  for (std::size_t i = begin; i <= end; ++i) {
    const std::size_t partner = tokens.Partner(i);
    if (partner == Tokens::kNone) continue;
    first = std::min(first, partner);
    last = std::max(last, partner);
  }
  return tokens.SpanOf(first, last);
}

SourceSpan Cover(const Tokens& tokens, SourceSpan first, SourceSpan last) {
  return {WithBrackets(tokens, first).begin, WithBrackets(tokens, last).end};
}

std::size_t EndOfType(const Tokens& tokens, std::size_t first) {
  std::size_t last = EndOfSimpleType(tokens, first);
  last = SkipWord(tokens, last, "array");
  while (tokens.Is(last + 1, "[")) last = tokens.Partner(last + 1);
  return last;
}

std::size_t EndOfIntervalUnits(const Tokens& tokens, std::size_t last) {
  if (!IsOneOf(tokens, last + 1, kUnits)) return last;
  ++last;
  if (tokens.Is(last + 1, "to") && IsOneOf(tokens, last + 2, kUnits)) last += 2;
  return tokens.Is(last, "second") ? SkipBrackets(tokens, last) : last;
}

bool IsQueryTail(const Tokens& tokens, std::size_t i) { return IsOneOf(tokens, i, kTails); }

bool IsSetOperator(const Tokens& tokens, std::size_t i) {
  return IsOneOf(tokens, i, kSetOperators);
}

std::size_t AfterQueryBody(const Tokens& tokens, std::size_t first) {
  return Walk(tokens, first,
              [&](std::size_t i) { return IsQueryTail(tokens, i) || IsSetOperator(tokens, i); });
}

std::size_t AfterQuery(const Tokens& tokens, std::size_t first) {
  return Walk(tokens, first, [&](std::size_t i) { return IsSetOperator(tokens, i); });
}

std::size_t FindFrom(const Tokens& tokens, std::size_t first, std::size_t end) {
  const std::size_t found = Walk(tokens, first, [&](std::size_t i) {
    // IS DISTINCT FROM is the one other place of this word outside brackets.
    return tokens.Is(i, "from") && !tokens.Is(i - 1, "distinct");
  });
  return std::min(found, end);
}

}  // namespace dpsql
