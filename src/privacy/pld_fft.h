#pragma once

#include <cstddef>
#include <kissfft/kissfft.hh>
#include <map>
#include <vector>

namespace dpsql {

struct Convolution {
  std::vector<double> values;
  double error = 0;  // bounds the sum of |values - the exact convolution|
};

// Convolves sequences of numbers that are not negative, by FFT, or directly where one is short.
// Keeps the tables of each length it has met.
class Convolver {
 public:
  // Requires: neither is empty; all numbers >= 0; each sums to at most 2. Ensures: as many values
  // as both have together, less one; none negative; `error` holds for the worst case of rounding.
  Convolution Convolve(const std::vector<double>& a, const std::vector<double>& b);

 private:
  Convolution ByFft(const std::vector<double>& a, const std::vector<double>& b);

  std::map<std::size_t, kissfft<double>> plans_;
};

}  // namespace dpsql
