#include "sql_tokens.h"

#include <algorithm>

namespace dpsql::cli {
namespace {

constexpr std::string_view kSpaces = " \t\r\n\f\v";

// Letters of other scripts count as letters, byte by byte, as in PostgreSQL.
bool StartsWord(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

Token Take(std::string_view text, TokenKind kind, std::size_t size) {
  return {.kind = kind, .text = text.substr(0, size), .open = size == std::string_view::npos};
}

// From the opening quote at `begin` on; a doubled quote reads as the end of one string and the
// beginning of the next, which comes to the same.
Token TakeQuoted(std::string_view text, TokenKind kind, std::size_t begin, bool escapes) {
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    if (escapes && text[i] == '\\') {
      ++i;
    } else if (text[i] == text[begin]) {
      return Take(text, kind, i + 1);
    }
  }
  return Take(text, kind, std::string_view::npos);
}

// Comments of this kind nest.
Token TakeBlockComment(std::string_view text) {
  int depth = 1;
  for (std::size_t i = 2; i + 1 < text.size(); ++i) {
    const std::string_view pair = text.substr(i, 2);
    if (pair == "/*") ++depth;
    if (pair == "*/") --depth;
    if (depth == 0) return Take(text, TokenKind::kComment, i + 2);
    if (pair == "/*" || pair == "*/") ++i;
  }
  return Take(text, TokenKind::kComment, std::string_view::npos);
}

// $tag$…$tag$ is a string; the dollar of $name stands alone.
Token TakeDollar(std::string_view text) {
  std::size_t tag = 1;
  while (tag < text.size() && (StartsWord(text[tag]) || (tag > 1 && IsDigit(text[tag])))) ++tag;
  if (tag == text.size() || text[tag] != '$') return Take(text, TokenKind::kOther, 1);
  const std::string_view mark = text.substr(0, tag + 1);
  const std::size_t end = text.find(mark, mark.size());
  const bool open = end == std::string_view::npos;
  return Take(text, TokenKind::kString, open ? end : end + mark.size());
}

Token TakeWord(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() &&
         (StartsWord(text[size]) || IsDigit(text[size]) || text[size] == '$')) {
    ++size;
  }
  return Take(text, TokenKind::kWord, size);
}

}  // namespace

Token FirstToken(std::string_view text) {
  const char first = text.front();
  const std::string_view pair = text.substr(0, 2);
  if (kSpaces.find(first) != std::string_view::npos) {
    return Take(text, TokenKind::kSpace, std::min(text.find_first_not_of(kSpaces), text.size()));
  }
  if (pair == "--") return Take(text, TokenKind::kComment, text.find('\n'));
  if (pair == "/*") return TakeBlockComment(text);
  if (pair == "e'" || pair == "E'") return TakeQuoted(text, TokenKind::kString, 1, true);
  if (first == '\'') return TakeQuoted(text, TokenKind::kString, 0, false);
  if (first == '"') return TakeQuoted(text, TokenKind::kQuotedName, 0, false);
  if (first == '$') return TakeDollar(text);
  if (first == ';') return Take(text, TokenKind::kSemicolon, 1);
  return StartsWord(first) ? TakeWord(text) : Take(text, TokenKind::kOther, 1);
}

std::vector<Token> Tokenize(std::string_view text) {
  std::vector<Token> tokens;
  while (!text.empty()) {
    tokens.push_back(FirstToken(text));
    text.remove_prefix(tokens.back().text.size());
  }
  return tokens;
}

std::size_t StatementEnd(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Token token = FirstToken(text.substr(at));
    at += token.text.size();
    if (token.kind == TokenKind::kSemicolon) return at;
  }
  return std::string_view::npos;
}

std::string Trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  return std::string(text.substr(0, text.find_last_not_of(kSpaces) + 1));
}

bool IsBlank(std::string_view text) {
  const std::vector<Token> tokens = Tokenize(text);
  return std::all_of(tokens.begin(), tokens.end(), [](const Token& token) {
    const bool line_comment = token.text.starts_with("--");
    return token.kind == TokenKind::kSpace || token.kind == TokenKind::kSemicolon ||
           (token.kind == TokenKind::kComment && (!token.open || line_comment));
  });
}

bool IsCommandLine(std::string_view line) {
  const std::size_t first = line.find_first_not_of(kSpaces);
  return first != std::string_view::npos && (line[first] == '.' || line[first] == '\\');
}

std::vector<ScriptPart> SplitScript(std::string_view text) {
  std::vector<ScriptPart> parts;
  std::size_t sql_begin = 0;
  const auto end_sql = [&](std::size_t end) {
    const std::string_view sql = text.substr(sql_begin, end - sql_begin);
    if (!IsBlank(sql)) parts.push_back({.begin = sql_begin, .text = sql});
  };
  bool between = true;  // statements: the only place where a command can stand
  for (std::size_t at = 0; at < text.size();) {
    const Token token = FirstToken(text.substr(at));
    if (between && IsCommandLine(token.text)) {
      end_sql(at);
      const std::size_t line_end = std::min(text.find('\n', at), text.size());
      parts.push_back({.begin = at, .text = text.substr(at, line_end - at), .is_command = true});
      at = sql_begin = line_end;
      continue;
    }
    const bool nothing = token.kind == TokenKind::kSpace || token.kind == TokenKind::kComment;
    if (!nothing) between = token.kind == TokenKind::kSemicolon;
    at += token.text.size();
  }
  end_sql(text.size());
  return parts;
}

}  // namespace dpsql::cli
