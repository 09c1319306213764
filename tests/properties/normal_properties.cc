#include "privacy/normal.h"

#include "privacy/interval.h"
#include "properties/oracle.h"
#include "properties/property.h"

// privacy/normal.h rounds to the nearest: each result is within sixteen units in the last place
// times 1 + x^2.
namespace dpsql {
namespace {

double Allowed(double x) { return 0x1p-49 * (1 + x * x); }

bool Near(double ours, const Real& exact, double allowed) {
  return abs(ours - exact) <= allowed * abs(exact);
}

double AnyPlace(Draws& draws) {
  if (draws.OneIn(16)) return draws.OneOf({0, -0.0, 1, 4, std::nextafter(4.0, 0), 37.5, 1e-300});
  if (draws.OneIn(4)) return draws.LogUniform(1e-20, 37.5);
  return draws.Uniform(-36, 37.5);
}

bool Density(Draws& draws) {
  const double x = AnyPlace(draws);
  const Real exact = log(OracleTail(x) / OracleMills(x));
  Expect(Near(LogNormalDensity(x), exact, 0x1p-51), "ln density", {x, LogNormalDensity(x)});
  return true;
}

bool Mills(Draws& draws) {
  const double x = draws.OneIn(4) ? draws.LogUniform(37, 1e15) : AnyPlace(draws);
  Expect(Near(MillsRatio(x), OracleMills(x), x < 4 ? Allowed(x) : 0x1p-49), "Mills ratio",
         {x, MillsRatio(x)});
  return true;
}

bool MillsSlope(Draws& draws) {
  const double x = AnyPlace(draws);
  const Real exact = 1 - x * OracleMills(x);
  Expect(Near(MillsDescent(x), exact, 17 * Allowed(std::fmin(x, 4))), "descent of the Mills ratio",
         {x, MillsDescent(x)});
  return true;
}

bool Tail(Draws& draws) {
  const double x = AnyPlace(draws);
  Expect(Near(UpperTail(x), OracleTail(x), Allowed(x)), "Q", {x, UpperTail(x)});
  return UpperTail(x) >= 1e-300;
}

bool LogTail(Draws& draws) {
  const double x = draws.OneIn(4) ? draws.LogUniform(37, 1e9) : AnyPlace(draws);
  const Real error = abs(LogUpperTail(x) - OracleLogTail(x));
  Expect(error <= Allowed(x), "ln Q", {x, LogUpperTail(x)});
  return true;
}

double AnyProbability(Draws& draws) {
  if (draws.OneIn(16))
    return draws.OneOf({0.5, std::nextafter(0.5, 1), std::nextafter(1, 0), 5e-324});
  if (draws.OneIn(4)) return draws.Uniform(0x1p-60, 1 - 0x1p-53);
  return draws.LogUniform(1e-300, 0.5);
}

bool Quantile(Draws& draws) {
  const double q = AnyProbability(draws);
  const double z = UpperQuantile(q);
  // A unit in the last place of q above 1/2 is not seen in the logarithm's relative error.
  const Real error = abs(OracleLogTail(z) - log(Real(q)));
  Expect(error <= 2 * Allowed(z) + 0x1p-51, "normal quantile", {q, z});
  return true;
}

bool IntervalQuantile(Draws& draws) {
  const double level = draws.OneIn(8) ? draws.OneOf({0.5, 0.9, 0.95, 0.99, 0.999, 1 - 0x1p-53})
                                      : 1 - draws.LogUniform(1e-15, 1);
  if (!(level > 0 && level < 1)) return false;
  const std::uint64_t together = draws.OneIn(2) ? 1 : draws.Word() >> draws.Whole(0, 63);
  if (together == 0) return false;
  const double z = TwoSidedQuantile(level, together);
  const Real error = abs(OracleLogTail(z) - log((1 - Real(level)) / 2 / together));
  Expect(error <= 4 * Allowed(z) + 0x1p-49, "quantile of both sides",
         {level, static_cast<double>(together), z});
  return true;
}

constexpr Property kProperties[] = {{"log_normal_density", Density},
                                    {"mills_ratio", Mills},
                                    {"mills_descent", MillsSlope},
                                    {"upper_tail", Tail},
                                    {"log_upper_tail", LogTail},
                                    {"upper_quantile", Quantile},
                                    {"two_sided_quantile", IntervalQuantile}};

}  // namespace

std::span<const Property> NormalProperties() { return kProperties; }

}  // namespace dpsql
