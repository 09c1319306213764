#include "plan/choose_statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "validate/literals.h"

namespace dpsql {
namespace {

bool SameBounds(const Interval& a, const Interval& b) { return a.low == b.low && a.high == b.high; }

bool IsNull(const BoundExpr& expr) {
  return expr.kind == BoundKind::kLiteral && std::holds_alternative<std::monostate>(expr.literal);
}

// Where CASE WHEN f THEN x END has a value: where f holds, if x always has one.
BoundExprPtr PresenceOf(const BoundExprPtr& argument) {
  if (!argument || !argument->nullable) return nullptr;
  const bool filtered = argument->kind == BoundKind::kCall && argument->function == "case" &&
                        argument->arguments.size() == 3 && IsNull(*argument->arguments[2]) &&
                        !argument->arguments[1]->nullable;
  if (!filtered) return argument;
  BoundExpr holds = *argument;
  holds.arguments[1] = WholeLiteral(1, argument->span);
  holds.type = holds.arguments[1]->type;
  holds.arguments[2] = NullLiteral(holds.type, argument->span);
  holds.interval = std::nullopt;
  return std::make_shared<const BoundExpr>(std::move(holds));
}

std::vector<BoundExprPtr> PresentOf(const BoundAggregate& bound) {
  std::vector<BoundExprPtr> present;
  for (const BoundedArgument& argument : bound.arguments) {
    const BoundExprPtr own = PresenceOf(argument.expr);
    const bool known = std::any_of(present.begin(), present.end(), [&](const BoundExprPtr& other) {
      return SameArgument(own, other);
    });
    if (own && !known) present.push_back(own);
  }
  return present;
}

bool SameSet(const std::vector<BoundExprPtr>& a, const std::vector<BoundExprPtr>& b) {
  return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const BoundExprPtr& one) {
           return std::any_of(b.begin(), b.end(),
                              [&](const BoundExprPtr& other) { return SameArgument(one, other); });
         });
}

bool SameArguments(const Statistic& statistic, const BoundAggregate& bound) {
  if (statistic.arguments.size() != bound.arguments.size()) return false;
  for (std::size_t i = 0; i < bound.arguments.size(); ++i) {
    if (!SameArgument(statistic.arguments[i].expr, bound.arguments[i].expr) ||
        !SameBounds(statistic.arguments[i].bounds, bound.arguments[i].bounds)) {
      return false;
    }
  }
  return true;
}

// The least shape that serves both.
StatisticShape Joined(const StatisticShape& a, const StatisticShape& b) {
  if (a == b) return a;
  const auto degrees = [](const StatisticShape& shape) {
    return shape.kind == StatisticKind::kMoments ? shape.degrees : BernsteinShape{1, 0};
  };
  return Moments(std::max(degrees(a).x_degree, degrees(b).x_degree),
                 std::max(degrees(a).y_degree, degrees(b).y_degree));
}

// Standard deviations of a sum and of the count beside it, over that of one coordinate.
struct Errors {
  double value = 1;
  double count = 1;
  double product() const { return value * count; }
};

// What the errors are where the count has a vector of its own, and so half of mu^2.
Errors Apart(const Statistic& statistic) {
  Errors errors{.value = std::sqrt(2.0), .count = std::sqrt(2.0)};
  if (statistic.shape.kind != StatisticKind::kValue) return errors;
  const auto [low, high] = statistic.arguments[0].bounds;
  errors.value *= std::max(std::abs(low), std::abs(high));
  return errors;
}

// What they are where one vector of moments serves both.
Errors Together(const Statistic& statistic, bool with_missing) {
  StatisticShape shape = Joined(statistic.shape, Moments(1));
  shape.counts_missing = with_missing;
  const ClipWeights weights = WeightsOf(shape);
  double count = 0;
  for (const std::uint64_t weight : weights.weight) {
    count += static_cast<double>(weights.whole) / static_cast<double>(weight);
  }
  Errors errors{.value = 1, .count = std::sqrt(count)};
  if (statistic.shape.kind != StatisticKind::kValue) return errors;
  const auto [low, high] = statistic.arguments[0].bounds;
  errors.value = std::hypot(low, high);
  return errors;
}

class StatisticChooser {
 public:
  explicit StatisticChooser(const BoundDoor& query) : query_(query) {}

