#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "noise/noise.h"

namespace dpsql {

// Noise that a test dictates: the i-th draw, from 0 on, is make(i). Remembers what was asked.
class FakeNoise : public Noise {
 public:
  explicit FakeNoise(std::function<Int128(std::size_t)> make) : make_(std::move(make)) {}

  void Draw(GridSigma sigma, std::span<Int128> out) override {
    for (Int128& number : out) {
      number = make_(sigmas_.size());
      sigmas_.push_back(sigma);
    }
  }

  double StandardDeviation(GridSigma sigma) const override { return sigma.value(); }

  std::int64_t CountThreshold(std::int64_t tau, std::int64_t) const override { return tau; }

  std::size_t drawn() const { return sigmas_.size(); }
  const std::vector<GridSigma>& sigmas() const { return sigmas_; }  // of each draw

 private:
  std::function<Int128(std::size_t)> make_;
  std::vector<GridSigma> sigmas_;
};

}  // namespace dpsql
