#include "privacy/laplace.h"

#include <boost/math/special_functions/log1p.hpp>
#include <boost/multiprecision/cpp_int.hpp>

#include "properties/oracle.h"
#include "properties/property.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;

constexpr UInt128 kTop = ~UInt128{0};

LaplaceRate AnyRate(Draws& draws) {
  return {.numerator = (draws.Word() >> draws.Whole(2, 63)) + 1,
          .denominator = (draws.Word() >> draws.Whole(2, 63)) + 1};
}

Real Exact(LaplaceRate rate) { return Real(rate.numerator) / rate.denominator; }

bool RateDown(Draws& draws) {
  const double epsilon =
      draws.OneIn(16) ? draws.OneOf({1, 0x1p-62, 1e300, 0.1}) : draws.LogUniform(1e-18, 1e6);
  const UInt128 l1 = (draws.Word() >> draws.Whole(2, 63)) + 1;
  if (Real(l1) / epsilon > Real(0x1p62)) return false;
  const LaplaceRate rate = RoundRateDown(epsilon, l1);
  const auto said = static_cast<double>(l1);
  const Real real = Real(l1) * Exact(rate);
  Expect(Real(l1) * rate.numerator <= Real(epsilon) * rate.denominator,
         "the real epsilon is not above the one asked", {epsilon, said});
  Expect(epsilon / said > 0x1p22 || real >= epsilon * (1 - Real(0x1p-39)), "and close to it",
         {epsilon, said});
  const std::uint64_t most = std::uint64_t{1} << 62;
  Expect(rate.numerator >= 1 && rate.denominator >= 1 && rate.numerator <= most &&
             rate.denominator <= most,
         "a rate fits the sampler", {epsilon, said});
  return true;
}

bool Charge(Draws& draws) {
  const UInt128 l1 = draws.Bits();
  const LaplaceRate rate = AnyRate(draws);
  const cpp_int units(EpsilonCharge(l1, rate));
  const cpp_int exact = (cpp_int(l1) * rate.numerator) << 96;
  const std::initializer_list<double> inputs = {static_cast<double>(l1),
                                                static_cast<double>(rate.numerator),
                                                static_cast<double>(rate.denominator)};
  if (units == cpp_int(kTop)) {
    Expect(cpp_int(kTop - 1) * rate.denominator < exact, "only what does not fit saturates",
           inputs);
    return draws.OneIn(2);
  }
  Expect(units * rate.denominator >= exact, "a charge is rounded up", inputs);
  Expect((units - 1) * rate.denominator < exact, "by less than a unit", inputs);
  return true;
}

bool Moments(Draws& draws) {
  const LaplaceRate rate = AnyRate(draws);
  const Real r = Exact(rate);
  if (r > 300) return false;
  const Real ratio = exp(-r);
  // 1 - e^-r cancels where r is small, by the twenty digits that there are to spare.
  const Real absolute = 2 * ratio / (1 - ratio * ratio);
  const Real variance = 2 * ratio / ((1 - ratio) * (1 - ratio));
  const std::initializer_list<double> inputs = {static_cast<double>(rate.numerator),
                                                static_cast<double>(rate.denominator)};
  Expect(abs(LaplaceMeanAbsolute(rate) / absolute - 1) < Real(1e-12), "mean error", inputs);
  Expect(abs(LaplaceVariance(rate) / variance - 1) < Real(1e-12), "variance", inputs);
  return true;
}

bool HalfWidth(Draws& draws) {
  const LaplaceRate rate = AnyRate(draws);
  const double level = draws.OneIn(4)   ? draws.LogUniform(1e-300, 0.5)
                       : draws.OneIn(4) ? draws.OneOf({0.5, 0.9, 0.95, 0.99, 1 - 0x1p-53})
                                        : 1 - draws.LogUniform(1e-15, 0.9);
  const Int128 t = LaplaceHalfWidth(rate, level);
  const Real r = Exact(rate);
  const std::initializer_list<double> inputs = {static_cast<double>(rate.numerator),
                                                static_cast<double>(rate.denominator), level,
                                                static_cast<double>(t)};
  // ln P(|X| > t) = ln 2 - r (t + 1) - ln(1 + e^-r), against ln(1 - level).
  const Real constant =
      boost::math::log1p(Real((exp(-r) - 1) / 2)) + boost::math::log1p(Real(-level));
  Expect(-r * (Real(t) + 1) <= constant, "an interval holds its level", inputs);
  Expect(t == 0 || -r * (Real(t) * (1 - Real(0x1p-48)) - 1) > constant,
         "an interval is as short as it can be", inputs);
  if (t > 0 && t < (Int128{1} << 40) && draws.OneIn(2)) {
    // Away from ties the least t is found exactly.
    const Real least = -constant / r;
    const Real tie = abs(least - round(least));
    Expect(tie < Real(1e-3) || Real(t) + 1 == ceil(least), "an interval is the shortest", inputs);
  }
  return true;
}

constexpr Property kProperties[] = {{"laplace_rate", RateDown},
                                    {"laplace_charge", Charge},
                                    {"laplace_moments", Moments},
                                    {"laplace_half_width", HalfWidth}};

}  // namespace

std::span<const Property> LaplaceProperties() { return kProperties; }

}  // namespace dpsql
