#include "privacy/pld_fft.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>

#include "base/check.h"

namespace dpsql {
namespace {

using Complex = std::complex<double>;

constexpr double kUnit = 0x1p-53;
constexpr std::size_t kShort = 48;

// The least length of the form 2^k, 3 2^k or 5 2^k that is not below `size`.
std::size_t FftLength(std::size_t size) {
  const std::size_t top = std::bit_ceil(std::max<std::size_t>(size, 8));
  if (top / 8 * 5 >= size) return top / 8 * 5;
  return top / 4 * 3 >= size ? top / 4 * 3 : top;
}

double SumOfSquares(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

// Sums of at most kShort products that are not negative: each is relatively exact.
Convolution Directly(const std::vector<double>& shorter, const std::vector<double>& longer) {
  Convolution result;
  result.values.assign(shorter.size() + longer.size() - 1, 0);
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    if (shorter[i] == 0) continue;
    for (std::size_t j = 0; j < longer.size(); ++j) result.values[i + j] += shorter[i] * longer[j];
  }
  result.error = 4 * 2 * kUnit * static_cast<double>(kShort);
  return result;
}

}  // namespace

Convolution Convolver::Convolve(const std::vector<double>& a, const std::vector<double>& b) {
  Check(!a.empty() && !b.empty(), "a distribution has at least one cell");
  const auto& shorter = a.size() < b.size() ? a : b;
  const auto& longer = a.size() < b.size() ? b : a;
  return shorter.size() <= kShort ? Directly(shorter, longer) : ByFft(a, b);
}

// With z = a + ib and Z its transform, A_k B_k = (Z_k^2 - conj(Z_-k)^2) / 4i: one transform there
// and one back, the latter as the conjugate of the transform of the conjugate.
Convolution Convolver::ByFft(const std::vector<double>& a, const std::vector<double>& b) {
  const std::size_t size = a.size() + b.size() - 1;
  const std::size_t n = FftLength(size);
  const auto& plan = plans_.try_emplace(n, n, false).first->second;
  std::vector<Complex> z(n);
  std::vector<Complex> transformed(n);
  for (std::size_t i = 0; i < a.size(); ++i) z[i].real(a[i]);
  for (std::size_t i = 0; i < b.size(); ++i) z[i].imag(b[i]);
  plan.transform(z.data(), transformed.data());
  for (std::size_t k = 0; k < n; ++k) {
    const Complex here = transformed[k];
    const Complex there = transformed[k == 0 ? 0 : n - k];
    const Complex x(here.real() * here.real() - here.imag() * here.imag(),
                    2 * here.real() * here.imag());
    const Complex y(there.real() * there.real() - there.imag() * there.imag(),
                    -2 * there.real() * there.imag());
    // (x - y) / 4i = (Im - i Re) / 4, conjugated for the way back.
    z[k] = Complex(0.25 * (x.imag() - y.imag()), 0.25 * (x.real() - y.real()));
  }
  plan.transform(z.data(), transformed.data());
  Convolution result;
  result.values.resize(size);
  const double scale = 1 / static_cast<double>(n);
  for (std::size_t i = 0; i < size; ++i) {
    result.values[i] = std::fmax(0, transformed[i].real() * scale);
  }
  // A transform is relatively exact in the 2-norm to `kappa`: log2(n) stages, each within 32 units
  // (tables included). |Z| <= 4, so the squares are off by 8 kappa sqrt(n) |z|_2 at most together.
  const double kappa = 32 * kUnit * (std::log2(static_cast<double>(n)) + 1);
  const double norms =
      4 * std::sqrt(SumOfSquares(a) + SumOfSquares(b)) + std::sqrt(SumOfSquares(result.values));
  result.error = 2 * std::sqrt(static_cast<double>(n)) * kappa * norms;
  return result;
}

}  // namespace dpsql
