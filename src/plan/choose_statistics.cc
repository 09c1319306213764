#include "plan/choose_statistics.h"

#include <algorithm>
#include <utility>

namespace dpsql {
namespace {

bool SameInterval(const Interval& a, const Interval& b) {
  return a.low == b.low && a.high == b.high;
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
  std::size_t ClassOf(const BoundExprPtr& argument) {
    const BoundExprPtr own = argument && argument->nullable ? argument : nullptr;
    for (std::size_t i = 0; i < choice_.classes.size(); ++i) {
      if (SameArgument(choice_.classes[i].argument, own)) return i;
    }
    choice_.classes.push_back({.argument = own});
    return choice_.classes.size() - 1;
  }

  // Aggregates with bounds first: counts then join their vectors where they can.
  void AddBounded(const BoundAggregate& bound) {
    if (!bound.aggregate->needs_bounds) return;
    for (Statistic& statistic : choice_.statistics) {
      if (!SameArgument(statistic.argument, bound.argument) ||
          !SameInterval(statistic.bounds, bound.bounds)) {
        continue;
      }
      if (!bound.aggregate->reads(statistic.kind)) statistic.kind = StatisticKind::kMoments;
      return;
    }
    choice_.statistics.push_back({.kind = bound.aggregate->alone,
                                  .argument = bound.argument,
                                  .bounds = bound.bounds,
                                  .bounds_origin = bound.bounds_origin,
                                  .cell_class = ClassOf(bound.argument)});
  }

  Reading Serve(const BoundAggregate& bound) {
    const std::size_t cell_class = ClassOf(bound.argument);
    std::size_t found = bound.aggregate->needs_bounds ? FindBounded(bound) : JoinCount(bound);
    if (found == kNone) found = FindOrAdd(bound.aggregate->alone, cell_class);
    return {.statistic = found, .cell_class = cell_class};
  }

  std::size_t FindBounded(const BoundAggregate& bound) const {
    for (std::size_t i = 0; i < bounded_; ++i) {
      if (SameArgument(choice_.statistics[i].argument, bound.argument) &&
          SameInterval(choice_.statistics[i].bounds, bound.bounds)) {
        return i;
      }
    }
    return kNone;
  }

  // A count reads the moments of its own argument; a count of all rows reads the only moments
  // there are, where no row lacks a value: one vector in place of two, at the same error for the
  // count and less for the rest.
  std::size_t JoinCount(const BoundAggregate& bound) {
    if (!bound.aggregate->reads(StatisticKind::kMoments)) return kNone;
    const bool all_rows = !bound.argument || !bound.argument->nullable;
    for (std::size_t i = 0; i < bounded_; ++i) {
      Statistic& statistic = choice_.statistics[i];
      const bool same = bound.argument && SameArgument(statistic.argument, bound.argument);
      const bool only = bounded_ == 1 && all_rows && !statistic.argument->nullable;
      if (!same && !only) continue;
      statistic.kind = StatisticKind::kMoments;
      return i;
    }
    return kNone;
  }

  std::size_t FindOrAdd(StatisticKind kind, std::size_t cell_class) {
    for (std::size_t i = bounded_; i < choice_.statistics.size(); ++i) {
      const Statistic& statistic = choice_.statistics[i];
      if (statistic.kind == kind && statistic.cell_class == cell_class) return i;
    }
    choice_.statistics.push_back({.kind = kind, .cell_class = cell_class});
    return choice_.statistics.size() - 1;
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  const BoundDoor& query_;
  StatisticChoice choice_;
  std::size_t bounded_ = 0;
};

}  // namespace

StatisticChoice ChooseStatistics(const BoundDoor& query) {
  return StatisticChooser(query).Choose();
}

}  // namespace dpsql
