#include "privacy/threshold.h"

#include <algorithm>

#include "properties/oracle.h"
#include "properties/property.h"

namespace dpsql {
namespace {

constexpr double kClose = 1e-9;

Real Exact(GridSigma sigma) { return ldexp(Real(sigma.numerator), -static_cast<int>(sigma.bits)); }

GridSigma AnySigma(Draws& draws) { return RoundSigmaUp(draws.LogUniform(1e-3, 0x1p56)); }

std::int64_t AnyCells(Draws& draws) {
  return draws.OneIn(3) ? 1 : static_cast<std::int64_t>(draws.LogUniform(1, 1e9));
}

double AnyLeak(Draws& draws, double least) {
  return draws.OneIn(3) ? draws.LogUniform(least, 1e-15) : draws.LogUniform(1e-15, 0.9999);
}

Real ExactShown(GridSigma sigma, std::int64_t above) {
  return OracleTail((Real(above) - Real(0.5)) / Exact(sigma));
}

bool Shown(Draws& draws) {
  const GridSigma sigma = AnySigma(draws);
  const auto above = static_cast<std::int64_t>(sigma.value() * draws.Uniform(-6, 37));
  const double ours = ShownProbability(sigma, above);
  const Real exact = ExactShown(sigma, above);
  Expect(abs(ours - exact) <= Real(0x1p-36) * exact, "the probability to show itself",
         {sigma.value(), static_cast<double>(above), ours});
  return true;
}

bool Leak(Draws& draws) {
  const double any = AnyLeak(draws, 1e-290);
  const std::int64_t cells = AnyCells(draws);
  const Real exact = OracleCellLeak(any, cells);
  const double ours = CellLeak(any, cells);
  Expect(abs(ours - exact) <= Real(0x1p-48) * exact, "the leak of a cell",
         {any, static_cast<double>(cells), ours});
  return true;
}

bool Achieved(Draws& draws) {
  const ThresholdTarget target = {
      .sigma = AnySigma(draws), .cells = AnyCells(draws), .min_frequency = draws.Whole(0, 1000)};
  const auto above = static_cast<std::int64_t>(target.sigma.value() * draws.Uniform(-6, 37));
  const double ours = AchievedDeltaInfinity(target, target.min_frequency + above);
  const Real exact = OracleAny(ExactShown(target.sigma, above), target.cells);
  const std::initializer_list<double> inputs = {
      target.sigma.value(), static_cast<double>(target.cells), static_cast<double>(above), ours};
  Expect(ours >= exact || ours == 1, "the leak is rounded up", inputs);
  Expect(ours <= exact * (1 + kClose), "the leak is close", inputs);
  return true;
}

bool Threshold(Draws& draws) {
  ThresholdTarget target = {.sigma = AnySigma(draws), .cells = AnyCells(draws)};
  target.delta_infinity = AnyLeak(draws, 1e-290);
  target.min_frequency = draws.Whole(0, 1000);
  const std::int64_t above = NoisyThreshold(target) - target.min_frequency;
  const auto leak = [&](std::int64_t t) {
    return OracleAny(ExactShown(target.sigma, t), target.cells);
  };
  const std::initializer_list<double> inputs = {target.sigma.value(),
                                                static_cast<double>(target.cells),
                                                target.delta_infinity, static_cast<double>(above)};
  Expect(leak(above) <= target.delta_infinity, "a threshold keeps its leak", inputs);
  const auto step =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(target.sigma.value() * 1e-9));
  Expect(leak(above - step) * (1 + Real(kClose)) > target.delta_infinity,
         "a threshold is as low as it can be", inputs);
  return true;
}

bool Continuous(Draws& draws) {
  const ContinuousThreshold threshold = {draws.LogUniform(1e-100, 1e100), AnyCells(draws)};
  const double asked = AnyLeak(draws, 1e-290);
  const double above = TauAboveK(threshold, asked);
  const Real z = Real(above) / threshold.sigma;
  const std::initializer_list<double> inputs = {threshold.sigma,
                                                static_cast<double>(threshold.cells), asked, above};
  const Real exact = OracleAny(OracleTail(z), threshold.cells);
  Expect(exact <= asked, "a continuous threshold keeps its leak", inputs);
  const Real lower = z - Real(kClose) * (1 + abs(z));
  constexpr double kNearOne = 0.9;  // beyond it the leak hardly changes with the threshold
  Expect(asked > kNearOne || OracleAny(OracleTail(lower), threshold.cells) > asked,
         "a continuous threshold is as low as it can be", inputs);
  const double said = ContinuousDeltaInfinity(threshold, above);
  Expect(said >= exact && said <= exact * (1 + Real(kClose)), "a continuous leak is rounded up",
         inputs);
  return true;
}

constexpr Property kProperties[] = {{"shown_probability", Shown},
                                    {"cell_leak", Leak},
                                    {"achieved_delta_infinity", Achieved},
                                    {"noisy_threshold", Threshold},
                                    {"continuous_threshold", Continuous}};

}  // namespace

std::span<const Property> ThresholdProperties() { return kProperties; }

}  // namespace dpsql
