#include "privacy/threshold.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "privacy/normal.h"

namespace dpsql {
namespace {

// More than the relative error of the tail at any argument where it does not underflow.
constexpr double kTailError = 0x1p-36;

// The probability that any of the cells shows itself, rounded up.
double AnyShown(double shown, std::int64_t cells) {
  const double any = -std::expm1(static_cast<double>(cells) * std::log1p(-shown));
  // No tail is empty, however far out.
  return std::clamp(any * (1 + kTailError), std::numeric_limits<double>::denorm_min(), 1.0);
}

}  // namespace

double ShownProbability(GridSigma sigma, std::int64_t tau_above_k) {
  return UpperTail((static_cast<double>(tau_above_k) - 0.5) / sigma.value());
}

double CellLeak(double delta_infinity, std::int64_t cells) {
  return -std::expm1(std::log1p(-delta_infinity) / static_cast<double>(cells));
}

double AchievedDeltaInfinity(const ThresholdTarget& target, std::int64_t tau) {
  return AnyShown(ShownProbability(target.sigma, tau - target.min_frequency), target.cells);
}

double ContinuousDeltaInfinity(ContinuousThreshold threshold, double tau_above_k) {
  return AnyShown(UpperTail(tau_above_k / threshold.sigma), threshold.cells);
}

double TauAboveK(ContinuousThreshold threshold, double delta_infinity) {
  const auto& [sigma, cells] = threshold;
  Check(sigma > 0 && std::isfinite(sigma) && cells >= 1, "a threshold has noise and cells");
  Check(delta_infinity > 0 && delta_infinity < 1, "delta_infinity is in (0, 1)");
  const double leak = CellLeak(delta_infinity, cells);
  Check(leak >= 1e-300, "the leak of one cell is a normal number");
  double z = UpperQuantile(leak);
  while (ContinuousDeltaInfinity(threshold, sigma * z) > delta_infinity) {
    z += 0x1p-36 * (1 + std::fabs(z));
  }
  return sigma * z;
}

std::int64_t NoisyThreshold(const ThresholdTarget& target) {
  Check(target.sigma.numerator > 0 && target.cells >= 1, "a threshold has noise and cells");
  Check(target.delta_infinity > 0 && target.delta_infinity < 1, "delta_infinity is in (0, 1)");
  const double leak = CellLeak(target.delta_infinity, target.cells);
  Check(leak >= 1e-300, "the leak of one cell is a normal number");
  const double sigma = target.sigma.value();
  const double above = std::ceil(sigma * UpperQuantile(leak) + 0.5);
  Check(std::fabs(above) < 0x1p62 && target.min_frequency < (std::int64_t{1} << 61),
        "the threshold fits 64 bits");
  // The quantile may be off in its last digits; a step is 1 unless sigma is beyond a double's grid.
  const auto step = std::max<std::int64_t>(1, static_cast<std::int64_t>(sigma * 0x1p-38));
  std::int64_t tau = target.min_frequency + static_cast<std::int64_t>(above);
  while (AchievedDeltaInfinity(target, tau) > target.delta_infinity) tau += step;
  return tau;
}

}  // namespace dpsql
