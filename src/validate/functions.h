#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"

namespace dpsql {

// Whether a result can be NULL. What is not known to be a value is kPossible.
enum class Nulls {
  kPossible,       // on some values, or on any
  kFromArguments,  // only where an argument is NULL
  kFromAll,        // only where all arguments are NULL
  kNever,
};

// Where the result lies when the arguments lie in the given intervals; an argument without one is
// anywhere. Bounds that follow are sound for every argument that is finite.
using Intervals = std::span<const std::optional<Interval>>;
using IntervalRule = std::optional<Interval> (*)(Intervals arguments);

// One form of a scalar function or operator that row expressions may use: one line in a table of
// function_*.cc. It is total: it has a value or is NULL, whatever the row holds.
struct ScalarFunction {
  // As an analyst writes it. "extract year" is extract(year FROM x), "cast integer" is
  // CAST(x AS integer).
  std::string_view name;

  // One letter for each argument; a + behind the last means once or more.
  //   i  whole number            r  number, computed as DOUBLE   x  exact number, as it is
  //   b  boolean                 t  text                         u  UUID
  //   d  date                    z  timestamp                    s  timestamp, or a date as one
  //   v  interval                a  any; all of these become one type
  // and values that must be written out:
  //   n  -30 to 30               k  0 to 100                     m  1 to 1,000,000
  //   c  number                  l  text                         q  text that is not empty
  //   p  pattern of LIKE         e  regular expression
  std::string_view arguments;

  std::string_view result;   // name of a type; empty for the one type of the a's
  std::string_view key;      // name in the dialects' lists; empty where the binder leaves no call
  std::string_view meaning;  // one line of the reference
  Nulls nulls = Nulls::kPossible;
  IntervalRule interval = nullptr;
  std::string_view range = {};  // what the interval is the range of, where it needs no argument's
};

// Every form, in the order of the reference. Forms of one name stand from narrow to wide.
const std::vector<ScalarFunction>& AllScalarFunctions();

// Whether any form has this name.
bool IsScalarFunction(std::string_view name);

// A call as an analyst would write it, from the texts of its arguments.
std::string WriteCall(std::string_view name, const std::vector<std::string>& arguments);

// A form with the kinds of its arguments in their places: round(number, digits). `mark` stands on
// both sides of what must be written out.
std::string WriteForm(const ScalarFunction& function, std::string_view mark = "");

// An aggregate or window function that is computed exactly, as the reference shows it.
struct ExactForm {
  std::string_view name;
  std::string_view arguments;  // "value, n"
  std::string_view meaning;
};

// The parts of the registry, by file.
std::span<const ScalarFunction> LogicFunctions();
std::span<const ScalarFunction> ArithmeticFunctions();
std::span<const ScalarFunction> TextFunctions();
std::span<const ScalarFunction> TimeFunctions();
std::span<const ScalarFunction> CastFunctions();

}  // namespace dpsql
