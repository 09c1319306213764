#pragma once

#include <cstdint>
#include <functional>

// The laws that the audits compare with, none of them shared with the product.
namespace dpsql {

// P(Z > x) and its inverse.
double NormalAbove(double x);
double NormalQuantileAbove(double chance);

// The largest mu for which a mu-GDP release is (epsilon, delta)-DP.
double MuOf(double epsilon, double delta);

// P(X >= hits) and P(X <= hits) of X binomial.
double BinomialAtLeast(std::int64_t draws, double chance, std::int64_t hits);
double BinomialAtMost(std::int64_t draws, double chance, std::int64_t hits);

// The least number of hits that `false_alarm` or less of all runs reach, and the largest number
// that no more than this stay at or below; -1 where there is none.
std::int64_t BinomialTooMany(std::int64_t draws, double chance, double false_alarm);
std::int64_t BinomialTooFew(std::int64_t draws, double chance, double false_alarm);

// P(X > x) of X with a gamma law of scale 1, and the x that a share of `chance` exceeds.
double GammaAbove(double shape, double x);
double GammaQuantileAbove(double shape, double chance);

// The x in [low, high] where a rising function passes the goal.
double WhereReached(const std::function<double(double)>& rising, double goal, double low,
                    double high);

// Continuous Laplace of scale 1, and the laws on whole numbers: P(X >= x).
double LaplaceAtLeast(double x);
double RoundedGaussianAtLeast(double sigma, double x);
double DiscreteLaplaceAtLeast(double rate, double x);

}  // namespace dpsql
