#pragma once

#include <cstdint>
#include <vector>

#include "privacy/gaussian.h"

// Privacy loss distributions, for plans that are fixed in advance and for reports.
//
// NOT A FILTER. Composing the distributions of the queries so far and stopping when epsilon(delta)
// passes a budget is not private when a query's parameters may depend on earlier answers: an
// explicit strategy reaches several times the delta that is accounted. Admission is the work of
// gdp_filter.h, rdp_accountant.h or basic_accountant.h; docs/proofs/accountants.md.
//
// Everything is pessimistic: discretisation (connect the dots: Doroshenko et al. 2022), truncation,
// FFT error and rounding are all added to delta.
namespace dpsql {

enum class LossLaw {
  kGaussian,  // parameter: mu = sensitivity / sigma
  kLaplace,   // parameter: epsilon = sensitivity / scale of continuous noise on one number
  kBlackBox,  // parameter: epsilon of any (epsilon, delta)-DP mechanism, delta given below;
              // discrete Laplace noise too: at a sensitivity of one step it is randomised response
};

// `count` mechanisms of one kind. Requires: parameter >= 0 and finite, 0 <= delta < 1, count >= 0.
struct LossStep {
  LossLaw law = LossLaw::kGaussian;
  double parameter = 0;
  double delta = 0;        // the probability of an event that shows everything
  bool one_sided = false;  // key selection: only the database with the unit can show the event
  std::int64_t count = 1;
};

using LossPlan = std::vector<LossStep>;

enum class LossDirection { kAdd, kRemove };

inline constexpr double kLossGrid = 1e-4;

// delta(epsilon) of a whole plan against the addition or the removal of one unit. Built with a tilt
// theta: all errors together are an L1 error of the distribution multiplied by e^(theta loss), so
// that they stay small against delta however small it is.
class LossCurve {
 public:
  // Requires: grid > 0, 0 <= theta, theta * grid <= 1; the distribution spans less than 2^26 cells.
  LossCurve(const LossPlan& plan, double theta, double grid);

  // Requires: epsilon >= 0 and finite. Ensures: rounded up; at most 1; does not rise with epsilon
  // (up to rounding).
  double Delta(double epsilon, LossDirection direction) const;
  double Delta(double epsilon) const;  // the larger of both directions

  // The smallest epsilon >= 0 with Delta(epsilon) <= delta. Requires: 0 < delta < 1.
  // Ensures: rounded up; infinity where no epsilon is enough; tight where theta suits delta.
  double Epsilon(double delta) const;

 private:
  double LogTiltedDelta(double epsilon) const;

  double grid_;
  double theta_;
  std::int64_t lowest_ = 0;     // the index of the first cell: its loss is lowest * grid
  std::vector<double> above_;   // at each cell, the sum over losses above it that delta needs
  std::vector<double> weight_;  // at each cell, its own mass and those above it, weighted e^-loss
  double log_scale_ = 0;
  double error_ = 0;  // L1, tilted
  double events_add_ = 0;
  double events_remove_ = 0;
  double shift_add_ = 0;
};

// The delta of a plan at epsilon, and the epsilon at delta: the larger of both directions.
// Requires: as above. Ensures: rounded up.
double PldDelta(const LossPlan& plan, double epsilon, double grid = kLossGrid);
double PldEpsilon(const LossPlan& plan, double delta, double grid = kLossGrid);

// Whether a plan that is fixed in advance is (epsilon, delta)-DP, and how many more steps like
// `next` it could hold. Requires: as above, 0 < total.delta < 1; `next` is not free of loss.
// Ensures: never more than there is room for; capped at kMostTimes.
inline constexpr std::int64_t kMostTimes = std::int64_t{1} << 20;
bool PldFits(const LossPlan& plan, EpsilonDelta total, double grid = kLossGrid);
std::int64_t PldTimesLeft(const LossPlan& plan, LossStep next, EpsilonDelta total,
                          double grid = kLossGrid);

}  // namespace dpsql
