#include "sql/syntax_error.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error_codes.h"
#include "base/utf8.h"
#include "sql/tokens.h"

namespace dpsql {
namespace {

// PostgreSQL repeats the text from the error on; of an open string that is all the rest.
constexpr std::size_t kMaxMessageBytes = 160;

std::string ShortMessage(std::string_view message) {
  if (message.size() <= kMaxMessageBytes) return std::string(message);
  const std::size_t cut = ValidUtf8Prefix(message.substr(0, kMaxMessageBytes));
  return std::string(message.substr(0, cut)) + "…";
}

// PostgreSQL counts characters from one, we count bytes from zero.
std::size_t ByteOfCharacter(std::string_view sql, std::size_t character) {
  std::size_t at = 0;
  for (std::size_t i = 1; i < character && at < sql.size(); ++i) {
    at += DecodeUtf8(sql.substr(at)).size;
  }
  return at;
}

SourceSpan SpanAt(std::string_view sql, std::size_t offset, const Tokens* tokens) {
  if (tokens != nullptr && tokens->size() > 0) {
    const std::size_t index = tokens->At(static_cast<std::uint32_t>(offset));
    // An unexpected end is shown at the last thing that was written.
    return (*tokens)[index < tokens->size() ? index : tokens->size() - 1].span;
  }
  if (offset >= sql.size()) return {};
  const std::size_t end = offset + DecodeUtf8(sql.substr(offset)).size;
  return {static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(end)};
}

}  // namespace

Error SyntaxError(const PgQueryError& error, std::string_view sql, const Tokens* tokens) {
  const std::string message = error.message == nullptr ? "syntax error" : error.message;
  SourceSpan span;
  if (error.cursorpos > 0) {
    span = SpanAt(sql, ByteOfCharacter(sql, static_cast<std::size_t>(error.cursorpos)), tokens);
  }
  return MakeError(ErrorCode::kSyntax, ShortMessage(message), span);
}

}  // namespace dpsql
