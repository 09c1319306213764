#include "backend/lower_expr.h"

#include <algorithm>
#include <utility>

#include "backend/lower_node.h"
#include "backend/magnitude.h"
#include "backend/tree.h"
#include "base/check.h"
#include "sql/dialect.h"

namespace dpsql {
namespace {

bool IsWhole(const BoundExpr& expr) { return expr.type.family == TypeFamily::kInteger; }

// The grammar's name of a type that a literal or a result can have.
std::string GrammarName(const Type& type) {
  switch (type.family) {
    case TypeFamily::kBoolean:
      return "bool";
    case TypeFamily::kInteger:
      return "int8";
    case TypeFamily::kText:
      return "text";
    case TypeFamily::kDate:
      return "date";
    case TypeFamily::kTimestamp:
      return "timestamp";
    case TypeFamily::kInterval:
      return "interval";
    case TypeFamily::kUuid:
      return "uuid";
    default:
      return "float8";
  }
}

// A timestamp with all of its parts and no zero at the end of a fraction, as databases that keep
// them as texts compare them.
Value WholeTimestamp(const Value& literal) {
  const auto* text = std::get_if<std::string>(&literal);
  if (text == nullptr) return literal;
  constexpr std::string_view kMidnight = "0001-01-01 00:00:00";
  std::string whole = *text;
  if (whole.size() < kMidnight.size()) whole += kMidnight.substr(whole.size());
  if (whole.size() == kMidnight.size()) return whole;
  whole.erase(whole.find_last_not_of('0') + 1);
  if (whole.ends_with('.')) whole.pop_back();
  return whole;
}

ast::ExprPtr LowerLiteral(const BoundExpr& expr) {
  const bool is_null = std::holds_alternative<std::monostate>(expr.literal);
  const bool plain = expr.type.is_numeric() || expr.type.family == TypeFamily::kBoolean ||
                     expr.type.family == TypeFamily::kText;
  ast::ExprPtr literal = tree::Literal(
      expr.type.family == TypeFamily::kTimestamp ? WholeTimestamp(expr.literal) : expr.literal);
  // A NULL among exact numbers takes their type; DOUBLE would round them.
  const bool exact_null = is_null && expr.type.family == TypeFamily::kDecimal;
  if ((plain && !is_null) || exact_null) return literal;
  ast::ExprPtr typed = tree::Cast(std::move(literal), GrammarName(expr.type));
  typed->span = expr.span;
  return typed;
}

// A number as DOUBLE, with NaN read as NULL.
ast::ExprPtr AsDouble(const BoundExpr& expr, const LowerScope& query) {
  ast::ExprPtr number = tree::Cast(LowerExpr(expr, query), "float8");
  if (expr.type.family != TypeFamily::kFloat || expr.kind != BoundKind::kColumn) return number;
  return tree::Call("nan to null", std::move(number));
}

// A date meets a timestamp as one, or as NULL where it is beyond their range.
ast::ExprPtr AsTimestamp(const BoundExpr& expr, const LowerScope& query) {
  ast::ExprPtr value = LowerExpr(expr, query);
  if (expr.type.family != TypeFamily::kDate) return value;
  return tree::Call("date to timestamp", std::move(value));
}

// A value as it stands, without NaN.
ast::ExprPtr AsValue(const BoundExpr& expr, const LowerScope& query) {
  return expr.type.family == TypeFamily::kFloat ? AsDouble(expr, query) : LowerExpr(expr, query);
}

// Values of different types meet in the wider one: numbers as DOUBLE, since a cast to a narrower
// exact type could fail on a row.
ast::ExprPtr AsComparable(const BoundExpr& expr, const BoundExpr& other, const LowerScope& query) {
  const bool whole = IsWhole(expr) && IsWhole(other);
  if (expr.type == other.type || whole) return AsValue(expr, query);
  if (expr.type.is_numeric()) return AsDouble(expr, query);
  return AsTimestamp(expr, query);
}

// A result of CASE, COALESCE and their like, in the one type of all.
ast::ExprPtr AsType(const BoundExpr& expr, const Type& type, const LowerScope& query) {
  if (type.family == TypeFamily::kFloat) return AsDouble(expr, query);
  if (type.family == TypeFamily::kInteger) return tree::Cast(LowerExpr(expr, query), "int8");
  if (type.family == TypeFamily::kTimestamp) return AsTimestamp(expr, query);
  return AsValue(expr, query);
}

// An argument as its letter asks for it.
ast::ExprPtr AsLetter(char letter, const BoundExpr& call, std::size_t i, const LowerScope& query) {
  const BoundExpr& argument = *call.arguments[i];
  switch (letter) {
    case 'i':
      return tree::Cast(LowerExpr(argument, query), "int8");
    case 'r':
    case 'c':
      return AsDouble(argument, query);
    case 's':
      return AsTimestamp(argument, query);
    case 'a':
      return AsType(argument, call.type, query);
    default:
      return LowerExpr(argument, query);
  }
}

char LetterOf(const ScalarFunction& function, std::size_t i) {
  const std::string_view letters = function.arguments;
  if (!letters.ends_with('+')) return letters.at(i);
  return letters.at(std::min(i, letters.size() - 2));
}

// The order of texts is that of their bytes; some databases must be told so. DuckDB's greatest and
// least have an order of intervals of their own.
std::string OrderKey(std::string_view key, const Type& type) {
  const bool extreme = key == "greatest" || key == "least";
  const bool orders = extreme || ((key.starts_with('<') || key.starts_with('>')) && key != "<>");
  if (orders && type.family == TypeFamily::kText) return std::string(key) + " text";
  if (extreme && type.family == TypeFamily::kInterval) return std::string(key) + " interval";
  return std::string(key);
}

ast::ExprPtr LowerComparison(const BoundExpr& call, const LowerScope& query) {
  const BoundExpr& left = *call.arguments[0];
  const BoundExpr& right = *call.arguments[1];
  return tree::Call(OrderKey(call.function, left.type), AsComparable(left, right, query),
                    AsComparable(right, left, query));
}

ast::ExprPtr LowerIn(const BoundExpr& call, const LowerScope& query) {
  std::vector<ast::ExprPtr> equalities;
  for (std::size_t i = 1; i < call.arguments.size(); ++i) {
    equalities.push_back(tree::Call("=",
                                    AsComparable(*call.arguments[0], *call.arguments[i], query),
                                    AsComparable(*call.arguments[i], *call.arguments[0], query)));
  }
  return tree::Logic(ast::LogicOp::kOr, std::move(equalities));
}

ast::ExprPtr LowerLogic(const BoundExpr& call, const LowerScope& query) {
  std::vector<ast::ExprPtr> operands;
  for (const BoundExprPtr& argument : call.arguments) {
    operands.push_back(LowerExpr(*argument, query));
  }
  const ast::LogicOp op = call.function == "and"  ? ast::LogicOp::kAnd
                          : call.function == "or" ? ast::LogicOp::kOr
                                                  : ast::LogicOp::kNot;
  return tree::Logic(op, std::move(operands));
}

// IS NULL and its like. UNKNOWN is the NULL of booleans.
ast::ExprPtr LowerTest(const BoundExpr& call, const LowerScope& query) {
  std::string_view word = call.function;
  word.remove_prefix(3);
  const bool negated = word.starts_with("not ");
  if (negated) word.remove_prefix(4);
  const ast::TestKind kind = word == "true"    ? ast::TestKind::kTrue
                             : word == "false" ? ast::TestKind::kFalse
                                               : ast::TestKind::kNull;
  return tree::Test(kind, negated, AsValue(*call.arguments[0], query));
}

ast::ExprPtr LowerCase(const BoundExpr& call, const LowerScope& query) {
  ast::ExprPtr result = AsType(*call.arguments.back(), call.type, query);
  std::vector<ast::WhenClause> when;
  for (std::size_t i = 0; i + 1 < call.arguments.size(); i += 2) {
    when.push_back({.condition = LowerExpr(*call.arguments[i], query),
                    .result = AsType(*call.arguments[i + 1], call.type, query)});
  }
  return tree::Case(std::move(when), std::move(result));
}

// A quotient has a pole where its denominator is 0. Draws beyond it are as good as above and below
// all others, hence without a value: the interval is then that of Fieller, or none.
ast::ExprPtr OfOneSide(ast::ExprPtr quotient, const BoundExpr& denominator,
                       const LowerScope& query) {
  LowerScope released = query;
  released.of_draw = false;
  return tree::Call("draw of a quotient", std::move(quotient), AsDouble(denominator, query),
                    AsDouble(denominator, released));
}

// concat and concat_ws
bool IsListOfTexts(const ScalarFunction& function) { return function.arguments.ends_with("t+"); }

ast::ExprPtr LowerFunction(const BoundExpr& call, const LowerScope& query) {
  std::vector<ast::ExprPtr> arguments;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const char letter = LetterOf(*call.overload, i);
    arguments.push_back(AsLetter(letter, call, i, query));
    // The result is cut to this length too; a long text named a thousand times would be longer than
    // any text of the database before that.
    if (IsListOfTexts(*call.overload)) {
      arguments.back() = tree::Call("cut text", std::move(arguments.back()));
    }
  }
  std::string key = OrderKey(call.overload->key, call.type);
  if (IsHarmless(call)) key += kUnguarded;
  ast::ExprPtr lowered = tree::CallOf(std::move(key), std::move(arguments));
  const bool drawn =
      query.of_draw && call.function == "/" && HasDraws(*call.arguments[1], query.relation);
  return drawn ? OfOneSide(std::move(lowered), *call.arguments[1], query) : std::move(lowered);
}

ast::ExprPtr LowerCall(const BoundExpr& call, const LowerScope& query) {
  const std::string& name = call.function;
  Check(call.overload != nullptr, "a bound call has its form");
  if (name == "and" || name == "or" || name == "not") return LowerLogic(call, query);
  if (name.starts_with("is ") && call.arguments.size() == 1) return LowerTest(call, query);
  if (name == "in") return LowerIn(call, query);
  if (name == "case") return LowerCase(call, query);
  const bool compares = call.overload->arguments == "aa" && !call.overload->result.empty();
  ast::ExprPtr lowered = compares ? LowerComparison(call, query) : LowerFunction(call, query);
  lowered->span = call.span;  // for the caret where a dialect refuses it
  return lowered;
}

}  // namespace

