#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Whether the rows of a CSV file stand apart. Where one row's bytes could move the end of another,
// the file is refused as a whole, before any question and whatever the question.
namespace dpsql {

// The longest line that DuckDB's reader keeps apart from the next, with room: it leaves out what is
// longer than 2 MB, but loses its place in a line that reaches over three of its buffers of 32 MB.
constexpr std::size_t kLongestCsvLine = 16'000'000;

// Where the first flaw of a file is, and which.
struct CsvFlaw {
  std::string what;
  std::size_t byte = 0;  // from the file's start, behind a mark of byte order
};

// Reads the bytes of a file, in pieces, by RFC 4180: a field is in quotes as a whole or has none,
// quotes inside of it are doubled, and a line ends with LF or CRLF.
// Proof that rows of a file without a flaw are their own: outside of quotes a quote only stands at
// the start of a field, and one that closes is followed by a comma or the end of a line, so every
// reader of the format, and DuckDB's, which also takes a blank before a quote or a lone CR for
// something, sees the same ends of lines. The bytes between two ends make one row.
class CsvScan {
 public:
  // Requires: no flaw was found before. The flaw found in these bytes, if any.
  std::optional<CsvFlaw> Read(std::string_view bytes);

  // After the last byte.
  std::optional<CsvFlaw> Finish() const;

 private:
  enum State : std::uint8_t { kStart, kPlain, kQuoted, kClosed, kReturn, kStrayQuote, kLoneReturn };
  enum Kind : std::uint8_t { kOther, kComma, kQuote, kCarriageReturn, kLineFeed };
  using Kinds = std::array<Kind, 256>;

  static constexpr Kinds KindsOfBytes();
  static std::size_t Skip(State state, std::string_view bytes, std::size_t at);
  static State Next(State state, char byte);
  std::optional<CsvFlaw> FlawAt(std::size_t byte) const;

  State state_ = kStart;
  std::size_t read_ = 0;       // bytes before this piece
  std::size_t row_start_ = 0;  // of the row that is not at its end
};

// Scans a whole file but for a mark of byte order. None where it has no flaw; a file that cannot be
// read to its end has one.
std::optional<CsvFlaw> FindCsvFlaw(const std::string& path);

}  // namespace dpsql
