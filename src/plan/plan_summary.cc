#include "plan/plan_summary.h"

#include <algorithm>
#include <cmath>

#include "plan/calibrate.h"
#include "plan/expected_error.h"
#include "plan/print_node.h"
#include "plan/target_error.h"
#include "privacy/truncated_geometric.h"

namespace dpsql {
namespace {

constexpr double kManySds = 1e6;  // a count so far above its noise that the noise is linear

// Reads one door.
class DoorReader {
 public:
  explicit DoorReader(const Door& door) : door_(door), query_(*door.query) {}

  DoorSummary Read() const {
    const Relation& relation = query_.relation;
    DoorSummary summary;
    summary.unit = relation.owner->kind;
    summary.unit_column = ColumnText(relation.owner->column);
    PrintScans(query_.view(), *door_.numbers, "",
               [&](const std::string& text) { summary.reads.push_back(text); });
    for (const BoundExprPtr& condition : relation.conditions) {
      summary.conditions.push_back(Text(*condition));
    }
    for (const BoundKey& key : query_.keys) summary.keys.push_back(KeyOf(key));
    summary.groups_per_unit = door_.groups_per_unit;
    summary.rows_per_unit = door_.rows_per_unit;
    const bool laplace =
        std::any_of(door_.statistics.begin(), door_.statistics.end(),
                    [](const Statistic& one) { return one.mechanism == Mechanism::kLaplace; });
    summary.clip_norm = laplace ? "L1" : "L2";
    summary.selection = Selection();
    for (const Statistic& statistic : door_.statistics) {
      summary.statistics.push_back(StatisticOf(statistic));
    }
    for (std::size_t i = 0; i < door_.readings.size(); ++i) summary.answers.push_back(AnswerOf(i));
    if (door_.target) summary.target = ToText(*door_.target);
    return summary;
  }

 private:
  std::string Text(const BoundExpr& expr) const { return Describe(expr, query_.view()); }

  std::string ColumnText(BoundColumn at) const {
    return query_.relation.scans[at.scan].alias + "." + query_.column(at).name;
  }

  KeySummary KeyOf(const BoundKey& key) const {
    return {.expr = Text(*key.expr),
            .declared_values = key.values.size(),
            .of_public_table = key.values.empty() && door_.key_mode == KeyMode::kPublic};
  }

  SelectionSummary Selection() const {
    SelectionSummary selection{.rule = door_.selection, .min_frequency = door_.min_frequency};
    switch (door_.selection) {
      case KeySelection::kNone:
        return selection;
      case KeySelection::kThreshold:
        selection.threshold = door_.tau;
        selection.count_sd = door_.count_sigma.value();
        selection.delta = door_.delta_infinity;
        break;
      case KeySelection::kTruncatedGeometric:
        selection.epsilon = door_.keep.epsilon;
        selection.delta = door_.keep.delta;
        selection.certain_from = TruncatedGeometric(door_.keep, door_.min_frequency).certain_from();
        break;
    }
    if (door_.classes.size() == 1) return selection;
    for (const CellClass& one : door_.classes) selection.classes.push_back(ClassText(one));
    return selection;
  }

  std::string ClassText(const CellClass& cell_class) const {
    std::string text;
    for (const BoundExprPtr& expr : cell_class.present) {
      text += (text.empty() ? "" : " and ") + Text(*expr) + " is not null";
    }
    return text.empty() ? "every row" : text;
  }

  StatisticSummary StatisticOf(const Statistic& statistic) const {
    const std::vector<double> sds = PlannedSds(statistic);
    const auto [least, most] = std::minmax_element(sds.begin(), sds.end());
    StatisticSummary summary{.name = Name(statistic.shape),
                             .arguments = {},
                             .where = "",
                             .mechanism = std::string(Name(statistic.mechanism)),
                             .sd = *most,
                             .least_sd = *least};
    for (const BoundedArgument& argument : statistic.arguments) {
      ArgumentSummary shown{.expr = Text(*argument.expr), .bounds = std::nullopt, .origin = ""};
      if (statistic.shape.kind != StatisticKind::kDistinct) {
        shown.bounds = argument.bounds;
        shown.origin = argument.origin;
      }
      summary.arguments.push_back(std::move(shown));
    }
    const CellClass& rows = door_.classes[statistic.cell_class];
    if (statistic.arguments.empty() && !rows.present.empty()) summary.where = ClassText(rows);
    return summary;
  }

  // The noise of an answer that is linear in it is known beforehand. That of the others falls with
  // the count; how, depends on the values, and is told for evenly spread ones.
  AnswerSummary AnswerOf(std::size_t index) const {
    const Statistic& statistic = door_.statistics[door_.readings[index].statistic];
    AnswerSummary answer{.aggregate = AggregateText(query_.aggregates[index]),
                         .statistic = Name(statistic.shape),
                         .error = std::nullopt,
                         .error_times_count = std::nullopt};
    const std::vector<double> sds = PlannedSds(statistic);
    const double many = kManySds * *std::max_element(sds.begin(), sds.end());
    if (const auto at_zero = ExpectedErrorOf(door_, index, 0)) {
      answer.error = at_zero->half_width;
    } else if (const auto at_many = ExpectedErrorOf(door_, index, many)) {
      answer.error_times_count = at_many->half_width * many;
    }
    return answer;
  }

  std::string AggregateText(const BoundAggregate& bound) const {
    const std::string function(bound.aggregate->function);
    if (bound.aggregate->form == AggregateForm::kStar) return function + "(*)";
    if (bound.aggregate->form == AggregateForm::kDistinctUnit) return function + "(distinct unit)";
    std::string text = bound.aggregate->form == AggregateForm::kDistinctValue ? "(distinct " : "(";
    for (std::size_t i = bound.arguments.size(); i-- > 0;) {
      text += Text(*bound.arguments[i].expr) + (i > 0 ? ", " : ")");
    }
    return function + text;
  }

  const Door& door_;
  const BoundDoor& query_;
};

}  // namespace

PlanSummary Summarise(const DpPlan& plan) {
  PlanSummary summary;
  for (const Door& door : plan.doors()) summary.doors.push_back(DoorReader(door).Read());
  const BoundQuery& query = plan.query();
  if (!plan.PlainOutputs()) {
    PrintNode(query.root(), query.catalog(), plan.door_numbers(), "",
              [&](const std::string& line) { summary.above.push_back(line); });
  }
  for (const CatalogColumn& column : query.root().table.columns) {
    summary.columns.push_back(column.name);
  }
  summary.price = plan.cost().asked;
  summary.mu = std::sqrt(MuSquaredToDoubleUp(plan.cost().by_mechanism.mu_squared));
  return summary;
}

}  // namespace dpsql
