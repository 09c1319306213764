#include "plan/plan_bytes.h"

#include <sstream>

namespace dpsql {
namespace {

class PlanWriter {
 public:
  PlanWriter() { out_ << std::hexfloat; }

  void Write(const DpPlan& plan) {
    const BoundQuery& query = plan.query();
    WriteRelation(query.relation());
    Number(query.keys().size());
    for (const BoundKey& key : query.keys()) Expr(key.expr);
    Number(query.aggregates().size());
    for (const BoundAggregate& bound : query.aggregates()) Aggregate(bound);
    Number(query.outputs().size());
    for (const BoundOutput& output : query.outputs()) {
      Number(output.is_key);
      Number(output.index);
      Text(output.name);
    }
    Real(plan.cost().asked.epsilon);
    Real(plan.cost().asked.delta);
    Number(plan.doors().size());
    for (const Door& door : plan.doors()) WriteDoor(door);
  }

  std::string bytes() const { return out_.str(); }

 private:
  void WriteRelation(const Relation& relation) {
    Number(relation.scans.size());
    for (const Scan& scan : relation.scans) {
      Number(scan.table);
      Number(scan.optional);
      Exprs(scan.on);
      Number(scan.derived != nullptr);
      if (scan.derived) Derived(*scan.derived);
    }
    Exprs(relation.conditions);
  }

  void Derived(const DerivedTable& derived) {
    WriteRelation(derived.block->relation());
    Number(derived.distinct);
    Exprs(derived.group_by);
    Number(derived.columns.size());
    for (const DerivedColumn& column : derived.columns) {
      Text(column.aggregate);
      Number(column.distinct);
      Expr(column.expr);
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
    Expr(bound.argument);
    Real(bound.bounds.low);
    Real(bound.bounds.high);
  }

  void WriteDoor(const Door& door) {
    Number(door.groups_per_unit.value);
    Number(door.rows_per_unit.value);
    Number(door.min_frequency);
    Number(door.selects_keys);
    Number(door.tau);
    Sigma(door.count_sigma);
    for (const Statistic& statistic : door.statistics) {
      Number(static_cast<int>(statistic.kind));
      Number(statistic.cell_class);
      Sigma(statistic.sigma);
    }
  }

  void Sigma(GridSigma sigma) {
    Number(sigma.numerator);
    Number(sigma.bits);
  }

  std::ostringstream out_;
};

}  // namespace

std::string PlanBytes(const DpPlan& plan) {
  PlanWriter writer;
  writer.Write(plan);
  return writer.bytes();
}

}  // namespace dpsql
