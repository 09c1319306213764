#include "statistical/laws.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

namespace dpsql {
namespace {

using boost::math::complement;
using Binomial = boost::math::binomial_distribution<double>;
using Gamma = boost::math::gamma_distribution<double>;

constexpr int kHalvings = 48;

double DeltaOf(double epsilon, double mu) {
  return NormalAbove(epsilon / mu - mu / 2) -
         std::exp(epsilon) * NormalAbove(epsilon / mu + mu / 2);
}

}  // namespace

double NormalAbove(double x) { return std::erfc(x / std::sqrt(2.0)) / 2; }

double NormalQuantileAbove(double chance) {
  return boost::math::quantile(complement(boost::math::normal(), chance));
}

double WhereReached(const std::function<double(double)>& rising, double goal, double low,
                    double high) {
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (rising(middle) < goal ? low : high) = middle;
  }
  return high;
}

double MuOf(double epsilon, double delta) {
  return WhereReached([&](double mu) { return DeltaOf(epsilon, mu); }, delta, 1e-6, 60);
}

double BinomialAtLeast(std::int64_t draws, double chance, std::int64_t hits) {
  if (hits <= 0) return 1;
  if (hits > draws) return 0;
  const Binomial law(static_cast<double>(draws), chance);
  return boost::math::cdf(complement(law, static_cast<double>(hits - 1)));
}

double BinomialAtMost(std::int64_t draws, double chance, std::int64_t hits) {
  if (hits < 0) return 0;
  return BinomialAtLeast(draws, 1 - chance, draws - hits);
}

std::int64_t BinomialTooMany(std::int64_t draws, double chance, double false_alarm) {
  std::int64_t low = 0;
  std::int64_t high = draws + 1;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (BinomialAtLeast(draws, chance, middle) <= false_alarm ? high : low) = middle;
  }
  return high;
}

std::int64_t BinomialTooFew(std::int64_t draws, double chance, double false_alarm) {
  return draws - BinomialTooMany(draws, 1 - chance, false_alarm);
}

double GammaAbove(double shape, double x) { return boost::math::cdf(complement(Gamma(shape), x)); }

double GammaQuantileAbove(double shape, double chance) {
  return boost::math::quantile(complement(Gamma(shape), chance));
}

double LaplaceAtLeast(double x) { return x > 0 ? std::exp(-x) / 2 : 1 - std::exp(x) / 2; }

double RoundedGaussianAtLeast(double sigma, double x) { return NormalAbove((x - 0.5) / sigma); }

double DiscreteLaplaceAtLeast(double rate, double x) {
  if (x >= 1) return std::exp(-rate * x) / (1 + std::exp(-rate));
  return 1 - std::exp(-rate * (1 - x)) / (1 + std::exp(-rate));
}

}  // namespace dpsql
