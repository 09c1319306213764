#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "dpsql/result.h"

namespace dpsql {

enum class TokenKind { kWord, kName, kNumber, kText, kParameter };

// kWord is a keyword or punctuation; a quoted or ordinary name is kName.
struct Token {
  SourceSpan span;
  TokenKind kind = TokenKind::kWord;
};

// The tokens of a text as PostgreSQL's own scanner cuts them, without comments, and the brackets
// that belong together. The grammar's answer holds starts only; ends are read from here.
class Tokens {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // Requires: CheckText(sql) passed; `sql` outlives the tokens.
  static Result<Tokens> Scan(const std::string& sql);

  std::size_t size() const { return tokens_.size(); }
  const Token& operator[](std::size_t i) const {
    Check(i < size(), "a token that is asked for exists");
    return tokens_[i];
  }
  std::string_view text(std::size_t i) const;

  // Whether token `i` exists and is the keyword or punctuation `word` (in lower case). A name that
  // happens to be spelled so ("select" in quotes) is not.
  bool Is(std::size_t i, std::string_view word) const;

  // The bracket that closes or opens with the bracket at `i`; kNone where there is none.
  std::size_t Partner(std::size_t i) const { return i < size() ? partners_[i] : kNone; }

  // The first token that begins at or after a byte; size() where there is none.
  std::size_t At(std::uint32_t offset) const;

  // The first `(` at or after token `i`; size() where there is none.
  std::size_t NextOpen(std::size_t i) const;

  SourceSpan SpanOf(std::size_t first, std::size_t last) const {
    return {(*this)[first].span.begin, (*this)[last].span.end};
  }

 private:
  explicit Tokens(std::string_view sql) : sql_(sql) {}
  void PairBrackets();

  std::string_view sql_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> partners_;
};

}  // namespace dpsql
