#include "validate/bind_expr.h"

#include <algorithm>
#include <utility>

#include "aggregates/aggregate.h"
#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "validate/functions.h"
#include "validate/literals.h"
#include "validate/not_yet.h"

namespace dpsql {
namespace {

Type BooleanType() { return ParseType("BOOLEAN"); }

bool Comparable(const Type& a, const Type& b) {
  return (a.is_numeric() && b.is_numeric()) ||
         (a.family == b.family && a.family != TypeFamily::kOther);
}

Error TypeError(const std::string& what, SourceSpan span, const std::string& hint = "") {
  return MakeError(ErrorCode::kTypeMismatch, what, span, hint);
}

// Reads the syntax tree of one expression. One method per kind of node.
class ExprBinder {
 public:
  explicit ExprBinder(const Scope& scope) : scope_(scope) {}

  Result<BoundExprPtr> Bind(const ast::Expr& expr) {
    return std::visit([&](const auto& node) { return BindNode(node, expr.span); }, expr.node);
  }

 private:
  Result<BoundExprPtr> BindNode(const ast::ColumnRef& node, SourceSpan span) {
    return scope_.ResolveColumn(node, span);
  }
  Result<BoundExprPtr> BindNode(const ast::Null&, SourceSpan span) {
    return NotYet("a bare NULL", span);
  }
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
    return NotYet("a parameter", span);
  }
  Result<BoundExprPtr> BindNode(const ast::Star&, SourceSpan span) {
    return MakeError(ErrorCode::kRawColumn, "* would show rows of people", span);
  }
  Result<BoundExprPtr> BindNode(const ast::Case&, SourceSpan span) { return NotYet("CASE", span); }
  Result<BoundExprPtr> BindNode(const ast::Row&, SourceSpan span) {
    return NotYet("a row of values", span);
  }
  Result<BoundExprPtr> BindNode(const ast::Subquery&, SourceSpan span) {
    return NotYet("a subquery", span);
  }

  Result<BoundExprPtr> BindNode(const ast::Cast& node, SourceSpan span) {
    const auto* text = std::get_if<ast::String>(&node.operand->node);
    if (text == nullptr) return NotYet("a cast of a column", span);
    return TypedLiteral(text->value, ParseType(node.type.name), span);
  }

  Result<BoundExprPtr> BindNode(const ast::Logic& node, SourceSpan span) {
    std::vector<BoundExprPtr> operands;
    for (const ast::ExprPtr& operand : node.operands) {
      TRY(BoundExprPtr bound, Bind(*operand));
      if (bound->type.family != TypeFamily::kBoolean) {
        return TypeError("a condition is expected here, not " + bound->type.name, bound->span,
                         "compare the value with something");
      }
      operands.push_back(std::move(bound));
    }
    const std::string name = node.op == ast::LogicOp::kAnd  ? "and"
                             : node.op == ast::LogicOp::kOr ? "or"
                                                            : "not";
    return MakeBoundCall(name, std::move(operands), span);
  }

  Result<BoundExprPtr> BindNode(const ast::Test& node, SourceSpan span) {
    if (node.kind != ast::TestKind::kNull) return NotYet("IS TRUE and its kin", span);
    TRY(BoundExprPtr operand, Bind(*node.operand));
    return MakeBoundCall(node.negated ? "is not null" : "is null", {std::move(operand)}, span);
  }

  Result<BoundExprPtr> BindNode(const ast::Between& node, SourceSpan span) {
    if (node.symmetric) return NotYet("BETWEEN SYMMETRIC", span);
    TRY(BoundExprPtr operand, Bind(*node.operand));
    TRY(BoundExprPtr low, Bind(*node.low));
    TRY(BoundExprPtr high, Bind(*node.high));
    TRY(BoundExprPtr above, Compare(">=", operand, low, span));
    TRY(BoundExprPtr below, Compare("<=", operand, high, span));
    BoundExprPtr both = MakeBoundCall("and", {std::move(above), std::move(below)}, span);
    return node.negated ? MakeBoundCall("not", {std::move(both)}, span) : both;
  }

  Result<BoundExprPtr> BindNode(const ast::InList& node, SourceSpan span) {
    TRY(BoundExprPtr operand, Bind(*node.operand));
    std::vector<BoundExprPtr> arguments = {operand};
    for (const ast::ExprPtr& item : node.items) {
      TRY(BoundExprPtr bound, Bind(*item));
      TRY(BoundExprPtr pair, Compare("=", operand, bound, bound->span));
      arguments.push_back(pair->arguments[1]);
    }
    BoundExprPtr in = MakeBoundCall("in", std::move(arguments), span);
    return node.negated ? MakeBoundCall("not", {std::move(in)}, span) : in;
  }

  Result<BoundExprPtr> BindNode(const ast::Call& node, SourceSpan span) {
    if (!node.is_operator && IsAggregateName(node.name)) {
      return MakeError(ErrorCode::kMisplacedAggregate,
                       "the aggregate " + node.name + " cannot stand here", span);
    }
    const ScalarFunction* function = FindScalarFunction(node.name);
    const bool plain = node.schema.empty() && !node.distinct && !node.star && !node.filter &&
                       !node.over && node.order_by.empty();
    if (function == nullptr || !plain) return UnknownFunction(node, span);
    std::vector<BoundExprPtr> arguments;
    for (const ast::Argument& argument : node.arguments) {
      TRY(BoundExprPtr bound, Bind(*argument.value));
      arguments.push_back(std::move(bound));
    }
    if (function->shape == FunctionShape::kComparison && arguments.size() == 2) {
      return Compare(node.name, arguments[0], arguments[1], span);
    }
    if (function->shape == FunctionShape::kText) return Text(node.name, arguments, span);
    if (function->shape == FunctionShape::kArithmetic) {
      return Arithmetic(node.name, std::move(arguments), span);
    }
    return UnknownFunction(node, span);
  }

