#include "noise/discrete_gaussian.h"

#include <array>
#include <cstdint>
#include <optional>

#include "base/check.h"
#include "noise/gaussian_weight.h"
#include "noise/uniform_below.h"
#include "noise/word_stream.h"

namespace dpsql {
namespace {

constexpr std::size_t kWordsPerDraw = 20;

// The 32-bit digits of numerator / denominator, found by long division when they are looked at. It
// stands where LazyUniform does, but no digit is random. Requires: numerator < denominator < 2^60.
class RationalDigits {
 public:
  RationalDigits(std::uint64_t numerator, std::uint64_t denominator)
      : rest_(numerator), denominator_(denominator) {}

  std::uint32_t Digit(std::uint32_t index, WordStream&) {
    while (known_ <= index) [[unlikely]] {
        Check(known_ < digits_.size(), "sixteen digits decide a comparison");
        const UInt128 shifted = UInt128{rest_} << 32;
        digits_[known_++] = static_cast<std::uint32_t>(shifted / denominator_);
        rest_ = static_cast<std::uint64_t>(shifted % denominator_);
      }
    return digits_[index];
  }

 private:
  std::uint64_t rest_;
  std::uint64_t denominator_;
  std::uint32_t known_ = 0;
  std::array<std::uint32_t, 16> digits_;
};

// One attempt: an integer k, a sign, and one of the integers i with k sigma <= i < (k + 1) sigma,
// accepted with the weight of i.
std::optional<Int128> Attempt(GridSigma sigma, WordStream& words) {
  std::uint32_t k = 0;
  if (!DrawInteger(words, k)) return std::nullopt;
  const bool negative = (words.Next() & 1) != 0;
  // All in units of 2^-bits. k < 2^32 makes k sigma < 2^92; a step is at most 2^63; the number of
  // places is at most 2^60, and places * step < sigma + step. Nothing wraps.
  const UInt128 step = UInt128{1} << sigma.bits;
  const UInt128 k_sigma = UInt128{k} * sigma.numerator;
  const UInt128 least = (k_sigma + (step - 1)) >> sigma.bits;
  const auto places = static_cast<std::uint64_t>((sigma.numerator + (step - 1)) >> sigma.bits);
  const UInt128 chosen = least + UniformBelow64(places, words);
  const UInt128 above = chosen * step - k_sigma;
  if (above >= sigma.numerator) return std::nullopt;  // i belongs to a larger k
  if (negative && chosen == 0) return std::nullopt;   // else 0 would come from both signs
  RationalDigits fraction(static_cast<std::uint64_t>(above), sigma.numerator);
  if (!AcceptFraction(k, fraction, words)) return std::nullopt;
  const auto magnitude = static_cast<Int128>(chosen);
  return negative ? -magnitude : magnitude;
}

}  // namespace

Int128 DrawDiscreteGaussian(GridSigma sigma, WordStream& words) {
  Check(sigma.numerator > 0 && sigma.numerator < (std::uint64_t{1} << 60),
        "sigma fits the sampler");
  Check(sigma.bits < 64, "the grid of sigma fits the sampler");
  while (true) {
    if (const std::optional<Int128> noise = Attempt(sigma, words)) return *noise;
  }
}

void DiscreteGaussian::Draw(GridSigma sigma, std::span<Int128> out) {
  WordStream words(random_, kWordsPerDraw * out.size());
  for (Int128& noise : out) noise = DrawDiscreteGaussian(sigma, words);
}

}  // namespace dpsql
