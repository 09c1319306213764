#include "privacy/door_calibration.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "privacy/monotone_edge.h"
#include "privacy/threshold.h"

namespace dpsql {
namespace {

// A range of a is closed when it can raise the maximum by no more than this.
constexpr double kSearchTolerance = 0x1p-33;

// Key selection that leaves delta no room beside it is asked for a little less.
constexpr double kLeakShareMax = 1 - 0x1p-20;

// A weight cannot press a statistic below this part of an equal share.
constexpr double kLeastShare = 0.05;

// Searches the maximum over a by branch and bound: both terms grow with mu and shrink with p^a, so
// on a range the pair (mu of its low end, p^a of its high end) bounds every a in it.
class JointDeltaSearch {
 public:
  explicit JointDeltaSearch(const JointDeltaInput& input)
      : input_(input), log_hidden_(std::log1p(-input.shown)) {}

  double Run() {
    const std::int64_t cells = input_.cells;
    best_ = std::max(Bound(0, 0), Bound(cells, cells));
    if (cells >= 2) Cover(1, cells - 1);
    return std::min(1.0, std::max(best_, ceiling_) * (1 + kLogDeltaError));
  }

 private:
  // An upper bound of both terms for every a in [low, high]; their exact maximum when low == high.
  double Bound(std::int64_t low, std::int64_t high) const {
    const double count_mu = std::sqrt(static_cast<double>(input_.cells - low)) / input_.sigma_count;
    const double mu = std::hypot(count_mu, input_.mu_statistics);
    if (high == 0) return GaussianDelta(input_.epsilon, mu);
    const double shift = static_cast<double>(high) * log_hidden_;
    const double appears =
        -std::expm1(shift) + std::exp(shift + LogGaussianDelta(input_.epsilon - shift, mu));
    return std::max(appears, GaussianDelta(input_.epsilon + shift, mu));
  }

  void Cover(std::int64_t low, std::int64_t high) {
    const double bound = Bound(low, high);
    if (bound <= best_ * (1 + kSearchTolerance)) {
      ceiling_ = std::max(ceiling_, bound);
    } else if (low == high) {
      best_ = bound;
    } else {
      const std::int64_t middle = low + (high - low) / 2;
      best_ = std::max(best_, Bound(middle, middle));
      Cover(low, middle);
      Cover(middle + 1, high);
    }
  }

  const JointDeltaInput& input_;
  double log_hidden_;
  double best_ = 0;     // the largest exact value seen
  double ceiling_ = 0;  // the largest bound of a range that was closed
};

// The door at a total of mu, with the count's share 1/(statistics + 1) of mu^2.
JointDeltaInput DoorAt(const DoorTarget& target, double mu, double leak) {
  const double shares = target.statistics + 1.0;
  return {.epsilon = target.asked.epsilon,
          .cells = target.cells,
          .sigma_count = std::sqrt(static_cast<double>(target.cells) * shares) / mu,
          .shown = leak,
          .mu_statistics = mu * std::sqrt(target.statistics / shares)};
}

// The largest mu of the whole door. It is computed for the whole allowed leak and the sigma before
// rounding; rounding sigma and tau up makes both smaller, and JointDelta grows with either.
double DoorMu(const DoorTarget& target, double delta_infinity) {
  const double leak = CellLeak(delta_infinity, target.cells);
  const double goal = std::log(target.asked.delta);
  const auto excess = [&](double mu) {
    return std::log(JointDelta(DoorAt(target, mu, leak))) - goal;
  };
  const double most = GaussianMu(target.asked);
  if (excess(most) <= 0) return most;
  double inside = most / 2;
  double outside = most;
  while (excess(inside) > 0) {
    outside = inside;
    inside /= 2;
  }
  return MonotoneEdge(excess, inside, outside);
}

DoorCalibration CalibrateKeySelection(const DoorTarget& target) {
  const double leak_most = std::min(target.delta_infinity, kLeakShareMax * target.asked.delta);
  JointDeltaInput door = DoorAt(target, DoorMu(target, leak_most), 0);
  DoorCalibration result;
  result.sigma_count = RoundSigmaUp(door.sigma_count);
  const ThresholdTarget threshold = {.sigma = result.sigma_count,
                                     .cells = target.cells,
                                     .delta_infinity = leak_most,
                                     .min_frequency = target.min_frequency};
  result.tau = NoisyThreshold(threshold);
  result.delta_infinity = AchievedDeltaInfinity(threshold, result.tau);
  if (target.statistics > 0) {
    result.mu_statistic = door.mu_statistics / std::sqrt(static_cast<double>(target.statistics));
    result.mu_statistics = ShareMu(door.mu_statistics, target.statistics, target.weights);
  }
  door.sigma_count = result.sigma_count.value();
  door.shown = ShownProbability(result.sigma_count, result.tau - target.min_frequency);
  Check(JointDelta(door) <= target.asked.delta, "a calibrated door keeps its delta");
  return result;
}

}  // namespace

double JointDelta(const JointDeltaInput& input) {
  Check(input.cells >= 1 && input.sigma_count > 0, "key selection has cells and noise");
  Check(input.shown >= 0 && input.shown <= 1, "the leak of a cell is a probability");
  if (input.shown == 1) return 1;
  return JointDeltaSearch(input).Run();
}

std::vector<double> ShareMu(double mu, int statistics, std::span<const double> weights) {
  Check(mu >= 0 && statistics >= 1, "mu is shared between statistics");
  std::vector<double> share(weights.begin(), weights.end());
  if (share.empty()) share.assign(static_cast<std::size_t>(statistics), 1);
  Check(share.size() == static_cast<std::size_t>(statistics), "every statistic has its weight");
  const double largest = *std::max_element(share.begin(), share.end());
  for (double& each : share) {
    Check(std::isfinite(each) && each > 0, "a weight is positive");
    each /= largest;  // so that no sum overflows
  }
  const double sum = std::accumulate(share.begin(), share.end(), 0.0);
  const double least = kLeastShare / statistics;
  for (double& each : share) each = std::max(each / sum, least);
  const double raised = std::accumulate(share.begin(), share.end(), 0.0);
  // Some twenty roundings, and one for each statistic in the sum.
  const double down = 1 - 0x1p-53 * (20 + statistics);
  for (double& each : share) each = mu * std::sqrt(each / raised) * down;
  return share;
}

DoorCalibration CalibrateDoor(const DoorTarget& target) {
  Check(target.asked.epsilon > 0 && target.statistics >= 0, "a door asks for some privacy");
  if (target.selects_keys) {
    Check(target.cells >= 1, "key selection has cells");
    Check(target.delta_infinity > 0 && target.delta_infinity < target.asked.delta,
          "key selection leaks less than the door");
    return CalibrateKeySelection(target);
  }
  DoorCalibration result;
  if (target.statistics > 0) {
    const double mu = GaussianMu(target.asked);
    result.mu_statistic = mu / std::sqrt(static_cast<double>(target.statistics));
    result.mu_statistics = ShareMu(mu, target.statistics, target.weights);
  }
  return result;
}

}  // namespace dpsql
