#include "privacy/conversion.h"

#include <boost/math/special_functions/expm1.hpp>
#include <boost/math/special_functions/log1p.hpp>

#include "properties/oracle.h"
#include "properties/property.h"

namespace dpsql {
namespace {

constexpr double kClose = 1e-12;
constexpr UInt128 kTop = ~UInt128{0};

double AnyEpsilon(Draws& draws) {
  if (draws.OneIn(16)) return draws.OneOf({0, 5e-324, 1e290, 1, 0x1p-30, 1.0986122886681098});
  return draws.OneIn(4) ? draws.LogUniform(1e-300, 1e-6) : draws.LogUniform(1e-6, 1e5);
}

// mu must not be below 2 z(q), where 1 - 2q and ln q are given.
void ExpectThrough(double mu, const Real& centre, const Real& log_error, double epsilon) {
  const Real half = Real(mu) / 2;
  const Real lower = half * (1 - Real(kClose));
  if (mu < 3) {
    Expect(OracleCentre(half) >= centre, "mu is rounded up", {epsilon, mu});
    // The smallest doubles are taken for 2^-1000.
    Expect(mu < 1e-300 || OracleCentre(lower) <= centre, "mu is close", {epsilon, mu});
    return;
  }
  Expect(OracleLogTail(half) <= log_error, "mu is rounded up", {epsilon, mu});
  Expect(OracleLogTail(lower) >= log_error, "mu is close", {epsilon, mu});
}

bool Pure(Draws& draws) {
  const double epsilon = AnyEpsilon(draws);
  const Real exact = epsilon;
  // 1 - 2/(1 + e^epsilon) = (e^epsilon - 1)/(e^epsilon + 1).
  const Real rise = epsilon < 1e4 ? Real(boost::math::expm1(exact)) : Real(0);
  const Real centre = epsilon < 1e4 ? Real(rise / (rise + 2)) : Real(1);
  const Real log_error = -exact - (epsilon < 1e4 ? Real(boost::math::log1p(exp(-exact))) : Real(0));
  ExpectThrough(PureDpMu(epsilon), centre, log_error, epsilon);
  return true;
}

bool BoundedRange(Draws& draws) {
  const double epsilon = AnyEpsilon(draws);
  const Real half = Real(epsilon) / 2;
  if (epsilon >= 1e4) return false;
  const Real rise = boost::math::expm1(half);
  ExpectThrough(BoundedRangeMu(epsilon), rise / (rise + 2), -half - boost::math::log1p(exp(-half)),
                epsilon);
  return true;
}

bool Laplace(Draws& draws) {
  const double epsilon = AnyEpsilon(draws);
  if (epsilon >= 1e6) return false;
  const Real half = Real(epsilon) / 2;
  ExpectThrough(ContinuousLaplaceMu(epsilon), -boost::math::expm1(-half), -half - log(Real(2)),
                epsilon);
  return true;
}

// `units` of 2^-96 are the square of `value` times 2^-halvings, rounded up by less than a unit.
void ExpectSquare(UInt128 units, double value, int halvings) {
  const Real exact = ldexp(Real(value) * value, 96 - halvings);
  if (units == kTop) {
    Expect(exact > Real(kTop) - 1, "only what does not fit saturates", {value});
    return;
  }
  Expect(Real(units) >= exact, "a square is rounded up", {value});
  Expect(Real(units) - 1 < exact, "by less than a unit", {value});
}

void ExpectDelta(UInt128 units, double delta) {
  const Real exact = ldexp(Real(delta), 120);
  Expect(Real(units) >= exact && Real(units) - 1 < exact, "delta is rounded up", {delta});
}

bool Charges(Draws& draws) {
  const double epsilon = AnyEpsilon(draws);
  const double delta = draws.OneIn(4) ? 0 : draws.LogUniform(1e-300, 0.999);
  const MuCharge mu = GdpChargeOfBlackBox({epsilon, delta});
  const RhoCharge rho = ZcdpChargeOfBlackBox({epsilon, delta});
  ExpectSquare(mu.mu_squared, PureDpMu(epsilon), 0);
  ExpectSquare(rho.rho, epsilon, 1);
  ExpectDelta(mu.delta_infinity, delta);
  ExpectDelta(rho.delta_infinity, delta);
  const MuCharge range_mu = GdpChargeOfBoundedRange(epsilon);
  const RhoCharge range_rho = ZcdpChargeOfBoundedRange(epsilon);
  ExpectSquare(range_mu.mu_squared, BoundedRangeMu(epsilon), 0);
  ExpectSquare(range_rho.rho, epsilon, 3);
  Expect(range_mu.delta_infinity == 0 && range_rho.delta_infinity == 0, "no delta", {epsilon});
  return true;
}

constexpr Property kProperties[] = {{"pure_dp_mu", Pure},
                                    {"bounded_range_mu", BoundedRange},
                                    {"continuous_laplace_mu", Laplace},
                                    {"converted_charges", Charges}};

}  // namespace

std::span<const Property> ConversionProperties() { return kProperties; }

}  // namespace dpsql
