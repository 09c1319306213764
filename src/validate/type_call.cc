#include "validate/type_call.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "validate/interval_rules.h"
#include "validate/overloads.h"

namespace dpsql {
namespace {

constexpr std::string_view kByArithmetic = " by arithmetic";

bool IsNullLiteral(const BoundExpr& expr) {
  return expr.kind == BoundKind::kLiteral && std::holds_alternative<std::monostate>(expr.literal);
}

// CASE is in pairs of a condition and a result, with the result of ELSE behind them.
bool IsResultOf(const ScalarFunction& function, std::size_t i, std::size_t count) {
  return function.name != "case" || i % 2 == 1 || i + 1 == count;
}

Type ResultType(const ScalarFunction& function, const std::vector<BoundExprPtr>& arguments) {
  if (function.result.empty()) return CommonType(function, arguments);
  if (function.result != "DECIMAL") return ParseType(function.result);
  const auto digits = [&](std::size_t i) {
    return std::to_string(std::get<std::int64_t>(arguments[i]->literal));
  };
  return ParseType("DECIMAL(" + digits(1) + "," + digits(2) + ")");
}

// A date that meets a timestamp becomes one, and is NULL where it is beyond their range.
bool MayBecomeNull(const BoundExpr& argument, bool meets_timestamp) {
  return argument.nullable || (meets_timestamp && argument.type.family == TypeFamily::kDate);
}

bool IsNullable(const ScalarFunction& function, const std::vector<BoundExprPtr>& arguments) {
  const bool meets_timestamp = std::any_of(
      arguments.begin(), arguments.end(),
      [](const BoundExprPtr& argument) { return argument->type.family == TypeFamily::kTimestamp; });
  const auto nullable = [&](const BoundExprPtr& argument) {
    return MayBecomeNull(*argument, meets_timestamp);
  };
  switch (function.nulls) {
    case Nulls::kNever:
      return false;
    case Nulls::kFromArguments:
      return std::any_of(arguments.begin(), arguments.end(), nullable);
    case Nulls::kFromAll:
      return std::all_of(arguments.begin(), arguments.end(), nullable);
    case Nulls::kPossible:
      break;
  }
  if (function.name != "case") return true;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (IsResultOf(function, i, arguments.size()) && nullable(arguments[i])) return true;
  }
  return false;
}

// A NULL that is written out adds nothing to what a choice can give: it takes the interval of a
// neighbour.
std::vector<std::optional<Interval>> ArgumentIntervals(const std::vector<BoundExprPtr>& arguments) {
  std::optional<Interval> known;
  for (const BoundExprPtr& argument : arguments) {
    if (!known) known = argument->interval;
  }
  std::vector<std::optional<Interval>> intervals;
  for (const BoundExprPtr& argument : arguments) {
    intervals.push_back(IsNullLiteral(*argument) ? known : argument->interval);
  }
  return intervals;
}

std::optional<Interval> ResultInterval(const ScalarFunction& function,
                                       const std::vector<BoundExprPtr>& arguments) {
  const std::vector<std::optional<Interval>> intervals = ArgumentIntervals(arguments);
  std::vector<bool> nullable;
  for (const BoundExprPtr& argument : arguments) nullable.push_back(argument->nullable);
  if (function.name == "greatest") return intervals::Greatest(intervals, nullable);
  if (function.name == "least") return intervals::Least(intervals, nullable);
  return function.interval == nullptr ? std::nullopt : function.interval(intervals);
}

// The first origin that is more than a literal, marked as carried through arithmetic.
std::string Origin(const ScalarFunction& function, const std::vector<BoundExprPtr>& arguments) {
  if (!function.range.empty()) return "range of " + std::string(function.range);
  for (const BoundExprPtr& argument : arguments) {
    const std::string& origin = argument->interval_origin;
    if (origin.empty() || origin == "literal") continue;
    return origin.ends_with(kByArithmetic) ? origin : origin + std::string(kByArithmetic);
  }
  return "literal";
}

// IN is printed as one comparison for each item, each with the operand in it.
std::size_t WrittenSize(const ScalarFunction& function,
                        const std::vector<BoundExprPtr>& arguments) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
  std::size_t size = 1;
  for (const BoundExprPtr& argument : arguments) size += argument->written_size;
  if (function.name == "in") size += arguments.size() * arguments[0]->written_size;
  return std::min(size, kMost);
}

}  // namespace

Type CommonType(const ScalarFunction& function, const std::vector<BoundExprPtr>& arguments) {
  bool same = true;
  bool whole = true;
  const Type* first = nullptr;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!IsResultOf(function, i, arguments.size())) continue;
    const Type& type = arguments[i]->type;
    if (first == nullptr) first = &type;
    same = same && type == *first;
    whole = whole && type.family == TypeFamily::kInteger;
  }
  if (first->family == TypeFamily::kFloat) return ParseType("DOUBLE");
  if (same) return *first;
  if (first->is_numeric()) return ParseType(whole ? "BIGINT" : "DOUBLE");
  const bool days = first->family == TypeFamily::kDate || first->family == TypeFamily::kTimestamp;
  return days ? ParseType("TIMESTAMP") : *first;
}

BoundExprPtr MakeTypedCall(const ScalarFunction& function, std::vector<BoundExprPtr> arguments,
                           SourceSpan span) {
  BoundExpr call{.kind = BoundKind::kCall,
                 .type = ResultType(function, arguments),
                 .nullable = IsNullable(function, arguments),
                 .span = span,
                 .function = std::string(function.name),
                 .overload = &function,
                 .written_size = WrittenSize(function, arguments)};
  if (call.type.is_numeric()) call.interval = ResultInterval(function, arguments);
  if (call.interval) call.interval_origin = Origin(function, arguments);
  call.arguments = std::move(arguments);
  return std::make_shared<const BoundExpr>(std::move(call));
}

}  // namespace dpsql
