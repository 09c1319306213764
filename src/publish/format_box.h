#pragma once

#include <string>

#include "dpsql/answer.h"

namespace dpsql {

// The answer as a table for a terminal: `value ± margin`, then what the notices say, the price and
// what is left. Where the table is wider than the terminal, long texts are shortened first, then
// columns in the middle give way to one `…`; a number is whole or not shown.
std::string FormatBox(const Answer& answer, const Look& look);

}  // namespace dpsql
