#include "validate/bind_call.h"

#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "aggregates/aggregate.h"
#include "base/error_codes.h"
#include "base/names.h"
#include "base/suggest.h"
#include "base/try.h"
#include "validate/literals.h"
#include "validate/not_yet.h"
#include "validate/overloads.h"
#include "validate/patterns.h"
#include "validate/query_clock.h"

namespace dpsql {
namespace {

std::string FunctionHint(const ast::Call& call) {
  if (call.name == "min") return "of the values of one row:  least(…)";
  if (call.name == "max") return "of the values of one row:  greatest(…)";
  std::vector<std::string> names;
  for (const ScalarFunction& function : AllScalarFunctions()) {
    const bool written = function.name.find(' ') == std::string_view::npos;
    if (written && function.name != call.name) names.emplace_back(function.name);
  }
  for (const Aggregate* aggregate : AllAggregates()) names.emplace_back(aggregate->function);
  const auto nearest = Suggest(call.name, names);
  return nearest ? "did you mean  " + *nearest + " ?"
                 : "docs/reference/functions.md lists what a row expression may use";
}

Error UnknownFunction(const ast::Call& call, SourceSpan span) {
  return MakeError(ErrorCode::kUnknownFunction,
                   std::string("the ") + (call.is_operator ? "operator " : "function ") +
                       call.name + " is not on the list of safe ones",
                   span, FunctionHint(call));
}

// Functions that the binder names by their first argument: extract(year FROM x).
bool HasField(const std::string& name) {
  return name == "extract" || name == "date_part" || name == "date_trunc";
}

bool IsPattern(const std::string& name) { return name.ends_with("like") && name != "regexp_like"; }

bool IsRegex(const std::string& name) {
  return name == "regexp_like" || name == "~" || name == "~*" || name == "!~" || name == "!~*";
}

Result<BoundExprPtr> BindField(const std::string& name, std::vector<BoundExprPtr> arguments,
                               SourceSpan span) {
  const std::string kind = name == "date_trunc" ? name : "extract";
  const bool literal = arguments.size() == 2 && IsTextLiteral(*arguments[0]);
  const std::string field = literal ? ToLower(std::get<std::string>(arguments[0]->literal)) : "";
  if (!IsScalarFunction(kind + " " + field)) {
    std::string fields;
    for (const ScalarFunction& function : AllScalarFunctions()) {
      if (!function.name.starts_with(kind + " ")) continue;
      const std::string known(function.name.substr(kind.size() + 1));
      if (fields.find(known) == std::string::npos) fields += (fields.empty() ? "" : ", ") + known;
    }
    return MakeError(ErrorCode::kWrongArguments, name + " does not know this field", span,
                     "the fields are " + fields);
  }
  return BindOverload(kind + " " + field, {arguments[1]}, span);
}

// The third argument is that of ESCAPE: one character, or none.
Result<BoundExprPtr> BindPattern(const std::string& name, std::vector<BoundExprPtr> arguments,
                                 SourceSpan span) {
  if (arguments.size() < 2 || !IsTextLiteral(*arguments[1])) {
    return arguments.size() == 2 && arguments[1]->type.family == TypeFamily::kText
               ? NotYet("a pattern from a column", arguments[1]->span)
               : BindOverload(name, std::move(arguments), span);
  }
  std::optional<char> escape = '\\';
  if (arguments.size() == 3) {
    const bool literal = IsTextLiteral(*arguments[2]);
    const std::string text = literal ? std::get<std::string>(arguments[2]->literal) : "";
    if (!literal || text.size() > 1) {
      return MakeError(ErrorCode::kWrongArguments, "ESCAPE takes one ASCII character",
                       arguments[2]->span, "write  ESCAPE '!'");
    }
    escape = text.empty() ? std::nullopt : std::optional(text[0]);
  }
  const auto pattern = ReadLikePattern(std::get<std::string>(arguments[1]->literal), escape);
  if (!pattern) {
    return MakeError(ErrorCode::kWrongArguments, "the pattern ends in its escape character",
                     arguments[1]->span, "double it where it stands for itself");
  }
  if (const std::string fault = LikeFault(*pattern); !fault.empty()) {
    return MakeError(ErrorCode::kWrongArguments, "this pattern cannot be used: " + fault,
                     arguments[1]->span, "a shorter pattern takes less time on a row");
  }
  std::vector<BoundExprPtr> read = {arguments[0], TextLiteral(pattern->text, arguments[1]->span)};
  if (!pattern->escaped) return BindOverload(name, std::move(read), span);
  read.push_back(TextLiteral(std::string(1, kPatternEscape), arguments[1]->span));
  return BindOverload(name, std::move(read), span);
}

Result<BoundExprPtr> BindRegex(const std::string& name, std::vector<BoundExprPtr> arguments,
                               SourceSpan span) {
  if (arguments.size() != 2 || !IsTextLiteral(*arguments[1])) {
    return arguments.size() == 2 && arguments[1]->type.family == TypeFamily::kText
               ? NotYet("a regular expression from a column", arguments[1]->span)
               : BindOverload(name, std::move(arguments), span);
  }
  const std::string fault = RegexFault(std::get<std::string>(arguments[1]->literal));
  if (fault.empty()) return BindOverload(name, std::move(arguments), span);
  return MakeError(ErrorCode::kWrongArguments, "this regular expression cannot be used: " + fault,
                   arguments[1]->span, "characters, ., [a-z], ^, $, |, ( ), *, +, ? and {m,n} can");
}

// What is a literal by the time the query is bound.
std::optional<BoundExprPtr> Fold(const std::string& name, SourceSpan span) {
  if (name == "pi") return RealLiteral(std::numbers::pi, span);
  if (!IsScalarFunction(name)) return std::nullopt;
  const bool day = name == "current_date";
  const bool time = name == "now" || name == "current_timestamp" || name == "localtimestamp" ||
                    name == "statement_timestamp" || name == "transaction_timestamp";
  if (!day && !time) return std::nullopt;
  const QueryClock::Time now = QueryClock::Now();
  auto literal = TypedLiteral(day ? DateText(now) : TimestampText(now),
                              ParseType(day ? "DATE" : "TIMESTAMP"), span);
  return *literal;
}

struct TypeWord {
  std::string_view grammar;
  std::string_view cast;  // the name of the cast on the list
};

constexpr auto kTypeWords = std::to_array<TypeWord>({
    {"bool", "cast boolean"},
    {"int2", "cast smallint"},
    {"int4", "cast integer"},
    {"int8", "cast bigint"},
    {"float4", "cast real"},
    {"float8", "cast double precision"},
    {"numeric", "cast double precision"},
    {"text", "cast text"},
    {"varchar", "cast text"},
    {"date", "cast date"},
    {"timestamp", "cast timestamp"},
});

Result<std::string> CastName(const ast::TypeName& type, SourceSpan span) {
  const bool modified = !type.modifiers.empty();
  if (!type.array && modified && type.name == "numeric") return std::string("cast decimal");
  if (!type.array && modified && type.name == "varchar") return std::string("cast varchar");
  for (const TypeWord& word : kTypeWords) {
    if (!type.array && !modified && word.grammar == type.name) return std::string(word.cast);
  }
  return MakeError(ErrorCode::kTypeMismatch, "there is no cast to this type", span,
                   "cast to boolean, smallint, integer, bigint, double precision, decimal(p,s), "
                   "text, date or timestamp");
}

// DECIMAL(p) is DECIMAL(p,0); more than 38 digits no engine keeps.
Result<std::vector<BoundExprPtr>> Modifiers(const ast::TypeName& type, SourceSpan span) {
  std::vector<std::int64_t> numbers = type.modifiers;
  if (type.name == "numeric" && numbers.size() == 1) numbers.push_back(0);
  const bool digits =
      type.name != "numeric" || numbers.empty() ||
      (numbers[0] >= 1 && numbers[0] <= 38 && numbers[1] >= 0 && numbers[1] <= numbers[0]);
  if (!digits) {
    return MakeError(ErrorCode::kTypeMismatch, "there is no such decimal", span,
                     "write  DECIMAL(p,s)  with p from 1 to 38 and s from 0 to p");
  }
  std::vector<BoundExprPtr> modifiers;
  for (const std::int64_t number : numbers) modifiers.push_back(WholeLiteral(number, span));
  return modifiers;
}

}  // namespace

Status CheckCall(const ast::Call& call, SourceSpan span) {
  if (!call.is_operator && IsAggregateName(call.name)) {
    return MakeError(ErrorCode::kMisplacedAggregate,
                     "the aggregate " + call.name + " cannot stand here", span);
  }
  bool plain = call.schema.empty() && !call.distinct && !call.star && !call.filter && !call.over &&
               call.order_by.empty();
  for (const ast::Argument& argument : call.arguments) plain = plain && argument.name.empty();
  const bool spaced = call.name.find(' ') != std::string::npos && !call.is_operator;
  if (plain && !spaced && (IsScalarFunction(call.name) || HasField(call.name))) return Done{};
  return UnknownFunction(call, span);
}

Result<BoundExprPtr> BindCall(const std::string& name, std::vector<BoundExprPtr> arguments,
                              SourceSpan span) {
  if (HasField(name)) return BindField(name, std::move(arguments), span);
  if (IsPattern(name)) return BindPattern(name, std::move(arguments), span);
  if (IsRegex(name)) return BindRegex(name, std::move(arguments), span);
  if (arguments.empty()) {
    if (auto literal = Fold(name, span)) return *literal;
  }
  if (name == "age" && arguments.size() == 1) {
    TRY(BoundExprPtr today,
        TypedLiteral(DateText(QueryClock::Now()), ParseType("TIMESTAMP"), span));
    arguments.insert(arguments.begin(), std::move(today));
  }
  if (name == "width_bucket" && arguments.size() == 4 && arguments[1]->interval &&
      arguments[2]->interval) {
    // A width beyond DOUBLE would make NaN of a part's number, and a billionth of the width must be
    // a number too.
    const double width = arguments[2]->interval->low - arguments[1]->interval->low;
    if (!(width > 1e-290) || !std::isfinite(width)) {
      return MakeError(ErrorCode::kWrongArguments, "the parts of width_bucket run from low to high",
                       span, "write  width_bucket(x, low, high, parts)  with low < high");
    }
  }
  return BindOverload(name, std::move(arguments), span);
}

Result<BoundExprPtr> BindCast(BoundExprPtr operand, const ast::TypeName& type, SourceSpan span) {
  const bool text = IsTextLiteral(*operand);
  const Type known = ParseType(type.name);
  if (text && type.name == "interval") {
    return IntervalLiteral(std::get<std::string>(operand->literal), type, span);
  }
  const bool typed = known.family == TypeFamily::kDate || known.family == TypeFamily::kUuid ||
                     known.family == TypeFamily::kTimestamp;
  if (text && typed && type.modifiers.empty() && !type.array) {
    return TypedLiteral(std::get<std::string>(operand->literal), known, span);
  }
  TRY(const std::string name, CastName(type, span));
  TRY(std::vector<BoundExprPtr> arguments, Modifiers(type, span));
  // VARCHAR(n) cuts a text, so another value becomes a text first.
  if (name == "cast varchar" && operand->type.family != TypeFamily::kText) {
    TRY(operand, BindOverload("cast text", {std::move(operand)}, span));
  }
  arguments.insert(arguments.begin(), std::move(operand));
  return BindOverload(name, std::move(arguments), span);
}

}  // namespace dpsql
