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

  void DrawLaplace(LaplaceRate rate, std::span<Int128> out) override {
    for (Int128& number : out) {
      number = make_(sigmas_.size() + rates_.size());
      rates_.push_back(rate);
    }
  }

  // A coin is heads where the next number is not negative and the probability is not 0.
  std::vector<bool> Toss(std::span<const UInt128> keep) override {
    std::vector<bool> kept;
    for (const UInt128 probability : keep) {
      kept.push_back(probability > 0 && make_(tossed_.size()) >= 0);
      tossed_.push_back(probability);
    }
    return kept;
  }

  double StandardDeviation(double sd) const override { return sd; }

  std::int64_t CountThreshold(std::int64_t tau, std::int64_t) const override { return tau; }

  std::size_t drawn() const { return sigmas_.size(); }
  const std::vector<GridSigma>& sigmas() const { return sigmas_; }  // of each draw
  const std::vector<LaplaceRate>& rates() const { return rates_; }
  const std::vector<UInt128>& tossed() const { return tossed_; }

 private:
  std::function<Int128(std::size_t)> make_;
  std::vector<GridSigma> sigmas_;
  std::vector<LaplaceRate> rates_;
  std::vector<UInt128> tossed_;
};

}  // namespace dpsql
