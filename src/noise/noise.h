#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/int128.h"
#include "privacy/fixed_point.h"

namespace dpsql {

// What stands between an exact number and a released one. The product has one implementation, and
// no switch, option or seed reaches it; zero noise is another library, linked into tests only.
class Noise {
 public:
  virtual ~Noise() = default;

  // Independent draws of the rounded Gaussian with this sigma, in grid steps.
  virtual void Draw(GridSigma sigma, std::span<Int128> out) = 0;

  // The standard deviation of what Draw gives for this sigma, in grid steps.
  virtual double StandardDeviation(GridSigma sigma) const = 0;

  // What a noisy count must reach, where the plan says tau and the minimum frequency is k.
  virtual std::int64_t CountThreshold(std::int64_t tau, std::int64_t min_frequency) const = 0;
};

// Chosen at link time, like MakeRandomSource.
std::unique_ptr<Noise> MakeNoise();

}  // namespace dpsql
