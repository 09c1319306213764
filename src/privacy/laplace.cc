#include "privacy/laplace.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "base/check.h"
#include "privacy/fixed_point.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;

constexpr UInt128 kTop = ~UInt128{0};

// As with sigma: forty bits are 2^-39 close, and leave the sampler's products room in 128 bits.
constexpr int kScaleDigits = 40;
constexpr int kPartBitsMax = 62;
constexpr int kDoubleDigits = 53;

cpp_int CeilDivide(const cpp_int& dividend, const cpp_int& divisor) {
  return (dividend + divisor - 1) / divisor;
}

// ceil(l1 2^bits / epsilon), from the integers that the double epsilon is made of.
cpp_int ScaleUp(UInt128 l1, double epsilon, int bits) {
  int exponent = 0;
  const double fraction = std::frexp(epsilon, &exponent);
  cpp_int dividend(l1);
  cpp_int divisor(static_cast<std::uint64_t>(std::ldexp(fraction, kDoubleDigits)));
  const int shift = bits - (exponent - kDoubleDigits);
  (shift >= 0 ? dividend : divisor) <<= std::abs(shift);
  return CeilDivide(dividend, divisor);
}

}  // namespace

double LaplaceRate::value() const {
  return static_cast<double>(numerator) / static_cast<double>(denominator);
}

LaplaceRate RoundRateDown(double epsilon, UInt128 l1) {
  Check(std::isfinite(epsilon) && epsilon > 0, "pure noise needs a positive epsilon");
  Check(l1 >= 1, "a vector that no unit moves is not noised");
  const cpp_int whole = ScaleUp(l1, epsilon, 0);
  Check(whole <= cpp_int(1) << kPartBitsMax, "the scale of the noise fits the sampler");
  const int exponent = std::ilogb(static_cast<double>(l1) / epsilon);
  const int bits = std::clamp(kScaleDigits - 1 - exponent, 0, kPartBitsMax);
  return {.numerator = std::uint64_t{1} << bits,
          .denominator = static_cast<std::uint64_t>(ScaleUp(l1, epsilon, bits))};
}

UInt128 EpsilonCharge(UInt128 l1, LaplaceRate rate) {
  Check(rate.numerator > 0 && rate.denominator > 0, "a rate is positive");
  const cpp_int product = (cpp_int(l1) * rate.numerator) << kMuSquaredBits;
  const cpp_int units = CeilDivide(product, rate.denominator);
  return units > cpp_int(kTop) ? kTop : static_cast<UInt128>(units);
}

double LaplaceMeanAbsolute(LaplaceRate rate) { return 1 / std::sinh(rate.value()); }

double LaplaceVariance(LaplaceRate rate) {
  const double root = std::sinh(0.5 * rate.value());
  return 0.5 / root / root;
}

Int128 LaplaceHalfWidth(LaplaceRate rate, double level) {
  Check(rate.numerator > 0 && rate.denominator > 0, "a rate is positive");
  Check(level > 0 && level < 1, "a level is between 0 and 1");
  const double r = rate.value();
  // r (t + 1) >= ln(1/(1 - level)) + ln(2/(1 + e^-r)): both are positive, so nothing cancels, and
  // five operations within two units in the last place each stay below the factor.
  const double tail = -std::log1p(-level) - std::log1p(0.5 * std::expm1(-r));
  const double steps = std::ceil(tail / r * (1 + 0x1p-49));
  return steps <= 1 ? 0 : static_cast<Int128>(steps) - 1;
}

}  // namespace dpsql
