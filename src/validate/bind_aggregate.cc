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
#include "validate/query_node.h"
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
    const Aggregate* pair = FindAggregate(call_.name, AggregateForm::kPair);
    if (pair != nullptr) return BindPair(*pair);
    if (call_.star && !call_.filter) return Make(AggregateForm::kStar, {});
    if (call_.arguments.empty() && !call_.star) return WrongArguments();
    BoundExprPtr argument = WholeLiteral(1, span_);
    if (!call_.star) {
      TRY(argument, BindExpr(*call_.arguments[0].value, scope_, hooks_));
    }
    if (call_.distinct) return BindDistinct(std::move(argument));
    TRY(argument, Filtered(std::move(argument)));
    TRY(BoundAggregate bound, Make(AggregateForm::kArgument, {{.expr = argument}}));
    if (bound.aggregate->needs_bounds) return WithBounds(std::move(bound));
    if (call_.arguments.size() > 1) return WrongArguments();
    return bound;
  }

 private:
  Result<BoundAggregate> Make(AggregateForm form, std::vector<BoundedArgument> arguments) const {
    const Aggregate* aggregate = FindAggregate(call_.name, form);
    if (aggregate == nullptr) return WrongArguments();
    return BoundAggregate{.aggregate = aggregate, .arguments = std::move(arguments), .span = span_};
  }

  Error WrongArguments() const {
    return MakeError(ErrorCode::kWrongArguments, call_.name + " is not written this way", span_,
                     "write COUNT(*), COUNT(x), COUNT(DISTINCT x), SUM(x), AVG(x), VAR_SAMP(x), "
                     "COVAR_SAMP(y, x), or with bounds SUM(x, lower, upper)");
  }

  // The argument where the FILTER holds, else NULL.
  Result<BoundExprPtr> Filtered(BoundExprPtr argument) const {
    if (call_.filter) {
      TRY(argument, FilteredArgument(std::move(argument), *call_.filter, scope_, hooks_));
    }
    if (!ReadsOuter(*argument)) return argument;
    return NotYet("an aggregate of the query around", span_, "aggregate it there");
  }

  Result<BoundAggregate> BindDistinct(BoundExprPtr argument) const {
    if (call_.name != "count" || call_.arguments.size() != 1) {
      return NotYet("DISTINCT in an aggregate other than COUNT", span_,
                    "a distinct value belongs to no one unit; COUNT(DISTINCT x) has an answer");
    }
    if (HoldsUnit(*argument, relation_)) {
      if (!call_.filter) return Make(AggregateForm::kDistinctUnit, {});
      TRY(BoundExprPtr holds, Filtered(WholeLiteral(1, span_)));
      return Make(AggregateForm::kDistinctUnit, {{.expr = std::move(holds)}});
    }
    if (!IsExactType(argument->type)) {
      return MakeError(ErrorCode::kTypeMismatch,
                       "values of type " + argument->type.name + " cannot be told apart exactly",
                       argument->span, "count distinct whole numbers, texts, dates or decimals");
    }
    TRY(argument, Filtered(std::move(argument)));
    return Make(AggregateForm::kDistinctValue, {{.expr = std::move(argument)}});
  }

  // f(y, x): the dependent value comes first, as in PostgreSQL. With bounds of both in this order:
  // f(y, x, y_lower, y_upper, x_lower, x_upper).
  Result<BoundAggregate> BindPair(const Aggregate& aggregate) const {
    const bool inline_bounds = call_.arguments.size() == 6;
    if (call_.star || call_.distinct || (call_.arguments.size() != 2 && !inline_bounds)) {
      return WrongArguments();
    }
    BoundAggregate bound{.aggregate = &aggregate, .arguments = {}, .span = span_};
    for (const std::size_t i : {1U, 0U}) {
      TRY(BoundExprPtr argument, BindExpr(*call_.arguments[i].value, scope_, hooks_));
      TRY(argument, Filtered(std::move(argument)));
      BoundedArgument own{.expr = std::move(argument)};
      if (inline_bounds) {
        TRY(own.bounds.low, BoundNumber(*call_.arguments[2 + 2 * i].value));
        TRY(own.bounds.high, BoundNumber(*call_.arguments[3 + 2 * i].value));
        TRY_DONE(SetInlineBounds(own));
      } else {
        TRY_DONE(SetKnownBounds(own));
      }
      bound.arguments.push_back(std::move(own));
    }
    return bound;
  }

  Result<BoundAggregate> WithBounds(BoundAggregate bound) const {
    BoundedArgument& own = bound.arguments[0];
    if (call_.arguments.size() == 1) {
      TRY_DONE(SetKnownBounds(own));
      return bound;
    }
    if (call_.arguments.size() != 3) return WrongArguments();
    TRY_DONE(CheckNumber(own));
    TRY(const double first, BoundValue(call_.arguments[1], "lower"));
    TRY(const double second, BoundValue(call_.arguments[2], "upper"));
    const bool swapped = SameName(call_.arguments[1].name, "upper");
    own.bounds = swapped ? Interval{second, first} : Interval{first, second};
    TRY_DONE(SetInlineBounds(own));
    return bound;
  }

  Status CheckNumber(const BoundedArgument& own) const {
    if (own.expr->type.is_numeric()) return Done{};
    return MakeError(ErrorCode::kTypeMismatch,
                     call_.name + " needs a number, not " + own.expr->type.name, own.expr->span,
                     "give it a column of a numeric type");
  }

  // The bounds that follow from the policy.
  Status SetKnownBounds(BoundedArgument& own) const {
    TRY_DONE(CheckNumber(own));
    if (!own.expr->interval) return NoBounds(*own.expr);
    own.bounds = *own.expr->interval;
    own.origin = own.expr->interval_origin;
    return CheckBounds(own.bounds, own.expr->span);
  }

  Error NoBounds(const BoundExpr& argument) const {
    const std::string text = Describe(argument, {relation_, scope_.catalog()});
    const bool pair = FindAggregate(call_.name, AggregateForm::kPair) != nullptr;
    std::string hint =
        "write  " + ToUpper(call_.name) +
        (pair ? "(y, x, y_lower, y_upper, x_lower, x_upper)" : "(" + text + ", lower, upper)");
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

  // The bounds that the analyst wrote: never wider than the owner's.
  Status SetInlineBounds(BoundedArgument& own) const {
    TRY_DONE(CheckNumber(own));
    own.origin = "query";
    const auto declared = Ceiling(*own.expr);
    if (declared && (own.bounds.low < declared->low || own.bounds.high > declared->high)) {
      std::ostringstream range;
      range << "allowed here: " << declared->low << " to " << declared->high;
      return MakeError(ErrorCode::kOptionOutsidePolicy, "these bounds are wider than the policy's",
                       span_, range.str());
    }
    return CheckBounds(own.bounds, span_);
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
    if (name_fits) return BoundNumber(*argument.value);
    return MakeError(ErrorCode::kBadBounds, "a bound is a number, written out",
                     argument.value->span);
  }

  Result<double> BoundNumber(const ast::Expr& written) const {
    TRY(BoundExprPtr bound, BindExpr(written, scope_));
    if (bound->kind == BoundKind::kLiteral && bound->interval) return bound->interval->low;
    return MakeError(ErrorCode::kBadBounds, "a bound is a number, written out", bound->span);
  }

  static Status CheckBounds(const Interval& bounds, SourceSpan span) {
    const auto [low, high] = bounds;
    const bool moderate = std::abs(low) < kWidestRange && std::abs(high) < kWidestRange;
    if (moderate && high - low > 1 / kWidestRange) return Done{};
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
