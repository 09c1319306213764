#include "statistical/rate_gap.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "statistical/laws.h"

namespace dpsql {
namespace {

// The chances of all numbers of hits that are not beyond reach, and of as many or more.
class HitLaw {
 public:
  HitLaw(std::int64_t draws, double rate) {
    const auto n = static_cast<double>(draws);
    const double sd = std::sqrt(n * rate * (1 - rate));
    const double reach = 12 * sd + 60;  // chances below 1e-30 are left out
    first_ = static_cast<std::int64_t>(std::max(0.0, std::floor(n * rate - reach)));
    const auto last = static_cast<std::int64_t>(std::min(n, std::ceil(n * rate + reach)));
    for (std::int64_t hits = first_; hits <= last; ++hits) {
      const auto k = static_cast<double>(hits);
      chance_.push_back(std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                                 k * std::log(rate) + (n - k) * std::log1p(-rate)));
    }
    at_least_.resize(chance_.size() + 1, 0);
    for (std::size_t i = chance_.size(); i-- > 0;) at_least_[i] = at_least_[i + 1] + chance_[i];
  }

  std::int64_t first() const { return first_; }
  std::int64_t last() const { return first_ + static_cast<std::int64_t>(chance_.size()) - 1; }
  double Chance(std::int64_t hits) const {
    return chance_[static_cast<std::size_t>(hits - first_)];
  }
  double AtLeast(std::int64_t hits) const {
    if (hits <= first_) return 1;
    const auto place = static_cast<std::size_t>(hits - first_);
    return place < at_least_.size() ? at_least_[place] : 0;
  }

 private:
  std::int64_t first_ = 0;
  std::vector<double> chance_;
  std::vector<double> at_least_;
};

constexpr double kWidestGap = 40;

}  // namespace

RateGap::RateGap(Scale scale, std::int64_t draws) : scale_(scale), draws_(draws) {
  for (std::int64_t hits = 0; hits <= draws; ++hits) {
    stretched_.push_back(Stretch(static_cast<double>(hits) / static_cast<double>(draws)));
  }
}

double RateGap::Stretch(double rate) const {
  const double least = 0.5 / static_cast<double>(draws_);
  const double inside = std::clamp(rate, least, 1 - least);
  return scale_ == Scale::kMu ? -NormalQuantileAbove(inside) : std::log(inside);
}

double RateGap::Estimate(const Hits& hits) const {
  return stretched_.at(static_cast<std::size_t>(hits.with)) -
         stretched_.at(static_cast<std::size_t>(hits.without));
}

double RateGap::ChanceAtLeast(const Rates& rates, double gap) const {
  const HitLaw without(draws_, rates.without);
  const HitLaw with(draws_, rates.with);
  double total = 0;
  for (std::int64_t hits = without.first(); hits <= without.last(); ++hits) {
    const double from = stretched_[static_cast<std::size_t>(hits)];
    const auto reached = std::partition_point(stretched_.begin(), stretched_.end(),
                                              [&](double to) { return to - from < gap; });
    total += without.Chance(hits) * with.AtLeast(reached - stretched_.begin());
  }
  return std::min(1.0, total);
}

double RateGap::ChanceBelow(const Rates& rates, double gap) const {
  return std::max(0.0, 1 - ChanceAtLeast(rates, gap));
}

double RateGap::TooFar(const Rates& rates, double false_alarm) const {
  return WhereReached([&](double gap) { return -ChanceAtLeast(rates, gap); }, -false_alarm,
                      -kWidestGap, kWidestGap);
}

double RateGap::TooNear(const Rates& rates, double false_alarm) const {
  // Estimates are on a lattice: one that lies on the edge is not below it.
  constexpr double kBelow = 1e-9;
  const auto below = [&](double gap) { return ChanceBelow(rates, gap); };
  return WhereReached(below, false_alarm, -kWidestGap, kWidestGap) - kBelow;
}

}  // namespace dpsql
