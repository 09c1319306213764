#include "validate/overloads.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "validate/bind_expr.h"
#include "validate/literals.h"
#include "validate/type_call.h"

namespace dpsql {
namespace {

// A letter of ScalarFunction::arguments: what it is called, and the type a bare NULL becomes.
struct Letter {
  char letter;
  std::string_view name;
  std::string_view type;
};

constexpr auto kLetters = std::to_array<Letter>({
    {'i', "integer", "BIGINT"},
    {'r', "number", "DOUBLE"},
    {'x', "exact number", "BIGINT"},
    {'b', "boolean", "BOOLEAN"},
    {'t', "text", "VARCHAR"},
    {'u', "uuid", "UUID"},
    {'d', "date", "DATE"},
    {'z', "timestamp", "TIMESTAMP"},
    {'s', "timestamp", "TIMESTAMP"},
    {'v', "interval", "INTERVAL"},
    {'a', "value", ""},
    {'n', "literal from -30 to 30", ""},
    {'k', "literal from 0 to 100", ""},
    {'m', "literal from 1", ""},
    {'c', "literal number", ""},
    {'l', "literal text", ""},
    {'q', "literal text", ""},
    {'p', "pattern", ""},
    {'e', "regular expression", ""},
});

const Letter& Find(char letter) {
  const auto* found = std::find_if(kLetters.begin(), kLetters.end(),
                                   [&](const Letter& known) { return known.letter == letter; });
  Check(found != kLetters.end(), "a signature has known letters");
  return *found;
}

bool IsWholeLiteral(const BoundExpr& expr, std::int64_t low, std::int64_t high) {
  const auto* value = std::get_if<std::int64_t>(&expr.literal);
  return expr.kind == BoundKind::kLiteral && value != nullptr && *value >= low && *value <= high;
}

bool IsTextOf(const BoundExpr& expr, std::size_t shortest, std::size_t longest) {
  if (!IsTextLiteral(expr)) return false;
  const std::size_t size = std::get<std::string>(expr.literal).size();
  return size >= shortest && size <= longest;
}

// Whether an argument is what a letter asks for, as it stands.
bool Fits(char letter, const BoundExpr& expr) {
  const TypeFamily family = expr.type.family;
  switch (letter) {
    case 'i':
      return family == TypeFamily::kInteger;
    case 'r':
      return expr.type.is_numeric();
    case 'x':
      return family == TypeFamily::kInteger || family == TypeFamily::kDecimal;
    case 'b':
      return family == TypeFamily::kBoolean;
    case 't':
      return family == TypeFamily::kText;
    case 'u':
      return family == TypeFamily::kUuid;
    case 'd':
      return family == TypeFamily::kDate;
    case 'z':
      return family == TypeFamily::kTimestamp;
    case 's':
      return family == TypeFamily::kTimestamp || family == TypeFamily::kDate;
    case 'v':
      return family == TypeFamily::kInterval;
    case 'a':
      return true;
    case 'n':
      return IsWholeLiteral(expr, -30, 30);
    case 'k':
      return IsWholeLiteral(expr, 0, 100);
    case 'm':
      return IsWholeLiteral(expr, 1, 1'000'000);
    case 'c':
      return expr.kind == BoundKind::kLiteral && expr.type.is_numeric() && expr.interval;
    case 'l':
      return IsTextOf(expr, 0, 100);
    case 'q':
      return IsTextOf(expr, 1, 100);
    default:  // p and e, which the binder has read
      return IsTextLiteral(expr);
  }
}

// The same where a literal may still become what is asked for.
bool FitsLoosely(char letter, const BoundExpr& expr) {
  const Type type = ParseType(Find(letter).type);
  if (Fits(letter, expr)) return true;
  if (IsUntypedNull(expr)) return !type.name.empty();
  if (!IsTextLiteral(expr)) return false;
  return static_cast<bool>(TypedLiteral(std::get<std::string>(expr.literal), type, expr.span));
}

bool TakesCount(const ScalarFunction& function, std::size_t count) {
  if (!function.arguments.ends_with('+')) return function.arguments.size() == count;
  return count >= function.arguments.size() - 1;
}

const ScalarFunction* FindForm(const std::string& name, const std::vector<BoundExprPtr>& arguments,
                               bool (*fits)(char, const BoundExpr&)) {
  for (const ScalarFunction& function : AllScalarFunctions()) {
    if (function.name != name || !TakesCount(function, arguments.size())) continue;
    std::size_t i = 0;
    while (i < arguments.size() && fits(LetterAt(function, i), *arguments[i])) ++i;
    if (i == arguments.size()) return &function;
  }
  return nullptr;
}

std::string Signature(const ScalarFunction& function) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < function.arguments.size(); ++i) {
    const char letter = function.arguments[i];
    names.emplace_back(letter == '+' ? "…" : Find(letter).name);
  }
  return WriteCall(function.name, names);
}

Error NoForm(const std::string& name, const std::vector<BoundExprPtr>& arguments, SourceSpan span) {
  std::string forms;
  bool counted = false;
  for (const ScalarFunction& function : AllScalarFunctions()) {
    if (function.name != name) continue;
    forms += (forms.empty() ? "write  " : ",  ") + Signature(function);
    counted = counted || TakesCount(function, arguments.size());
  }
  if (!counted) {
    return MakeError(ErrorCode::kWrongArguments, name + " is not written this way", span, forms);
  }
  std::string types;
  for (const BoundExprPtr& argument : arguments) {
    const std::string type = argument->type.name.empty() ? "NULL" : argument->type.name;
    types += (types.empty() ? "" : ", ") + type;
  }
  return MakeError(ErrorCode::kTypeMismatch, name + " does not take " + types, span, forms);
}

