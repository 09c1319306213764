#pragma once

// The standard normal distribution in forms without cancellation in its tail. Relative errors are
// a few units in the last place times 1 + x^2. Pure functions; no state, no randomness.
namespace dpsql {

// ln of the density: -x^2/2 - ln(2 pi)/2.
double LogNormalDensity(double x);

// The Mills ratio R(x) = Q(x) / density(x). Requires: x is not NaN and x > -37.
double MillsRatio(double x);

// -R'(x) = 1 - x R(x), without the subtraction where it would cancel. Requires: x > -37.
double MillsDescent(double x);

// Q(x) = P(Z > x), and its logarithm. Requires: x is not NaN. Ensures: LogUpperTail is finite for
// every |x| < 1e150, although UpperTail underflows at x > 38.
double UpperTail(double x);
double LogUpperTail(double x);

// z(q), the inverse of UpperTail. Requires: 0 < q < 1. Ensures: accurate from the smallest double.
double UpperQuantile(double q);

}  // namespace dpsql
