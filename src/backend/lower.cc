#include "backend/lower.h"

#include <utility>

#include "backend/encode.h"
#include "backend/lower_expr.h"
#include "backend/tree.h"

namespace dpsql {
namespace {

// Keys travel as boolean, BIGINT or canonical text.
ast::ExprPtr LowerKey(const BoundExpr& key, const BoundQuery& query) {
  ast::ExprPtr expr = LowerExpr(key, query);
  if (key.type.family == TypeFamily::kBoolean) return expr;
  return tree::Cast(std::move(expr), key.type.family == TypeFamily::kInteger ? "int8" : "text");
}

ast::Select LowerDerived(const DerivedTable& derived);

ast::From LowerScan(const BoundQuery& query, std::size_t scan) {
  const Scan& source = query.relation().scans[scan];
  ast::From from{.alias = ScanName(scan), .column_aliases = {}, .span = {}};
  if (source.derived) {
    auto select = std::make_unique<ast::Select>(LowerDerived(*source.derived));
    from.node = ast::DerivedTable{.select = std::move(select)};
  } else {
    from.node = ast::TableName{.parts = {"main", query.table(source).name}};
  }
  return from;
}

std::vector<ast::ExprPtr> LowerAll(const std::vector<BoundExprPtr>& exprs,
                                   const BoundQuery& query) {
  std::vector<ast::ExprPtr> lowered;
  for (const BoundExprPtr& expr : exprs) lowered.push_back(LowerExpr(*expr, query));
  return lowered;
}

// The inner scans side by side, then each optional one LEFT JOINed under its own conditions.
std::vector<ast::From> LowerFrom(const BoundQuery& query) {
  const std::vector<Scan>& scans = query.relation().scans;
  std::vector<ast::From> from;
  const auto join = [&](ast::JoinKind kind, ast::From right, ast::ExprPtr on) {
    ast::Join node{.kind = kind,
                   .left = std::make_unique<ast::From>(std::move(from.back())),
                   .right = std::make_unique<ast::From>(std::move(right)),
                   .on = std::move(on)};
    from.back() = {.node = std::move(node), .alias = "", .column_aliases = {}, .span = {}};
  };
  for (std::size_t s = 0; s < scans.size(); ++s) {
    if (scans[s].optional) continue;
    if (from.empty()) {
      from.push_back(LowerScan(query, s));
    } else {
      join(ast::JoinKind::kCross, LowerScan(query, s), nullptr);
    }
  }
  for (std::size_t s = 0; s < scans.size(); ++s) {
    if (!scans[s].optional) continue;
    join(ast::JoinKind::kLeft, LowerScan(query, s),
         tree::Logic(ast::LogicOp::kAnd, LowerAll(scans[s].on, query)));
  }
  return from;
}

ast::ExprPtr OwnerColumn(const BoundQuery& query) {
  const BoundColumn at = query.relation().owner->column;
  return tree::Column(ScanName(at.scan), query.column(at).name);
}

// An owner for every private row, and the block's own conditions.
std::vector<ast::ExprPtr> LowerConditions(const BoundQuery& query) {
  std::vector<ast::ExprPtr> conditions = LowerAll(query.relation().conditions, query);
  if (query.relation().owner) {
    conditions.insert(conditions.begin(), tree::IsNotNull(OwnerColumn(query)));
  }
  return conditions;
}

void AddGroup(ast::Select& select, ast::ExprPtr expr) {
  ast::GroupItem item;
  item.expr = std::move(expr);
  select.group_by.push_back(std::move(item));
}

// A bare number in GROUP BY would be read as a position of the select list.
ast::ExprPtr LowerGroup(const BoundExpr& key, const BoundQuery& block) {
  const bool number = key.kind == BoundKind::kLiteral && key.type.is_numeric();
  ast::ExprPtr expr = LowerExpr(key, block);
  if (!number) return expr;
  return tree::Cast(std::move(expr), key.type.family == TypeFamily::kInteger ? "int8" : "float8");
}

// A column of a derived table. Sums within a unit are integer sums, which no order changes.
ast::ExprPtr LowerDerivedColumn(const DerivedColumn& column, const BoundQuery& block) {
  if (column.aggregate.empty()) return LowerExpr(*column.expr, block);
  if (!column.expr) return tree::CountStar();
  ast::ExprPtr argument = LowerExpr(*column.expr, block);
  if (column.aggregate == "sum") argument = tree::Cast(std::move(argument), "int8");
  ast::ExprPtr call = tree::Call(column.aggregate, std::move(argument));
  std::get<ast::Call>(call->node).distinct = column.distinct;
  return call;
}

ast::Select LowerDerived(const DerivedTable& derived) {
  const BoundQuery& block = *derived.block;
  ast::Select select;
  select.distinct = derived.distinct;
  for (std::size_t i = 0; i < derived.columns.size(); ++i) {
    select.items.push_back({.expr = LowerDerivedColumn(derived.columns[i], block),
                            .alias = derived.table.columns[i].name});
  }
  select.from = LowerFrom(block);
  std::vector<ast::ExprPtr> conditions = LowerConditions(block);
  if (!conditions.empty()) select.where = tree::Logic(ast::LogicOp::kAnd, std::move(conditions));
  for (const BoundExprPtr& key : derived.group_by) AddGroup(select, LowerGroup(*key, block));
  return select;
}

// Writes the part that both stages share.
class DoorLowering {
 public:
  explicit DoorLowering(const Door& door) : query_(*door.query) {}

