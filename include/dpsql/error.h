#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dpsql {

// A stretch of the text as the analyst typed it, in bytes, end exclusive. An empty span means
// "no particular place".
struct SourceSpan {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool empty() const { return begin == end; }
};

// What a failed call returns. Messages never hold a value read from a private table.
struct Error {
  std::string code;      // "V305": a letter for the room, then a number
  std::string sqlstate;  // "42P10"
  std::string message;
  std::string hint;
  SourceSpan span;
  int exit_code = 1;
};

// The psql-like text of an error: message, the line with a caret under the span, and the hint.
// Ensures: ends with a newline; of a line that is wider than `columns` the part around the span is
// shown.
std::string RenderError(const Error& error, std::string_view sql, int columns = 100);

// The JSON object that `--format json` prints for an error, on one line, without a newline.
// `column` and `length` count code points.
std::string ErrorToJson(const Error& error, std::string_view sql);

}  // namespace dpsql