// Each call is written with up to seven others around its argument, and DuckDB takes 1,000 levels:
// what is deeper would fail there, when it is already paid for.
constexpr std::size_t kDeepest = 100;

std::size_t Depth(const BoundExpr& expr) {
  std::size_t deepest = 0;
  for (const BoundExprPtr& argument : expr.arguments) {
    deepest = std::max(deepest, Depth(*argument));
  }
  return deepest + 1;
}

Status CheckDepth(const std::vector<BoundExprPtr>& arguments, SourceSpan span) {
  for (const BoundExprPtr& argument : arguments) {
    if (argument->written_size < kDeepest || Depth(*argument) < kDeepest) continue;
    return MakeError(ErrorCode::kTooLarge, "this expression nests too deep", span);
  }
  return Done{};
}

bool Comparable(const Type& a, const Type& b) {
  const auto is_day = [](const Type& type) {
    return type.family == TypeFamily::kDate || type.family == TypeFamily::kTimestamp;
  };
  return (a.is_numeric() && b.is_numeric()) || (is_day(a) && is_day(b)) ||
         (a.family == b.family && a.family != TypeFamily::kOther);
}

Error NotComparable(const Type& a, const Type& b, SourceSpan span) {
  if (a.name.empty()) {
    return MakeError(ErrorCode::kTypeMismatch, "this NULL has no type", span,
                     "write  CAST(NULL AS integer)  or another type");
  }
  return MakeError(ErrorCode::kTypeMismatch, a.name + " and " + b.name + " cannot be compared",
                   span);
}

// Gives the values at `places` one type, as far as literals go; the rest is the lowering's cast.
Status Unify(std::vector<BoundExprPtr>& arguments, const std::vector<std::size_t>& places) {
  const auto strength = [](const BoundExpr& expr) {
    return IsUntypedNull(expr) ? 0 : IsTextLiteral(expr) ? 1 : 2;
  };
  std::size_t model = places[0];
  for (const std::size_t i : places) {
    if (strength(*arguments[i]) > strength(*arguments[model])) model = i;
  }
  for (const std::size_t i : places) {
    TRY(arguments[i], ConvertLiteral(arguments[i], arguments[model]->type));
    if (Comparable(arguments[i]->type, arguments[model]->type)) continue;
    return NotComparable(arguments[i]->type, arguments[model]->type, arguments[i]->span);
  }
  return Done{};
}

}  // namespace

char LetterAt(const ScalarFunction& function, std::size_t i) {
  const std::string_view letters = function.arguments;
  if (!letters.ends_with('+')) return letters[i];
  return letters[std::min(i, letters.size() - 2)];
}

Result<BoundExprPtr> BindComparison(const std::string& name, BoundExprPtr left, BoundExprPtr right,
                                    SourceSpan span) {
  TRY(left, ConvertLiteral(std::move(left), right->type));
  TRY(right, ConvertLiteral(std::move(right), left->type));
  if (!Comparable(left->type, right->type)) return NotComparable(left->type, right->type, span);
  return MakeBoundCall(name, {std::move(left), std::move(right)}, span);
}

Result<BoundExprPtr> BindOverload(const std::string& name, std::vector<BoundExprPtr> arguments,
                                  SourceSpan span) {
  TRY_DONE(CheckDepth(arguments, span));
  const ScalarFunction* function = FindForm(name, arguments, Fits);
  if (function == nullptr) function = FindForm(name, arguments, FitsLoosely);
  if (function == nullptr) return NoForm(name, arguments, span);
  if (function->arguments == "aa" && !function->result.empty()) {
    return BindComparison(name, arguments[0], arguments[1], span);
  }
  std::vector<std::size_t> any;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Letter& letter = Find(LetterAt(*function, i));
    if (letter.letter == 'a') any.push_back(i);
    if (letter.type.empty() || Fits(letter.letter, *arguments[i])) continue;
    TRY(arguments[i], ConvertLiteral(arguments[i], ParseType(letter.type)));
  }
  if (function->result.empty()) {
    TRY_DONE(Unify(arguments, any));
  }
  return MakeTypedCall(*function, std::move(arguments), span);
}

Result<BoundExprPtr> BindCase(std::vector<BoundExprPtr> arguments, SourceSpan span) {
  std::vector<std::size_t> results;
  for (std::size_t i = 1; i < arguments.size(); i += 2) results.push_back(i);
  results.push_back(arguments.size() - 1);
  TRY_DONE(Unify(arguments, results));
  const auto& all = AllScalarFunctions();
  const auto found = std::find_if(all.begin(), all.end(), [](const ScalarFunction& function) {
    return function.name == "case";
  });
  return MakeTypedCall(*found, std::move(arguments), span);
}

BoundExprPtr MakeBoundCall(const std::string& name, std::vector<BoundExprPtr> arguments,
                           SourceSpan span) {
  const ScalarFunction* function = FindForm(name, arguments, Fits);
  Check(function != nullptr, "a bound call is on the list of functions");
  return MakeTypedCall(*function, std::move(arguments), span);
}

}  // namespace dpsql
