#include "figure2/dpsql_plus.h"

#include <algorithm>
#include <cmath>

#include "privacy/pld.h"

namespace dpsql {
namespace {

constexpr std::int64_t kMostQueries = 1'000'000;

double MuSquared(const DpsqlPlusQuery& query) {
  return query.aggregates * query.mu_aggregate * query.mu_aggregate +
         query.mu_count * query.mu_count;
}

// The largest count that fits, where every smaller one fits too.
template <typename Fits>
std::int64_t Largest(const Fits& fits) {
  std::int64_t outside = 1;
  while (outside < kMostQueries && fits(outside)) outside *= 2;
  std::int64_t inside = outside / 2;
  while (outside - inside > 1) {
    const std::int64_t middle = inside + (outside - inside) / 2;
    (fits(middle) ? inside : outside) = middle;
  }
  return inside;
}

double RdpEpsilon(double rho, double delta_left) {
  if (delta_left <= 0) return HUGE_VAL;
  return rho + 2 * std::sqrt(rho * std::log(1 / delta_left));
}

// How often a part is in the whole, where a ratio that is whole may come out a little below.
std::int64_t TimesIn(double whole, double part) {
  return static_cast<std::int64_t>(std::floor(whole / part * (1 + 1e-12)));
}

}  // namespace

DpsqlPlusQuery DpsqlPlusNoise(EpsilonDelta asked, int aggregates) {
  const double parts = aggregates + 1;
  const EpsilonDelta part = {asked.epsilon / parts, asked.delta / parts};
  return {.aggregates = aggregates,
          .mu_aggregate = GaussianMu(part),
          .mu_count = GaussianMu({part.epsilon, part.delta / 2}),
          .delta_infinity = part.delta / 2};
}

std::int64_t DpsqlPlusBasic(const DpsqlPlusSession& session) {
  return std::min(TimesIn(session.budget.epsilon, session.asked.epsilon),
                  TimesIn(session.budget.delta, session.asked.delta));
}

std::int64_t DpsqlPlusRdp(const DpsqlPlusSession& session) {
  const DpsqlPlusQuery query = DpsqlPlusNoise(session.asked, session.aggregates);
  const double rho = 0.5 * MuSquared(query);
  const std::int64_t leaks = std::llround(session.budget.delta / session.asked.delta) * 2 *
                             (session.aggregates + 1);  // that make up the whole delta
  return Largest([&](std::int64_t count) {
    const double share_left = static_cast<double>(leaks - count) / static_cast<double>(leaks);
    const double total = rho * static_cast<double>(count);
    return RdpEpsilon(total, session.budget.delta * share_left) <= session.budget.epsilon;
  });
}

std::int64_t DpsqlPlusRdpInDoubles(const DpsqlPlusSession& session) {
  const DpsqlPlusQuery query = DpsqlPlusNoise(session.asked, session.aggregates);
  const double hidden = 1 - query.delta_infinity;
  double rho = 0;
  double leaked = 0;
  for (std::int64_t count = 0;; ++count) {
    rho += 0.5 * MuSquared(query);
    leaked += 1 - hidden;
    if (RdpEpsilon(rho, session.budget.delta - leaked) > session.budget.epsilon) return count;
  }
}

std::int64_t DpsqlPlusPld(const DpsqlPlusSession& session) {
  const DpsqlPlusQuery query = DpsqlPlusNoise(session.asked, session.aggregates);
  const LossStep step = {.law = LossLaw::kGaussian,
                         .parameter = std::sqrt(MuSquared(query)),
                         .delta = query.delta_infinity};
  return PldTimesLeft({}, step, session.budget);
}

}  // namespace dpsql
