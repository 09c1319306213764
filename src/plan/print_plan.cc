#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "plan/dp_plan.h"
#include "plan/print_node.h"

namespace dpsql {
namespace {

std::string Number(double number) {
  std::ostringstream text;
  text.precision(6);
  text << number;
  return text.str();
}

// Writes one door as lines of "label  text", labels in a column.
class DoorPrinter {
 public:
  DoorPrinter(const Door& door, std::ostream& out) : door_(door), query_(*door.query), out_(out) {}

  void Print() {
    PrintRelation();
    PrintKeys();
    Line("groups", "at most " + std::to_string(door_.groups_per_unit.value) + " per unit (" +
                       door_.groups_per_unit.origin + ")");
    Line("rows", "L2 clip at " + std::to_string(door_.rows_per_unit.value) + " per unit (" +
                     door_.rows_per_unit.origin + ")");
    PrintSelection();
    for (const Statistic& statistic : door_.statistics) PrintStatistic(statistic);
    for (std::size_t i = 0; i < door_.readings.size(); ++i) PrintReading(i);
  }

 private:
  void Line(const std::string& label, const std::string& text) {
    const std::string shown = label == last_label_ ? "" : label;
    last_label_ = label;
    out_ << "  " << shown << std::string(12 - shown.size(), ' ') << text << "\n";
  }

  void PrintRelation() {
    const Relation& relation = query_.relation;
    Line("unit", relation.owner->kind + ", named by " + ColumnText(relation.owner->column));
    PrintScans(query_.view(), *door_.numbers, "",
               [&](const std::string& text) { Line("read", text); });
    for (const BoundExprPtr& condition : relation.conditions) {
      Line("where", Describe(*condition, query_.view()));
    }
  }

  std::string ColumnText(BoundColumn at) const {
    return query_.relation.scans[at.scan].alias + "." + query_.column(at).name;
  }

  void PrintKeys() {
    for (const BoundKey& key : query_.keys) {
      std::string text = Describe(*key.expr, query_.view());
      if (!key.values.empty()) {
        text += ", " + std::to_string(key.values.size()) + " declared values";
      }
      Line("key", text);
    }
    if (door_.key_mode == KeyMode::kScalar) Line("key", "none: one row");
  }

  void PrintSelection() {
    if (!door_.selects_keys) {
      Line("release", "every cell: its keys are public and k <= 1");
      return;
    }
    Line("release", "cells with at least " + std::to_string(door_.min_frequency) +
                        " units whose noisy count reaches " + std::to_string(door_.tau));
    Line("release", "count noise sd " + Number(door_.count_sigma.value()) + ", delta " +
                        Number(door_.delta_infinity));
    if (door_.classes.size() == 1) return;
    for (const CellClass& cell_class : door_.classes) {
      Line("cells", cell_class.argument
                        ? Describe(*cell_class.argument, query_.view()) + " is not null"
                        : "every row");
    }
  }

  void PrintStatistic(const Statistic& statistic) {
    std::string text(Name(statistic.kind));
    if (statistic.argument) {
      text += " of " + Describe(*statistic.argument, query_.view()) + " in [" +
              Number(statistic.bounds.low) + ", " + Number(statistic.bounds.high) + "] (" +
              statistic.bounds_origin + ")";
    } else if (const BoundExprPtr& argument = door_.classes[statistic.cell_class].argument) {
      text += " where " + Describe(*argument, query_.view()) + " is not null";
    }
    Line("statistic", text + ", noise sd " + Number(NaturalSd(statistic)));
  }

  static double NaturalSd(const Statistic& statistic) {
    const double scale =
        statistic.kind == StatisticKind::kUnits ? 1.0 : static_cast<double>(kStatisticScale);
    return statistic.sigma.value() / scale;
  }

  // The expected 95 % error of an answer that is linear in the noise is known beforehand; that of
  // a mean depends on the count.
  void PrintReading(std::size_t index) {
    const BoundAggregate& bound = query_.aggregates[index];
    const Reading& reading = door_.readings[index];
    const Statistic& statistic = door_.statistics[reading.statistic];
    const std::size_t size = Coordinates(statistic.kind);
    const Estimate at_zero =
        bound.aggregate->decode({.kind = statistic.kind,
                                 .bounds = statistic.bounds,
                                 .value = std::vector<double>(size, 0.0),
                                 .sd = std::vector<double>(size, NaturalSd(statistic))});
    const std::string error =
        at_zero.interval ? "+- " + Number((at_zero.interval->high - at_zero.interval->low) / 2)
                         : "+- " + Number(MeanMargin(statistic)) + " / count";
    Line("answer", AggregateText(bound) + " from " + std::string(Name(statistic.kind)) +
                       ", 95 % error " + error);
  }

  static double MeanMargin(const Statistic& statistic) {
    return kNormal95 * NaturalSd(statistic) * (statistic.bounds.high - statistic.bounds.low);
  }

  std::string AggregateText(const BoundAggregate& bound) const {
    const std::string function(bound.aggregate->function);
    if (bound.aggregate->form == AggregateForm::kStar) return function + "(*)";
    if (bound.aggregate->form == AggregateForm::kDistinctUnit) return function + "(distinct unit)";
    return function + "(" + Describe(*bound.argument, query_.view()) + ")";
  }

  const Door& door_;
  const BoundDoor& query_;
  std::ostream& out_;
  std::string last_label_;
};

}  // namespace

std::string DpPlan::Print() const {
  std::ostringstream out;
  for (std::size_t i = 0; i < doors_.size(); ++i) {
    out << "door " << i + 1 << "\n";
    DoorPrinter(doors_[i], out).Print();
  }
  const bool plain = PlainOutputs().has_value();
  if (!plain) {
    out << "above\n";
    PrintNode(query_->root(), query_->catalog(), *numbers_, "  ",
              [&](const std::string& line) { out << line << "\n"; });
  }
  out << "columns";
  for (const CatalogColumn& column : query_->root().table.columns) out << "  " << column.name;
  out << "\nprice   epsilon " << Number(cost_.asked.epsilon) << ", delta "
      << Number(cost_.asked.delta) << ", mu "
      << Number(std::sqrt(MuSquaredToDoubleUp(cost_.by_mechanism.mu_squared))) << "\n";
  return out.str();
}

}  // namespace dpsql
