#pragma once

#include <string>

#include "dpsql/answer.h"

namespace dpsql {

// A table as GitHub reads it, with `value ± margin`; below it, as text, notices and price. What a
// text holds is shown, never obeyed: characters that mean something there are escaped.
std::string FormatMarkdown(const Answer& answer);

}  // namespace dpsql
