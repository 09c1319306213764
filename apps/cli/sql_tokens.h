#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// As much of SQL's spelling as a prompt must know: where a statement ends, and where a `;` is only
// part of a text. What a statement means is the parser's business.
namespace dpsql::cli {

enum class TokenKind { kSpace, kComment, kString, kQuotedName, kWord, kSemicolon, kOther };

struct Token {
  TokenKind kind = TokenKind::kOther;
  std::string_view text;
  bool open = false;  // more of it may follow: a string without its end, a comment on the last line
};

// Requires: the text is not empty. Ensures: the token is not empty.
Token FirstToken(std::string_view text);

std::vector<Token> Tokenize(std::string_view text);

// The place after the first `;` that ends a statement; npos where none does.
std::size_t StatementEnd(std::string_view text);

// Whether there is nothing to run: white space, finished comments and semicolons only.
bool IsBlank(std::string_view text);

// The text without white space at its ends.
std::string Trimmed(std::string_view text);

// A stretch of a script: SQL, or one line with a command of the shell.
struct ScriptPart {
  std::size_t begin = 0;
  std::string_view text;
  bool is_command = false;
};

// Whether a line is a command of the shell: SQL begins neither with a dot nor with a backslash.
bool IsCommandLine(std::string_view line);

// The parts of a script in order, without those that are blank.
std::vector<ScriptPart> SplitScript(std::string_view text);

}  // namespace dpsql::cli
