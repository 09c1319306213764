#include "privacy/fixed_point.h"

#include <algorithm>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;

constexpr UInt128 kTop = ~UInt128{0};

// A numerator of forty bits is 2^-39 close, and leaves the sampler's products room in 128 bits.
constexpr int kSigmaDigits = 40;
constexpr int kSigmaDigitsMax = 59;
constexpr int kSigmaBitsMin = 8;

UInt128 ToUnitsDown(double value, int bits) {
  Check(std::isfinite(value) && value >= 0, "a budget is a number, not negative");
  const double units = std::floor(std::ldexp(value, bits));
  return units >= 0x1p128 ? kTop : static_cast<UInt128>(units);
}

UInt128 ToUnitsUp(double value, int bits) {
  Check(std::isfinite(value) && value >= 0, "a charge is a number, not negative");
  const double units = std::ceil(std::ldexp(value, bits));
  return units >= 0x1p128 ? kTop : static_cast<UInt128>(units);
}

int BitWidth(UInt128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  if (high != 0) return 64 + static_cast<int>(std::bit_width(high));
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value)));
}

enum class Toward { kDown, kUp };

// Keeps the leading 53 bits, which a double holds exactly, and looks at what was dropped.
double ToDouble(UInt128 units, int bits, Toward toward) {
  const int dropped = std::max(0, BitWidth(units) - std::numeric_limits<double>::digits);
  auto kept = static_cast<std::uint64_t>(units >> dropped);
  if (toward == Toward::kUp && (static_cast<UInt128>(kept) << dropped) != units) ++kept;
  return std::ldexp(static_cast<double>(kept), dropped - bits);
}

}  // namespace

double GridSigma::value() const {
  return std::ldexp(static_cast<double>(numerator), -static_cast<int>(bits));
}

GridSigma RoundSigmaUp(double sigma) {
  Check(sigma > 0 && sigma <= 0x1p59, "sigma is positive and fits the sampler");
  const int exponent = std::ilogb(sigma);
  int bits = std::max(kSigmaDigits - 1 - exponent, kSigmaBitsMin);
  bits = std::max(std::min(bits, kSigmaDigitsMax - 1 - exponent), 0);
  const double numerator = std::ceil(std::ldexp(sigma, bits));
  return {.numerator = static_cast<std::uint64_t>(numerator), .bits = static_cast<unsigned>(bits)};
}

UInt128 MuSquaredCharge(UInt128 sensitivity_squared, GridSigma sigma) {
  Check(sigma.numerator > 0, "noise is drawn with a positive sigma");
  const cpp_int variance = cpp_int(sigma.numerator) * sigma.numerator;
  const cpp_int scaled = cpp_int(sensitivity_squared) << (2 * sigma.bits + kMuSquaredBits);
  const cpp_int units = (scaled + variance - 1) / variance;
  return units > cpp_int(kTop) ? kTop : static_cast<UInt128>(units);
}

UInt128 SumOfCharges(UInt128 a, UInt128 b) { return a > kTop - b ? kTop : a + b; }

UInt128 MuSquaredUp(double value) { return ToUnitsUp(value, kMuSquaredBits); }
UInt128 MuSquaredDown(double value) { return ToUnitsDown(value, kMuSquaredBits); }
UInt128 DeltaInfinityUp(double value) { return ToUnitsUp(value, kDeltaInfinityBits); }
UInt128 DeltaInfinityDown(double value) { return ToUnitsDown(value, kDeltaInfinityBits); }

double MuSquaredToDoubleDown(UInt128 units) {
  return ToDouble(units, kMuSquaredBits, Toward::kDown);
}
double MuSquaredToDoubleUp(UInt128 units) { return ToDouble(units, kMuSquaredBits, Toward::kUp); }
double DeltaInfinityToDoubleDown(UInt128 units) {
  return ToDouble(units, kDeltaInfinityBits, Toward::kDown);
}
double DeltaInfinityToDoubleUp(UInt128 units) {
  return ToDouble(units, kDeltaInfinityBits, Toward::kUp);
}

}  // namespace dpsql
