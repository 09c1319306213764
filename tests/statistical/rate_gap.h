#pragma once

#include <cstdint>
#include <vector>

namespace dpsql {

// How often an event happens in two worlds: in the data without a unit and with it.
struct Rates {
  double without = 0;
  double with = 0;
};

struct Hits {
  std::int64_t without = 0;
  std::int64_t with = 0;
};

// How far apart two rates are: of Gaussian worlds mu, as the distance of their normal quantiles; of
// worlds of pure epsilon the logarithm of their ratio. Probabilities are summed over all outcomes
// of as many draws in each world, so that limits and powers are exact.
class RateGap {
 public:
  enum class Scale { kMu, kEpsilon };

  RateGap(Scale scale, std::int64_t draws);

  // What an attacker reads off the draws.
  double Estimate(const Hits& hits) const;

  // The chance that the estimate is `gap` or more, or less, of draws with these rates.
  double ChanceAtLeast(const Rates& rates, double gap) const;
  double ChanceBelow(const Rates& rates, double gap) const;

  // The gap that `false_alarm` of all runs reach at most, and the one that as many stay below.
  double TooFar(const Rates& rates, double false_alarm) const;
  double TooNear(const Rates& rates, double false_alarm) const;

 private:
  double Stretch(double rate) const;

  Scale scale_;
  std::int64_t draws_;
  std::vector<double> stretched_;  // by the number of hits
};

}  // namespace dpsql