  ast::Select Lower(std::vector<ast::ExprPtr> columns) {
    ast::Select select;
    select.items.push_back({.expr = Owner(), .alias = "u"});
    for (std::size_t i = 0; i < query_.keys().size(); ++i) {
      select.items.push_back(
          {.expr = LowerKey(*query_.keys()[i].expr, query_), .alias = "k" + std::to_string(i)});
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      select.items.push_back({.expr = std::move(columns[i]), .alias = "x" + std::to_string(i)});
    }
    select.from = LowerFrom(query_);
    select.where = tree::Logic(ast::LogicOp::kAnd, Conditions());
    AddGroup(select, Owner());
    for (const BoundKey& key : query_.keys()) AddGroup(select, LowerKey(*key.expr, query_));
    select.order_by.push_back({.expr = Owner()});
    return select;
  }

 private:
  ast::ExprPtr Owner() const { return tree::Cast(OwnerColumn(query_), "text"); }

  // The block's conditions, and the owner's lists of values.
  std::vector<ast::ExprPtr> Conditions() const {
    std::vector<ast::ExprPtr> conditions = LowerConditions(query_);
    for (const BoundKey& key : query_.keys()) {
      if (key.values.empty()) continue;
      std::vector<ast::ExprPtr> allowed;
      for (const Value& value : key.values) {
        allowed.push_back(tree::Call("=", LowerExpr(*key.expr, query_), tree::Literal(value)));
      }
      conditions.push_back(tree::Logic(ast::LogicOp::kOr, std::move(allowed)));
    }
    return conditions;
  }

  const BoundQuery& query_;
};

}  // namespace

ast::Select LowerCount(const Door& door) {
  std::vector<ast::ExprPtr> columns;
  for (const CellClass& cell_class : door.classes) {
    columns.push_back(cell_class.argument
                          ? tree::Call("bool_or", tree::IsNotNull(LowerArgument(
                                                      *cell_class.argument, *door.query)))
                          : tree::True());
  }
  return DoorLowering(door).Lower(std::move(columns));
}

ast::Select LowerSum(const Door& door) {
  std::vector<ast::ExprPtr> columns;
  for (const Statistic& statistic : door.statistics) {
    if (statistic.kind == StatisticKind::kUnits) continue;
    const BoundExprPtr& counted =
        statistic.argument ? statistic.argument : door.classes[statistic.cell_class].argument;
    if (statistic.kind != StatisticKind::kValue) {
      columns.push_back(counted ? tree::Call("count", LowerArgument(*counted, *door.query))
                                : tree::CountStar());
    }
    if (statistic.kind == StatisticKind::kRows) continue;
    const auto argument = [&] { return LowerArgument(*statistic.argument, *door.query); };
    columns.push_back(tree::Call("sum", EncodeValue(statistic, argument)));
  }
  return DoorLowering(door).Lower(std::move(columns));
}

}  // namespace dpsql
