#pragma once

#include "privacy/gaussian.h"

namespace dpsql {

// The rule by which a dataset's releases add up, chosen once for its life. Each is a filter: it
// stays valid when the parameters of a query are chosen after earlier answers.
enum class Accountant {
  kGdp,    // sums of mu^2 and of delta_infinity; gdp_filter.h
  kRdp,    // sums of rho = mu^2 / 2 and of delta_infinity; rdp_accountant.h
  kBasic,  // sums of epsilon and of delta; basic_accountant.h
};

// What the owner allows. The caps that follow from it are fixed in advance: the proofs rest on it.
struct Budget {
  EpsilonDelta total;
  Accountant accountant = Accountant::kGdp;
  double threshold_share = 0.1;  // w, of gdp and rdp: the share of delta kept for key selection
  double pure_epsilon = 0;       // of gdp: the part of epsilon kept for releases of pure epsilon
};

}  // namespace dpsql
