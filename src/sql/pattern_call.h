#pragma once

#include <cstddef>
#include <string_view>

#include "sql/ast.h"
#include "sql/dialect.h"
#include "sql/regex.h"

// Calls that compare a text with a pattern, and what a database gets in the pattern's place: ~ and
// its like, and for Java also LIKE. Spark makes a regular expression of LIKE's pattern too, one
// that Java tries in as many ways as there are places for each %: a text of a hundred letters would
// keep it for days.
namespace dpsql {

// Whether the pattern in a call of this function must be one that is read here, with a constant
// text.
bool ReadsPattern(std::string_view function, RegexStyle style);

// What its pattern means; a pattern that is not read has a fault. A text matches LIKE as a whole.
// ILIKE compares small letters: of the pattern here, of the text where it is printed. A letter of
// ILIKE whose small form is not known here is a fault. Requires: ReadsPattern is true of the
// function.
RegexReading ReadPattern(const ast::Call& call);

// For how many of so many arguments the dialect's text has places: what LIKE's ESCAPE says is part
// of a pattern that is read.
std::size_t PlacesOf(std::string_view function, std::size_t arguments, RegexStyle style);

}  // namespace dpsql
