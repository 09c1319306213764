#include "privacy/pld_fft.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>
#include <type_traits>
#include <utility>

#include "base/check.h"

namespace dpsql {
namespace {

constexpr double kUnit = 0x1p-53;
constexpr std::size_t kFew = 48;

// The least length of the form 2^k, 3 2^k or 5 2^k that is not below `size`; a multiple of 4.
std::size_t FftLength(std::size_t size) {
  const std::size_t top = std::bit_ceil(std::max<std::size_t>(size, 32));
  if (top / 8 * 5 >= size) return top / 8 * 5;
  return top / 4 * 3 >= size ? top / 4 * 3 : top;
}

// Two neighbours at once: every x86-64 and every arm64 has such registers.
using Pair [[gnu::vector_size(16)]] = double;

template <typename Value>
constexpr std::size_t kLanes = std::is_same_v<Value, Pair> ? 2 : 1;

template <typename Value>
Value Load(const double* from) {
  Value value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// Four sums at once, each waiting for itself only.
double SumOfSquares(const std::vector<double>& values) {
  Pair low = {0, 0};
  Pair high = {0, 0};
  const std::size_t whole = values.size() / 4 * 4;
  for (std::size_t i = 0; i < whole; i += 4) {
    const auto first = Load<Pair>(values.data() + i);
    const auto second = Load<Pair>(values.data() + i + 2);
    low += first * first;
    high += second * second;
  }
  double sum = low[0] + low[1] + high[0] + high[1];
  for (std::size_t i = whole; i < values.size(); ++i) sum += values[i] * values[i];
  return sum;
}

template <typename Value>
struct Complex {
  Value re;
  Value im;

  Complex operator+(Complex other) const { return {re + other.re, im + other.im}; }
  Complex operator-(Complex other) const { return {re - other.re, im - other.im}; }
  Complex Scaled(double real) const { return {re * real, im * real}; }
  Complex Times(double real, double imaginary) const {
    return {re * real - im * imaginary, re * imaginary + im * real};
  }
};

// The inner loops see bare arrays; a transform checks their lengths once.
struct Source {
  const double* re;
  const double* im;

  explicit Source(const Complexes& numbers) : re(numbers.re()), im(numbers.im()) {}
};

struct Target {
  double* re;
  double* im;

  explicit Target(Complexes& numbers) : re(numbers.re()), im(numbers.im()) {}
};

// One pass: from where to where, and roots of unity as Fourier keeps them.
struct Pass {
  Source from;
  Target to;
  Source roots;
  std::size_t count;   // of butterflies of one stride
  std::size_t stride;  // neighbours that are treated alike
  std::size_t step;    // from one root of this pass to the next
};

template <typename Value>
Complex<Value> At(Source numbers, std::size_t index) {
  return {Load<Value>(numbers.re + index), Load<Value>(numbers.im + index)};
}

template <typename Value>
void Put(Target numbers, std::size_t index, Complex<Value> value) {
  std::memcpy(numbers.re + index, &value.re, sizeof(Value));
  std::memcpy(numbers.im + index, &value.im, sizeof(Value));
}

template <typename Value>
void PassOfTwo(Pass pass) {
  const std::size_t stride = pass.stride;
  for (std::size_t p = 0; p < pass.count; ++p) {
    const auto root = At<double>(pass.roots, p * pass.step);
    for (std::size_t q = 0; q < stride; q += kLanes<Value>) {
      const auto a = At<Value>(pass.from, q + stride * p);
      const auto b = At<Value>(pass.from, q + stride * (p + pass.count));
      Put(pass.to, q + stride * 2 * p, a + b);
      Put(pass.to, q + stride * (2 * p + 1), (a - b).Times(root.re, root.im));
    }
  }
}

template <typename Value>
void PassOfFour(Pass pass) {
  const std::size_t stride = pass.stride;
  for (std::size_t p = 0; p < pass.count; ++p) {
    const auto one = At<double>(pass.roots, p * pass.step);
    const auto two = At<double>(pass.roots, 2 * p * pass.step);
    const auto three = one.Times(two.re, two.im);
    for (std::size_t q = 0; q < stride; q += kLanes<Value>) {
      const auto a = At<Value>(pass.from, q + stride * p);
      const auto b = At<Value>(pass.from, q + stride * (p + pass.count));
      const auto c = At<Value>(pass.from, q + stride * (p + 2 * pass.count));
      const auto d = At<Value>(pass.from, q + stride * (p + 3 * pass.count));
      const auto even = a + c;
      const auto odd = b + d;
      const auto rest = a - c;
      const Complex<Value> turned = {d.im - b.im, b.re - d.re};  // i (b - d)
      const std::size_t out = q + stride * 4 * p;
      Put(pass.to, out, even + odd);
      Put(pass.to, out + stride, (rest - turned).Times(one.re, one.im));
      Put(pass.to, out + 2 * stride, (even - odd).Times(two.re, two.im));
      Put(pass.to, out + 3 * stride, (rest + turned).Times(three.re, three.im));
    }
  }
}

// A root of the second half is one of the first with its sign changed.
Complex<double> RootAt(const Pass& pass, std::size_t half, std::size_t index) {
  const auto root = At<double>(pass.roots, (index < half ? index : index - half) * pass.step);
  return index < half ? root : Complex<double>{-root.re, -root.im};
}

// The first pass where the length has an odd factor, so that the stride is 1.
template <std::size_t kOdd>
void PassOfOdd(Pass pass) {
  constexpr std::size_t kPairs = kOdd / 2;
  const std::size_t half = kOdd * pass.count / 2;
  std::array<Complex<double>, kOdd> turns;
  for (std::size_t j = 0; j < kOdd; ++j) turns[j] = RootAt(pass, half, j * pass.count);
  for (std::size_t p = 0; p < pass.count; ++p) {
    const auto x = At<double>(pass.from, p);
    std::array<Complex<double>, kPairs> sums;
    std::array<Complex<double>, kPairs> differences;
    Complex<double> all = x;
    for (std::size_t m = 1; m <= kPairs; ++m) {
      const auto low = At<double>(pass.from, p + m * pass.count);
      const auto high = At<double>(pass.from, p + (kOdd - m) * pass.count);
      sums[m - 1] = low + high;
      differences[m - 1] = low - high;
      all = all + sums[m - 1];
    }
    Put(pass.to, kOdd * p, all);
    for (std::size_t j = 1; j <= kPairs; ++j) {
      Complex<double> u = x;
      Complex<double> v = {0, 0};
      for (std::size_t m = 1; m <= kPairs; ++m) {
        const auto turn = turns[j * m % kOdd];
        u = u + sums[m - 1].Scaled(turn.re);
        v = v + differences[m - 1].Times(0, turn.im);
      }
      const auto low = RootAt(pass, half, j * p);
      const auto high = RootAt(pass, half, (kOdd - j) * p);
      Put(pass.to, kOdd * p + j, (u + v).Times(low.re, low.im));
      Put(pass.to, kOdd * p + kOdd - j, (u - v).Times(high.re, high.im));
    }
  }
}

// Sums of at most kFew products that are not negative: each is relatively exact.
Convolution Directly(const std::vector<double>& sparse, const std::vector<double>& other) {
  Convolution result;
  result.values.assign(sparse.size() + other.size() - 1, 0);
  for (std::size_t i = 0; i < sparse.size(); ++i) {
    if (sparse[i] == 0) continue;
    for (std::size_t j = 0; j < other.size(); ++j) result.values[i + j] += sparse[i] * other[j];
  }
  result.error = 4 * 2 * kUnit * static_cast<double>(kFew);
  return result;
}

// How many are not 0, or kFew + 1 where there are more than kFew.
std::size_t NonZeros(const std::vector<double>& values) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < values.size() && count <= kFew; ++i) {
    if (values[i] != 0) ++count;
  }
  return count;
}

// With z = a + ib and Z its transform, A_k B_k = (Z_k^2 - conj(Z_-k)^2) / 4i.
Complex<double> Product(Source z, std::size_t k, std::size_t minus_k) {
  const auto here = At<double>(z, k);
  const auto there = At<double>(z, minus_k);
  const double re =
      here.re * here.re - here.im * here.im - there.re * there.re + there.im * there.im;
  const double im = 2 * (here.re * here.im + there.re * there.im);
  return {0.25 * im, -0.25 * re};
}

// The transform C of real c_0 … c_2h-1, folded into that of c_2j + i c_2j+1: the conjugate of
// C_k + C_k+h + i (C_k - C_k+h) e^(2 pi i k / 2h), since the way back is the conjugate of the
// transform of the conjugate. C_k+h is the conjugate of C_h-k.
void FoldProduct(Source z, Source roots, Target folded, std::size_t h) {
  const auto fold = [&](std::size_t k, Complex<double> low, Complex<double> high) {
    const auto even = low + high;
    const auto odd = (low - high).Times(roots.re[k], -roots.im[k]);
    folded.re[k] = even.re - odd.im;
    folded.im[k] = -(even.im + odd.re);
  };
  const auto conjugate = [](Complex<double> value) { return Complex<double>{value.re, -value.im}; };
  fold(0, Product(z, 0, 0), Product(z, h, h));
  for (std::size_t k = 1; k <= h / 2; ++k) {
    const auto here = Product(z, k, 2 * h - k);
    const auto there = Product(z, h - k, h + k);
    fold(k, here, conjugate(there));
    fold(h - k, there, conjugate(here));
  }
}

}  // namespace