namespace {

// What an expression has of the noise of releases: all of one estimate's, unchanged, or something
// computed from estimates. Lost noise is there and has no draws: that of windows and aggregates
// over released rows, of what is not a number, of rows put together. A number with such a part has
// no draws either: an interval from the other parts' noise would be too short.
enum class NoiseOf { kNone, kEstimate, kComputed, kLost };

NoiseOf NoiseIn(const BoundExpr& expr, const Relation& relation);

NoiseOf NoiseInAll(const std::vector<BoundExprPtr>& exprs, const Relation& relation) {
  NoiseOf all = NoiseOf::kNone;
  for (const BoundExprPtr& expr : exprs) all = std::max(all, NoiseIn(*expr, relation));
  return all;
}

bool HasTest(const BoundExpr& expr) {
  return expr.kind == BoundKind::kExists ||
         std::any_of(expr.arguments.begin(), expr.arguments.end(),
                     [](const BoundExprPtr& argument) { return HasTest(*argument); });
}

NoiseOf LostIf(bool noisy) { return noisy ? NoiseOf::kLost : NoiseOf::kNone; }

NoiseOf NoiseInWindow(const WindowCall& window, const Relation& relation) {
  bool noisy = NoiseInAll(window.arguments, relation) != NoiseOf::kNone ||
               NoiseInAll(window.partition_by, relation) != NoiseOf::kNone;
  for (const BoundOrder& order : window.order_by) {
    noisy = noisy || NoiseIn(*order.expr, relation) != NoiseOf::kNone;
  }
  return LostIf(noisy);
}

// Of a column of a query, by the query's form.
struct NoiseInColumn {
  std::size_t column;

