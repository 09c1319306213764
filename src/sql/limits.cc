#include "sql/limits.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/error_codes.h"
#include "base/try.h"
#include "base/utf8.h"
#include "sql/tokens.h"

namespace dpsql {
namespace {

constexpr std::string_view kOperatorCharacters = "~!@#^&|`?+-*/%<>=";

// The scanner reads a whole run of operator characters and gives most of it back, once per
// character. Short runs are cheap in any number; of long ones the sum of squares is limited.
constexpr std::size_t kFreeRunBytes = 64;
constexpr std::size_t kMaxRunCost = 1'000'000;

SourceSpan ByteAt(std::size_t offset) {
  const auto begin = static_cast<std::uint32_t>(offset);
  return {begin, begin + 1};
}

Error TooLarge(std::string what, SourceSpan span = {}) {
  return MakeError(ErrorCode::kTooLarge, std::move(what), span);
}

Status CheckOperatorRuns(std::string_view sql) {
  std::size_t cost = 0;
  std::size_t at = 0;
  while ((at = sql.find_first_of(kOperatorCharacters, at)) != std::string_view::npos) {
    const std::size_t end = std::min(sql.find_first_not_of(kOperatorCharacters, at), sql.size());
    const std::size_t length = end - at;
    if (length > kFreeRunBytes) cost += length * length;
    if (cost > kMaxRunCost) {
      return TooLarge("statement has too long runs of operator characters", ByteAt(at));
    }
    at = end;
  }
  return Done{};
}

// Spaces, marks of direction and other characters that one does not see: PostgreSQL takes them for
// letters, so that two words become one name.
bool IsUnseen(char32_t c) {
  return c == 0x00A0 || c == 0x00AD || c == 0x1680 || (c >= 0x2000 && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202F) || (c >= 0x205F && c <= 0x206F) || c == 0x3000 || c == 0xFEFF;
}

Status CheckName(std::string_view name, SourceSpan span) {
  if (name.front() == '"') return Done{};
  for (std::size_t at = 0; at < name.size();) {
    const CodePoint point = DecodeUtf8(name.substr(at));
    if (IsUnseen(point.value)) {
      return MakeError(ErrorCode::kInvalidText, "a character that is not seen stands in this name",
                       span, "write ordinary spaces between words");
    }
    at += point.size;
  }
  return Done{};
}

}  // namespace

Status CheckText(std::string_view sql) {
  if (sql.size() > kMaxTextBytes) {
    return TooLarge("statement is longer than " + std::to_string(kMaxTextBytes) + " bytes");
  }
  const std::size_t nul = sql.find('\0');
  if (nul != std::string_view::npos) {
    return MakeError(ErrorCode::kInvalidText, "statement holds a NUL byte", ByteAt(nul));
  }
  const std::size_t valid = ValidUtf8Prefix(sql);
  if (valid != sql.size()) {
    return MakeError(ErrorCode::kInvalidText, "statement is not valid UTF-8", ByteAt(valid));
  }
  return CheckOperatorRuns(sql);
}

Status CheckTokens(const Tokens& tokens) {
  if (tokens.size() > kMaxTokens) {
    return TooLarge("statement has more than " + std::to_string(kMaxTokens) + " tokens");
  }
  std::size_t open = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (tokens.Is(i, "(") || tokens.Is(i, "[")) ++open;
    if (open > 0 && (tokens.Is(i, ")") || tokens.Is(i, "]"))) --open;
    if (open > kMaxOpenBrackets) {
      return TooLarge(
          "statement has more than " + std::to_string(kMaxOpenBrackets) + " open brackets",
          token.span);
    }
    const std::size_t length = token.span.end - token.span.begin;
    const std::size_t quotes = tokens.text(i).front() == '"' ? 2 : 0;
    if (token.kind == TokenKind::kName) TRY_DONE(CheckName(tokens.text(i), token.span));
    if (token.kind == TokenKind::kName && length - quotes > kMaxNameBytes) {
      return TooLarge("name is longer than " + std::to_string(kMaxNameBytes) + " bytes",
                      token.span);
    }
  }
  return Done{};
}

}  // namespace dpsql
