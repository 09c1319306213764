#include "neighbours/movement.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <utility>

#include "plan/calibrate.h"

namespace dpsql {
namespace {

using Wide = boost::multiprecision::cpp_int;

constexpr long double kRounding = 1 + 1e-15L;

std::string KeyText(const std::vector<Value>& key) {
  std::string text = "(";
  for (const Value& value : key) text += (text.size() > 1 ? ", " : "") + ToText(value);
  return text + ")";
}

// A table that lacks a key has zeros there.
OpenedTable Difference(const OpenedTable& with, const OpenedTable& without) {
  OpenedTable moved = with;
  for (const auto& [key, numbers] : without) {
    std::vector<Int128>& own = moved.try_emplace(key, numbers.size(), 0).first->second;
    for (std::size_t i = 0; i < numbers.size(); ++i) own[i] -= numbers[i];
  }
  return moved;
}

void AddTo(OpenedTable& sum, const OpenedTable& more) {
  for (const auto& [key, numbers] : more) {
    std::vector<Int128>& own = sum.try_emplace(key, numbers.size(), 0).first->second;
    for (std::size_t i = 0; i < numbers.size(); ++i) own[i] += numbers[i];
  }
}

long double SquareOver(Int128 moved, const GridSigma& sigma) {
  const long double steps =
      std::ldexp(static_cast<long double>(moved), static_cast<int>(sigma.bits));
  const long double share = steps / static_cast<long double>(sigma.numerator);
  return share * share;
}

std::optional<std::string> FindInCounts(const Door& door, const OpenedTable& moved, Spent& spent) {
  std::int64_t groups = 0;
  for (const auto& [key, counts] : moved) {
    bool any = false;
    for (const Int128 count : counts) {
      if (count < 0 || count > 1) {
        return "stage 1: the count of " + KeyText(key) + " moves by " + ToString(count);
      }
      any = any || count != 0;
      if (door.selection == KeySelection::kThreshold) {
        spent.mu_squared += SquareOver(count, door.count_sigma);
      }
      if (door.selection == KeySelection::kTruncatedGeometric && count != 0) {
        spent.epsilon += door.keep.epsilon;
      }
    }
    groups += any ? 1 : 0;
  }
  if (groups <= door.groups_per_unit.value) return std::nullopt;
  return "stage 1: counts move in " + std::to_string(groups) + " groups, C0 is " +
         std::to_string(door.groups_per_unit.value);
}

// One statistic of a door: its coordinates in the numbers of a key, and how far it may move.
class StatisticCheck {
 public:
  StatisticCheck(const Door& door, const Statistic& statistic, std::size_t first)
      : statistic_(statistic),
        first_(first),
        weights_(WeightsOf(statistic.shape)),
        sensitivity_(SensitivityOf(door, statistic)) {
    counts_units_ = CountsUnits(statistic.shape.kind);
    // What the caps alone say; the clip of the plan is not believed here.
    const auto rows = static_cast<UInt128>(door.rows_per_unit.value);
    clip_ = rows << statistic.grid_bits();
  }

  std::optional<std::string> Find(const OpenedTable& moved, Spent& spent) const {
    Wide squares = 0;
    Wide magnitudes = 0;
    for (const auto& [key, numbers] : moved) {
      for (std::size_t i = 0; i < weights_.weight.size(); ++i) {
        const Int128 number = numbers[first_ + i];
        if (number == 0) continue;
        if (!IsCellInside(number, i)) {
          return Name(statistic_.shape) + ": coordinate " + std::to_string(i) + " of " +
                 KeyText(key) + " moves by " + ToString(number);
        }
        const Wide wide(number);
        squares += wide * wide * weights_.weight[i];
        magnitudes += abs(wide);
        Spend(number, i, spent);
      }
    }
    if (magnitudes != 0) spent.statistics.insert(Name(statistic_.shape));
    return FindNorm(squares, magnitudes);
  }

 private:
  bool IsCellInside(Int128 number, std::size_t coordinate) const {
    if (counts_units_) return number == 0 || number == 1;
    const Wide wide(number);
    if (laplace()) return abs(wide) <= Wide(clip_);
    return wide * wide * weights_.weight[coordinate] <= Wide(clip_) * clip_ * weights_.whole;
  }

  std::optional<std::string> FindNorm(const Wide& squares, const Wide& magnitudes) const {
    const Wide most =
        counts_units_ ? Wide(sensitivity_.l2_squared) : Wide(clip_) * clip_ * weights_.whole;
    if (!laplace() && squares > most) {
      return Name(statistic_.shape) + ": the squares of what moves are " + squares.str() +
             ", claimed are " + most.str();
    }
    const Wide most_l1 = counts_units_ ? Wide(sensitivity_.l1) : Wide(clip_);
    if (!laplace() || magnitudes <= most_l1) return std::nullopt;
    return Name(statistic_.shape) + ": moves by " + magnitudes.str() + " in L1, claimed are " +
           most_l1.str();
  }

