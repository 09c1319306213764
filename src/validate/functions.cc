#include "validate/functions.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace dpsql {
namespace {

std::string Joined(std::span<const std::string> parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

// CASE in pairs of condition and result, then what ELSE gives.
std::string WriteCase(const std::vector<std::string>& arguments) {
  std::string text = "case";
  for (std::size_t i = 0; i + 1 < arguments.size(); i += 2) {
    text += " when " + arguments[i] + " then " + arguments[i + 1];
  }
  return text + " else " + arguments.back() + " end";
}

bool IsWord(std::string_view name) {
  return std::isalpha(static_cast<unsigned char>(name.front())) != 0;
}

// Operators that are spelled with letters.
bool IsInfixWord(std::string_view name) {
  return name == "and" || name == "or" || name == "is distinct from" ||
         name == "is not distinct from" || (name.ends_with("like") && name != "regexp_like");
}

std::string Rest(std::string_view name, std::string_view prefix) {
  return std::string(name.substr(prefix.size()));
}

// CAST(x AS t), with t's modifiers behind the operand.
std::string WriteCast(std::string type, const std::vector<std::string>& arguments) {
  const std::span<const std::string> modifiers(arguments.begin() + 1, arguments.end());
  if (!modifiers.empty()) type += "(" + Joined(modifiers, ",") + ")";
  return "cast(" + arguments[0] + " as " + type + ")";
}

// What a letter of `arguments` stands for, and whether it must be written out.
struct ArgumentKind {
  std::string_view name;
  bool written_out = false;
};

const ArgumentKind& KindOf(char letter) {
  static const std::map<char, ArgumentKind> kKinds = {
      {'i', {"integer"}},       {'r', {"number"}},     {'x', {"exact number"}},
      {'b', {"boolean"}},       {'t', {"text"}},       {'u', {"uuid"}},
      {'d', {"date"}},          {'z', {"timestamp"}},  {'s', {"timestamp"}},
      {'v', {"interval"}},      {'a', {"value"}},      {'n', {"digits", true}},
      {'k', {"0 … 100", true}}, {'m', {"1 …", true}},  {'c', {"number", true}},
      {'l', {"text", true}},    {'q', {"text", true}}, {'p', {"pattern", true}},
      {'e', {"regex", true}},   {'+', {"…"}},
  };
  return kKinds.at(letter);
}

}  // namespace

const std::vector<ScalarFunction>& AllScalarFunctions() {
  static const std::vector<ScalarFunction> kAll = [] {
    std::vector<ScalarFunction> all;
    for (const auto part : {LogicFunctions(), ArithmeticFunctions(), TextFunctions(),
                            TimeFunctions(), CastFunctions()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return kAll;
}

bool IsScalarFunction(std::string_view name) {
  const std::vector<ScalarFunction>& all = AllScalarFunctions();
  return std::any_of(all.begin(), all.end(),
                     [&](const ScalarFunction& function) { return function.name == name; });
}

std::string WriteCall(std::string_view name, const std::vector<std::string>& arguments) {
  std::string word(name);
  if (arguments.empty() && (name.starts_with("current_") || name.starts_with("local"))) return word;
  if (name == "case") return WriteCase(arguments);
  if (name == "position") return "position(" + arguments[1] + " in " + arguments[0] + ")";
  if (IsInfixWord(name) && name.ends_with("like") && arguments.size() == 3) {
    return "(" + arguments[0] + " " + word + " " + arguments[1] + " escape " + arguments[2] + ")";
  }
  if (name == "in") {
    const std::span<const std::string> items(arguments.begin() + 1, arguments.end());
    return "(" + arguments[0] + " in (" + Joined(items, ", ") + "))";
  }
  if (name.starts_with("cast ")) return WriteCast(Rest(name, "cast "), arguments);
  if (name.starts_with("extract ")) {
    return "extract(" + Rest(name, "extract ") + " from " + arguments[0] + ")";
  }
  if (name.starts_with("date_trunc ")) {
    return "date_trunc('" + Rest(name, "date_trunc ") + "', " + arguments[0] + ")";
  }
  if (name.starts_with("is ") && arguments.size() == 1) {
    return "(" + arguments[0] + " " + word + ")";
  }
  if (name == "not" || (!IsWord(name) && arguments.size() == 1)) {
    return "(" + word + " " + arguments[0] + ")";
  }
  if (!IsWord(name) || IsInfixWord(name)) return "(" + Joined(arguments, " " + word + " ") + ")";
  return word + "(" + Joined(arguments, ", ") + ")";
}

std::string WriteForm(const ScalarFunction& function, std::string_view mark) {
  std::vector<std::string> names;
  for (const char letter : function.arguments) {
    const ArgumentKind& kind = KindOf(letter);
    const std::string around(kind.written_out ? mark : "");
    names.push_back(around + std::string(kind.name) + around);
  }
  if (function.name == "case") names = {"boolean", "value", "value"};
  return WriteCall(function.name, names);
}

}  // namespace dpsql
