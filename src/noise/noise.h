#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/int128.h"
#include "privacy/fixed_point.h"
#include "privacy/laplace.h"

namespace dpsql {

// What stands between an exact number and a released one. The product has one implementation, and
// no switch, option or seed reaches it; zero noise is another library, linked into tests only.
class Noise {
 public:
  virtual ~Noise() = default;

  // Independent draws of the rounded Gaussian with this sigma, in grid steps.
  virtual void Draw(GridSigma sigma, std::span<Int128> out) = 0;

  // Independent draws of the discrete Laplace law with this rate.
  virtual void DrawLaplace(LaplaceRate rate, std::span<Int128> out) = 0;

  // Independent coins with these probabilities of keeping a cell, in units of 2^-kKeepBits.
  virtual std::vector<bool> Toss(std::span<const UInt128> keep) = 0;

  // The standard deviation of what is drawn, where the plan's is `sd`.
  virtual double StandardDeviation(double sd) const = 0;

  // What a noisy count must reach, where the plan says tau and the minimum frequency is k.
  virtual std::int64_t CountThreshold(std::int64_t tau, std::int64_t min_frequency) const = 0;
};

// Chosen at link time, like MakeRandomSource.
std::unique_ptr<Noise> MakeNoise();

}  // namespace dpsql
