#include "privacy/mechanism_choice.h"

#include <cmath>
#include <numbers>

#include "base/check.h"
#include "privacy/normal.h"

namespace dpsql {
namespace {

// From here on three terms of the midpoint expansion are within 1e-11.
constexpr double kSmooth = 16;

}  // namespace

double RoundedGaussianMeanAbsolute(double sigma) {
  Check(std::isfinite(sigma) && sigma > 0, "noise has a positive sigma");
  if (sigma >= kSmooth) {
    // The sum below is the midpoint rule of the integral of P(|sigma Z| > x), which is the mean
    // sigma sqrt(2/pi) of the continuous law; Euler and Maclaurin know the difference.
    const double density = std::exp(LogNormalDensity(0));
    const double square = 1 / (sigma * sigma);
    return 2 * density * sigma * (1 - square * (1.0 / 24 + square * 7 / 5760));
  }
  // E|N| is the sum of P(|N| >= t) = 2 Q((t - 1/2) / sigma) over t = 1, 2, ...
  double sum = 0;
  double last = 1;
  for (int t = 1; last > 1e-17 * sum; ++t) {
    last = 2 * UpperTail((t - 0.5) / sigma);
    sum += last;
  }
  return sum;
}

MechanismChoice ChooseMechanism(const MechanismQuestion& question) {
  const auto& [epsilon, delta] = question.asked;
  const auto l1 = static_cast<double>(question.sensitivity.l1);
  const double l2 = std::sqrt(static_cast<double>(question.sensitivity.l2_squared));
  Check(std::isfinite(epsilon) && epsilon > 0 && delta >= 0 && delta < 1, "privacy is asked for");
  Check(question.vectors >= 1 && l1 >= 1 && l2 >= 1, "there is something to noise");
  const double share = 1.0 / question.vectors;
  MechanismChoice choice;
  choice.laplace_error = 1 / std::sinh(epsilon * share / l1);
  choice.gaussian_error = HUGE_VAL;
  if (delta > 0) {
    const double mu = GaussianMu(question.asked) * std::sqrt(share);
    choice.gaussian_error = RoundedGaussianMeanAbsolute(l2 / mu);
  }
  const bool laplace = choice.laplace_error <= choice.gaussian_error;
  choice.better = laplace ? Mechanism::kLaplace : Mechanism::kGaussian;
  return choice;
}

}  // namespace dpsql
