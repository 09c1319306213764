#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace dpsql {

struct Trials {
  std::int64_t draws = 0;
  std::int64_t hits = 0;
};

// P(X <= hits) of X binomial with this chance, by its terms. Accurate to 1e-9 relative for some
// hundred thousand draws, which is all that the tests need.
// Requires: 0 < chance < 1, 0 <= hits <= draws.
inline double ChanceOfAtMost(const Trials& trials, double chance) {
  const auto n = static_cast<double>(trials.draws);
  double sum = 0;
  for (std::int64_t i = 0; i <= trials.hits; ++i) {
    const auto k = static_cast<double>(i);
    sum += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                    k * std::log(chance) + (n - k) * std::log1p(-chance));
  }
  return std::min(1.0, sum);
}

// P(X >= hits): as many misses or fewer.
inline double ChanceOfAtLeast(const Trials& trials, double chance) {
  return ChanceOfAtMost({.draws = trials.draws, .hits = trials.draws - trials.hits}, 1 - chance);
}

}  // namespace dpsql
