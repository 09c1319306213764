#include "privacy/conversion.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <numbers>

#include "base/check.h"
#include "privacy/fixed_point.h"
#include "privacy/monotone_edge.h"
#include "privacy/normal.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;

constexpr UInt128 kTop = ~UInt128{0};
constexpr double kSqrtTwoPi = 2.50662827463100050242;
constexpr int kDoubleDigits = 53;

// More than the errors of the elementary functions below, which are a few units in the last place.
constexpr double kError = 0x1p-46;

// A symmetric point of a trade-off curve, where both errors are q: ln q, and 1 - 2q, each computed
// without cancellation.
struct SymmetricPoint {
  double log_error = 0;
  double centre = 0;
};

// The mu whose curve passes through the point: Q(mu/2) = q, or erf(mu/sqrt(8)) = 1 - 2q. Rounded
// up.
double MuThrough(const SymmetricPoint& point) {
  if (point.centre == 0) return 0;
  if (point.centre < 0x1p-30) {
    // erf(x) is 2x/sqrt(pi) within x^2/3 relative.
    return std::nextafter(kSqrtTwoPi * point.centre * (1 + 0x1p-40), HUGE_VAL);
  }
  if (point.centre < 0.5) {
    const double goal = point.centre * (1 + kError);
    const auto excess = [&](double mu) { return goal - std::erf(mu * 0.25 * std::numbers::sqrt2); };
    double inside = kSqrtTwoPi * point.centre;
    while (excess(inside) > 0) inside *= 1.25;
    return MonotoneEdge(excess, inside, 0);
  }
  const double goal = point.log_error * (1 + kError);
  const auto excess = [&](double mu) { return LogUpperTail(0.5 * mu) - goal; };
  // Q(z) <= exp(-z^2/2).
  double inside = 2 * std::sqrt(-2 * goal);
  while (excess(inside) > 0) inside *= 1.25;
  return MonotoneEdge(excess, inside, 0);
}

void CheckEpsilon(double epsilon) {
  Check(epsilon >= 0 && epsilon <= 1e290, "epsilon is a number, not negative");
}

// Half of epsilon. Half of the smallest double would be 0: what is smaller than 2^-1000 is taken
// for that.
double Half(double epsilon) { return epsilon == 0 ? 0 : 0.5 * std::fmax(epsilon, 0x1p-1000); }

// ceil(value^2 2^shift), from the integers that a double is made of; saturates.
UInt128 SquareUp(double value, int shift) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  if (exponent > 128) return kTop;
  const cpp_int whole = static_cast<std::uint64_t>(std::ldexp(fraction, kDoubleDigits));
  cpp_int units = whole * whole;
  const int power = 2 * (exponent - kDoubleDigits) + shift;
  if (power >= 0) {
    units <<= power;
  } else {
    units = (units + (cpp_int(1) << -power) - 1) >> -power;
  }
  return units > cpp_int(kTop) ? kTop : static_cast<UInt128>(units);
}

}  // namespace

double PureDpMu(double epsilon) {
  CheckEpsilon(epsilon);
  return MuThrough(
      {.log_error = -epsilon - std::log1p(std::exp(-epsilon)), .centre = std::tanh(Half(epsilon))});
}

double BoundedRangeMu(double epsilon) {
  CheckEpsilon(epsilon);
  return PureDpMu(Half(epsilon));
}

double ContinuousLaplaceMu(double epsilon) {
  CheckEpsilon(epsilon);
  return MuThrough(
      {.log_error = -0.5 * epsilon - std::numbers::ln2, .centre = -std::expm1(-Half(epsilon))});
}

MuCharge GdpChargeOfBlackBox(EpsilonDelta release) {
  Check(release.delta >= 0 && release.delta < 1, "delta is a probability below 1");
  return {.mu_squared = SquareUp(PureDpMu(release.epsilon), kMuSquaredBits),
          .delta_infinity = DeltaInfinityUp(release.delta)};
}

RhoCharge ZcdpChargeOfBlackBox(EpsilonDelta release) {
  CheckEpsilon(release.epsilon);
  Check(release.delta >= 0 && release.delta < 1, "delta is a probability below 1");
  return {.rho = SquareUp(release.epsilon, kMuSquaredBits - 1),
          .delta_infinity = DeltaInfinityUp(release.delta)};
}

MuCharge GdpChargeOfBoundedRange(double epsilon) {
  return {.mu_squared = SquareUp(BoundedRangeMu(epsilon), kMuSquaredBits)};
}

RhoCharge ZcdpChargeOfBoundedRange(double epsilon) {
  CheckEpsilon(epsilon);
  return {.rho = SquareUp(epsilon, kMuSquaredBits - 3)};
}

}  // namespace dpsql
