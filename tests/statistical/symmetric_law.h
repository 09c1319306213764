#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "privacy/fixed_point.h"
#include "privacy/laplace.h"
#include "privacy/normal.h"

namespace dpsql {

// A law of the integers that is symmetric about 0, as a formula that no sampler shares.
struct SymmetricLaw {
  std::function<double(double)> at_least;  // P(X >= t) for whole t >= 1
  double scale = 1;                        // the tail is negligible beyond 60 of it
  double variance = 0;
  double fourth = 0;  // E X^4

  double zero() const { return 1 - 2 * at_least(1); }
};

// Fills in the moments: E X^2 = sum of 2 (2t - 1) P(X >= t), and likewise for the fourth power.
inline SymmetricLaw WithMoments(SymmetricLaw law) {
  const double reach = std::ceil(60 * law.scale) + 1;
  for (double t = 1; t <= reach; ++t) {
    const double tail = 2 * law.at_least(t);
    law.variance += tail * (2 * t - 1);
    law.fourth += tail * (std::pow(t, 4) - std::pow(t - 1, 4));
  }
  return law;
}

constexpr double kFineGrid = 4096;  // beyond, the moments are those of the continuous law

inline SymmetricLaw RoundedGaussianLaw(GridSigma sigma) {
  const double s = sigma.value();
  SymmetricLaw law = {.at_least = [s](double t) { return UpperTail((t - 0.5) / s); }, .scale = s};
  if (s < kFineGrid) return WithMoments(law);
  law.variance = s * s;
  law.fourth = 3 * std::pow(s, 4);
  return law;
}

inline SymmetricLaw DiscreteLaplaceLaw(LaplaceRate rate) {
  const double fall = static_cast<double>(rate.numerator) / static_cast<double>(rate.denominator);
  const double scale = 1 / fall;
  SymmetricLaw law = {
      .at_least = [fall](double t) { return std::exp(-t * fall) / (1 + std::exp(-fall)); },
      .scale = scale};
  if (scale < kFineGrid) return WithMoments(law);
  law.variance = 2 * scale * scale;
  law.fourth = 24 * std::pow(scale, 4);
  return law;
}

// On a fine grid the discrete law is the rounded one but for 1 / (24 sigma^2).
inline SymmetricLaw DiscreteGaussianLaw(GridSigma sigma) {
  const double s = sigma.value();
  if (s >= kFineGrid) return RoundedGaussianLaw(sigma);
  const double reach = std::ceil(60 * s) + 1;
  std::vector<double> tail(static_cast<std::size_t>(reach) + 2, 0);
  for (std::size_t t = tail.size() - 1; t-- > 1;) {
    tail[t] = tail[t + 1] + std::exp(-0.5 * std::pow(static_cast<double>(t) / s, 2));
  }
  const double total = 1 + 2 * tail[1];
  const auto at_least = [tail, total](double t) {
    const auto place = static_cast<std::size_t>(t);
    return place < tail.size() ? tail[place] / total : 0;
  };
  return WithMoments({.at_least = at_least, .scale = s});
}

}  // namespace dpsql
