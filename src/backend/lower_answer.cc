#include "backend/lower_answer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "backend/lower.h"
#include "backend/lower_node.h"
#include "backend/tree.h"

namespace dpsql {
namespace {

std::string AnswerName(std::size_t position) { return "c" + std::to_string(position); }

ast::ExprPtr AsShown(ast::ExprPtr expr, const Type& type) {
  switch (type.family) {
    case TypeFamily::kBoolean:
      return expr;
    case TypeFamily::kInteger:
      return tree::Cast(std::move(expr), "int8");
    case TypeFamily::kFloat:
      return tree::Cast(std::move(expr), "float8");
    default:
      return tree::Cast(std::move(expr), "text");
  }
}

void AddItem(ast::Select& select, ast::ExprPtr expr) {
  select.items.push_back({.expr = std::move(expr), .alias = AnswerName(select.items.size())});
}

// Where the query names no order, the order of its columns is one that says nothing.
void OrderByAll(ast::Select& select, std::size_t columns, const std::string& table) {
  for (std::size_t i = 0; i < columns; ++i) {
    select.order_by.push_back(
        {.expr = tree::Column(table, AnswerName(i)), .descending = false, .nulls_first = true});
  }
}

// SELECT casts FROM (query) ORDER BY the query's own order, which is over its columns.
ShownAnswer Wrapped(const DpPlan& plan) {
  const QueryNode& root = plan.query().root();
  ShownAnswer shown;
  ast::Select inner = LowerAnswer(plan);
  shown.select.limit = std::move(inner.limit);
  shown.select.offset = std::move(inner.offset);
  inner.order_by.clear();
  if (const auto* body = std::get_if<Projection>(&root.body)) {
    for (const BoundOrder& order : body->order_by) {
      for (std::size_t i = 0; i < body->columns.size(); ++i) {
        if (!SameExpr(*body->columns[i], *order.expr)) continue;
        shown.select.order_by.push_back({.expr = tree::Column("r", AnswerName(i)),
                                         .descending = order.descending,
                                         .nulls_first = order.nulls_first});
        break;
      }
    }
  }
  OrderByAll(shown.select, root.table.columns.size(), "r");
  for (std::size_t i = 0; i < root.table.columns.size(); ++i) {
    AddItem(shown.select, AsShown(tree::Column("r", AnswerName(i)), root.table.columns[i].type));
  }
  shown.has_interval.assign(root.table.columns.size(), false);
  ast::From from{.alias = "r", .column_aliases = {}, .span = {}};
  from.node = ast::DerivedTable{.select = std::make_unique<ast::Select>(std::move(inner))};
  shown.select.from.push_back(std::move(from));
  return shown;
}

// The order statistics next outside the middle 95 %: ranks are rounded outward.
void AddDrawnEnds(const BoundExpr& column, const LowerScope& scope, ast::Select& select) {
  const auto draws = static_cast<std::int64_t>(scope.draws);
  const auto rank = static_cast<std::int64_t>(std::floor(static_cast<double>(draws + 1) * 0.025));
  for (const char* end : {"low draw", "high draw"}) {
    AddItem(select, tree::Call(end, LowerDraws(column, scope), tree::Whole(draws - rank)));
  }
}

class PublicReader {
 public:
  explicit PublicReader(const Catalog& catalog) : catalog_(catalog) {}

  void Node(const QueryNode& node) {
    if (const Relation* relation = RelationOf(node)) return Rows(*relation, node);
    if (const auto* operation = std::get_if<SetOperation>(&node.body)) {
      Node(*operation->left);
      Node(*operation->right);
    }
  }

  std::vector<PublicTable> Tables() const {
    std::vector<PublicTable> tables;
    for (const auto& [index, columns] : columns_) {
      const CatalogTable& source = catalog_.table(index);
      PublicTable table{.name = source.name, .release = false, .columns = {}, .rows = {}};
      for (const std::size_t column : columns) {
        table.columns.push_back({source.columns[column].name, source.columns[column].type});
      }
      tables.push_back(std::move(table));
    }
    return tables;
  }

 private:
  void Rows(const Relation& relation, const QueryNode& node) {
    for (const Scan& scan : relation.scans) {
      if (scan.node) {
        Node(*scan.node);
      } else {
        columns_[scan.table].insert(0);  // to count its rows
      }
      Exprs(scan.on, relation);
    }
    Exprs(relation.conditions, relation);
    if (const auto* body = std::get_if<Projection>(&node.body)) {
      Exprs(body->columns, relation);
      for (const BoundOrder& order : body->order_by) Expr(*order.expr, relation);
    } else if (const auto* groups = std::get_if<Grouping>(&node.body)) {
      Exprs(groups->keys, relation);
      for (const ExactAggregate& aggregate : groups->aggregates) {
        if (aggregate.argument) Expr(*aggregate.argument, relation);
      }
    } else if (const auto* windows = std::get_if<Windowing>(&node.body)) {
      Exprs(windows->inputs, relation);  // all that a window reads is among its inputs
    }
  }

