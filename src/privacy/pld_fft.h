#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

namespace dpsql {

struct Convolution {
  std::vector<double> values;
  double error = 0;  // bounds the sum of |values - the exact convolution|
};

// Room for complex numbers, real parts apart from imaginary parts so that two are computed at once.
// What stands in it is not initialised.
class Complexes {
 public:
  // Ensures: room for at least so many; what stood there may be gone.
  void MakeRoom(std::size_t size);

  std::size_t size() const { return size_; }
  double* re() { return re_.get(); }
  double* im() { return im_.get(); }
  const double* re() const { return re_.get(); }
  const double* im() const { return im_.get(); }

 private:
  std::size_t size_ = 0;
  std::unique_ptr<double[]> re_;
  std::unique_ptr<double[]> im_;
};

// The discrete Fourier transform (Stockham's form: no reordering).
class Fourier {
 public:
  // Requires: length = 2^k, 3 2^k or 5 2^k, and even.
  explicit Fourier(std::size_t length);

  // X_k = sum over j < n of x_j e^(-2 pi i jk / n), in place, for n = length / step; `spare` is
  // overwritten. Requires: step is 1 or 2; both have room for n.
  void Transform(Complexes& x, Complexes& spare, std::size_t step) const;

  const Complexes& roots() const { return roots_; }  // e^(-2 pi i k / length), k < length / 2

 private:
  std::size_t length_;
  Complexes roots_;
};

// Convolves sequences of numbers that are not negative, by FFT, or directly where one has few that
// are not 0. Keeps its memory and the tables of each length it has met.
class Convolver {
 public:
  // Requires: neither is empty; all numbers >= 0; each sums to at most 2. Ensures: as many values
  // as both have together, less one; none negative; `error` holds for the worst case of rounding.
  Convolution Convolve(const std::vector<double>& a, const std::vector<double>& b);

 private:
  Convolution ByFft(const std::vector<double>& a, const std::vector<double>& b);

  std::map<std::size_t, Fourier> fouriers_;
  Complexes numbers_;
  Complexes spare_;
};

}  // namespace dpsql
