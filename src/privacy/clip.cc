#include "privacy/clip.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "base/check.h"

namespace dpsql {
namespace {

constexpr Int128 kCoordinateMax = (Int128{1} << 62) - 1;

// A weighted sum of squares in 192 bits: with fewer than 2^28 coordinates below 2^62 and weights
// below 2^40 it stays below 2^192.
struct SquaredNorm {
  UInt128 low = 0;
  std::uint64_t high = 0;

  void Add(UInt128 number) {
    low += number;
    if (low < number) ++high;
  }
  void AddProduct(UInt128 square, std::uint64_t weight) {
    Add(static_cast<UInt128>(static_cast<std::uint64_t>(square)) * weight);
    const UInt128 upper = static_cast<UInt128>(static_cast<std::uint64_t>(square >> 64)) * weight;
    Add(upper << 64);
    high += static_cast<std::uint64_t>(upper >> 64);
  }
  bool IsAbove(const SquaredNorm& other) const {
    return high != other.high ? high > other.high : low > other.low;
  }
};

UInt128 Magnitude(Int128 value) {
  return value < 0 ? -static_cast<UInt128>(value) : static_cast<UInt128>(value);
}

SquaredNorm NormOf(std::span<const Int128> vector) {
  SquaredNorm norm;
  for (const Int128 coordinate : vector) {
    const UInt128 magnitude = Magnitude(coordinate);
    norm.Add(magnitude * magnitude);
  }
  return norm;
}

SquaredNorm WeightedNormOf(std::span<const Int128> vector, std::span<const std::uint64_t> weights) {
  SquaredNorm norm;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    const UInt128 magnitude = Magnitude(vector[i]);
    norm.AddProduct(magnitude * magnitude, weights[i % weights.size()]);
  }
  return norm;
}

// Floating point only guesses here; the two loops make the result exact.
UInt128 RootCeil(UInt128 square) {
  constexpr UInt128 kRootMax = ~std::uint64_t{0};
  const long double guess = std::sqrt(static_cast<long double>(square));
  UInt128 root = guess >= 0x1p64L ? kRootMax : static_cast<UInt128>(guess);
  while (root * root > square) --root;
  while (root < kRootMax && (root + 1) * (root + 1) <= square) ++root;
  return root * root < square ? root + 1 : root;
}

// The rounded-up root of norm / whole.
UInt128 RootCeil(const SquaredNorm& norm, std::uint64_t whole) {
  if (norm.high == 0 && whole == 1) return RootCeil(norm.low);
  using boost::multiprecision::cpp_int;
  const cpp_int sum = (cpp_int(norm.high) << 128) + cpp_int(norm.low);
  const cpp_int square = (sum + whole - 1) / whole;
  const cpp_int root = boost::multiprecision::sqrt(square);
  const auto floor = static_cast<UInt128>(root);
  return root * root < square ? floor + 1 : floor;
}

// Fewer than 2^28 coordinates below 2^62: below 2^90.
UInt128 SumOfMagnitudes(std::span<const Int128> vector) {
  UInt128 sum = 0;
  for (const Int128 coordinate : vector) sum += Magnitude(coordinate);
  return sum;
}

// What makes the products of both clips fit: coordinates and bound below 2^62.
void Saturate(std::span<Int128> vector, std::uint64_t bound) {
  Check(bound < (std::uint64_t{1} << 62), "the clip is below 2^62");
  Check(vector.size() < (std::size_t{1} << 28), "a unit's vector is below 2^28 coordinates");
  for (Int128& coordinate : vector) {
    coordinate = std::clamp(coordinate, -kCoordinateMax, kCoordinateMax);
  }
}

// Every coordinate times bound / norm, toward zero.
void Scale(std::span<Int128> vector, std::uint64_t bound, UInt128 norm) {
  for (Int128& coordinate : vector) {
    const auto scaled = static_cast<Int128>(Magnitude(coordinate) * bound / norm);
    coordinate = coordinate < 0 ? -scaled : scaled;
  }
}

}  // namespace

void ClipL2(std::span<Int128> vector, std::uint64_t bound) {
  Saturate(vector, bound);
  const SquaredNorm norm = NormOf(vector);
  if (norm.high == 0 && norm.low <= static_cast<UInt128>(bound) * bound) return;
  Scale(vector, bound, RootCeil(norm, 1));
}

void ClipWeightedL2(std::span<Int128> vector, const ClipWeights& weights, std::uint64_t bound) {
  Check(!weights.weight.empty() && vector.size() % weights.weight.size() == 0,
        "a unit's vector has whole cells");
  Saturate(vector, bound);
  const SquaredNorm norm = WeightedNormOf(vector, weights.weight);
  SquaredNorm most;
  most.AddProduct(static_cast<UInt128>(bound) * bound, weights.whole);
  if (!norm.IsAbove(most)) return;
  Scale(vector, bound, RootCeil(norm, weights.whole));
}

void ClipL1(std::span<Int128> vector, std::uint64_t bound) {
  Saturate(vector, bound);
  const UInt128 norm = SumOfMagnitudes(vector);
  if (norm <= bound) return;
  Scale(vector, bound, norm);
  Check(SumOfMagnitudes(vector) <= bound, "a clipped vector is within its bound");
}

}  // namespace dpsql
