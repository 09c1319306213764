#include "backend/encode_steps.h"

#include <bit>

// The loader chooses how many go at a time by the processor. The numbers are the same, because
// -ffp-contract=off keeps products and sums apart.
// A sanitizer begins after the loader.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define DPSQL_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define DPSQL_WIDE
#endif

namespace dpsql {
namespace {

// 1.5 * 2^52: the DOUBLEs around it are whole numbers, and their last bits are the distance from
// it.
constexpr double kMiddle = 0x1.8p52;
constexpr std::uint64_t kMiddleBits = std::bit_cast<std::uint64_t>(kMiddle);
constexpr int kExactBits = 51;  // numbers below 2^51 are added to the middle without rounding

DPSQL_WIDE bool AreShort(const std::int64_t* data, std::size_t n) {
  std::uint64_t beyond = 0;
  for (std::size_t i = 0; i < n; ++i) {
    beyond |= static_cast<std::uint64_t>(data[i]) + (std::uint64_t{1} << kExactBits);
  }
  return beyond >> (kExactBits + 1) == 0;
}

DPSQL_WIDE void EncodeShort(const std::int64_t* data, std::size_t n, const ValueEncoding& encoding,
                            double divisor, std::int64_t* steps) {
  const ValueEncoding own = encoding;
  for (std::size_t i = 0; i < n; ++i) {
    const double shifted = std::bit_cast<double>(static_cast<std::uint64_t>(data[i]) + kMiddleBits);
    steps[i] = EncodeStep(own, (shifted - kMiddle) / divisor);
  }
}

}  // namespace

void EncodeSteps(const std::int64_t* data, std::size_t n, const ValueEncoding& encoding,
                 double divisor, std::int64_t* steps) {
  if (AreShort(data, n)) return EncodeShort(data, n, encoding, divisor, steps);
  for (std::size_t i = 0; i < n; ++i) {
    steps[i] = EncodeStep(encoding, static_cast<double>(data[i]) / divisor);
  }
}

}  // namespace dpsql