  StatisticChoice Choose() {
    for (const BoundAggregate& aggregate : query_.aggregates) AddBounded(aggregate);
    bounded_ = choice_.statistics.size();
    for (const BoundAggregate& aggregate : query_.aggregates) {
      choice_.readings.push_back(Serve(aggregate));
    }
    return std::move(choice_);
  }

 private:
  // Rows without a NULL are in the class of all rows.
  std::size_t ClassOf(std::vector<BoundExprPtr> present) {
    for (std::size_t i = 0; i < choice_.classes.size(); ++i) {
      if (SameSet(choice_.classes[i].present, present)) return i;
    }
    choice_.classes.push_back({.present = std::move(present)});
    return choice_.classes.size() - 1;
  }

  // Aggregates with bounds first: counts then join their vectors where they can.
  void AddBounded(const BoundAggregate& bound) {
    if (!bound.aggregate->needs_bounds) return;
    for (Statistic& statistic : choice_.statistics) {
      if (!SameArguments(statistic, bound)) continue;
      if (!bound.aggregate->reads(statistic.shape)) {
        statistic.shape = Joined(statistic.shape, bound.aggregate->alone);
      }
      return;
    }
    choice_.statistics.push_back({.shape = bound.aggregate->alone,
                                  .arguments = bound.arguments,
                                  .cell_class = ClassOf(PresentOf(bound))});
  }

  Reading Serve(const BoundAggregate& bound) {
    const std::size_t cell_class = ClassOf(PresentOf(bound));
    std::size_t found = kNone;
    if (bound.aggregate->needs_bounds) {
      found = FindBounded(bound);
    } else if (!CountsUnits(bound.aggregate->alone.kind)) {
      found = JoinCount(bound, cell_class);
    }
    if (found == kNone) found = FindOrAdd(bound, cell_class);
    return {.statistic = found, .cell_class = cell_class};
  }

  std::size_t FindBounded(const BoundAggregate& bound) const {
    for (std::size_t i = 0; i < bounded_; ++i) {
      if (SameArguments(choice_.statistics[i], bound)) return i;
    }
    return kNone;
  }

  // A count reads the moments of its own rows. Where there is but one vector, a count of all rows
  // reads it too, with a coordinate for the rows without a value, if that lowers the product of
  // both errors: one vector in place of two.
  std::size_t JoinCount(const BoundAggregate& bound, std::size_t cell_class) {
    for (std::size_t i = 0; i < bounded_; ++i) {
      Statistic& statistic = choice_.statistics[i];
      if (statistic.arguments.size() != 1) continue;
      const bool same_rows = statistic.cell_class == cell_class;
      const bool own = same_rows && bound.argument() != nullptr;
      const bool all_rows = choice_.classes[cell_class].present.empty();
      // COUNT(x) adds up the rows with a value of the vector's own argument.
      const bool missing = !same_rows;
      if (missing && bound.aggregate->form != AggregateForm::kStar) continue;
      const bool better =
          Together(statistic, missing).product() < Apart(statistic).product() * kTie;
      if (!own && !(bounded_ == 1 && all_rows && better)) continue;
      const bool counted = statistic.shape.counts_missing;
      statistic.shape = Joined(statistic.shape, Moments(1));
      statistic.shape.counts_missing = counted || missing;
      if (missing) statistic.row_class = cell_class;
      return i;
    }
    return kNone;
  }

  std::size_t FindOrAdd(const BoundAggregate& bound, std::size_t cell_class) {
    const StatisticShape& shape = bound.aggregate->alone;
    for (std::size_t i = bounded_; i < choice_.statistics.size(); ++i) {
      const Statistic& statistic = choice_.statistics[i];
      const bool same_value =
          shape.kind != StatisticKind::kDistinct || SameArguments(statistic, bound);
      if (statistic.shape == shape && statistic.cell_class == cell_class && same_value) return i;
    }
    Statistic statistic{.shape = shape, .cell_class = cell_class};
    if (shape.kind == StatisticKind::kDistinct) statistic.arguments = bound.arguments;
    choice_.statistics.push_back(std::move(statistic));
    return choice_.statistics.size() - 1;
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  static constexpr double kTie = 1 + 1e-9;

  const BoundDoor& query_;
  StatisticChoice choice_;
  std::size_t bounded_ = 0;
};

}  // namespace

StatisticChoice ChooseStatistics(const BoundDoor& query) {
  return StatisticChooser(query).Choose();
}

}  // namespace dpsql
