#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "plan/calibrate.h"
#include "plan/dp_plan.h"
#include "plan/print_node.h"
#include "privacy/truncated_geometric.h"

namespace dpsql {
namespace {

constexpr double kManySds = 1e6;  // a count so far above its noise that the noise is linear

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
    PrintCaps();
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
      } else if (door_.key_mode == KeyMode::kPublic) {
        text += ", all that are in the public table";
      }
      Line("key", text);
    }
    if (door_.key_mode == KeyMode::kScalar) Line("key", "none: one row");
  }

  void PrintCaps() {
    const Cap& groups = door_.groups_per_unit;
    const std::string most =
        groups.value > 0 ? "at most " + std::to_string(groups.value) + " per unit" : "any number";
    Line("groups", most + " (" + groups.origin + ")");
    const bool laplace =
        std::any_of(door_.statistics.begin(), door_.statistics.end(),
                    [](const Statistic& one) { return one.mechanism == Mechanism::kLaplace; });
    Line("rows", std::string(laplace ? "L1" : "L2") + " clip at " +
                     std::to_string(door_.rows_per_unit.value) + " per unit (" +
                     door_.rows_per_unit.origin + ")");
  }

  void PrintSelection() {
    const std::string k = std::to_string(door_.min_frequency);
    switch (door_.selection) {
      case KeySelection::kNone:
        Line("release", "every cell: its keys are public and k <= 1");
        return;
      case KeySelection::kThreshold:
        Line("release", "cells with at least " + k + " units whose noisy count reaches " +
                            std::to_string(door_.tau));
        Line("release", "count noise sd " + Number(door_.count_sigma.value()) + ", delta " +
                            Number(door_.delta_infinity));
        break;
      case KeySelection::kTruncatedGeometric:
        PrintCoins(k);
        break;
    }
    if (door_.classes.size() == 1) return;
    for (const CellClass& cell_class : door_.classes) Line("cells", ClassText(cell_class));
  }

  void PrintCoins(const std::string& k) {
    const TruncatedGeometric coins(door_.keep, door_.min_frequency);
    Line("release", "cells with at least " + k + " units, by a coin; from " +
                        std::to_string(coins.certain_from()) + " units on for certain");
    Line("release",
         "each coin epsilon " + Number(door_.keep.epsilon) + ", delta " + Number(door_.keep.delta));
  }

  std::string ClassText(const CellClass& cell_class) const {
    std::string text;
    for (const BoundExprPtr& expr : cell_class.present) {
      text += (text.empty() ? "" : " and ") + Describe(*expr, query_.view()) + " is not null";
    }
    return text.empty() ? "every row" : text;
  }

  void PrintStatistic(const Statistic& statistic) {
    std::string text = Name(statistic.shape);
    for (std::size_t i = 0; i < statistic.arguments.size(); ++i) {
      text += (i == 0 ? " of " : ", ") + ArgumentText(statistic, statistic.arguments[i]);
    }
    const CellClass& rows = door_.classes[statistic.cell_class];
    if (statistic.arguments.empty() && !rows.present.empty()) text += " where " + ClassText(rows);
    Line("statistic", text + ", " + NoiseText(statistic));
  }

  std::string ArgumentText(const Statistic& statistic, const BoundedArgument& argument) const {
    std::string text = Describe(*argument.expr, query_.view());
    if (statistic.shape.kind == StatisticKind::kDistinct) return text;
    return text + " in [" + Number(argument.bounds.low) + ", " + Number(argument.bounds.high) +
           "] (" + argument.origin + ")";
  }

  static std::string NoiseText(const Statistic& statistic) {
    const std::vector<double> sds = PlannedSds(statistic);
    const auto [least, most] = std::minmax_element(sds.begin(), sds.end());
    std::string text = std::string(Name(statistic.mechanism)) + " noise sd " + Number(*most);
    if (*least < *most * 0.999) text += ", in the middle " + Number(*least);
    return text;
  }

  // The noise of an answer that is linear in it is known beforehand. That of the others falls with
  // the count; how, depends on the values, and is told for evenly spread ones.
  void PrintReading(std::size_t index) {
    const BoundAggregate& bound = query_.aggregates[index];
    const Statistic& statistic = door_.statistics[door_.readings[index].statistic];
    const std::vector<double> sds = PlannedSds(statistic);
    const double many = kManySds * *std::max_element(sds.begin(), sds.end());
    const auto half_width = [&](double rows) {
      const double each = rows / static_cast<double>(sds.size());
      const Estimate estimate =
          bound.aggregate->decode({.shape = statistic.shape,
                                   .mechanism = statistic.mechanism,
                                   .x = BoundsOf(statistic, 0),
                                   .y = BoundsOf(statistic, 1),
                                   .value = std::vector<double>(sds.size(), each),
                                   .sd = sds});
      if (!estimate.interval) return std::optional<double>();
      return std::optional((estimate.interval->high - estimate.interval->low) / 2);
    };
    std::string error;
    if (const auto at_zero = half_width(0)) {
      error = "+- " + Number(*at_zero);
    } else if (const auto at_many = half_width(many)) {
      error = "about +- " + Number(*at_many * many) + " / count";
    }
    Line("answer", AggregateText(bound) + " from " + Name(statistic.shape) +
                       (error.empty() ? "" : ", 95 % error " + error));
  }

  static Interval BoundsOf(const Statistic& statistic, std::size_t argument) {
    return argument < statistic.arguments.size() ? statistic.arguments[argument].bounds
                                                 : Interval{};
  }

  std::string AggregateText(const BoundAggregate& bound) const {
    const std::string function(bound.aggregate->function);
    if (bound.aggregate->form == AggregateForm::kStar) return function + "(*)";
    if (bound.aggregate->form == AggregateForm::kDistinctUnit) return function + "(distinct unit)";
    std::string text = bound.aggregate->form == AggregateForm::kDistinctValue ? "(distinct " : "(";
    for (std::size_t i = bound.arguments.size(); i-- > 0;) {
      text += Describe(*bound.arguments[i].expr, query_.view()) + (i > 0 ? ", " : ")");
    }
    return function + text;
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
