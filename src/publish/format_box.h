#pragma once

#include <string>

#include "dpsql/answer.h"

namespace dpsql {

// The answer as a table for a terminal: `value ± margin`, then the price and what is left.
std::string FormatBox(const Answer& answer);

}  // namespace dpsql
