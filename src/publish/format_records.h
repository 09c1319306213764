#pragma once

#include <string>

#include "dpsql/answer.h"

namespace dpsql {

// The answer as a block of `column │ value` lines for each row, for answers of many columns or long
// texts. Nothing is left out: what is too long goes on in the next line.
std::string FormatRecords(const Answer& answer, const Look& look);

}  // namespace dpsql
