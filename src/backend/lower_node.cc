#include "backend/lower_node.h"

#include <algorithm>
#include <utility>

#include "backend/tree.h"
#include "base/check.h"

namespace dpsql {
namespace {

std::string PositionName(std::size_t position) { return "c" + std::to_string(position); }

ast::From LowerScan(const LowerScope& scope, std::size_t at) {
  const Scan& scan = scope.scan(at);
  ast::From from{.alias = ScanName(at), .column_aliases = {}, .span = {}};
  if (!scan.node) {
    from.node = ast::TableName{.parts = {"main", TableOf(scan, scope.catalog).name}};
    return from;
  }
  auto select = std::make_unique<ast::Select>(
      LowerNode(*scan.node, scope.catalog, scope.doors, {.draws = scope.draws}));
  from.node = ast::DerivedTable{.select = std::move(select)};
  return from;
}

std::vector<ast::ExprPtr> LowerAll(const std::vector<BoundExprPtr>& exprs,
                                   const LowerScope& scope) {
  std::vector<ast::ExprPtr> lowered;
  for (const BoundExprPtr& expr : exprs) lowered.push_back(LowerExpr(*expr, scope));
  return lowered;
}

ast::ExprPtr LowerOn(const Scan& scan, const LowerScope& scope) {
  if (scan.on.empty()) return tree::True();
  return tree::Logic(ast::LogicOp::kAnd, LowerAll(scan.on, scope));
}

void SetWhere(ast::Select& select, const LowerScope& scope) {
  std::vector<ast::ExprPtr> conditions = LowerConditions(scope);
  if (!conditions.empty()) select.where = tree::Logic(ast::LogicOp::kAnd, std::move(conditions));
}

void AddItem(ast::Select& select, ast::ExprPtr expr) {
  const std::size_t position = select.items.size();
  select.items.push_back({.expr = std::move(expr), .alias = PositionName(position)});
}

// A bare number in GROUP BY would be read as a position of the select list, and PostgreSQL takes no
// other bare literal there.
ast::ExprPtr LowerGroup(const BoundExpr& key, const LowerScope& scope) {
  ast::ExprPtr expr = LowerExpr(key, scope);
  if (key.kind != BoundKind::kLiteral) return expr;
  const TypeFamily family = key.type.family;
  if (family == TypeFamily::kText) return tree::Cast(std::move(expr), "text");
  if (family == TypeFamily::kBoolean) return tree::Cast(std::move(expr), "bool");
  if (!key.type.is_numeric()) return expr;  // written with its type
  return tree::Cast(std::move(expr), family == TypeFamily::kInteger ? "int8" : "float8");
}

bool IsWhole(const BoundExpr& expr) { return expr.type.family == TypeFamily::kInteger; }
bool IsFloat(const BoundExpr& expr) { return expr.type.family == TypeFamily::kFloat; }

// The argument of an exact aggregate: integers stay integers, whose sums no order changes.
ast::ExprPtr LowerSummed(const BoundExpr& argument, const LowerScope& scope) {
  if (argument.type.family == TypeFamily::kDecimal) return LowerExpr(argument, scope);
  if (!IsWhole(argument)) return LowerArgument(argument, scope);
  return tree::Cast(LowerExpr(argument, scope), "int8");
}

// One person's whole numbers can make a sum too large for its type: where people own the rows, a
// dialect must have a sum that cannot fail, or none.
std::string SumOf(const LowerScope& scope) {
  return scope.relation.owner ? "sum of a unit" : "sum";
}

// The mean of exact numbers is the quotient of two exact numbers, and not a running sum of floats.
// Decimals have 18 digits at most here, and their sum ten more in every engine.
template <typename Make>
ast::ExprPtr LowerMean(const BoundExpr& argument, const LowerScope& scope, Make make) {
  if (IsFloat(argument)) return make("avg", LowerArgument(argument, scope));
  ast::ExprPtr addend = LowerSummed(argument, scope);
  if (IsWhole(argument)) addend = tree::Call("addend", std::move(addend));
  return tree::Call("mean", tree::Cast(make("sum", std::move(addend)), "float8"),
                    tree::Cast(make("count", LowerSummed(argument, scope)), "float8"));
}

// Texts are compared by their bytes. Flags have functions of their own, and not every database has
// the least and the largest of them, or of UUIDs.
std::string ChoiceAmong(const std::string& function, const Type& type) {
  if (function != "min" && function != "max") return function;
  if (type.family == TypeFamily::kBoolean) return function == "min" ? "bool_and" : "bool_or";
  if (type.family == TypeFamily::kText) return function + " text";
  return type.family == TypeFamily::kUuid ? function + " uuid" : function;
}

ast::ExprPtr LowerAggregate(const ExactAggregate& aggregate, const LowerScope& scope) {
  if (!aggregate.argument) return tree::CountStar();
  const auto make = [&](std::string name, ast::ExprPtr argument) {
    ast::ExprPtr call = tree::Call(std::move(name), std::move(argument));
    std::get<ast::Call>(call->node).distinct = aggregate.distinct;
    return call;
  };
  const BoundExpr& argument = *aggregate.argument;
  if (aggregate.function == "avg") return LowerMean(argument, scope, make);
  if (aggregate.function == "sum") return make(SumOf(scope), LowerSummed(argument, scope));
  return make(ChoiceAmong(aggregate.function, argument.type),
              IsFloat(argument) ? LowerArgument(argument, scope) : LowerExpr(argument, scope));
}

// `lower` makes what the database orders by of an expression.
template <typename Lower>
std::vector<ast::OrderItem> OrderItems(const std::vector<BoundOrder>& orders, Lower lower) {
  std::vector<ast::OrderItem> items;
  for (const BoundOrder& order : orders) {
    if (order.expr->kind == BoundKind::kLiteral) continue;  // it orders nothing
    items.push_back({.expr = lower(*order.expr),
                     .descending = order.descending,
                     .nulls_first = order.nulls_first});
  }
  return items;
}

// Texts are ordered by their bytes, also those that are made in the question and have no column's
// collation.
ast::ExprPtr InByteOrder(const BoundExpr& expr, ast::ExprPtr lowered) {
  if (expr.type.family != TypeFamily::kText) return lowered;
  return tree::Call("byte order", std::move(lowered));
}

std::vector<ast::OrderItem> LowerOrder(const std::vector<BoundOrder>& orders,
                                       const LowerScope& scope) {
  return OrderItems(
      orders, [&](const BoundExpr& expr) { return InByteOrder(expr, LowerGroup(expr, scope)); });
}

// By the columns' own names: behind DISTINCT a database need not know others (Spark does not).
std::vector<ast::OrderItem> OrderOfDistinct(const Projection& body, const LowerScope& scope) {
  return OrderItems(body.order_by, [&](const BoundExpr& expr) {
    const auto same = [&](const BoundExprPtr& column) { return SameExpr(*column, expr); };
    const auto column = std::find_if(body.columns.begin(), body.columns.end(), same);
    if (column == body.columns.end()) return InByteOrder(expr, LowerGroup(expr, scope));
    return tree::Column(PositionName(static_cast<std::size_t>(column - body.columns.begin())));
  });
}

ast::FrameBound LowerBound(ast::FrameBoundKind kind, std::int64_t offset) {
  ast::FrameBound bound{.kind = kind, .offset = nullptr};
  const bool counted =
      kind == ast::FrameBoundKind::kPreceding || kind == ast::FrameBoundKind::kFollowing;
  if (counted) bound.offset = tree::Whole(offset);
  return bound;
}

ast::Window LowerOver(const WindowCall& window, const LowerScope& scope) {
  ast::Window over;
  over.partition_by = LowerAll(window.partition_by, scope);
  over.order_by = LowerOrder(window.order_by, scope);
  // By one value all rows are alike, as they are without an order, which not all databases take
  // where the function or its frame asks for one.
  const bool frame_asks = window.frame && *window.frame != ast::FrameMode::kRows;
  if ((window.needs_order || frame_asks) && over.order_by.empty()) {
    over.order_by.push_back({.expr = tree::True(), .descending = false, .nulls_first = {}});
  }
  if (!window.frame) return over;
  over.frame = ast::Frame{.mode = *window.frame,
                          .start = LowerBound(window.start, window.start_offset),
                          .end = LowerBound(window.end, window.end_offset),
                          .exclude = ""};
  return over;
}

ast::ExprPtr LowerCallOver(const WindowCall& window, const LowerScope& scope) {
  const auto make = [&](std::string name, ast::ExprPtr argument) {
    ast::ExprPtr call = tree::Call(std::move(name), std::move(argument));
    std::get<ast::Call>(call->node).over = LowerOver(window, scope);
    return call;
  };
  if (window.function == "avg") return LowerMean(*window.arguments[0], scope, make);
  if (window.function == "sum") {
    return make(SumOf(scope), LowerSummed(*window.arguments[0], scope));
  }
  ast::Call call{.name = window.function, .star = window.star};
  if (!window.arguments.empty()) {
    call.name = ChoiceAmong(window.function, window.arguments[0]->type);
  }
  for (const BoundExprPtr& argument : window.arguments) {
    ast::ExprPtr value = LowerExpr(*argument, scope);
    const bool text =
        argument->kind == BoundKind::kLiteral && argument->type.family == TypeFamily::kText;
    if (text) value = tree::Cast(std::move(value), "text");  // else it has no type in PostgreSQL
    call.arguments.push_back({.name = "", .value = std::move(value)});
  }
  call.over = LowerOver(window, scope);
  return std::make_unique<ast::Expr>(ast::Expr{.node = std::move(call), .span = {}});
}

ast::ExprPtr LowerWindow(const WindowCall& window, const LowerScope& scope) {
  ast::ExprPtr lowered = LowerCallOver(window, scope);
  lowered->span = window.span;  // for the caret where a dialect refuses it
  return lowered;
}

class NodeLowering {
 public:
  NodeLowering(const Catalog& catalog, const DoorNumbers& doors, Beside beside)
      : catalog_(catalog), doors_(doors), beside_(beside) {}

