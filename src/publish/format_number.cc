#include "publish/format_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <sstream>

namespace dpsql {
namespace {

constexpr int kMostDecimals = 17;  // what a double can tell apart

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Adds one to the last digit of digits without a sign or a point.
void Increment(std::string& digits) {
  std::size_t at = digits.size();
  while (at > 0 && digits[at - 1] == '9') digits[--at] = '0';
  if (at > 0) {
    ++digits[at - 1];
  } else {
    digits.insert(0, "1");
  }
}

std::string WithoutLeadingZeros(const std::string& digits) {
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1));
}

}  // namespace

std::string BriefNumber(double number) { return WithDigits(number, 3); }

std::string WithDigits(double number, int digits) {
  std::ostringstream text;
  text << std::setprecision(digits) << number;
  return text.str();
}

std::string ExactNumber(double number) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

bool IsDecimal(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view part = point == text.npos ? "0" : text.substr(point + 1);
  return !whole.empty() && !part.empty() && std::all_of(whole.begin(), whole.end(), IsDigit) &&
         std::all_of(part.begin(), part.end(), IsDigit);
}

std::string RoundedDecimal(std::string_view decimal, int place) {
  const bool negative = decimal.starts_with('-');
  if (negative) decimal.remove_prefix(1);
  const std::size_t point = std::min(decimal.find('.'), decimal.size());
  std::string digits(decimal.substr(0, point));
  const auto decimals = static_cast<std::size_t>(std::max(-place, 0));
  if (place > 0) {
    // A zero in front stands for all places above the number.
    const auto dropped = static_cast<std::size_t>(place);
    digits.insert(0, std::string(dropped + 1, '0'));
    const bool up = digits[digits.size() - dropped] >= '5';
    digits.resize(digits.size() - dropped);
    if (up) Increment(digits);
    digits += std::string(dropped, '0');
  } else {
    std::string part(decimal.substr(std::min(point + 1, decimal.size())));
    const bool up = part.size() > decimals && part[decimals] >= '5';
    part.resize(decimals, '0');
    digits += part;
    if (up) Increment(digits);
  }
  const bool zero = digits.find_first_not_of('0') == std::string::npos;
  std::string text = WithoutLeadingZeros(digits.substr(0, digits.size() - decimals));
  if (decimals > 0) text += "." + digits.substr(digits.size() - decimals);
  return negative && !zero ? "-" + text : text;
}

std::string RoundedNumber(double number, int place) {
  // All decimals take part, lest a number be rounded twice.
  std::ostringstream text;
  text << std::fixed << std::setprecision(kMostDecimals) << number;
  return RoundedDecimal(text.str(), place);
}

int FirstPlace(double number, int digits) {
  std::ostringstream text;
  text << std::scientific << std::setprecision(digits - 1) << number;
  const std::string written = text.str();
  return std::atoi(written.c_str() + written.find('e') + 1);
}

std::string Grouped(std::string digits) {
  const std::size_t start = digits.starts_with('-') ? 1 : 0;
  std::size_t at = std::min(digits.find('.'), digits.size());
  while (at > start + 3) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

}  // namespace dpsql