  NoiseOf operator()(const Release& body) const {
    return column < body.door->keys.size() ? NoiseOf::kNone : NoiseOf::kEstimate;
  }
  NoiseOf operator()(const Projection& body) const {
    const NoiseOf own = OfNumber(*body.columns[column], body.relation);
    return body.distinct ? LostIf(own != NoiseOf::kNone) : own;
  }
  NoiseOf operator()(const Windowing& body) const {
    if (column < body.inputs.size()) return OfNumber(*body.inputs[column], body.relation);
    return NoiseInWindow(body.windows[column - body.inputs.size()], body.relation);
  }
  NoiseOf operator()(const Grouping& body) const {
    const std::size_t keys = body.keys.size();
    const BoundExprPtr& read =
        column < keys ? body.keys[column] : body.aggregates[column - keys].argument;
    return LostIf(read && NoiseIn(*read, body.relation) != NoiseOf::kNone);
  }
  NoiseOf operator()(const SetOperation& body) const {
    return LostIf(std::visit(*this, body.left->body) != NoiseOf::kNone ||
                  std::visit(*this, body.right->body) != NoiseOf::kNone);
  }

 private:
  // Only numbers are drawn.
  static NoiseOf OfNumber(const BoundExpr& expr, const Relation& relation) {
    const NoiseOf own = NoiseIn(expr, relation);
    return expr.type.is_numeric() ? own : LostIf(own != NoiseOf::kNone);
  }
};

NoiseOf NoiseIn(const BoundExpr& expr, const Relation& relation) {
  if (expr.kind == BoundKind::kColumn) {
    const NodePtr& node = relation.scans.at(expr.column.scan).node;
    if (!node || !node->table.is_public) return NoiseOf::kNone;
    return std::visit(NoiseInColumn{expr.column.column}, node->body);
  }
  if (expr.kind == BoundKind::kExists) {
    const Scan& tested = relation.scans.at(expr.column.scan);
    return LostIf((tested.node && !DoorsOf(*tested.node).empty()) ||
                  NoiseInAll(tested.on, relation) != NoiseOf::kNone);
  }
  const NoiseOf read = NoiseInAll(expr.arguments, relation);
  if (read == NoiseOf::kNone) return read;
  // Draws are computed by a lambda, in which DuckDB takes no subquery.
  return HasTest(expr) ? NoiseOf::kLost : std::max(read, NoiseOf::kComputed);
}

// A column as it is stored, without values that a database can store and not write.
ast::ExprPtr LowerColumn(const BoundExpr& expr, const LowerScope& query) {
  ast::ExprPtr column = tree::Column(ScanName(expr.column.scan), ColumnName(expr.column, query));
  const bool stored = !query.scan(expr.column.scan).node;
  if (!stored || expr.type.family != TypeFamily::kTimestamp) return column;
  return tree::Call("stored timestamp", std::move(column));
}

}  // namespace

