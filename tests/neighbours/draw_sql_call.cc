#include <algorithm>
#include <array>

#include "neighbours/draw_sql.h"
#include "support/function_grid.h"
#include "validate/functions.h"

namespace dpsql {
namespace {

constexpr auto kFamilies = std::to_array(
    {TypeFamily::kBoolean, TypeFamily::kInteger, TypeFamily::kDecimal, TypeFamily::kFloat,
     TypeFamily::kText, TypeFamily::kUuid, TypeFamily::kDate, TypeFamily::kTimestamp});

// The forms that give a value of this family: those of the registry, so that a new one is drawn.
std::vector<const ScalarFunction*> FormsOf(TypeFamily family) {
  std::vector<const ScalarFunction*> forms;
  for (const ScalarFunction& function : AllScalarFunctions()) {
    const bool of_any = function.result.empty();
    const bool decimal = function.result == "DECIMAL";  // without its digits it is no type
    const TypeFamily result =
        decimal ? TypeFamily::kDecimal : ParseType(std::string(function.result)).family;
    if (of_any || result == family) forms.push_back(&function);
  }
  return forms;
}

}  // namespace

// A call of whatever form the language has. What does not fit a form is refused, and is no case.
std::string SqlMaker::Call(const Rows& rows, TypeFamily family, int depth) {
  static const std::vector<std::vector<const ScalarFunction*>> kForms = [] {
    std::vector<std::vector<const ScalarFunction*>> forms;
    for (const TypeFamily one : kFamilies) forms.push_back(FormsOf(one));
    return forms;
  }();
  const auto* const found = std::find(kFamilies.begin(), kFamilies.end(), family);
  if (found == kFamilies.end()) return ColumnOf(rows, family);
  const ScalarFunction& function =
      *dice_.Pick(kForms[static_cast<std::size_t>(found - kFamilies.begin())]);
  std::string letters(function.arguments);
  if (letters.ends_with('+')) letters.back() = letters[letters.size() - 2];
  if (function.name == "case") letters = "baa";
  const TypeFamily any = function.result.empty() ? family : AnyFamily(rows);
  std::vector<std::string> arguments;
  for (const char letter : letters) {
    const std::string literal = LiteralFor(letter, arguments.size() == 2);
    arguments.push_back(literal.empty() ? Argument(rows, letter, any, depth) : literal);
  }
  return WriteCall(function.name, arguments);
}

// What a letter of ScalarFunction::arguments stands for.
std::string SqlMaker::Argument(const Rows& rows, char letter, TypeFamily any, int depth) {
  TypeFamily family = any;
  switch (letter) {
    case 'b':
      return "(" + Comparison(rows) + ")";
    case 'i':
      family = TypeFamily::kInteger;
      break;
    case 'r':
      family = TypeFamily::kFloat;
      break;
    case 'x':
      family = TypeFamily::kDecimal;
      break;
    case 't':
      family = TypeFamily::kText;
      break;
    case 'u':
      family = TypeFamily::kUuid;
      break;
    case 'd':
      family = TypeFamily::kDate;
      break;
    case 's':
      family = dice_.In16(8) ? TypeFamily::kDate : TypeFamily::kTimestamp;
      break;
    case 'z':
      family = TypeFamily::kTimestamp;
      break;
    case 'v':
      family = TypeFamily::kInterval;
      break;
    default:
      break;
  }
  if (depth > 0 && dice_.In16(4)) return Call(rows, family, depth - 1);
  return ColumnOf(rows, family);
}

}  // namespace dpsql
