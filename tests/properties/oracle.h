#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cstdint>

// The mathematics of src/privacy once more, from the textbook, with fifty digits. It shares no code
// with the product. What it is told is exact: a double is the number it stands for.
namespace dpsql {

using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>,
                                           boost::multiprecision::et_off>;

// Q(x) = P(Z > x), ln Q(x), and P(|Z| <= z) without cancellation at small z >= 0.
Real OracleTail(const Real& x);
Real OracleLogTail(const Real& x);
Real OracleCentre(const Real& z);

// The Mills ratio Q / density. Requires: x > -60.
Real OracleMills(const Real& x);

// ln of Phi(-epsilon/mu + mu/2) - e^epsilon Phi(-epsilon/mu - mu/2). Requires: mu > 0.
Real OracleLogDelta(const Real& epsilon, const Real& mu);

// 1 - (1 - q)^n, and the q it is undone by.
Real OracleAny(const Real& q, std::int64_t n);
Real OracleCellLeak(const Real& any, std::int64_t n);

struct OracleDoor {
  Real epsilon;
  std::int64_t cells = 1;
  Real sigma;
  Real shown;
  Real mu_statistics;
};

// The joint delta of key selection and statistics: the maximum over every a.
Real OracleJointDelta(const OracleDoor& door);

// ln of the least delta of rho-zCDP at epsilon (Canonne, Kamath & Steinke 2020).
Real OracleLogZcdpDelta(double epsilon, double rho);

}  // namespace dpsql
