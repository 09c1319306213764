#include "validate/bind_aggregate.h"

#include <cmath>
#include <sstream>
#include <utility>

#include "base/error_codes.h"
#include "base/names.h"
#include "base/try.h"
#include "validate/bind_expr.h"
#include "validate/exact_aggregates.h"
#include "validate/literals.h"
#include "validate/not_yet.h"
#include "validate/ownership.h"
#include "validate/rewrite.h"

namespace dpsql {
namespace {

// Beyond this the variance of a sum, or a value's place between its bounds, is no double.
constexpr double kWidestRange = 1e150;

class AggregateBinder {
 public:
  AggregateBinder(const ast::Call& call, SourceSpan span, const Scope& scope,
                  const Relation& relation, ExprHooks* hooks)
      : call_(call), span_(span), scope_(scope), relation_(relation), hooks_(hooks) {}

  Result<BoundAggregate> Bind() {
    if (call_.name == "min" || call_.name == "max") {
      return MakeError(ErrorCode::kUnknownFunction,
                       "the " + call_.name + " is one person's value and cannot be released", span_,
                       "use AVG or SUM; within a subquery grouped by the unit it is exact");
    }
    for (const ast::Argument& argument : call_.arguments) {
      if (!SameName(argument.name, "contribution_bounds_per_group")) continue;
      return NotYet("bounds of a person's whole sum in a group", argument.value->span,
                    "bound each row:  SUM(x, lower, upper)");
    }
    if (!call_.order_by.empty() || call_.within_group) {
      return NotYet("ORDER BY in an aggregate", span_);
    }
    if (call_.star && !call_.filter) return Make(AggregateForm::kStar, nullptr);
    if (call_.arguments.empty() && !call_.star) return WrongArguments();
    BoundExprPtr argument = WholeLiteral(1, span_);
    if (!call_.star) {
      TRY(argument, BindExpr(*call_.arguments[0].value, scope_, hooks_));
    }
    if (call_.distinct) return BindDistinct(*argument);
    if (call_.filter) {
      TRY(argument, FilteredArgument(std::move(argument), *call_.filter, scope_, hooks_));
    }
    if (ReadsOuter(*argument)) {
      return NotYet("an aggregate of the query around", span_, "aggregate it there");
    }
    TRY(BoundAggregate bound, Make(AggregateForm::kArgument, argument));
    if (bound.aggregate->needs_bounds) return WithBounds(std::move(bound));
    if (call_.arguments.size() > 1) return WrongArguments();
    return bound;
  }

 private:
  Result<BoundAggregate> Make(AggregateForm form, BoundExprPtr argument) const {
    const Aggregate* aggregate = FindAggregate(call_.name, form);
    if (aggregate == nullptr) return WrongArguments();
    return BoundAggregate{.aggregate = aggregate, .argument = std::move(argument), .span = span_};
  }

  Error WrongArguments() const {
    return MakeError(ErrorCode::kWrongArguments, call_.name + " is not written this way", span_,
                     "write COUNT(*), COUNT(x), COUNT(DISTINCT unit), SUM(x), AVG(x), or "
                     "SUM(x, lower, upper)");
  }

  Result<BoundAggregate> BindDistinct(const BoundExpr& argument) const {
    if (call_.filter) {
      return NotYet("DISTINCT with FILTER", span_, "put the condition into WHERE");
    }
    const bool unit = HoldsUnit(argument, relation_);
    if (unit && call_.arguments.size() == 1) return Make(AggregateForm::kDistinctUnit, nullptr);
    return NotYet("DISTINCT over anything but the privacy unit", span_,
                  "count people with COUNT(DISTINCT unit)");
  }

  Result<BoundAggregate> WithBounds(BoundAggregate bound) const {
    const BoundExpr& argument = *bound.argument;
    if (!argument.type.is_numeric()) {
      return MakeError(ErrorCode::kTypeMismatch,
                       call_.name + " needs a number, not " + argument.type.name, argument.span,
                       "give it a column of a numeric type");
    }
    if (call_.arguments.size() > 1) return WithInlineBounds(std::move(bound));
    if (!argument.interval) return NoBounds(argument);
    bound.bounds = *argument.interval;
    bound.bounds_origin = argument.interval_origin;
    return CheckBounds(std::move(bound), argument.span);
  }

