#pragma once

#include <string>
#include <string_view>

namespace dpsql {

// Three digits, for prices.
std::string BriefNumber(double number);

// The shortest text that reads back as the same number.
std::string ExactNumber(double number);

// With as many digits, in scientific notation where that is shorter.
std::string WithDigits(double number, int digits);

// Whether the text is a plain decimal number, as DECIMAL and HUGEINT are: -12.50.
bool IsDecimal(std::string_view text);

// All digits of a number down to 10^place, rounded half away from zero; 0 is never negative.
std::string RoundedDecimal(std::string_view decimal, int place);
std::string RoundedNumber(double number, int place);

// The power of ten of a number's first digit, where it is written with `digits` of them.
// Requires: number is not 0.
int FirstPlace(double number, int digits);

// Thousands in groups of three.
std::string Grouped(std::string digits);

}  // namespace dpsql