  ast::Select operator()(const Projection& body) const {
    const LowerScope scope{body.relation, catalog_, doors_, beside_.draws};
    ast::Select select;
    select.distinct = body.distinct;
    for (const BoundExprPtr& column : body.columns) {
      ast::ExprPtr item = LowerExpr(*column, scope);
      // Behind DISTINCT it can be ordered by what it is called alone.
      AddItem(select, body.distinct ? InByteOrder(*column, std::move(item)) : std::move(item));
    }
    if (!body.distinct) AddBeside(body.columns, scope, select);
    select.from = LowerFrom(scope);
    SetWhere(select, scope);
    select.order_by =
        body.distinct ? OrderOfDistinct(body, scope) : LowerOrder(body.order_by, scope);
    if (body.limit) select.limit = tree::Whole(*body.limit);
    if (body.offset) select.offset = tree::Whole(*body.offset);
    return select;
  }

  ast::Select operator()(const Grouping& body) const {
    const LowerScope scope{body.relation, catalog_, doors_, beside_.draws};
    ast::Select select;
    for (const BoundExprPtr& key : body.keys) AddItem(select, LowerGroup(*key, scope));
    for (const ExactAggregate& aggregate : body.aggregates) {
      AddItem(select, LowerAggregate(aggregate, scope));
    }
    if (select.items.empty()) AddItem(select, tree::CountStar());
    select.from = LowerFrom(scope);
    SetWhere(select, scope);
    for (const BoundExprPtr& key : body.keys) {
      ast::GroupItem item;
      item.expr = LowerGroup(*key, scope);
      select.group_by.push_back(std::move(item));
    }
    return select;
  }

