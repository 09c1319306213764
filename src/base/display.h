#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dpsql {

// Columns that a terminal gives a text.
std::size_t TextWidth(std::string_view text);

// The text without control characters, which could move a terminal's cursor or forge a table:
// each becomes a visible symbol.
std::string Printable(std::string_view text);

}  // namespace dpsql
