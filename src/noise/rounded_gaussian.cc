#include "noise/rounded_gaussian.h"

#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <optional>

#include "base/check.h"
#include "noise/exact_normal.h"
#include "noise/word_stream.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;

constexpr unsigned kDigitBits = 32;
constexpr std::size_t kWordsPerDraw = 18;  // 17.5 on average

// The magnitude of the rounded number if every number of the open interval (low, low + width) /
// 2^shift rounds to it. Half goes up, hence toward zero where the number is negated.
template <typename Wide>
std::optional<UInt128> CommonRounding(const Wide& low, std::uint64_t width, unsigned shift,
                                      bool negative) {
  const Wide half = (Wide(1) << (shift - 1)) - Wide(negative ? 1 : 0);
  const Wide from_low = (low + half) >> shift;
  const Wide from_high = (low + width + half) >> shift;
  if (from_low != from_high) return std::nullopt;
  return static_cast<UInt128>(from_low);
}

// One normal number that is being multiplied by sigma, known to `digits` digits so far.
class Rounding {
 public:
  Rounding(GridSigma sigma, ExactNormal& normal, WordStream& words)
      : sigma_(sigma), normal_(normal), words_(words) {}

  Int128 Run() {
    UInt128 prefix = normal_.integer;
    unsigned digits = 0;
    while (true) {
      prefix = (prefix << kDigitBits) | normal_.fraction.Digit(digits++, words_);
      const unsigned shift = sigma_.bits + kDigitBits * digits;
      if (!FitsNarrow(prefix, shift)) return RunWide(prefix, digits);
      const auto rounded = CommonRounding<UInt128>(prefix * sigma_.numerator, sigma_.numerator,
                                                   shift, normal_.negative);
      if (rounded) return Signed(*rounded);
    }
  }

 private:
  // Whether the products and the half fit 128 bits, and another digit fits the prefix.
  bool FitsNarrow(UInt128 prefix, unsigned shift) const {
    const auto high = static_cast<std::uint64_t>(prefix >> 32);
    const auto width = kDigitBits + static_cast<unsigned>(std::bit_width(high));
    const auto width_sigma = static_cast<unsigned>(std::bit_width(sigma_.numerator));
    return (prefix >> 96) == 0 && width + width_sigma <= 125 && shift <= 125;
  }

  Int128 RunWide(const UInt128& known, unsigned digits) {
    cpp_int prefix(known);
    while (true) {
      const unsigned shift = sigma_.bits + kDigitBits * digits;
      const auto rounded = CommonRounding<cpp_int>(prefix * sigma_.numerator, sigma_.numerator,
                                                   shift, normal_.negative);
      if (rounded) return Signed(*rounded);
      prefix <<= kDigitBits;
      prefix += normal_.fraction.Digit(digits++, words_);
    }
  }

  Int128 Signed(UInt128 magnitude) const {
    const auto value = static_cast<Int128>(magnitude);
    return normal_.negative ? -value : value;
  }

  GridSigma sigma_;
  ExactNormal& normal_;
  WordStream& words_;
};

}  // namespace

void RoundedGaussian::Draw(GridSigma sigma, std::span<Int128> out) {
  Check(sigma.numerator > 0 && sigma.numerator < (std::uint64_t{1} << 60),
        "sigma fits the sampler");
  WordStream words(random_, kWordsPerDraw * out.size());
  ExactNormal normal;
  for (Int128& noise : out) {
    DrawExactNormal(words, normal);
    noise = Rounding(sigma, normal, words).Run();
  }
}

}  // namespace dpsql
