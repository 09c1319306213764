#include "plan/calibrate.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "privacy/basic_accountant.h"
#include "privacy/door_calibration.h"
#include "privacy/truncated_geometric.h"

namespace dpsql {
namespace {

// Of the noise and of the clip in grid steps: the samplers take 2^59, the clip 2^62, and a charge
// the square of the clip times a small weight.
constexpr double kNoiseBits = 57;
constexpr unsigned kLeastStepBits = 4;      // fewer would round values to a few
constexpr double kShareDown = 1 - 0x1p-50;  // so that rounded shares do not add up to more

// Shares of delta that the threshold may leak, where a query's delta is charged whole.
constexpr auto kLeakShares = std::to_array<double>({0.999, 0.99, 0.95, 0.9, 0.8, 0.5});

double Cells(const Door& door) {
  return static_cast<double>(door.groups_per_unit.value) * static_cast<double>(door.classes.size());
}

// Both norms in natural units, where a row weighs 1.
struct NaturalSensitivity {
  double l1 = 1;
  double l2 = 1;
};

NaturalSensitivity NaturalOf(const Door& door, const Statistic& statistic) {
  if (CountsUnits(statistic.shape.kind)) {
    const auto groups = static_cast<double>(door.groups_per_unit.value);
    return {.l1 = groups, .l2 = std::sqrt(groups)};
  }
  const auto rows = static_cast<double>(door.rows_per_unit.value);
  return {.l1 = rows, .l2 = rows};
}

class Calibration {
 public:
  Calibration(Door& door, const Settings& settings)
      : door_(door), settings_(settings), budget_(door.query->catalog->policy().budget) {}

  Status Run() {
    if (!door_.selects_keys() && door_.statistics.empty()) return Done{};
    const DoorCalibration gaussian = Joint(door_.asked, static_cast<int>(door_.statistics.size()));
    if (!TakesLaplace(gaussian)) {
      SetThreshold(gaussian);
      return SetGaussian(gaussian.mu_statistic);
    }
    const double share = EpsilonShare() * kShareDown;
    if (door_.selects_keys()) {
      SelectKeys({share, door_.asked.delta});
    } else {
      door_.asked.delta = 0;
    }
    return SetLaplace(share);
  }

 private:
  bool basic() const { return budget_.accountant == "basic"; }

  // Of each statistic and of the selection of keys, where epsilon is split.
  double EpsilonShare() const {
    const std::size_t parts = door_.statistics.size() + (door_.selects_keys() ? 1 : 0);
    return door_.asked.epsilon / static_cast<double>(parts);
  }

  // Whichever has the smaller expected error, over all statistics as the product of theirs.
  bool TakesLaplace(const DoorCalibration& gaussian) const {
    if (door_.statistics.empty() || settings_.noise == NoiseChoice::kGaussian) return false;
    if (settings_.noise == NoiseChoice::kLaplace) return true;
    if (!basic()) return false;
    const double share = EpsilonShare();
    double advantage = 0;
    for (const Statistic& statistic : door_.statistics) {
      const NaturalSensitivity natural = NaturalOf(door_, statistic);
      // E|Z| of the normal distribution is sqrt(2 / pi); of Laplace noise E|X| is its scale.
      const double gaussian_error = natural.l2 / gaussian.mu_statistic * std::sqrt(2 / M_PI);
      advantage += std::log(gaussian_error) - std::log(natural.l1 / share);
    }
    return advantage >= 0;
  }

  DoorTarget Target(EpsilonDelta asked, int statistics, double leak) const {
    return {.asked = asked,
            .selects_keys = door_.selects_keys(),
            .cells = static_cast<std::int64_t>(Cells(door_)),
            .delta_infinity = leak,
            .min_frequency = door_.min_frequency,
            .statistics = statistics};
  }

  // One vector: the count that selects keys and the statistics. Where sums of mu^2 and of leaks are
  // charged, the leak is a small part of the budget's delta; where delta is charged whole, it may
  // be nearly all of it, and the part with the lowest threshold is taken.
  DoorCalibration Joint(EpsilonDelta asked, int statistics) const {
    if (!door_.selects_keys() || !basic()) {
      const double leak = std::min(kDeltaInfinityShare * budget_.delta, asked.delta / 2);
      return CalibrateDoor(Target(asked, statistics, leak));
    }
    DoorCalibration best;
    for (const double share : kLeakShares) {
      const DoorCalibration found = CalibrateDoor(Target(asked, statistics, share * asked.delta));
      if (best.tau == 0 || found.tau < best.tau) best = found;
    }
    return best;
  }

  void SetThreshold(const DoorCalibration& calibration) {
    if (!door_.selects_keys()) return;
    door_.selection = KeySelection::kThreshold;
    door_.count_sigma = calibration.sigma_count;
    door_.tau = calibration.tau;
    door_.delta_infinity = calibration.delta_infinity;
  }

  // The selection of keys by itself.
  void SelectKeys(EpsilonDelta share) {
    const auto cells = static_cast<std::int64_t>(Cells(door_));
    if (basic() && PrefersTruncatedGeometric(share, cells)) {
      door_.selection = KeySelection::kTruncatedGeometric;
      door_.keep = CellShare(share, cells);
      return;
    }
    SetThreshold(Joint(share, 0));
  }