  static Result<BoundExprPtr> UnknownFunction(const ast::Call& node, SourceSpan span) {
    const std::string kind = node.is_operator ? "operator " : "function ";
    return MakeError(ErrorCode::kUnknownFunction,
                     "the " + kind + node.name + " is not on the list of safe ones", span,
                     "row expressions may use comparisons, AND, OR, NOT, IN, BETWEEN, LIKE, "
                     "IS NULL and + - *");
  }

  // Compares two values of one type. A text literal beside a date, timestamp or UUID is read as
  // one, here and now, so that no conversion can fail on a row.
  static Result<BoundExprPtr> Compare(const std::string& name, BoundExprPtr left,
                                      BoundExprPtr right, SourceSpan span) {
    TRY(left, MatchLiteral(std::move(left), right->type));
    TRY(right, MatchLiteral(std::move(right), left->type));
    if (!Comparable(left->type, right->type)) {
      return TypeError(left->type.name + " and " + right->type.name + " cannot be compared", span);
    }
    return MakeBoundCall(name, {std::move(left), std::move(right)}, span);
  }

  static Result<BoundExprPtr> MatchLiteral(BoundExprPtr expr, const Type& other) {
    const bool text_literal =
        expr->kind == BoundKind::kLiteral && expr->type.family == TypeFamily::kText;
    const bool readable = other.family == TypeFamily::kDate ||
                          other.family == TypeFamily::kTimestamp ||
                          other.family == TypeFamily::kUuid;
    if (!text_literal || !readable) return expr;
    return TypedLiteral(std::get<std::string>(expr->literal), other, expr->span);
  }

  static Result<BoundExprPtr> Text(const std::string& name,
                                   const std::vector<BoundExprPtr>& arguments, SourceSpan span) {
    const bool texts = std::all_of(
        arguments.begin(), arguments.end(),
        [](const BoundExprPtr& argument) { return argument->type.family == TypeFamily::kText; });
    if (arguments.size() != 2 || !texts) return TypeError(name + " compares two texts", span);
    const BoundExpr& pattern = *arguments[1];
    // A pattern from a column could end in its escape character, which databases call an error.
    const bool plain = pattern.kind == BoundKind::kLiteral &&
                       std::get<std::string>(pattern.literal).find('\\') == std::string::npos;
    if (!plain) return NotYet("a pattern with an escape or from a column", pattern.span);
    return MakeBoundCall(name, arguments, span);
  }

  static Result<BoundExprPtr> Arithmetic(const std::string& name,
                                         std::vector<BoundExprPtr> arguments, SourceSpan span) {
    for (const BoundExprPtr& argument : arguments) {
      if (!argument->type.is_numeric()) {
        return TypeError(name + " needs numbers, not " + argument->type.name, argument->span);
      }
    }
    if (arguments.empty() || arguments.size() > 2 || (arguments.size() == 1 && name != "-")) {
      return MakeError(ErrorCode::kWrongArguments, name + " takes two numbers", span);
    }
    return MakeBoundCall(name, std::move(arguments), span);
  }

  const Scope& scope_;
};

// Arithmetic can overflow, which is NULL; whole numbers stay whole, all else is DOUBLE.
void TypeArithmetic(const ScalarFunction& function, BoundExpr& call) {
  const bool whole = std::all_of(
      call.arguments.begin(), call.arguments.end(),
      [](const BoundExprPtr& argument) { return argument->type.family == TypeFamily::kInteger; });
  call.type = ParseType(whole ? "BIGINT" : "DOUBLE");
  call.nullable = true;
  std::vector<Interval> intervals;
  for (const BoundExprPtr& argument : call.arguments) {
    if (!argument->interval) return;
    intervals.push_back(*argument->interval);
  }
  call.interval = function.interval(intervals);
  if (call.interval) call.interval_origin = "policy by arithmetic";
}

}  // namespace

BoundExprPtr MakeBoundCall(std::string name, std::vector<BoundExprPtr> arguments, SourceSpan span) {
  const ScalarFunction* function = FindScalarFunction(name);
  Check(function != nullptr, "a bound call is on the list of functions");
  BoundExpr call{.kind = BoundKind::kCall,
                 .type = BooleanType(),
                 .span = span,
                 .function = std::move(name),
                 .arguments = std::move(arguments)};
  if (function->shape == FunctionShape::kArithmetic) {
    TypeArithmetic(*function, call);
  } else if (function->shape == FunctionShape::kTest) {
    call.nullable = false;
  } else {
    call.nullable = std::any_of(call.arguments.begin(), call.arguments.end(),
                                [](const BoundExprPtr& argument) { return argument->nullable; });
  }
  return std::make_shared<const BoundExpr>(std::move(call));
}

Result<BoundExprPtr> BindExpr(const ast::Expr& expr, const Scope& scope) {
  return ExprBinder(scope).Bind(expr);
}

Result<BoundExprPtr> BindCondition(const ast::Expr& expr, const Scope& scope) {
  TRY(BoundExprPtr bound, BindExpr(expr, scope));
  if (bound->type.family != TypeFamily::kBoolean) {
    return TypeError("a condition is expected here, not " + bound->type.name, bound->span,
                     "compare the value with something");
  }
  return bound;
}

void AppendConjuncts(const BoundExprPtr& condition, std::vector<BoundExprPtr>& conjuncts) {
  if (condition->kind == BoundKind::kCall && condition->function == "and") {
    for (const BoundExprPtr& argument : condition->arguments) AppendConjuncts(argument, conjuncts);
    return;
  }
  conjuncts.push_back(condition);
}

}  // namespace dpsql
