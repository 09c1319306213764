#include "sql/tokens.h"

#include <pg_query.h>
#include <pg_query/pg_query.pb-c.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "sql/limits.h"
#include "sql/syntax_error.h"

namespace dpsql {
namespace {

// Of a long text a first piece is scanned alone: where it already has too many tokens, the rest
// need not be read.
constexpr std::size_t kFirstPieceBytes = 16 * 1024;

struct FreeScan {
  void operator()(PgQueryScanResult* result) const {
    pg_query_free_scan_result(*result);
    delete result;
  }
};
using ScanAnswer = std::unique_ptr<PgQueryScanResult, FreeScan>;

struct FreeMessage {
  void operator()(PgQuery__ScanResult* message) const {
    pg_query__scan_result__free_unpacked(message, nullptr);
  }
};
using ScanMessage = std::unique_ptr<PgQuery__ScanResult, FreeMessage>;

ScanAnswer RunScanner(const std::string& sql) {
  return ScanAnswer(new PgQueryScanResult(pg_query_scan(sql.c_str())));
}

ScanMessage Unpack(const ScanAnswer& answer) {
  ScanMessage message(pg_query__scan_result__unpack(
      nullptr, answer->pbuf.len, reinterpret_cast<const std::uint8_t*>(answer->pbuf.data)));
  Check(message != nullptr, "the scanner answers with a readable message");
  return message;
}

bool FirstPieceTooLong(const std::string& sql) {
  if (sql.size() <= kFirstPieceBytes) return false;
  const ScanAnswer answer = RunScanner(sql.substr(0, kFirstPieceBytes));
  // The cut may fall into a string; then only the whole text can tell.
  if (answer->error != nullptr) return false;
  const ScanMessage message = Unpack(answer);
  const std::size_t comments = static_cast<std::size_t>(std::count_if(
      message->tokens, message->tokens + message->n_tokens, [](const PgQuery__ScanToken* token) {
        return token->token == PG_QUERY__TOKEN__SQL_COMMENT ||
               token->token == PG_QUERY__TOKEN__C_COMMENT;
      }));
  return message->n_tokens - comments > kMaxTokens + 1;
}

std::optional<TokenKind> KindOf(const PgQuery__ScanToken& token) {
  switch (token.token) {
    case PG_QUERY__TOKEN__SQL_COMMENT:
    case PG_QUERY__TOKEN__C_COMMENT:
      return std::nullopt;
    case PG_QUERY__TOKEN__IDENT:
      return TokenKind::kName;
    case PG_QUERY__TOKEN__ICONST:
    case PG_QUERY__TOKEN__FCONST:
      return TokenKind::kNumber;
    case PG_QUERY__TOKEN__SCONST:
    case PG_QUERY__TOKEN__BCONST:
    case PG_QUERY__TOKEN__XCONST:
      return TokenKind::kText;
    case PG_QUERY__TOKEN__PARAM:
      return TokenKind::kParameter;
    default:
      return TokenKind::kWord;
  }
}

// The scanner tells no end of a U&'…' constant or U&"…" name. They are refused rather than guessed;
// in UTF-8 nobody needs them.
bool HasUnicodeEscapes(const PgQuery__ScanToken& token) {
  return token.token == PG_QUERY__TOKEN__USCONST || token.token == PG_QUERY__TOKEN__UIDENT;
}

Error RefuseUnicodeEscapes(const PgQuery__ScanToken& token) {
  const auto begin = static_cast<std::uint32_t>(token.start);
  return MakeError(ErrorCode::kUnsupportedSyntax, "syntax is not supported: U& escapes",
                   {begin, begin + 2}, "write the characters themselves");
}

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

Result<Tokens> Tokens::Scan(const std::string& sql) {
  const std::string too_many = "statement has more than " + std::to_string(kMaxTokens) + " tokens";
  if (FirstPieceTooLong(sql)) return MakeError(ErrorCode::kTooLarge, too_many);
  const ScanAnswer answer = RunScanner(sql);
  if (answer->error != nullptr) return SyntaxError(*answer->error, sql, nullptr);
  const ScanMessage message = Unpack(answer);
  Tokens tokens(sql);
  tokens.tokens_.reserve(message->n_tokens);
  for (std::size_t i = 0; i < message->n_tokens; ++i) {
    const PgQuery__ScanToken& token = *message->tokens[i];
    const std::optional<TokenKind> kind = KindOf(token);
    if (!kind) continue;
    if (HasUnicodeEscapes(token)) return RefuseUnicodeEscapes(token);
    Check(token.start >= 0 && token.start < token.end &&
              static_cast<std::size_t>(token.end) <= sql.size(),
          "a token lies inside the text");
    tokens.tokens_.push_back(
        {.span = {static_cast<std::uint32_t>(token.start), static_cast<std::uint32_t>(token.end)},
         .kind = *kind});
  }
  tokens.PairBrackets();
  return tokens;
}

std::string_view Tokens::text(std::size_t i) const {
  const SourceSpan span = tokens_[i].span;
  return sql_.substr(span.begin, span.end - span.begin);
}

bool Tokens::Is(std::size_t i, std::string_view word) const {
  if (i >= size() || tokens_[i].kind != TokenKind::kWord) return false;
  const std::string_view typed = text(i);
  return std::equal(typed.begin(), typed.end(), word.begin(), word.end(),
                    [](char a, char b) { return Lower(a) == b; });
}

std::size_t Tokens::At(std::uint32_t offset) const {
  const auto found =
      std::lower_bound(tokens_.begin(), tokens_.end(), offset,
                       [](const Token& token, std::uint32_t at) { return token.span.begin < at; });
  return static_cast<std::size_t>(found - tokens_.begin());
}

std::size_t Tokens::NextOpen(std::size_t i) const {
  while (i < size() && !Is(i, "(")) ++i;
  return i;
}

void Tokens::PairBrackets() {
  partners_.assign(size(), kNone);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < size(); ++i) {
    if (Is(i, "(") || Is(i, "[")) open.push_back(i);
    if (open.empty() || !(Is(i, ")") || Is(i, "]"))) continue;
    partners_[i] = open.back();
    partners_[open.back()] = i;
    open.pop_back();
  }
}

}  // namespace dpsql