void Complexes::MakeRoom(std::size_t size) {
  if (size <= size_) return;
  size_ = size;
  re_ = std::make_unique_for_overwrite<double[]>(size_);
  im_ = std::make_unique_for_overwrite<double[]>(size_);
}

Fourier::Fourier(std::size_t length) : length_(length) {
  roots_.MakeRoom(length / 2);
  for (std::size_t k = 0; k < length / 2; ++k) {
    const double angle =
        2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length);
    roots_.re()[k] = std::cos(angle);
    roots_.im()[k] = -std::sin(angle);
  }
}

void Fourier::Transform(Complexes& x, Complexes& spare, std::size_t step) const {
  std::size_t rest = length_ / step;
  Check(x.size() >= rest && spare.size() >= rest, "a transform has room");
  std::size_t stride = 1;
  const auto run = [&](std::size_t factor, void (*pass)(Pass)) {
    rest /= factor;
    pass({Source(x), Target(spare), Source(roots_), rest, stride, stride * step});
    stride *= factor;
    std::swap(x, spare);
  };
  if (rest % 3 == 0) run(3, PassOfOdd<3>);
  if (rest % 5 == 0) run(5, PassOfOdd<5>);
  while (rest >= 4) run(4, stride % 2 == 0 ? PassOfFour<Pair> : PassOfFour<double>);
  if (rest == 2) run(2, stride % 2 == 0 ? PassOfTwo<Pair> : PassOfTwo<double>);
  Check(rest == 1, "a length has the factors 2, and one 3 or 5");
}

