#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dpsql/answer.h"

// The one codec of answers: what `--format json` prints and what the ledger keeps.
namespace dpsql {

// One line of JSON without a newline, keys in a fixed order; `notices` only where there are any.
// Requires: as many intervals as cells, as many cells in a row as columns; every number is finite;
// every text is UTF-8 (else Bug).
// Ensures: AnswerFromJson gives back the same answer, with integers, doubles and texts kept apart.
std::string AnswerToJson(const Answer& answer);

// One cell as AnswerToJson writes it, and one end of an interval.
std::string ValueToJson(const Value& value);
std::string IntervalEndToJson(double value);

// Nothing where the text is not what AnswerToJson writes.
std::optional<Answer> AnswerFromJson(std::string_view text);

}  // namespace dpsql
