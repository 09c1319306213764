#include "plan/target_error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>

#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "plan/expected_error.h"
#include "plan/plan.h"

namespace dpsql {
namespace {

// Epsilons of three digits: 100e-8, 101e-8, … 999e-8, 100e-7, …, the first of them the smallest
// that can be asked for. Few enough to compare by hand, and the same for the same question.
constexpr int kFirstDigits = 100;
constexpr int kPerDecade = 900;
constexpr int kFirstExponent = -8;

double EpsilonAt(std::int64_t index) {
  const std::string text = std::to_string(kFirstDigits + index % kPerDecade) + "e" +
                           std::to_string(kFirstExponent + index / kPerDecade);
  double epsilon = 0;
  std::from_chars(text.data(), text.data() + text.size(), epsilon);
  return epsilon;
}

std::string Number(double number) {
  std::ostringstream text;
  text.precision(3);
  text << number;
  return text.str();
}

Error NeedsGuess(const BoundAggregate& aggregate, const TargetError& target) {
  const std::string function(aggregate.aggregate->function);
  const std::string why = target.is_share ? "a share of " + function + " needs a guess of its rows"
                                          : "the error of " + function + " depends on its rows";
  return MakeError(ErrorCode::kBadSetting, "dp.target_error: " + why, aggregate.span,
                   "guess how many rows a cell has:  SET dp.expected_count = 1000");
}

Error NoShare(const BoundAggregate& aggregate) {
  return MakeError(ErrorCode::kBadSetting,
                   "dp.target_error: nothing is known of how large this will be", aggregate.span,
                   "its bounds lie evenly around zero; give an error without %");
}

// How the worst aggregate of a plan stands to the target.
struct Reached {
  double ratio = 0;  // expected over wanted: at most 1 where the target is reached
  double error = 0;  // what is expected of the worst: a half width, or a share
};

class Solver {
 public:
  Solver(const BoundQuery& query, const Settings& settings) : query_(query), settings_(settings) {}

  Result<DpPlan> Run() {
    const double most = query_.catalog().policy().query.epsilon_max;
    Result<DpPlan> best = At(most);
    if (best) {
      TRY(const Reached at_most, ReachedBy(*best));
      if (at_most.ratio > 1) return NotReached(at_most, most);
    } else if (!IsTooMuch(best.error())) {
      return best;
    }
    std::int64_t low = -1;  // not reached
    std::int64_t high = 0;  // reached, or above what is allowed
    while (EpsilonAt(high) < most) high += kPerDecade;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      Result<DpPlan> plan = At(std::min(EpsilonAt(middle), most));
      TRY(const bool enough, IsEnough(plan));
      (enough ? high : low) = middle;
      if (enough && plan) best = std::move(plan);
    }
    return best;
  }

 private:
  Result<DpPlan> At(double epsilon) const {
    Settings own = settings_;
    own.epsilon = epsilon;
    return PlanAt(query_, own);
  }

  // Doors with an epsilon of their own may leave less than the policy's largest.
  static bool IsTooMuch(const Error& error) {
    return error.code == CodeOf(ErrorCode::kOptionOutsidePolicy);
  }

  // Whether the search goes on below: the plan reaches the target, or cannot be had.
  Result<bool> IsEnough(const Result<DpPlan>& plan) const {
    if (!plan && IsTooMuch(plan.error())) return true;
    if (!plan && plan.error().code == CodeOf(ErrorCode::kTooNoisy)) return false;
    if (!plan) return plan.error();
    TRY(const Reached reached, ReachedBy(*plan));
    return reached.ratio <= 1;
  }

  Result<Reached> ReachedBy(const DpPlan& plan) const {
    Reached worst;
    for (const Door& door : plan.doors()) {
      for (std::size_t i = 0; door.target && i < door.readings.size(); ++i) {
        TRY(const Reached one, ReachedBy(door, i));
        if (one.ratio >= worst.ratio) worst = one;
      }
    }
    return worst;
  }

  Result<Reached> ReachedBy(const Door& door, std::size_t index) const {
    const BoundAggregate& aggregate = door.query->aggregates[index];
    const TargetError& target = *door.target;
    const double rows = settings_.expected_count.value_or(0);
    const auto expected = ExpectedErrorOf(door, index, rows);
    if (!settings_.expected_count && (target.is_share || !expected)) {
      return NeedsGuess(aggregate, target);
    }
    constexpr double kNever = std::numeric_limits<double>::infinity();
    if (!expected) return Reached{.ratio = kNever, .error = kNever};
    if (!target.is_share) {
      return Reached{.ratio = expected->half_width / target.amount, .error = expected->half_width};
    }
    if (expected->value == 0) return NoShare(aggregate);
    const double share = expected->half_width / std::abs(expected->value);
    return Reached{.ratio = share / target.amount, .error = share};
  }

  Error NotReached(const Reached& reached, double most) const {
    const bool is_share = settings_.target->is_share;
    const std::string error = std::isinf(reached.error)
                                  ? "nothing can be said of the error"
                                  : "the error is " + ToText(TargetError{reached.error, is_share});
    return MakeError(
        ErrorCode::kOptionOutsidePolicy,
        "the error " + ToText(*settings_.target) + " needs a larger epsilon than the policy allows",
        {}, "at the largest that it allows, " + Number(most) + ", " + error);
  }

  const BoundQuery& query_;
  const Settings& settings_;
};

}  // namespace

std::string ToText(const TargetError& target) {
  return target.is_share ? "+- " + Number(target.amount * 100) + " %"
                         : "+- " + Number(target.amount);
}

Result<DpPlan> PlanForTarget(const BoundQuery& query, const Settings& settings) {
  Check(settings.target.has_value(), "there is a target to reach");
  return Solver(query, settings).Run();
}

}  // namespace dpsql
