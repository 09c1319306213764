#include "validate/bind_expr.h"

#include <utility>

#include "aggregates/aggregate.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "validate/bind_call.h"
#include "validate/literals.h"
#include "validate/not_yet.h"
#include "validate/overloads.h"

namespace dpsql {
namespace {

// BETWEEN, IN and CASE x repeat their operand when they are written out, and nested they would do
// so beyond any limit.
constexpr std::size_t kLargestWritten = 20'000;

Error NoCondition(const BoundExpr& bound) {
  return MakeError(ErrorCode::kTypeMismatch, "a condition is expected here, not " + bound.type.name,
                   bound.span, "compare the value with something");
}

// Reads the syntax tree of one expression. One method per kind of node.
class ExprBinder {
 public:
  ExprBinder(const Scope& scope, ExprHooks* hooks) : scope_(scope), hooks_(hooks) {}

  Result<BoundExprPtr> Bind(const ast::Expr& expr) {
    TRY(BoundExprPtr bound,
        std::visit([&](const auto& node) { return BindNode(node, expr.span); }, expr.node));
    if (bound->written_size <= kLargestWritten) return bound;
    return MakeError(ErrorCode::kTooLarge, "this expression is too large when written out",
                     expr.span);
  }

  Result<BoundExprPtr> BindTruth(const ast::Expr& expr) {
    TRY(BoundExprPtr bound, Bind(expr));
    if (IsUntypedNull(*bound)) return NullLiteral(ParseType("BOOLEAN"), bound->span);
    if (bound->type.family != TypeFamily::kBoolean) return NoCondition(*bound);
    return bound;
  }

 private:
  Result<BoundExprPtr> BindNode(const ast::ColumnRef& node, SourceSpan span) {
    return scope_.ResolveColumn(node, span);
  }
  Result<BoundExprPtr> BindNode(const ast::Null&, SourceSpan span) { return NullLiteral({}, span); }
  Result<BoundExprPtr> BindNode(const ast::Boolean& node, SourceSpan span) {
    return BooleanLiteral(node.value, span);
  }
  Result<BoundExprPtr> BindNode(const ast::Number& node, SourceSpan span) {
    return NumberLiteral(node.text, span);
  }
  Result<BoundExprPtr> BindNode(const ast::String& node, SourceSpan span) {
    return TextLiteral(node.value, span);
  }
  Result<BoundExprPtr> BindNode(const ast::Parameter&, SourceSpan span) {
    return NotYet("a parameter by number", span, "name it: write  $name  and  --param name=value");
  }
  Result<BoundExprPtr> BindNode(const ast::Star&, SourceSpan span) {
    return MakeError(ErrorCode::kRawColumn, "* would show rows of people", span);
  }
  Result<BoundExprPtr> BindNode(const ast::Row&, SourceSpan span) {
    return NotYet("a row of values", span);
  }
  Result<BoundExprPtr> BindNode(const ast::Subquery& node, SourceSpan span) {
    if (hooks_ == nullptr) return NotYet("a subquery here", span);
    return hooks_->BindSubquery(node, span);
  }

  Result<BoundExprPtr> BindNode(const ast::Cast& node, SourceSpan span) {
    TRY(BoundExprPtr operand, Bind(*node.operand));
    return BindCast(std::move(operand), node.type, span);
  }

  Result<BoundExprPtr> BindNode(const ast::Logic& node, SourceSpan span) {
    std::vector<BoundExprPtr> operands;
    for (const ast::ExprPtr& operand : node.operands) {
      TRY(BoundExprPtr bound, BindTruth(*operand));
      operands.push_back(std::move(bound));
    }
    const std::string name = node.op == ast::LogicOp::kAnd  ? "and"
                             : node.op == ast::LogicOp::kOr ? "or"
                                                            : "not";
    return BindOverload(name, std::move(operands), span);
  }

  Result<BoundExprPtr> BindNode(const ast::Test& node, SourceSpan span) {
    static constexpr const char* kWords[] = {"null", "true", "false", "unknown"};
    const std::string word = kWords[static_cast<std::size_t>(node.kind)];
    const std::string name = (node.negated ? "is not " : "is ") + word;
    if (node.kind == ast::TestKind::kNull) {
      TRY(BoundExprPtr operand, Bind(*node.operand));
      if (IsUntypedNull(*operand)) operand = NullLiteral(ParseType("BOOLEAN"), operand->span);
      return MakeBoundCall(name, {std::move(operand)}, span);
    }
    TRY(BoundExprPtr operand, BindTruth(*node.operand));
    return MakeBoundCall(name, {std::move(operand)}, span);
  }

