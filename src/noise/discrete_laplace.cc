#include "noise/discrete_laplace.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <optional>

#include "base/check.h"
#include "noise/exact_exponential.h"
#include "noise/word_stream.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;

constexpr unsigned kDigitBits = 32;
constexpr std::size_t kWordsPerDraw = 6;  // 4.3 of the exponential, the sign, now and then a digit

// The integer part of (integer + x) denominator / numerator, if it is the same for every x of the
// interval [fraction, fraction + 1) / 2^bits.
// Requires: bits <= 64 and fraction < 2^bits; integer <= 2^12.
// Ensures: no product wraps. integer * denominator and the high part of fraction * denominator are
// below 2^76 and 2^64. The rest is below numerator * 2^bits <= 2^128 - 2^64, and less than 2^64 is
// added to it.
std::optional<UInt128> CommonFloor(std::uint32_t integer, std::uint64_t fraction, unsigned bits,
                                   LaplaceRate rate) {
  const UInt128 product = UInt128{fraction} * rate.denominator;
  const UInt128 whole = UInt128{integer} * rate.denominator + (product >> bits);
  const UInt128 floor = whole / rate.numerator;
  const UInt128 below_whole = product & ((UInt128{1} << bits) - 1);
  const UInt128 rest = ((whole - floor * rate.numerator) << bits) | below_whole;
  // The interval ends `denominator` further, its end not included.
  if (rest + (rate.denominator - 1) >= UInt128{rate.numerator} << bits) return std::nullopt;
  return floor;
}

// The same with a third digit and more, in unbounded integers.
UInt128 WideFloor(ExactExponential& exponential, LaplaceRate rate, WordStream& words) {
  cpp_int prefix = exponential.integer;
  cpp_int unit = rate.numerator;
  for (std::uint32_t digits = 0;; ++digits) {
    const cpp_int low = prefix * rate.denominator;
    const cpp_int floor = low / unit;
    if (floor == (low + (rate.denominator - 1)) / unit) return static_cast<UInt128>(floor);
    prefix = (prefix << kDigitBits) + exponential.fraction.Digit(digits, words);
    unit <<= kDigitBits;
  }
}

UInt128 FloorOfScaled(ExactExponential& exponential, LaplaceRate rate, WordStream& words) {
  LazyUniform& x = exponential.fraction;
  const std::uint64_t first = x.Digit(0, words);
  if (const auto floor = CommonFloor(exponential.integer, first, kDigitBits, rate)) return *floor;
  const std::uint64_t both = (first << kDigitBits) | x.Digit(1, words);
  if (const auto floor = CommonFloor(exponential.integer, both, 2 * kDigitBits, rate)) {
    return *floor;
  }
  return WideFloor(exponential, rate, words);
}

}  // namespace

Int128 DrawDiscreteLaplace(LaplaceRate rate, WordStream& words) {
  Check(rate.numerator > 0 && rate.denominator > 0, "a Laplace rate is positive and finite");
  ExactExponential exponential;
  while (true) {
    DrawExactExponential(words, exponential);
    const auto magnitude = static_cast<Int128>(FloorOfScaled(exponential, rate, words));
    const bool negative = (words.Next() & 1) != 0;
    if (!negative) return magnitude;
    // Else 0 would come from both signs, twice as often as it should.
    if (magnitude != 0) return -magnitude;
  }
}

void DiscreteLaplace::Draw(LaplaceRate rate, std::span<Int128> out) {
  WordStream words(random_, kWordsPerDraw * out.size());
  for (Int128& noise : out) noise = DrawDiscreteLaplace(rate, words);
}

}  // namespace dpsql
