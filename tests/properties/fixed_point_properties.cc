#include "privacy/fixed_point.h"

#include <boost/multiprecision/cpp_int.hpp>

#include "properties/oracle.h"
#include "properties/property.h"

// Fixed point is compared in unbounded integers, and with numbers of fifty digits that hold a
// double and its scaling exactly.
namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;

constexpr UInt128 kTop = ~UInt128{0};

double AnyBudget(Draws& draws) {
  if (draws.OneIn(16)) return draws.OneOf({0, 1, 5e-324, 1e300, 0x1p32, 0x1p8, 0x1p-96, 0x1p-120});
  return draws.OneIn(4) ? draws.LogUniform(1e-300, 1e300) : draws.LogUniform(1e-30, 1e10);
}

bool SigmaUp(Draws& draws) {
  const double sigma = draws.OneIn(16)
                           ? draws.OneOf({0x1p59, 1, 0x1p-20, std::nextafter(0x1p59, 0)})
                           : draws.LogUniform(1e-9, 0x1p59);
  const GridSigma grid = RoundSigmaUp(sigma);
  const Real exact = ldexp(Real(grid.numerator), -static_cast<int>(grid.bits));
  Expect(exact >= sigma, "sigma is rounded up", {sigma});
  Expect(exact <= sigma * (1 + Real(0x1p-30)), "sigma is close", {sigma});
  // A number of sixty bits is not a double; its value is the nearest.
  Expect(abs(grid.value() - exact) <= Real(0x1p-53) * exact, "sigma's value", {sigma});
  Expect(grid.numerator < std::uint64_t{1} << 60, "sigma fits the sampler", {sigma});
  return true;
}

bool Charge(Draws& draws) {
  const UInt128 square = draws.Bits();
  const GridSigma sigma = {.numerator = (draws.Word() >> draws.Whole(4, 63)) + 1,
                           .bits = static_cast<unsigned>(draws.Whole(0, 62))};
  const cpp_int units(MuSquaredCharge(square, sigma));
  const cpp_int variance = cpp_int(sigma.numerator) * sigma.numerator;
  const cpp_int scaled = cpp_int(square) << (2 * sigma.bits + 96);
  const std::initializer_list<double> inputs = {
      static_cast<double>(square), static_cast<double>(sigma.numerator), 1.0 * sigma.bits};
  if (units == cpp_int(kTop)) {
    Expect(cpp_int(kTop - 1) * variance < scaled, "only what does not fit saturates", inputs);
    return draws.OneIn(2);
  }
  Expect(units * variance >= scaled, "a charge is rounded up", inputs);
  Expect((units - 1) * variance < scaled, "by less than a unit", inputs);
  return true;
}

bool Sum(Draws& draws) {
  const UInt128 a = draws.Bits();
  // Half of the time around the top, where a sum begins to saturate.
  const auto nudge = static_cast<UInt128>(draws.Whole(0, 4));
  const UInt128 b = draws.OneIn(2) ? draws.Bits() : kTop - a + nudge - 2;
  const cpp_int exact = cpp_int(a) + cpp_int(b);
  const cpp_int top(kTop);
  Expect(cpp_int(SumOfCharges(a, b)) == (exact > top ? top : exact), "sums saturate",
         {static_cast<double>(a), static_cast<double>(b)});
  return true;
}

struct Grid {
  int bits;
  UInt128 (*up)(double);
  UInt128 (*down)(double);
  double (*to_double_up)(UInt128);
  double (*to_double_down)(UInt128);
};

constexpr Grid kMuGrid = {96, MuSquaredUp, MuSquaredDown, MuSquaredToDoubleUp,
                          MuSquaredToDoubleDown};
constexpr Grid kDeltaGrid = {120, DeltaInfinityUp, DeltaInfinityDown, DeltaInfinityToDoubleUp,
                             DeltaInfinityToDoubleDown};

bool ToUnits(Draws& draws, const Grid& grid) {
  const double value = AnyBudget(draws);
  const Real exact = ldexp(Real(value), grid.bits);
  const UInt128 up = grid.up(value);
  const UInt128 down = grid.down(value);
  const Real top = Real(kTop);
  Expect(Real(up) >= exact || (up == kTop && exact > top), "units are rounded up", {value});
  Expect(Real(up) - 1 < exact || exact > top, "up by less than one", {value});
  Expect(Real(down) <= exact, "units are rounded down", {value});
  Expect(Real(down) + 1 > exact || (down == kTop && exact > top), "down by less than one", {value});
  return true;
}

bool ToDouble(Draws& draws, const Grid& grid) {
  const UInt128 units = draws.OneIn(50) ? (draws.OneIn(2) ? 0 : kTop) : draws.Bits();
  const Real exact = ldexp(Real(units), -grid.bits);
  const double up = grid.to_double_up(units);
  const double down = grid.to_double_down(units);
  const auto said = static_cast<double>(units);
  Expect(up >= exact, "a double is rounded up", {said, up});
  Expect(up == 0 || std::nextafter(up, 0) < exact, "to the next one up", {said, up});
  Expect(down <= exact, "a double is rounded down", {said, down});
  Expect(std::nextafter(down, HUGE_VAL) > exact, "to the next one down", {said, down});
  return true;
}

bool MuToUnits(Draws& draws) { return ToUnits(draws, kMuGrid); }
bool DeltaToUnits(Draws& draws) { return ToUnits(draws, kDeltaGrid); }
bool MuToDouble(Draws& draws) { return ToDouble(draws, kMuGrid); }
bool DeltaToDouble(Draws& draws) { return ToDouble(draws, kDeltaGrid); }

constexpr Property kProperties[] = {{"round_sigma_up", SigmaUp},
                                    {"mu_squared_charge", Charge},
                                    {"sum_of_charges", Sum},
                                    {"mu_squared_to_units", MuToUnits},
                                    {"delta_infinity_to_units", DeltaToUnits},
                                    {"mu_squared_to_double", MuToDouble},
                                    {"delta_infinity_to_double", DeltaToDouble}};

}  // namespace

std::span<const Property> FixedPointProperties() { return kProperties; }

}  // namespace dpsql