  Error TooNoisy() const {
    return MakeError(ErrorCode::kTooNoisy, "the noise would drown any answer",
                     door_.query->relation.scans[0].span);
  }

  // The finest grid on which the noise, `natural` where a row weighs 1, can still be drawn.
  bool SetGrid(Statistic& statistic, double natural) const {
    if (CountsUnits(statistic.shape.kind)) return std::log2(natural) < kNoiseBits;
    const unsigned degree = std::max(1U, TotalDegree(statistic.shape));
    const auto rows = static_cast<double>(door_.rows_per_unit.value);
    const double widest = std::max({1.0, natural, rows});
    const double room = (kNoiseBits - std::log2(widest)) / degree;
    if (!(room >= kLeastStepBits)) return false;
    statistic.step_bits =
        std::min({kMostStepBits, kMostGridBits / degree, static_cast<unsigned>(room)});
    statistic.clip = static_cast<std::uint64_t>(door_.rows_per_unit.value) << statistic.grid_bits();
    return true;
  }

  Status SetGaussian(double mu) {
    for (Statistic& statistic : door_.statistics) {
      const double natural = NaturalOf(door_, statistic).l2 / mu;
      if (!SetGrid(statistic, natural)) return TooNoisy();
      statistic.mechanism = Mechanism::kGaussian;
      const double sigma = std::ldexp(natural, static_cast<int>(statistic.grid_bits()));
      const ClipWeights weights = WeightsOf(statistic.shape);
      for (const std::uint64_t weight : weights.weight) {
        const double ratio = static_cast<double>(weights.whole) / static_cast<double>(weight);
        statistic.sigmas.push_back(RoundSigmaUp(sigma * std::sqrt(ratio)));
      }
    }
    return Done{};
  }

  Status SetLaplace(double epsilon) {
    for (Statistic& statistic : door_.statistics) {
      if (!SetGrid(statistic, NaturalOf(door_, statistic).l1 / epsilon)) return TooNoisy();
      statistic.mechanism = Mechanism::kLaplace;
      statistic.rate = RoundRateDown(epsilon, SensitivityOf(door_, statistic).l1);
    }
    return Done{};
  }

  Door& door_;
  const Settings& settings_;
  const BudgetPolicy& budget_;
};

// mu^2 of one statistic: the unit's vector v has sum weight_i v_i^2 <= whole clip^2, and the worst
// has it all where sum v_i^2 / sigma_i^2 is largest.
UInt128 MuSquaredOf(const Door& door, const Statistic& statistic) {
  const ClipWeights weights = WeightsOf(statistic.shape);
  const UInt128 squared = SensitivityOf(door, statistic).l2_squared * weights.whole;
  UInt128 most = 0;
  for (std::size_t i = 0; i < weights.weight.size(); ++i) {
    const UInt128 alone = (squared + weights.weight[i] - 1) / weights.weight[i];
    most = std::max(most, MuSquaredCharge(alone, statistic.sigmas[i]));
  }
  return most;
}

}  // namespace

Sensitivity SensitivityOf(const Door& door, const Statistic& statistic) {
  const auto groups = static_cast<std::uint64_t>(door.groups_per_unit.value);
  if (CountsUnits(statistic.shape.kind)) return OfSumClip(groups, 1, 1);
  // The clip bounds the norm that the mechanism needs; the other one is not asked for.
  return {.l2_squared = static_cast<UInt128>(statistic.clip) * statistic.clip,
          .l1 = statistic.clip};
}

Status Calibrate(Door& door, const Settings& settings) { return Calibration(door, settings).Run(); }

std::vector<double> PlannedSds(const Statistic& statistic) {
  const auto natural = [&](double sd) {
    return std::ldexp(sd, -static_cast<int>(statistic.grid_bits()));
  };
  if (statistic.mechanism == Mechanism::kLaplace) {
    const double sd = std::sqrt(LaplaceVariance(statistic.rate));
    return std::vector<double>(Coordinates(statistic.shape), natural(sd));
  }
  std::vector<double> sds;
  for (const GridSigma& sigma : statistic.sigmas) sds.push_back(natural(sigma.value()));
  return sds;
}

Purses DrawnBy(const Door& door) {
  Purses drawn;
  for (const Statistic& statistic : door.statistics) {
    if (statistic.mechanism == Mechanism::kGaussian) {
      drawn.mu_squared = SumOfCharges(drawn.mu_squared, MuSquaredOf(door, statistic));
    } else {
      const UInt128 l1 = SensitivityOf(door, statistic).l1;
      drawn.epsilon = SumOfCharges(drawn.epsilon, EpsilonCharge(l1, statistic.rate));
    }
  }
  const auto cells = static_cast<UInt128>(door.groups_per_unit.value) * door.classes.size();
  if (door.selection == KeySelection::kThreshold) {
    drawn.mu_squared = SumOfCharges(drawn.mu_squared, MuSquaredCharge(cells, door.count_sigma));
    drawn.delta = DeltaInfinityUp(door.delta_infinity);
  } else if (door.selection == KeySelection::kTruncatedGeometric) {
    const Purses claim = BasicCharge(door.keep);
    drawn.epsilon = SumOfCharges(drawn.epsilon, claim.epsilon * cells);
    drawn.delta = claim.delta * cells;
  }
  return drawn;
}

}  // namespace dpsql