  ast::Select operator()(const Windowing& body) const {
    const LowerScope scope{body.relation, catalog_, doors_, beside_.draws};
    ast::Select select;
    for (const BoundExprPtr& input : body.inputs) AddItem(select, LowerExpr(*input, scope));
    for (const WindowCall& window : body.windows) AddItem(select, LowerWindow(window, scope));
    AddBeside(body.inputs, scope, select);
    select.from = LowerFrom(scope);
    SetWhere(select, scope);
    return select;
  }

  ast::Select operator()(const SetOperation& body) const {
    ast::Select select;
    const auto side = [&](const NodePtr& node) {
      return std::make_unique<ast::Select>(
          LowerNode(*node, catalog_, doors_, {.ends = Ends::kLeftOut}));
    };
    select.set_operation = ast::SetOperation{
        .op = body.op, .all = body.all, .left = side(body.left), .right = side(body.right)};
    return select;
  }

  ast::Select operator()(const Release& body) const {
    const std::string name = ReleaseName(doors_.at(body.door.get()));
    ast::Select select;
    const std::size_t columns = body.door->keys.size() + body.door->aggregates.size();
    for (std::size_t i = 0; i < columns; ++i) {
      AddItem(select, tree::Column(name, PositionName(i)));
    }
    for (std::size_t i = body.door->keys.size(); i < columns; ++i) {
      AddEnds(name, i, i, select);
      if (beside_.draws == 0) continue;
      const std::string drawn = "d" + std::to_string(i);
      select.items.push_back({.expr = tree::Column(name, drawn), .alias = drawn});
    }
    ast::From from{.alias = "", .column_aliases = {}, .span = {}};
    from.node = ast::TableName{.parts = {name}};
    select.from.push_back(std::move(from));
    return select;
  }