  void Spend(Int128 number, std::size_t coordinate, Spent& spent) const {
    if (!laplace()) {
      spent.mu_squared += SquareOver(number, statistic_.sigmas[coordinate]);
      return;
    }
    const auto steps = static_cast<long double>(number < 0 ? -number : number);
    spent.epsilon += steps * static_cast<long double>(statistic_.rate.numerator) /
                     static_cast<long double>(statistic_.rate.denominator);
  }

  bool laplace() const { return statistic_.mechanism == Mechanism::kLaplace; }

  const Statistic& statistic_;
  std::size_t first_;
  ClipWeights weights_;
  Sensitivity sensitivity_;
  bool counts_units_ = false;
  UInt128 clip_ = 0;
};

bool SameKeys(const OpenedTable& a, const OpenedTable& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](auto& x, auto& y) { return x.first == y.first; });
}

std::string TextOf(const std::vector<PublicTable>& tables) {
  std::string text;
  for (const PublicTable& table : tables) {
    text += table.name + "\n";
    for (const std::vector<Value>& row : table.rows) text += KeyText(row) + "\n";
  }
  return text;
}

Spent ChargeOf(const DpPlan& plan) {
  const Purses& charged = plan.cost().by_mechanism;
  const auto units = [](UInt128 number) {
    return std::ldexp(static_cast<long double>(number), -kMuSquaredBits);
  };
  return {
      .mu_squared = units(charged.mu_squared), .epsilon = units(charged.epsilon), .statistics = {}};
}

// The numbers that units add to: claims are none.
void DropClaims(const Door& door, OpenedTable& sums) {
  std::size_t at = 0;
  for (const Statistic& statistic : door.statistics) {
    if (statistic.shape.kind == StatisticKind::kDistinct) {
      for (auto& [key, numbers] : sums) numbers[at] = 0;
    }
    at += Coordinates(statistic.shape);
  }
}

std::optional<std::string> FirstNonZero(const OpenedTable& table) {
  for (const auto& [key, numbers] : table) {
    for (const Int128 number : numbers) {
      if (number != 0) return KeyText(key) + " is off by " + ToString(number);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> FindInDoor(const Door& planned, Pair<DoorIntegers> pair, Spent& spent) {
  if (pair.with.known != pair.without.known) return "known keys change with the unit";
  const OpenedTable counts = Difference(pair.with.counts, pair.without.counts);
  if (auto found = FindInCounts(planned, counts, spent)) return found;
  if (!SameKeys(pair.with.sums, pair.without.sums)) return "stage 2 answers other keys";
  const OpenedTable sums = Difference(pair.with.sums, pair.without.sums);
  std::size_t at = 0;
  for (const Statistic& statistic : planned.statistics) {
    auto found = StatisticCheck(planned, statistic, at).Find(sums, spent);
    if (found) return "stage 2: " + *found;
    at += Coordinates(statistic.shape);
  }
  return std::nullopt;
}

std::optional<std::string> FindInPlan(const DpPlan& plan, const Spent& spent) {
  const Spent paid = ChargeOf(plan);
  const auto above = [](const char* what, long double moved, long double most) {
    return std::string(what) + " moved is " + std::to_string(moved) + ", charged is " +
           std::to_string(most);
  };
  if (spent.mu_squared > paid.mu_squared * kRounding) {
    return above("mu^2", spent.mu_squared, paid.mu_squared);
  }
  if (spent.epsilon > paid.epsilon * kRounding) {
    return above("epsilon", spent.epsilon, paid.epsilon);
  }
  return std::nullopt;
}

double ShareOf(const DpPlan& plan, const Spent& spent) {
  const Spent paid = ChargeOf(plan);
  const long double mu = paid.mu_squared > 0 ? spent.mu_squared / paid.mu_squared : 0;
  const long double epsilon = paid.epsilon > 0 ? spent.epsilon / paid.epsilon : 0;
  return static_cast<double>(std::max(mu, epsilon));
}

std::optional<std::string> FindAbove(Pair<SideIntegers> pair) {
  if (TextOf(pair.with.above) == TextOf(pair.without.above)) return std::nullopt;
  return "what is read above the doors changes with the unit";
}

void WholeOfUnits::Add(const DpPlan& plan, Pair<SideIntegers> pair) {
  doors_.resize(plan.doors().size());
  for (std::size_t i = 0; i < doors_.size(); ++i) {
    AddTo(doors_[i].counts, Difference(pair.with.doors[i].counts, pair.without.doors[i].counts));
    AddTo(doors_[i].sums, Difference(pair.with.doors[i].sums, pair.without.doors[i].sums));
  }
}

std::optional<std::string> WholeOfUnits::Find(const DpPlan& plan, const SideIntegers& all) const {
  for (std::size_t i = 0; i < plan.doors().size(); ++i) {
    const Parts parts = i < doors_.size() ? doors_[i] : Parts{};
    if (auto found = FirstNonZero(Difference(all.doors[i].counts, parts.counts))) {
      return "stage 1: units one by one do not make the whole: " + *found;
    }
    OpenedTable sums = Difference(all.doors[i].sums, parts.sums);
    DropClaims(plan.doors()[i], sums);
    if (auto found = FirstNonZero(sums)) {
      return "stage 2: units one by one do not make the whole: " + *found;
    }
  }
  return std::nullopt;
}

}  // namespace dpsql
