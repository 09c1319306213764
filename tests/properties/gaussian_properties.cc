#include "privacy/gaussian.h"

#include "privacy/door_calibration.h"
#include "privacy/threshold.h"
#include "properties/oracle.h"
#include "properties/property.h"

namespace dpsql {
namespace {

constexpr double kClose = 1e-9;

// mu from 1e-290 to 1e9, and an epsilon at which delta is neither 0 nor 1.
struct Curve {
  double epsilon;
  double mu;
};

Curve AnyCurve(Draws& draws) {
  const double mu = draws.OneIn(4)   ? draws.LogUniform(1e-290, 1e-6)
                    : draws.OneIn(8) ? draws.LogUniform(10, 1e9)
                                     : draws.LogUniform(1e-6, 10);
  if (draws.OneIn(16)) return {0, mu};
  const double place = draws.OneIn(4) ? draws.LogUniform(1e-12, 1) : draws.Uniform(-5, 37);
  const double epsilon = mu * (place + 0.5 * mu);
  if (draws.OneIn(5)) return {-draws.LogUniform(1e-15, 60), mu};
  return {std::fmax(epsilon, 0), mu};
}

bool Delta(Draws& draws) {
  const auto [epsilon, mu] = AnyCurve(draws);
  const double ours = LogGaussianDelta(epsilon, mu);
  if (!(ours > -690)) return false;
  const Real error = abs(ours - OracleLogDelta(epsilon, mu));
  Expect(error <= kLogDeltaError / 3, "ln delta is within its error", {epsilon, mu, ours});
  const double delta = GaussianDelta(epsilon, mu);
  Expect(std::fabs(std::log(delta) - ours) <= kLogDeltaError / 3, "delta", {epsilon, mu, delta});
  return true;
}

// ln delta at the result is below ln delta asked, and by 1e-9 at most. The last bits of a huge mu
// (of which no release has use) move ln delta by more.
void ExpectJustBelow(const Real& achieved, double delta, double mu,
                     std::initializer_list<double> inputs) {
  const Real asked = log(Real(delta));
  Expect(achieved <= asked, "delta is kept", inputs);
  Expect(achieved >= asked - kClose * std::fmax(1, mu / 100), "delta is used up", inputs);
}

double AnyDelta(Draws& draws) {
  if (draws.OneIn(16)) return draws.OneOf({1e-300, 0.5, 0.999, 1e-6, 1e-7});
  return draws.OneIn(3) ? draws.LogUniform(1e-300, 1e-20) : draws.LogUniform(1e-20, 0.999);
}

bool Mu(Draws& draws) {
  const double delta = AnyDelta(draws);
  const double epsilon = draws.OneIn(16)   ? 0
                         : draws.OneIn(16) ? draws.LogUniform(1e3, 1e14)
                                           : draws.LogUniform(1e-10, 1e3);
  const double mu = GaussianMu({epsilon, delta});
  ExpectJustBelow(OracleLogDelta(epsilon, mu), delta, mu, {epsilon, delta, mu});
  return true;
}

bool Epsilon(Draws& draws) {
  const double delta = AnyDelta(draws);
  const double mu = draws.OneIn(16)   ? draws.LogUniform(1e-290, 1e-8)
                    : draws.OneIn(16) ? draws.LogUniform(50, 1e7)
                                      : draws.LogUniform(1e-8, 50);
  const double epsilon = GaussianEpsilon(delta, mu);
  if (epsilon == 0) {
    Expect(OracleLogDelta(0, mu) <= log(Real(delta)), "delta is kept at 0", {delta, mu});
    return draws.OneIn(4);
  }
  ExpectJustBelow(OracleLogDelta(epsilon, mu), delta, mu, {delta, mu, epsilon});
  return true;
}

JointDeltaInput AnyJoint(Draws& draws) {
  const double mu = draws.LogUniform(1e-5, 10);
  const std::int64_t cells = draws.OneIn(20) ? draws.Whole(4, 12) : draws.Whole(1, 3);
  JointDeltaInput input = {
      .epsilon = draws.OneIn(20) ? 0 : draws.LogUniform(1e-6, 100),
      .cells = cells,
      .sigma_count = std::sqrt(static_cast<double>(cells)) / mu,
      .shown = draws.OneIn(20) ? draws.OneOf({0, 1}) : draws.LogUniform(1e-40, 0.9),
      .mu_statistics = draws.OneIn(8) ? 0 : draws.LogUniform(1e-5, 10)};
  if (!draws.OneIn(4)) return input;
  // Where both ends weigh the same, the maximum may lie at an a between them.
  input.cells = draws.Whole(2, 6);
  input.epsilon = mu * draws.LogUniform(0.01, 2);
  input.mu_statistics = mu * draws.Uniform(0, 1);
  input.sigma_count = std::sqrt(static_cast<double>(input.cells)) / mu;
  const double gaussian = GaussianDelta(input.epsilon, std::hypot(mu, input.mu_statistics));
  input.shown = CellLeak(gaussian * draws.Uniform(0.6, 1), input.cells);
  return input;
}

bool Joint(Draws& draws) {
  const JointDeltaInput input = AnyJoint(draws);
  const std::int64_t cells = input.cells;
  const double ours = JointDelta(input);
  const std::initializer_list<double> inputs = {input.epsilon,       static_cast<double>(cells),
                                                input.sigma_count,   input.shown,
                                                input.mu_statistics, ours};
  if (input.shown == 1) {
    Expect(ours == 1, "what always shows itself leaks all", inputs);
    return true;
  }
  const Real exact = OracleJointDelta({.epsilon = input.epsilon,
                                       .cells = cells,
                                       .sigma = input.sigma_count,
                                       .shown = input.shown,
                                       .mu_statistics = input.mu_statistics});
  if (exact < 1e-290) return false;
  Expect(ours >= exact, "the joint delta is rounded up", inputs);
  Expect(ours <= exact * (1 + kClose), "the joint delta is close", inputs);
  return true;
}

DoorTarget AnyDoor(Draws& draws) {
  DoorTarget target = {.asked = {draws.LogUniform(1e-3, 20), draws.LogUniform(1e-30, 0.1)},
                       .selects_keys = true,
                       .cells = draws.OneIn(20) ? draws.Whole(3, 8) : draws.Whole(1, 2),
                       .min_frequency = draws.Whole(0, 100),
                       .statistics = static_cast<int>(draws.Whole(1, 16))};
  const double share = draws.OneIn(2) ? draws.LogUniform(1e-9, 0.5) : draws.Uniform(0.5, 0.9999);
  target.delta_infinity = target.asked.delta * share;
  return target;
}

bool Door(Draws& draws) {
  const DoorTarget target = AnyDoor(draws);
  const DoorCalibration door = CalibrateDoor(target);
  const double statistics = target.statistics;
  const double asked = target.asked.delta;
  const std::initializer_list<double> inputs = {
      target.asked.epsilon,  asked,      static_cast<double>(target.cells),
      target.delta_infinity, statistics, door.mu_statistic};
  const Real sigma =
      ldexp(Real(door.sigma_count.numerator), -static_cast<int>(door.sigma_count.bits));
  const Real shown = OracleTail((Real(door.tau - target.min_frequency) - Real(0.5)) / sigma);
  const Real mu_statistics = door.mu_statistic * sqrt(Real(statistics));
  Expect(
      OracleJointDelta({target.asked.epsilon, target.cells, sigma, shown, mu_statistics}) <= asked,
      "a door keeps its delta", inputs);
  const Real leak = OracleAny(shown, target.cells);
  Expect(leak <= door.delta_infinity && door.delta_infinity <= target.delta_infinity,
         "a door's leak is said and kept", inputs);
  // Before sigma and tau were rounded, with the whole of the leak, delta was used up and kept.
  const Real mu = door.mu_statistic * sqrt(Real(statistics + 1));
  const Real unrounded = sqrt(target.cells * Real(statistics + 1)) / mu;
  const Real whole =
      OracleJointDelta({target.asked.epsilon, target.cells, unrounded,
                        OracleCellLeak(target.delta_infinity, target.cells), mu_statistics});
  Expect(whole <= asked, "a door keeps its delta with all of its leak", inputs);
  Expect(whole >= asked * (1 - 5e-9), "a door uses up its delta", inputs);
  Expect(sigma <= unrounded * (1 + Real(0x1p-30)), "the count's noise is close", inputs);
  return true;
}

bool Shares(Draws& draws) {
  const double mu = draws.LogUniform(1e-100, 1e100);
  std::vector<double> weights(static_cast<std::size_t>(draws.Whole(1, 40)));
  for (double& weight : weights) weight = draws.LogUniform(1e-300, 1e300);
  Real sum = 0;
  for (const double share : ShareMu(mu, static_cast<int>(weights.size()), weights)) {
    sum += Real(share) * share;
  }
  const Real square = Real(mu) * mu;
  Expect(sum <= square && sum >= square * (1 - Real(1e-12)), "shares sum to mu^2",
         {mu, static_cast<double>(weights.size())});
  return true;
}

constexpr Property kProperties[] = {{"gaussian_delta", Delta},     {"gaussian_mu", Mu},
                                    {"gaussian_epsilon", Epsilon}, {"joint_delta", Joint},
                                    {"calibrate_door", Door},      {"share_mu", Shares}};

}  // namespace

std::span<const Property> GaussianProperties() { return kProperties; }

}  // namespace dpsql
