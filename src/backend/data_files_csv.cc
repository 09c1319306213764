#include "backend/data_files_csv.h"

#include <algorithm>
#include <array>
#include <fstream>

namespace dpsql {

constexpr CsvScan::Kinds CsvScan::KindsOfBytes() {
  Kinds kinds{};
  kinds[','] = kComma;
  kinds['"'] = kQuote;
  kinds['\r'] = kCarriageReturn;
  kinds['\n'] = kLineFeed;
  return kinds;
}

CsvScan::State CsvScan::Next(State state, char byte) {
  static constexpr Kinds kKinds = KindsOfBytes();
  static constexpr std::array<std::array<State, 5>, 5> kNext = {{
      // other, comma, quote, CR, LF
      {kPlain, kStart, kQuoted, kReturn, kStart},                    // at the start of a field
      {kPlain, kStart, kStrayQuote, kReturn, kStart},                // in a field without quotes
      {kQuoted, kQuoted, kClosed, kQuoted, kQuoted},                 // in quotes
      {kStrayQuote, kStart, kQuoted, kReturn, kStart},               // after a quote in quotes
      {kLoneReturn, kLoneReturn, kLoneReturn, kLoneReturn, kStart},  // after CR
  }};
  return kNext[state][kKinds[static_cast<std::uint8_t>(byte)]];
}

// Where the state can change next: most bytes are inside of a field.
std::size_t CsvScan::Skip(State state, std::string_view bytes, std::size_t at) {
  if (state == kQuoted) return std::min(bytes.find('"', at), bytes.size());
  if (state != kPlain) return at;
  while (at < bytes.size() && Next(kPlain, bytes[at]) == kPlain) ++at;
  return at;
}

std::optional<CsvFlaw> CsvScan::FlawAt(std::size_t byte) const {
  if (state_ == kStrayQuote) return CsvFlaw{"a quote stands inside of a field", byte};
  if (state_ == kLoneReturn) return CsvFlaw{"a line ends with CR alone", byte};
  if (byte - row_start_ > kLongestCsvLine) return CsvFlaw{"a line is longer than 16 MB", byte};
  return std::nullopt;
}

std::optional<CsvFlaw> CsvScan::Read(std::string_view bytes) {
  for (std::size_t at = Skip(state_, bytes, 0); at < bytes.size(); at = Skip(state_, bytes, at)) {
    state_ = Next(state_, bytes[at]);
    if (auto flaw = FlawAt(read_ + at)) return flaw;
    ++at;
    if (state_ == kStart && bytes[at - 1] == '\n') row_start_ = read_ + at;
  }
  read_ += bytes.size();
  return FlawAt(read_);
}

std::optional<CsvFlaw> CsvScan::Finish() const {
  if (state_ == kQuoted) return CsvFlaw{"a quote is not closed", row_start_};
  if (state_ == kReturn) return CsvFlaw{"a line ends with CR alone", read_};
  return std::nullopt;
}

std::optional<CsvFlaw> FindCsvFlaw(const std::string& path) {
  constexpr std::size_t kPiece = 1 << 20;
  std::ifstream file(path, std::ios::binary);
  std::string piece(kPiece, '\0');
  CsvScan scan;
  for (bool first = true; file; first = false) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    std::string_view bytes(piece.data(), static_cast<std::size_t>(file.gcount()));
    if (first && bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    if (auto flaw = scan.Read(bytes)) return flaw;
  }
  if (!file.eof()) return CsvFlaw{"it cannot be read to its end", 0};
  return scan.Finish();
}

}  // namespace dpsql