 private:
  // The ends of estimate `from` of a table, as those of column `to`.
  void AddEnds(const std::string& table, std::size_t from, std::size_t to,
               ast::Select& select) const {
    if (beside_.ends == Ends::kLeftOut) return;
    for (const char* end : {"l", "h"}) {
      select.items.push_back({.expr = tree::Column(table, end + std::to_string(from)),
                              .alias = end + std::to_string(to)});
    }
  }

  void AddBeside(const std::vector<BoundExprPtr>& columns, const LowerScope& scope,
                 ast::Select& select) const {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (IsEstimate(*columns[i], scope.relation)) {
        AddEnds(ScanName(columns[i]->column.scan), columns[i]->column.column, i, select);
      }
      if (beside_.draws == 0 || !HasDraws(*columns[i], scope.relation)) continue;
      select.items.push_back(
          {.expr = LowerDraws(*columns[i], scope), .alias = "d" + std::to_string(i)});
    }
  }

  const Catalog& catalog_;
  const DoorNumbers& doors_;
  Beside beside_;
};

}  // namespace

std::string ReleaseName(std::size_t door) { return "(release " + std::to_string(door + 1) + ")"; }

ast::Select LowerNode(const QueryNode& node, const Catalog& catalog, const DoorNumbers& doors,
                      Beside beside) {
  return std::visit(NodeLowering(catalog, doors, beside), node.body);
}

// The inner scans side by side, then each optional one LEFT JOINed under its own conditions. Tested
// ones are not joined.
std::vector<ast::From> LowerFrom(const LowerScope& scope) {
  const std::vector<Scan>& scans = scope.relation.scans;
  std::vector<ast::From> from;
  const auto join = [&](ast::JoinKind kind, ast::From right, ast::ExprPtr on) {
    if (from.empty()) {
      // One row of nothing for an optional scan to be optional to.
      ast::Select row;
      AddItem(row, tree::Whole(1));
      ast::From one{.alias = "one", .column_aliases = {}, .span = {}};
      one.node = ast::DerivedTable{.select = std::make_unique<ast::Select>(std::move(row))};
      from.push_back(std::move(one));
    }
    ast::Join node{.kind = kind,
                   .left = std::make_unique<ast::From>(std::move(from.back())),
                   .right = std::make_unique<ast::From>(std::move(right)),
                   .on = std::move(on)};
    from.back() = {.node = std::move(node), .alias = "", .column_aliases = {}, .span = {}};
  };
  for (std::size_t s = 0; s < scans.size(); ++s) {
    if (scans[s].role != ScanRole::kInner) continue;
    if (from.empty()) {
      from.push_back(LowerScan(scope, s));
    } else {
      join(ast::JoinKind::kCross, LowerScan(scope, s), nullptr);
    }
  }
  for (std::size_t s = 0; s < scans.size(); ++s) {
    const bool full = scans[s].role == ScanRole::kFull;
    if (!full && scans[s].role != ScanRole::kOptional) continue;
    join(full ? ast::JoinKind::kFull : ast::JoinKind::kLeft, LowerScan(scope, s),
         LowerOn(scans[s], scope));
  }
  return from;
}

ast::ExprPtr LowerOwner(const LowerScope& scope) {
  const BoundColumn at = scope.relation.owner->column;
  return tree::Column(ScanName(at.scan), ColumnName(at, scope));
}

std::vector<ast::ExprPtr> LowerConditions(const LowerScope& scope) {
  std::vector<ast::ExprPtr> conditions = LowerAll(scope.relation.conditions, scope);
  if (scope.relation.owner) {
    conditions.insert(conditions.begin(), tree::IsNotNull(LowerOwner(scope)));
  }
  return conditions;
}

ast::ExprPtr LowerExists(std::size_t scan, const LowerScope& scope) {
  ast::Select select;
  select.items.push_back({.expr = tree::Whole(1), .alias = ""});
  select.from.push_back(LowerScan(scope, scan));
  select.where = LowerOn(scope.scan(scan), scope);
  ast::Subquery exists{.kind = ast::SubqueryKind::kExists,
                       .test = nullptr,
                       .operator_name = "",
                       .select = std::make_unique<ast::Select>(std::move(select))};
  return std::make_unique<ast::Expr>(ast::Expr{.node = std::move(exists), .span = {}});
}

}  // namespace dpsql
