#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dpsql {

// Columns that a terminal gives a text.
std::size_t TextWidth(std::string_view text);

// The bytes of the longest beginning that is no wider than `width`, with the marks that stand over
// its last character.
std::size_t PrefixOfWidth(std::string_view text, std::size_t width);

// The text where it is no wider than `width`, else its beginning and an ellipsis.
// Requires: width is at least 1.
std::string Shortened(std::string_view text, std::size_t width);

// The text in lines no wider than `width`, broken at blanks and, in words that are wider, anywhere.
// A width of 0 leaves it whole. Ensures: no newline at the end.
std::string Wrapped(std::string_view text, std::size_t width);

// The text without control characters, which could move a terminal's cursor or forge a table:
// each becomes a visible symbol, as does a byte that is no UTF-8.
std::string Printable(std::string_view text);

}  // namespace dpsql