  Error NoBounds(const BoundExpr& argument) const {
    const std::string text = Describe(argument, {relation_, scope_.catalog()});
    std::string hint = "write  " + ToUpper(call_.name) + "(" + text + ", lower, upper)";
    const bool declared =
        argument.kind == BoundKind::kColumn && !relation_.scans[argument.column.scan].node;
    if (declared) {
      const CatalogTable& table =
          scope_.catalog().table(relation_.scans[argument.column.scan].table);
      hint += ", or let the owner add  " + table.columns[argument.column.column].name +
              " = { lower = …, upper = … }  under [tables." + table.name + ".columns]";
    }
    return MakeError(ErrorCode::kNoBounds,
                     "no bounds are known for " + text +
                         ": without them one person could move the answer by any amount",
                     argument.span, hint);
  }

  Result<BoundAggregate> WithInlineBounds(BoundAggregate bound) const {
    if (call_.arguments.size() != 3) return WrongArguments();
    TRY(const double first, BoundValue(call_.arguments[1], "lower"));
    TRY(const double second, BoundValue(call_.arguments[2], "upper"));
    const bool swapped = SameName(call_.arguments[1].name, "upper");
    bound.bounds = swapped ? Interval{second, first} : Interval{first, second};
    bound.bounds_origin = "query";
    const auto declared = Ceiling(*bound.argument);
    if (declared && (bound.bounds.low < declared->low || bound.bounds.high > declared->high)) {
      std::ostringstream range;
      range << "allowed here: " << declared->low << " to " << declared->high;
      return MakeError(ErrorCode::kOptionOutsidePolicy, "these bounds are wider than the policy's",
                       span_, range.str());
    }
    return CheckBounds(std::move(bound), span_);
  }

  // What the owner allows: WHERE narrows a column's interval, and no bound must follow it.
  std::optional<Interval> Ceiling(const BoundExpr& argument) const {
    const bool column =
        argument.kind == BoundKind::kColumn && argument.column.scan < relation_.scans.size();
    if (!column) return argument.interval;
    return RelationView{relation_, scope_.catalog()}.column(argument.column).bounds;
  }

  // A bound is a literal, positional or named; a bound from a column would follow the data.
  Result<double> BoundValue(const ast::Argument& argument, std::string_view expected) const {
    const std::string_view other = expected == "lower" ? "upper" : "lower";
    const bool both_named = !call_.arguments[1].name.empty() && !call_.arguments[2].name.empty() &&
                            !SameName(call_.arguments[1].name, call_.arguments[2].name);
    const bool name_fits = argument.name.empty() || SameName(argument.name, expected) ||
                           (both_named && SameName(argument.name, other));
    TRY(BoundExprPtr bound, BindExpr(*argument.value, scope_));
    const bool literal = bound->kind == BoundKind::kLiteral && bound->interval.has_value();
    if (!name_fits || !literal) {
      return MakeError(ErrorCode::kBadBounds, "a bound is a number, written out", bound->span);
    }
    return bound->interval->low;
  }

  static Result<BoundAggregate> CheckBounds(BoundAggregate bound, SourceSpan span) {
    const auto [low, high] = bound.bounds;
    const double range = high - low;
    const bool moderate = std::abs(low) < kWidestRange && std::abs(high) < kWidestRange;
    if (moderate && range > 1 / kWidestRange) return bound;
    return MakeError(ErrorCode::kBadBounds, "these bounds leave no room between them", span);
  }

  const ast::Call& call_;
  SourceSpan span_;
  const Scope& scope_;
  const Relation& relation_;
  ExprHooks* hooks_;
};

}  // namespace

Result<BoundAggregate> BindAggregate(const ast::Call& call, SourceSpan span, const Scope& scope,
                                     const Relation& relation, ExprHooks* hooks) {
  return AggregateBinder(call, span, scope, relation, hooks).Bind();
}

}  // namespace dpsql
