#pragma once

#include <cstddef>

namespace dpsql::cli {

// The columns of the terminal that an open file is; 0 where it is none, or does not say.
std::size_t TerminalWidth(int file);

// Whether a line there can be drawn anew: on a terminal that knows escape sequences.
bool MovesCursor(int file);

// Whether escape sequences belong in what is written there: to a terminal that knows them, unless
// NO_COLOR is set (no-color.org).
bool TakesColor(int file);

}  // namespace dpsql::cli
