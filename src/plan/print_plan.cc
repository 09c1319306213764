#include <sstream>
#include <string>

#include "base/display.h"
#include "plan/dp_plan.h"
#include "plan/plan_summary.h"

namespace dpsql {
namespace {

constexpr std::size_t kLabelWidth = 12;

std::string Number(double number) {
  std::ostringstream text;
  text.precision(6);
  text << number;
  return text.str();
}

// Writes one door as lines of "label  text", labels in a column.
class DoorPrinter {
 public:
  DoorPrinter(const DoorSummary& door, std::ostream& out) : door_(door), out_(out) {}

  void Print() {
    Line("unit", door_.unit + ", named by " + door_.unit_column);
    for (const std::string& text : door_.reads) Line("read", text);
    for (const std::string& text : door_.conditions) Line("where", text);
    PrintKeys();
    PrintCaps();
    PrintSelection();
    for (const StatisticSummary& statistic : door_.statistics) PrintStatistic(statistic);
    for (const AnswerSummary& answer : door_.answers) PrintAnswer(answer);
    if (!door_.target.empty()) Line("target", "95 % error " + door_.target + " of each answer");
  }

 private:
  void Line(const std::string& label, const std::string& text) {
    const std::string shown = label == last_label_ ? "" : label;
    last_label_ = label;
    out_ << "  " << shown << std::string(kLabelWidth - shown.size(), ' ') << Printable(text)
         << "\n";
  }

  void PrintKeys() {
    for (const KeySummary& key : door_.keys) {
      std::string text = key.expr;
      if (key.declared_values > 0) {
        text += ", " + std::to_string(key.declared_values) + " declared values";
      } else if (key.of_public_table) {
        text += ", all that are in the public table";
      }
      Line("key", text);
    }
    if (door_.keys.empty()) Line("key", "none: one row");
  }

  void PrintCaps() {
    const Cap& groups = door_.groups_per_unit;
    const std::string most =
        groups.value > 0 ? "at most " + std::to_string(groups.value) + " per unit" : "any number";
    Line("groups", most + " (" + groups.origin + ")");
    Line("rows", door_.clip_norm + " clip at " + std::to_string(door_.rows_per_unit.value) +
                     " per unit (" + door_.rows_per_unit.origin + ")");
  }

  void PrintSelection() {
    const SelectionSummary& selection = door_.selection;
    const std::string k = std::to_string(selection.min_frequency);
    switch (selection.rule) {
      case KeySelection::kNone:
        Line("release", "every cell: its keys are public and k <= 1");
        break;
      case KeySelection::kThreshold:
        Line("release", "cells with at least " + k + " units whose noisy count reaches " +
                            std::to_string(selection.threshold));
        Line("release",
             "count noise sd " + Number(selection.count_sd) + ", delta " + Number(selection.delta));
        break;
      case KeySelection::kTruncatedGeometric:
        Line("release", "cells with at least " + k + " units, by a coin; from " +
                            std::to_string(selection.certain_from) + " units on for certain");
        Line("release", "each coin epsilon " + Number(selection.epsilon) + ", delta " +
                            Number(selection.delta));
        break;
    }
    for (const std::string& text : selection.classes) Line("cells", text);
  }

  void PrintStatistic(const StatisticSummary& statistic) {
    std::string text = statistic.name;
    for (std::size_t i = 0; i < statistic.arguments.size(); ++i) {
      text += (i == 0 ? " of " : ", ") + ArgumentText(statistic.arguments[i]);
    }
    if (!statistic.where.empty()) text += " where " + statistic.where;
    text += ", " + statistic.mechanism + " noise sd " + Number(statistic.sd);
    if (statistic.least_sd < statistic.sd * 0.999) {
      text += ", in the middle " + Number(statistic.least_sd);
    }
    Line("statistic", text);
  }

  static std::string ArgumentText(const ArgumentSummary& argument) {
    if (!argument.bounds) return argument.expr;
    return argument.expr + " in [" + Number(argument.bounds->low) + ", " +
           Number(argument.bounds->high) + "] (" + argument.origin + ")";
  }

  void PrintAnswer(const AnswerSummary& answer) {
    std::string error;
    if (answer.error) error = ", 95 % error +- " + Number(*answer.error);
    if (answer.error_times_count) {
      error = ", 95 % error about +- " + Number(*answer.error_times_count) + " / count";
    }
    Line("answer", answer.aggregate + " from " + answer.statistic + error);
  }

  const DoorSummary& door_;
  std::ostream& out_;
  std::string last_label_;
};

}  // namespace

std::string ToText(const PlanSummary& plan) {
  std::ostringstream out;
  for (std::size_t i = 0; i < plan.doors.size(); ++i) {
    out << "door " << i + 1 << "\n";
    DoorPrinter(plan.doors[i], out).Print();
  }
  if (!plan.above.empty()) out << "above\n";
  for (const std::string& line : plan.above) out << "  " << Printable(line) << "\n";
  out << "columns";
  for (const std::string& column : plan.columns) out << "  " << Printable(column);
  out << "\nprice   epsilon " << Number(plan.price.epsilon) << ", delta "
      << Number(plan.price.delta) << ", mu " << Number(plan.mu) << "\n";
  return out.str();
}

std::string DpPlan::Print() const { return ToText(Summarise(*this)); }

}  // namespace dpsql