bool IsEstimate(const BoundExpr& expr, const Relation& relation) {
  return NoiseIn(expr, relation) == NoiseOf::kEstimate;
}

bool HasDraws(const BoundExpr& expr, const Relation& relation) {
  const NoiseOf noise = NoiseIn(expr, relation);
  return expr.type.is_numeric() && (noise == NoiseOf::kEstimate || noise == NoiseOf::kComputed);
}

ast::ExprPtr LowerDraws(const BoundExpr& expr, const LowerScope& scope) {
  if (expr.kind == BoundKind::kColumn) {
    return tree::Column(ScanName(expr.column.scan), "d" + std::to_string(expr.column.column));
  }
  LowerScope drawn = scope;
  drawn.of_draw = true;
  return tree::Call("draws", tree::Whole(static_cast<std::int64_t>(scope.draws)),
                    tree::Cast(LowerExpr(expr, drawn), "float8"));
}

std::string ScanName(std::size_t scan) { return "s" + std::to_string(scan); }

std::string ColumnName(BoundColumn at, const LowerScope& scope) {
  const Scan& scan = scope.scan(at.scan);
  if (scan.node) return "c" + std::to_string(at.column);
  return TableOf(scan, scope.catalog).columns.at(at.column).name;
}

ast::ExprPtr LowerExpr(const BoundExpr& expr, const LowerScope& query) {
  switch (expr.kind) {
    case BoundKind::kLiteral:
      return LowerLiteral(expr);
    case BoundKind::kColumn:
      if (query.of_draw && HasDraws(expr, query.relation)) {
        return tree::Call("draw", LowerDraws(expr, query));
      }
      return LowerColumn(expr, query);
    case BoundKind::kCall:
      return LowerCall(expr, query);
    case BoundKind::kExists:
      return LowerExists(expr.column.scan, query);
  }
  throw Bug("every kind of expression is lowered");
}

ast::ExprPtr LowerArgument(const BoundExpr& argument, const LowerScope& query) {
  return argument.type.is_numeric() ? AsDouble(argument, query) : LowerExpr(argument, query);
}

}  // namespace dpsql