  Result<BoundExprPtr> BindNode(const ast::Between& node, SourceSpan span) {
    TRY(BoundExprPtr operand, Bind(*node.operand));
    TRY(BoundExprPtr low, Bind(*node.low));
    TRY(BoundExprPtr high, Bind(*node.high));
    TRY(BoundExprPtr between, Within(operand, low, high, span));
    if (node.symmetric) {
      TRY(BoundExprPtr reversed, Within(operand, high, low, span));
      between = MakeBoundCall("or", {std::move(between), std::move(reversed)}, span);
    }
    return node.negated ? MakeBoundCall("not", {std::move(between)}, span) : between;
  }

  static Result<BoundExprPtr> Within(const BoundExprPtr& operand, const BoundExprPtr& low,
                                     const BoundExprPtr& high, SourceSpan span) {
    TRY(BoundExprPtr above, BindComparison(">=", operand, low, span));
    TRY(BoundExprPtr below, BindComparison("<=", operand, high, span));
    return MakeBoundCall("and", {std::move(above), std::move(below)}, span);
  }

  Result<BoundExprPtr> BindNode(const ast::InList& node, SourceSpan span) {
    TRY(BoundExprPtr operand, Bind(*node.operand));
    std::vector<BoundExprPtr> arguments = {operand};
    for (const ast::ExprPtr& item : node.items) {
      TRY(BoundExprPtr bound, Bind(*item));
      TRY(BoundExprPtr pair, BindComparison("=", operand, bound, bound->span));
      if (IsUntypedNull(*arguments[0])) arguments[0] = pair->arguments[0];
      arguments.push_back(pair->arguments[1]);
    }
    BoundExprPtr in = MakeBoundCall("in", std::move(arguments), span);
    return node.negated ? MakeBoundCall("not", {std::move(in)}, span) : in;
  }

  // CASE x WHEN y is CASE WHEN x = y; without ELSE it ends in NULL.
  Result<BoundExprPtr> BindNode(const ast::Case& node, SourceSpan span) {
    BoundExprPtr operand;
    if (node.operand) {
      TRY(operand, Bind(*node.operand));
    }
    std::vector<BoundExprPtr> arguments;
    for (const ast::WhenClause& clause : node.when) {
      TRY(BoundExprPtr condition, operand ? Bind(*clause.condition) : BindTruth(*clause.condition));
      if (operand) {
        const SourceSpan at = condition->span;
        TRY(condition, BindComparison("=", operand, std::move(condition), at));
      }
      TRY(BoundExprPtr result, Bind(*clause.result));
      arguments.push_back(std::move(condition));
      arguments.push_back(std::move(result));
    }
    BoundExprPtr otherwise = NullLiteral({}, span);
    if (node.otherwise) {
      TRY(otherwise, Bind(*node.otherwise));
    }
    arguments.push_back(std::move(otherwise));
    return BindCase(std::move(arguments), span);
  }

  Result<BoundExprPtr> BindNode(const ast::Call& node, SourceSpan span) {
    if (node.over) {
      if (hooks_ != nullptr) return hooks_->BindWindow(node, span);
      return MakeError(ErrorCode::kMisplacedAggregate, "a window may not stand here", span,
                       "windows belong in the select list and in ORDER BY");
    }
    if (hooks_ != nullptr && IsAggregateCall(node)) return hooks_->BindAggregate(node, span);
    TRY_DONE(CheckCall(node, span));
    std::vector<BoundExprPtr> arguments;
    for (const ast::Argument& argument : node.arguments) {
      TRY(BoundExprPtr bound, Bind(*argument.value));
      arguments.push_back(std::move(bound));
    }
    return BindCall(node.name, std::move(arguments), span);
  }

  const Scope& scope_;
  ExprHooks* hooks_;
};

}  // namespace

bool IsAggregateCall(const ast::Call& call) {
  if (call.is_operator || !call.schema.empty() || call.over) return false;
  return IsAggregateName(call.name) || call.name == "min" || call.name == "max";
}

Result<BoundExprPtr> BindExpr(const ast::Expr& expr, const Scope& scope, ExprHooks* hooks) {
  TRY(BoundExprPtr bound, ExprBinder(scope, hooks).Bind(expr));
  if (IsUntypedNull(*bound)) return NotYet("a bare NULL", bound->span);
  return bound;
}

Result<BoundExprPtr> BindCondition(const ast::Expr& expr, const Scope& scope, ExprHooks* hooks) {
  return ExprBinder(scope, hooks).BindTruth(expr);
}

void AppendConjuncts(const BoundExprPtr& condition, std::vector<BoundExprPtr>& conjuncts) {
  if (condition->kind == BoundKind::kCall && condition->function == "and") {
    for (const BoundExprPtr& argument : condition->arguments) AppendConjuncts(argument, conjuncts);
    return;
  }
  conjuncts.push_back(condition);
}

}  // namespace dpsql