  void Exprs(const std::vector<BoundExprPtr>& exprs, const Relation& relation) {
    for (const BoundExprPtr& expr : exprs) Expr(*expr, relation);
  }

  void Expr(const BoundExpr& expr, const Relation& relation) {
    if (expr.kind == BoundKind::kColumn && !relation.scans[expr.column.scan].node) {
      columns_[relation.scans[expr.column.scan].table].insert(expr.column.column);
    }
    for (const BoundExprPtr& argument : expr.arguments) Expr(*argument, relation);
  }

  const Catalog& catalog_;
  std::map<std::size_t, std::set<std::size_t>> columns_;
};

}  // namespace

bool WantsDraws(const DpPlan& plan) {
  const auto* body = std::get_if<Projection>(&plan.query().root().body);
  if (body == nullptr || body->distinct) return false;
  return std::any_of(body->columns.begin(), body->columns.end(), [&](const BoundExprPtr& column) {
    return HasDraws(*column, body->relation) && !IsEstimate(*column, body->relation);
  });
}

ShownAnswer LowerShown(const DpPlan& plan, std::size_t draws) {
  const QueryNode& root = plan.query().root();
  const auto* body = std::get_if<Projection>(&root.body);
  if (body == nullptr || body->distinct) return Wrapped(plan);
  const LowerScope scope{body->relation, plan.query().catalog(), plan.door_numbers(), draws};
  ShownAnswer shown;
  shown.select = LowerAnswer(plan, draws);
  shown.select.items.clear();
  for (std::size_t i = 0; i < body->columns.size(); ++i) {
    AddItem(shown.select, AsShown(LowerExpr(*body->columns[i], scope), root.table.columns[i].type));
  }
  for (const BoundExprPtr& column : body->columns) {
    const bool estimate = IsEstimate(*column, body->relation);
    const bool drawn = draws > 0 && HasDraws(*column, body->relation);
    shown.has_interval.push_back(estimate || drawn);
    if (estimate) {
      const BoundColumn at = column->column;
      for (const char* end : {"l", "h"}) {
        AddItem(shown.select, tree::Column(ScanName(at.scan), end + std::to_string(at.column)));
      }
    } else if (drawn) {
      AddDrawnEnds(*column, scope, shown.select);
    }
  }
  for (const BoundExprPtr& column : body->columns) {
    if (column->kind == BoundKind::kLiteral) continue;  // it orders nothing
    shown.select.order_by.push_back(
        {.expr = LowerExpr(*column, scope), .descending = false, .nulls_first = true});
  }
  return shown;
}

std::vector<PublicTable> PublicReads(const DpPlan& plan) {
  PublicReader reader(plan.query().catalog());
  reader.Node(plan.query().root());
  return reader.Tables();
}

namespace {

// A value of a public table as DuckDB can read it again: NULL where it is a time that DuckDB cannot
// write or does not have.
ast::ExprPtr AsHandedOver(ast::ExprPtr value, const Type& type) {
  if (type.family == TypeFamily::kDate) return tree::Call("date text", std::move(value));
  if (type.family == TypeFamily::kInterval) return tree::Call("interval text", std::move(value));
  if (type.family != TypeFamily::kTimestamp) return AsShown(std::move(value), type);
  return tree::Call("timestamp text", tree::Call("stored timestamp", std::move(value)));
}

}  // namespace

ast::Select LowerPublic(const PublicTable& table) {
  ast::Select select;
  for (const PublicTable::Column& column : table.columns) {
    AddItem(select, AsHandedOver(tree::Column("t", column.name), column.type));
  }
  ast::From from{.alias = "t", .column_aliases = {}, .span = {}};
  from.node = ast::TableName{.parts = {"main", table.name}};
  select.from.push_back(std::move(from));
  return select;
}

PublicTable ReleaseTable(const Door& door, std::size_t number) {
  const BoundDoor& query = *door.query;
  PublicTable table{.name = ReleaseName(number), .release = true, .columns = {}, .rows = {}};
  for (const BoundKey& key : query.keys) {
    table.columns.push_back({AnswerName(table.columns.size()), key.expr->type});
  }
  for (const BoundAggregate& bound : query.aggregates) {
    const Type type = ParseType(std::string(bound.aggregate->result_type));
    table.columns.push_back({AnswerName(table.columns.size()), type});
  }
  for (std::size_t i = 0; i < query.aggregates.size(); ++i) {
    const std::string position = std::to_string(query.keys.size() + i);
    table.columns.push_back({"l" + position, ParseType("DOUBLE")});
    table.columns.push_back({"h" + position, ParseType("DOUBLE")});
  }
  return table;
}

}  // namespace dpsql
