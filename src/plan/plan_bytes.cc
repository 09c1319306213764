#include "plan/plan_bytes.h"

#include <sstream>

namespace dpsql {
namespace {

class PlanWriter {
 public:
  PlanWriter(const Catalog& catalog, const DoorNumbers& numbers)
      : catalog_(catalog), numbers_(numbers) {
    out_ << std::hexfloat;
  }

  void Write(const DpPlan& plan) {
    Node(plan.query().root());
    Real(plan.cost().asked.epsilon);
    Real(plan.cost().asked.delta);
    Number(plan.doors().size());
    for (const Door& door : plan.doors()) {
      Asked(*door.query);
      WriteDoor(door);
    }
  }

  void Asked(const BoundDoor& door) {
    WriteRelation(door.relation);
    Number(door.keys.size());
    for (const BoundKey& key : door.keys) Expr(key.expr);
    Number(door.aggregates.size());
    for (const BoundAggregate& bound : door.aggregates) Aggregate(bound);
  }

  std::string bytes() const { return out_.str(); }

 private:
  void Node(const QueryNode& node) {
    Number(node.body.index());
    Number(node.table.columns.size());
    for (const CatalogColumn& column : node.table.columns) Text(column.name);
    std::visit([&](const auto& body) { Body(body); }, node.body);
  }

  void Body(const Projection& body) {
    WriteRelation(body.relation);
    Exprs(body.columns);
    Number(body.distinct);
    Orders(body.order_by);
    Optional(body.limit);
    Optional(body.offset);
  }

  void Body(const Grouping& body) {
    WriteRelation(body.relation);
    Exprs(body.keys);
    Number(body.aggregates.size());
    for (const ExactAggregate& aggregate : body.aggregates) {
      Text(aggregate.function);
      Number(aggregate.distinct);
      Expr(aggregate.argument);
    }
  }

  void Body(const Windowing& body) {
    WriteRelation(body.relation);
    Exprs(body.inputs);
    Number(body.windows.size());
    for (const WindowCall& window : body.windows) Window(window);
  }

  void Body(const SetOperation& body) {
    Number(static_cast<int>(body.op));
    Number(body.all);
    Node(*body.left);
    Node(*body.right);
  }

  void Body(const Release& body) { Number(numbers_.at(body.door.get())); }

  void Window(const WindowCall& window) {
    Text(window.function);
    Number(window.star);
    Exprs(window.arguments);
    Exprs(window.partition_by);
    Orders(window.order_by);
    Number(window.frame ? static_cast<int>(*window.frame) + 1 : 0);
    Number(static_cast<int>(window.start));
    Number(static_cast<int>(window.end));
    Number(window.start_offset);
    Number(window.end_offset);
  }

  void Orders(const std::vector<BoundOrder>& orders) {
    Number(orders.size());
    for (const BoundOrder& order : orders) {
      Expr(order.expr);
      Number(order.descending);
      Number(order.nulls_first);
    }
  }

  void Optional(const std::optional<std::int64_t>& number) {
    Number(number.has_value());
    Number(number.value_or(0));
  }

  void WriteRelation(const Relation& relation) {
    Number(relation.scans.size());
    for (const Scan& scan : relation.scans) {
      Table(scan);
      Number(static_cast<int>(scan.role));
      Exprs(scan.on);
      Number(scan.node != nullptr);
      if (scan.node) Node(*scan.node);
    }
    Exprs(relation.conditions);
  }

  // What a position means: the same file may come back with other columns.
  void Table(const Scan& scan) {
    Number(scan.table);
    if (scan.node) return;
    const CatalogTable& table = catalog_.table(scan.table);
    Text(table.name);
    Number(table.columns.size());
    for (const CatalogColumn& column : table.columns) {
      Text(column.name);
      Text(column.type.name);
    }
  }

  void Exprs(const std::vector<BoundExprPtr>& exprs) {
    Number(exprs.size());
    for (const BoundExprPtr& expr : exprs) Expr(expr);
  }

  template <typename Whole>
  void Number(Whole number) {
    out_ << +number << ' ';
  }
  void Real(double number) { out_ << number << ' '; }
  void Text(const std::string& text) { out_ << text.size() << ':' << text << ' '; }

  void Expr(const BoundExprPtr& expr) {
    Number(expr != nullptr);
    if (!expr) return;
    Number(static_cast<int>(expr->kind));
    Text(expr->type.name);
    Number(expr->literal.index());
    std::visit([&](const auto& value) { Literal(value); }, expr->literal);
    Number(expr->column.scan);
    Number(expr->column.column);
    Text(expr->function);
    Number(expr->arguments.size());
    for (const BoundExprPtr& argument : expr->arguments) Expr(argument);
  }

  void Literal(std::monostate) {}
  void Literal(bool value) { Number(value); }
  void Literal(std::int64_t value) { Number(value); }
  void Literal(double value) { Real(value); }
  void Literal(const std::string& value) { Text(value); }

  void Aggregate(const BoundAggregate& bound) {
    Text(std::string(bound.aggregate->function));
    Number(static_cast<int>(bound.aggregate->form));
    Number(bound.arguments.size());
    for (const BoundedArgument& argument : bound.arguments) {
      Expr(argument.expr);
      Real(argument.bounds.low);
      Real(argument.bounds.high);
    }
  }

  void WriteDoor(const Door& door) {
    Number(door.groups_per_unit.value);
    Number(door.rows_per_unit.value);
    Number(door.min_frequency);
    Number(static_cast<int>(door.selection));
    Number(door.tau);
    Sigma(door.count_sigma);
    Real(door.keep.epsilon);
    Real(door.keep.delta);
    Number(door.statistics.size());
    for (const Statistic& statistic : door.statistics) Noised(statistic);
  }

  void Noised(const Statistic& statistic) {
    Number(static_cast<int>(statistic.shape.kind));
    Number(statistic.shape.degrees.x_degree);
    Number(statistic.shape.degrees.y_degree);
    Number(statistic.shape.counts_missing);
    Number(statistic.cell_class);
    Number(statistic.row_class);
    Number(statistic.step_bits);
    Number(statistic.clip);
    Number(static_cast<int>(statistic.mechanism));
    Number(statistic.rate.numerator);
    Number(statistic.rate.denominator);
    Number(statistic.sigmas.size());
    for (const GridSigma& sigma : statistic.sigmas) Sigma(sigma);
  }

  void Sigma(GridSigma sigma) {
    Number(sigma.numerator);
    Number(sigma.bits);
  }

  const Catalog& catalog_;
  const DoorNumbers& numbers_;
  std::ostringstream out_;
};

}  // namespace

std::string PlanBytes(const DpPlan& plan) {
  PlanWriter writer(plan.query().catalog(), plan.door_numbers());
  writer.Write(plan);
  return writer.bytes();
}

std::string DoorBytes(const BoundDoor& door, const DoorNumbers& numbers) {
  PlanWriter writer(*door.catalog, numbers);
  writer.Asked(door);
  return writer.bytes();
}

std::string SettingsBytes(const Settings& settings) {
  std::ostringstream out;
  out << std::hexfloat << settings.epsilon << ' ' << settings.delta << ' '
      << settings.epsilon_per_door << ' ' << settings.delta_per_door << ' '
      << settings.min_frequency << ' ' << settings.max_groups.value_or(0) << ' '
      << settings.contribution_bound.value_or(0) << ' ' << static_cast<int>(settings.noise);
  return out.str();
}

}  // namespace dpsql
