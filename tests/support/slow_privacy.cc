#include "support/slow_privacy.h"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>

namespace dpsql {
namespace {

using Wide = boost::multiprecision::cpp_bin_float_50;

Wide Tail(const Wide& x) { return erfc(x / sqrt(Wide(2))) / 2; }

Wide Delta(const Wide& epsilon, const Wide& mu) {
  if (mu == 0) return std::max(Wide(0), Wide(1 - exp(epsilon)));
  return Tail(epsilon / mu - mu / 2) - exp(epsilon) * Tail(epsilon / mu + mu / 2);
}

}  // namespace

double SlowUpperTail(double x) { return static_cast<double>(Tail(x)); }

double SlowGaussianDelta(double epsilon, double mu) {
  return static_cast<double>(Delta(epsilon, mu));
}

double SlowJointDelta(const JointDeltaInput& input) {
  const Wide hidden = 1 - Wide(input.shown);
  const Wide sigma = input.sigma_count;
  const Wide mu_statistics = input.mu_statistics;
  Wide worst = 0;
  for (std::int64_t a = 0; a <= input.cells; ++a) {
    const Wide mu = sqrt((input.cells - a) / (sigma * sigma) + mu_statistics * mu_statistics);
    const Wide all_hidden = pow(hidden, a);
    const Wide shift = log(all_hidden);
    const Wide appears = 1 - all_hidden + all_hidden * Delta(input.epsilon - shift, mu);
    worst = std::max({worst, appears, Delta(input.epsilon + shift, mu)});
  }
  return static_cast<double>(worst);
}

}  // namespace dpsql
