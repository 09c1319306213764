#include "properties/oracle.h"

#include <algorithm>
#include <array>
#include <boost/math/special_functions/expm1.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <cmath>
#include <vector>

namespace dpsql {
namespace {

using Wide = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<160>,
                                           boost::multiprecision::et_off>;

const Real& HalfLogTwoPi() {
  static const Real value = log(2 * boost::math::constants::pi<Real>()) / 2;
  return value;
}

// Below this a Taylor series about the nearest node is used, above it the continued fraction.
constexpr int kFractionFrom = 6;
constexpr int kNodesPerUnit = 8;
constexpr int kTerms = 36;

using Node = std::array<Real, kTerms>;

// R = sqrt(pi/2) e^(x^2/2) - sum x^(2k+1) / (1 3 5 ... (2k+1)), all terms positive but one.
Wide MillsBySeries(const Wide& x) {
  Wide term = x;
  Wide sum = term;
  for (int k = 1; term > sum * Wide(1e-158); ++k) {
    term *= x * x / (2 * k + 1);
    sum += term;
  }
  return sqrt(boost::math::constants::half_pi<Wide>()) * exp(x * x / 2) - sum;
}

// The Taylor coefficients of R at x, from R' = x R - 1. The recurrence loses digits, of which there
// are 160 here.
Node NodeAt(const Wide& x) {
  std::array<Wide, kTerms> c;
  c[0] = MillsBySeries(x);
  c[1] = x * c[0] - 1;
  for (int n = 1; n + 1 < kTerms; ++n) c[n + 1] = (x * c[n] + c[n - 1]) / (n + 1);
  Node node;
  std::transform(c.begin(), c.end(), node.begin(), [](const Wide& v) { return Real(v); });
  return node;
}

std::vector<Node> MakeNodes() {
  std::vector<Node> nodes;
  for (int i = 0; i <= kFractionFrom * kNodesPerUnit; ++i) {
    nodes.push_back(NodeAt(Wide(i) / kNodesPerUnit));
  }
  return nodes;
}

Real MillsByTaylor(const Real& x) {
  static const std::vector<Node> nodes = MakeNodes();
  const auto place = static_cast<std::size_t>(std::lround(static_cast<double>(x) * kNodesPerUnit));
  const Real offset = x - Real(place) / kNodesPerUnit;
  const Node& c = nodes[place];
  Real sum = c[kTerms - 1];
  for (int n = kTerms - 2; n >= 0; --n) sum = sum * offset + c[static_cast<std::size_t>(n)];
  return sum;
}

// R = 1/(x + 1/(x + 2/(x + 3/(x + ...)))), as a quotient of two solutions of one recurrence.
Real MillsByFraction(const Real& x) {
  const double rough = 65 / static_cast<double>(x);
  const int terms = 8 + static_cast<int>(rough * rough / 2);
  Real above_before = 0;
  Real above = 1;
  Real below_before = 1;
  Real below = x;
  for (int n = 1; n < terms; ++n) {
    const Real next_above = x * above + n * above_before;
    const Real next_below = x * below + n * below_before;
    above_before = above;
    below_before = below;
    above = next_above;
    below = next_below;
  }
  return above / below;
}

Real MillsOfPositive(const Real& x) {
  return x < kFractionFrom ? MillsByTaylor(x) : MillsByFraction(x);
}

Real LogDensity(const Real& x) { return -x * x / 2 - HalfLogTwoPi(); }

// R(c - h) - R(c + h) for tiny h, by the odd derivatives of R at c.
Real SmallDrop(const Real& c, const Real& h) {
  std::array<Real, 8> d;
  d[0] = MillsOfPositive(c);
  d[1] = c * d[0] - 1;
  for (int n = 1; n < 7; ++n) d[n + 1] = c * d[n] + n * d[n - 1];
  const Real square = h * h;
  return -2 * h * (d[1] + square / 6 * (d[3] + square / 20 * (d[5] + square / 42 * d[7])));
}

Real Log1p(const Real& x) { return boost::math::log1p(x); }
Real Expm1(const Real& x) { return boost::math::expm1(x); }

}  // namespace

Real OracleTail(const Real& x) {
  if (x < 0) return 1 - OracleTail(-x);
  return exp(LogDensity(x)) * MillsOfPositive(x);
}

Real OracleLogTail(const Real& x) {
  if (x < 0) return Log1p(-OracleTail(-x));
  return LogDensity(x) + log(MillsOfPositive(x));
}

Real OracleMills(const Real& x) {
  if (x >= 0) return MillsOfPositive(x);
  return OracleTail(x) / exp(LogDensity(x));
}

Real OracleCentre(const Real& z) {
  if (z > Real(1e-6)) return 1 - 2 * OracleTail(z);
  const Real square = z * z;
  const Real series = 1 - square / 6 * (1 - square * 3 / 20 * (1 - square * 5 / 42));
  return 2 * z * exp(-HalfLogTwoPi()) * series;
}

Real OracleLogDelta(const Real& epsilon, const Real& mu) {
  if (epsilon < 0) {
    // Far out the mirrored delta is below e^-500000.
    if (-epsilon > 1000 * mu && -epsilon / mu > mu) return log(-Expm1(epsilon));
    return log(-Expm1(epsilon) + exp(epsilon + OracleLogDelta(-epsilon, mu)));
  }
  const Real centre = epsilon / mu;
  const Real a = centre - mu / 2;
  const Real b = centre + mu / 2;
  if (mu * (1 + centre) < Real(1e-5)) return LogDensity(a) + log(SmallDrop(centre, mu / 2));
  if (a >= 0) return LogDensity(a) + log(MillsOfPositive(a) - MillsOfPositive(b));
  return log(OracleTail(a) - exp(LogDensity(a)) * MillsOfPositive(b));
}

Real OracleAny(const Real& q, std::int64_t n) {
  if (n == 1 || q >= 1) return q;
  return -Expm1(n * Log1p(-q));
}

Real OracleCellLeak(const Real& any, std::int64_t n) {
  return n == 1 ? any : Real(-Expm1(Log1p(-any) / n));
}

Real OracleJointDelta(const OracleDoor& door) {
  Real worst = 0;
  const Real log_hidden = Log1p(-door.shown);
  for (std::int64_t a = 0; a <= door.cells; ++a) {
    const Real count = (door.cells - a) / (door.sigma * door.sigma);
    const Real mu = sqrt(count + door.mu_statistics * door.mu_statistics);
    const Real shift = a * log_hidden;
    const Real leak = a == 0 ? Real(0) : Real(-Expm1(shift));
    if (mu == 0) {
      worst = std::max({worst, leak, Real(-Expm1(door.epsilon + shift))});
      continue;
    }
    const Real appears = leak + exp(shift + OracleLogDelta(door.epsilon - shift, mu));
    worst = std::max(worst, appears);
    if (a == 0) continue;
    worst = std::max(worst, Real(exp(OracleLogDelta(door.epsilon + shift, mu))));
  }
  return worst;
}

Real OracleLogZcdpDelta(double epsilon, double rho) {
  // The derivative in x = alpha - 1 rises; its root by bisection over orders of magnitude, and then
  // polished. The infimum is flat there.
  const auto slope = [&](long double x) { return (2 * x + 1) * rho - epsilon - std::log1p(1 / x); };
  long double low = -2000;
  long double high = 2000;
  for (int i = 0; i < 75; ++i) {
    const long double middle = (low + high) / 2;
    (slope(std::exp2(middle)) > 0 ? high : low) = middle;
  }
  Real x = Real(std::exp2(low));
  const Real entropy = Log1p(1 / x);
  x -= ((2 * x + 1) * rho - epsilon - entropy) / (2 * Real(rho) + 1 / (x * (x + 1)));
  const Real exponent = x * (x + 1) * rho - x * epsilon - (x + 1) * Log1p(1 / x) - log(x);
  return std::min(Real(0), exponent);
}

}  // namespace dpsql
