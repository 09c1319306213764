#include "figure2/ours.h"

#include "privacy/basic_accountant.h"
#include "privacy/fixed_point.h"
#include "privacy/gdp_filter.h"
#include "privacy/rdp_accountant.h"

namespace dpsql {
namespace {

Purses ChargeOf(GaussianCharge query) {
  return {.mu_squared = MuSquaredUp(query.mu_squared),
          .delta = DeltaInfinityUp(query.delta_infinity)};
}

}  // namespace

std::int64_t CapacityBasic(EpsilonDelta budget, EpsilonDelta query) {
  return TimesLeft(BasicCaps(budget), {}, BasicCharge(query));
}

std::int64_t CapacityRdp(EpsilonDelta budget, GaussianCharge query) {
  return TimesLeft(RdpCaps({.total = budget}), {}, ChargeOf(query));
}

std::int64_t CapacityGdp(EpsilonDelta budget, GaussianCharge query) {
  return TimesLeft(GdpCaps({.total = budget}), {}, ChargeOf(query));
}

}  // namespace dpsql
