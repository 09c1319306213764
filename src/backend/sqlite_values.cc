#include "backend/sqlite_values.h"

#include <algorithm>
#include <chrono>

#include "base/sha256.h"
#include "base/utf8.h"

namespace dpsql {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Whether the text looks like the form, in which a 0 stands for any digit.
bool HasForm(std::string_view text, std::string_view form) {
  return text.size() == form.size() &&
         std::equal(text.begin(), text.end(), form.begin(),
                    [](char c, char f) { return f == '0' ? IsDigit(c) : c == f; });
}

int NumberAt(std::string_view text, std::size_t first, std::size_t digits) {
  int number = 0;
  for (const char c : text.substr(first, digits)) number = number * 10 + (c - '0');
  return number;
}

// The fraction as it is kept, with its point; nothing where it has too many digits or none.
std::optional<std::string> Fraction(std::string_view text) {
  constexpr std::size_t kMostDigits = 6;
  if (text.empty()) return "";
  if (text.front() != '.' || text.size() < 2 || text.size() > 1 + kMostDigits) return std::nullopt;
  if (!std::all_of(text.begin() + 1, text.end(), IsDigit)) return std::nullopt;
  const std::size_t last = text.find_last_not_of('0');
  return std::string(text.substr(0, last == 0 ? 0 : last + 1));
}

}  // namespace

bool IsPlainText(std::string_view text) {
  return text.find('\0') == std::string_view::npos && IsValidUtf8(text);
}

std::string ShortText(std::string_view text) {
  constexpr std::size_t kDigest = 64;
  if (text.size() <= kLongestWholeText) return std::string(text);
  const std::size_t kept = ValidUtf8Prefix(text.substr(0, kLongestSqliteText - kDigest));
  return std::string(text.substr(0, kept)) + Sha256Hex(text);
}

bool IsDay(std::string_view text) {
  if (!HasForm(text, "0000-00-00")) return false;
  const int year = NumberAt(text, 0, 4);
  return year > 0 && std::chrono::year_month_day(
                         std::chrono::year(year),
                         std::chrono::month(static_cast<unsigned>(NumberAt(text, 5, 2))),
                         std::chrono::day(static_cast<unsigned>(NumberAt(text, 8, 2))))
                         .ok();
}

std::optional<std::string> MomentOf(std::string_view text) {
  constexpr std::size_t kDay = 10;
  constexpr std::size_t kMinutes = 6;  // of " HH:MM"
  constexpr std::size_t kSeconds = 9;  // of " HH:MM:SS"
  const std::string_view day = text.substr(0, kDay);
  if (!IsDay(day)) return std::nullopt;
  std::string_view rest = text.substr(day.size());
  if (rest.empty()) return std::string(day) + " 00:00:00";
  if (rest.front() != ' ' && rest.front() != 'T') return std::nullopt;
  const bool has_seconds = rest.size() > kMinutes;
  if (!HasForm(rest.substr(1, (has_seconds ? kSeconds : kMinutes) - 1),
               has_seconds ? "00:00:00" : "00:00")) {
    return std::nullopt;
  }
  const int second = has_seconds ? NumberAt(rest, 7, 2) : 0;
  if (NumberAt(rest, 1, 2) > 23 || NumberAt(rest, 4, 2) > 59 || second > 59) return std::nullopt;
  const auto fraction = Fraction(has_seconds ? rest.substr(kSeconds) : "");
  if (!fraction) return std::nullopt;
  return std::string(day) + " " + std::string(rest.substr(1, kMinutes - 1)) +
         (has_seconds ? std::string(rest.substr(kMinutes, 3)) : ":00") + *fraction;
}

namespace {

// What stands next in a pattern.
struct PatternPart {
  enum class Kind { kEnd, kCharacter, kOne, kMany };
  Kind kind = Kind::kEnd;
  std::string_view character;
  std::size_t size = 0;  // in bytes of the pattern
};

std::string_view FirstCharacter(std::string_view text) {
  return text.empty() ? text : text.substr(0, DecodeUtf8(text).size);
}

PatternPart NextPart(std::string_view pattern, std::string_view escape) {
  using Kind = PatternPart::Kind;
  const std::string_view first = FirstCharacter(pattern);
  if (first.empty()) return {};
  if (!escape.empty() && first == escape) {
    const std::string_view meant = FirstCharacter(pattern.substr(first.size()));
    return {Kind::kCharacter, meant, first.size() + meant.size()};
  }
  const Kind kind = first == "%" ? Kind::kMany : first == "_" ? Kind::kOne : Kind::kCharacter;
  return {kind, first, first.size()};
}

}  // namespace

// After a % only the last one is ever tried again: what an earlier one could take, it can too.
bool IsLike(std::string_view text, std::string_view pattern, std::string_view escape) {
  using Kind = PatternPart::Kind;
  std::optional<std::string_view> again;  // the pattern behind the last %
  std::string_view from;                  // the text that it was tried on last
  while (true) {
    const PatternPart part = NextPart(pattern, escape);
    const std::string_view first = FirstCharacter(text);
    const bool takes = !first.empty() && (part.kind == Kind::kOne || part.character == first);
    if (part.kind == Kind::kMany) {
      pattern.remove_prefix(part.size);
      again = pattern;
      from = text;
    } else if (part.kind == Kind::kEnd && text.empty()) {
      return true;
    } else if (part.kind != Kind::kEnd && takes) {
      pattern.remove_prefix(part.size);
      text.remove_prefix(first.size());
    } else if (again && !from.empty()) {
      from.remove_prefix(FirstCharacter(from).size());
      text = from;
      pattern = *again;
    } else {
      return false;
    }
  }
}

}  // namespace dpsql