Convolution Convolver::Convolve(const std::vector<double>& a, const std::vector<double>& b) {
  Check(!a.empty() && !b.empty(), "a distribution has at least one cell");
  const std::size_t in_a = NonZeros(a);
  const std::size_t in_b = NonZeros(b);
  if (std::min(in_a, in_b) > kFew) return ByFft(a, b);
  return in_a < in_b ? Directly(a, b) : Directly(b, a);
}

Convolution Convolver::ByFft(const std::vector<double>& a, const std::vector<double>& b) {
  const std::size_t size = a.size() + b.size() - 1;
  const std::size_t n = FftLength(size);
  const Fourier& fourier = fouriers_.try_emplace(n, n).first->second;
  const auto fill = [n](const std::vector<double>& from, double* to) {
    std::fill(std::copy(from.begin(), from.end(), to), to + n, 0);
  };
  if (numbers_.size() < n) {  // lengths grow: untouched room costs nothing, moving does
    numbers_.MakeRoom(4 * n);
    spare_.MakeRoom(4 * n);
  }
  fill(a, numbers_.re());
  fill(b, numbers_.im());
  fourier.Transform(numbers_, spare_, 1);
  FoldProduct(Source(numbers_), Source(fourier.roots()), Target(spare_), n / 2);
  fourier.Transform(spare_, numbers_, 2);
  Convolution result;
  result.values.resize(size);
  const double scale = 1 / static_cast<double>(n);
  const Source folded(spare_);
  for (std::size_t i = 0; i < size; ++i) {
    const double value = i % 2 == 0 ? folded.re[i / 2] : -folded.im[i / 2];
    result.values[i] = value > 0 ? value * scale : 0;
  }
  // A transform is relatively exact in the 2-norm to `kappa`: log2(n) stages, each within 32 units
  // (roots included; a pass over r numbers is log2(r) stages), and one for the folding.
  // |Z| <= 4, so the squares are off by 8 kappa sqrt(n) |z|_2 at most together.
  const double kappa = 32 * kUnit * (std::log2(static_cast<double>(n)) + 1);
  const double norms =
      4 * std::sqrt(SumOfSquares(a) + SumOfSquares(b)) + std::sqrt(SumOfSquares(result.values));
  result.error = 2 * std::sqrt(static_cast<double>(n)) * kappa * norms;
  return result;
}

}  // namespace dpsql
