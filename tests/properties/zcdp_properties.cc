#include <algorithm>

#include "privacy/rdp_accountant.h"
#include "properties/oracle.h"
#include "properties/property.h"

namespace dpsql {
namespace {

constexpr double kClose = 1e-9;

double AnyDelta(Draws& draws) {
  return draws.OneIn(3) ? draws.LogUniform(1e-300, 1e-20) : draws.LogUniform(1e-20, 0.9);
}

double AnyEpsilon(Draws& draws) { return draws.OneIn(16) ? 0 : draws.LogUniform(1e-6, 1e3); }

bool LogDelta(Draws& draws) {
  const double epsilon = AnyEpsilon(draws);
  const double rho =
      draws.OneIn(8) ? draws.LogUniform(1e-140, 1e-12) : draws.LogUniform(1e-12, 1e3);
  const double ours = LogZcdpDelta(epsilon, rho);
  const Real exact = OracleLogZcdpDelta(epsilon, rho);
  Expect(ours >= exact, "ln delta of zCDP is rounded up", {epsilon, rho, ours});
  Expect(ours <= exact + kClose * std::max(Real(1), abs(exact)), "ln delta of zCDP is close",
         {epsilon, rho, ours});
  return true;
}

void ExpectJustBelow(const Real& achieved, double delta, std::initializer_list<double> inputs) {
  const Real asked = log(Real(delta));
  Expect(achieved <= asked, "delta is kept", inputs);
  Expect(achieved >= asked - kClose, "delta is used up", inputs);
}

bool Rho(Draws& draws) {
  const double epsilon = AnyEpsilon(draws);
  const double delta = AnyDelta(draws);
  const double rho = ZcdpRho({epsilon, delta});
  if (rho == 0) return false;
  ExpectJustBelow(OracleLogZcdpDelta(epsilon, rho), delta, {epsilon, delta, rho});
  return true;
}

bool Epsilon(Draws& draws) {
  const double rho = draws.LogUniform(1e-12, 1e3);
  const double delta = AnyDelta(draws);
  const double epsilon = ZcdpEpsilon(delta, rho);
  const Real achieved = OracleLogZcdpDelta(epsilon, rho);
  if (epsilon == 0) {
    Expect(achieved <= log(Real(delta)), "delta is kept at 0", {delta, rho});
    return draws.OneIn(4);
  }
  ExpectJustBelow(achieved, delta, {delta, rho, epsilon});
  return true;
}

constexpr Property kProperties[] = {
    {"log_zcdp_delta", LogDelta}, {"zcdp_rho", Rho}, {"zcdp_epsilon", Epsilon}};

}  // namespace

std::span<const Property> ZcdpProperties() { return kProperties; }

}  // namespace dpsql
