#include "validate/exact_aggregates.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/error_codes.h"
#include "base/try.h"
#include "validate/literals.h"
#include "validate/not_yet.h"
#include "validate/overloads.h"
#include "validate/query_node.h"
#include "validate/rewrite.h"

namespace dpsql {
namespace {

// Decimals of so many digits are sums of integers too wide to overflow.
constexpr int kMostDigits = 18;

bool IsInteger(const Type& type) {
  if (type.family == TypeFamily::kInteger) return true;
  const auto digits = DigitsOf(type);
  return digits && digits->precision <= kMostDigits;
}

constexpr auto kExact = std::to_array<ExactForm>({
    {"count", "*", "rows; count(value) those with a value, count(DISTINCT value) different values"},
    {"sum", "number", "the sum"},
    {"avg", "number", "the mean"},
    {"min", "value", "the least"},
    {"max", "value", "the largest"},
});

bool IsExactAggregate(std::string_view name) {
  return std::any_of(kExact.begin(), kExact.end(),
                     [&](const ExactForm& form) { return form.name == name; });
}

Error NotExact(const ast::Call& call, const Type& type, SourceSpan span) {
  return MakeError(ErrorCode::kTypeMismatch,
                   call.name + " of " + type.name + " is not exact within a unit", span,
                   "sums of integers and decimals are; so are counts");
}

Status CheckArgument(const ast::Call& call, const Type& type, SourceSpan span, bool per_unit) {
  const bool adds = call.name == "sum" || call.name == "avg";
  if (adds && !type.is_numeric()) {
    return MakeError(ErrorCode::kTypeMismatch, call.name + " needs a number, not " + type.name,
                     span, "give it a column of a numeric type");
  }
  if (!per_unit) return Done{};
  const bool exact = call.name == "count" ? !call.distinct || IsExactType(type)
                     : adds               ? IsInteger(type)
                                          : IsExactType(type);
  if (!exact) return NotExact(call, type, span);
  return Done{};
}

Type ResultType(const std::string& function, const Type& argument) {
  if (function == "count") return ParseType("BIGINT");
  if (function == "avg") return ParseType("DOUBLE");
  if (function != "sum") return argument;
  if (argument.family == TypeFamily::kInteger) return ParseType("HUGEINT");
  if (!IsInteger(argument)) return ParseType("DOUBLE");
  return ParseType("DECIMAL(38," + std::to_string(DigitsOf(argument)->scale) + ")");
}

}  // namespace

std::span<const ExactForm> ExactAggregateForms() { return kExact; }

Result<BoundExprPtr> FilteredArgument(BoundExprPtr argument, const ast::Expr& filter,
                                      const Scope& scope, ExprHooks* hooks) {
  TRY(BoundExprPtr condition, BindCondition(filter, scope, hooks));
  const SourceSpan span = argument->span;
  const Type type = argument->type;
  return BindCase({std::move(condition), std::move(argument), NullLiteral(type, span)}, span);
}

Result<ExactAggregate> BindExactAggregate(const ast::Call& call, SourceSpan span,
                                          const Scope& scope, ExprHooks* hooks, bool per_unit) {
  const bool known = IsExactAggregate(call.name);
  const bool plain = call.order_by.empty() && !call.within_group;
  const bool distinct_fits = !call.distinct || !per_unit || call.name == "count";
  if (!known || !plain || !distinct_fits) {
    return NotYet(per_unit ? "this aggregate within a unit" : "this aggregate of public rows", span,
                  "COUNT, COUNT(DISTINCT x), SUM of integers, MIN and MAX are exact per unit");
  }
  ExactAggregate aggregate{
      .function = call.name, .argument = nullptr, .distinct = call.distinct, .type = {}};
  if (!call.star || call.name != "count") {
    if (call.arguments.size() != 1 || !call.arguments[0].name.empty()) {
      return MakeError(ErrorCode::kWrongArguments, call.name + " takes one argument here", span,
                       "bounds are for aggregates over people");
    }
    TRY(aggregate.argument, BindExpr(*call.arguments[0].value, scope, hooks));
    TRY_DONE(CheckArgument(call, aggregate.argument->type, span, per_unit));
  }
  if (call.filter) {
    if (call.star) aggregate.argument = WholeLiteral(1, span);
    TRY(aggregate.argument,
        FilteredArgument(std::move(aggregate.argument), *call.filter, scope, hooks));
  }
  if (aggregate.argument && ReadsOuter(*aggregate.argument)) {
    return NotYet("an aggregate of the query around", span, "aggregate it there");
  }
  aggregate.type = ResultType(call.name, aggregate.argument ? aggregate.argument->type : Type());
  return aggregate;
}

bool SameAggregate(const ExactAggregate& a, const ExactAggregate& b) {
  return a.function == b.function && a.distinct == b.distinct &&
         SameArgument(a.argument, b.argument);
}

}  // namespace dpsql
