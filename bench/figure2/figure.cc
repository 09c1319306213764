#include "figure2/figure.h"

#include <cstdio>
#include <functional>
#include <utility>

#include "figure2/dpsql_plus.h"
#include "figure2/ours.h"
#include "privacy/door_calibration.h"
#include "privacy/normal.h"
#include "privacy/threshold.h"

namespace dpsql {
namespace {

// As the planner.
double DeltaInfinity(std::size_t budget) { return kDeltaInfinityShare * kBudgets.at(budget).delta; }

// What one query takes from our purses, and the noise it has for that.
struct Priced {
  GaussianCharge charge;
  QueryNoise noise;
};

Priced AtNoiseOfDpsqlPlus(const Column& column) {
  const DpsqlPlusQuery query = DpsqlPlusNoise(kAsked, column.aggregates);
  Priced priced;
  priced.charge.mu_squared = column.aggregates * query.mu_aggregate * query.mu_aggregate;
  priced.noise.sigma_aggregate = 1 / query.mu_aggregate;
  if (!column.grouped) return priced;
  const ThresholdTarget target = {.sigma = RoundSigmaUp(1 / query.mu_count),
                                  .delta_infinity = DeltaInfinity(column.budget)};
  const std::int64_t tau = NoisyThreshold(target);
  priced.charge.mu_squared += query.mu_count * query.mu_count;
  priced.charge.delta_infinity = AchievedDeltaInfinity(target, tau);
  priced.noise.sigma_count = target.sigma.value();
  priced.noise.tau_above_k = static_cast<double>(tau - target.min_frequency);
  return priced;
}

Priced AtTightNoise(const Column& column) {
  const DoorTarget target = {.asked = kAsked,
                             .selects_keys = column.grouped,
                             .delta_infinity = column.grouped ? DeltaInfinity(column.budget) : 0,
                             .statistics = column.aggregates};
  const DoorCalibration door = CalibrateDoor(target);
  Priced priced;
  priced.charge.mu_squared = column.aggregates * door.mu_statistic * door.mu_statistic;
  priced.noise.sigma_aggregate = 1 / door.mu_statistic;
  if (!column.grouped) return priced;
  const double sigma = door.sigma_count.value();
  priced.charge.mu_squared += 1 / (sigma * sigma);
  priced.charge.delta_infinity = door.delta_infinity;
  priced.noise.sigma_count = sigma;
  priced.noise.tau_above_k = static_cast<double>(door.tau - target.min_frequency);
  return priced;
}

Series SeriesOf(std::string name, bool tight, const std::function<Count(const Column&)>& count) {
  Series series = {.name = std::move(name), .tight = tight};
  for (const Column& column : Columns()) series.counts.push_back(count(column));
  return series;
}

Count Exactly(std::int64_t queries) { return {.queries = queries, .in_doubles = queries}; }

DpsqlPlusSession SessionOf(const Column& column) {
  return {.asked = kAsked, .budget = kBudgets.at(column.budget), .aggregates = column.aggregates};
}

Series Ours(std::string name, bool tight, std::int64_t (*capacity)(EpsilonDelta, GaussianCharge)) {
  return SeriesOf(std::move(name), tight, [&](const Column& column) {
    const Priced priced = tight ? AtTightNoise(column) : AtNoiseOfDpsqlPlus(column);
    return Exactly(capacity(kBudgets.at(column.budget), priced.charge));
  });
}

NoiseSeries NoisesOf(std::string name, const std::function<QueryNoise(int)>& noise) {
  NoiseSeries series = {.name = std::move(name)};
  for (int n = 1; n <= kMostAggregates; ++n) series.noises.push_back(noise(n));
  return series;
}

}  // namespace

std::string NameOf(EpsilonDelta pair) {
  char text[64];
  std::snprintf(text, sizeof text, "(%g, %g)", pair.epsilon, pair.delta);
  return text;
}

std::vector<Column> Columns() {
  std::vector<Column> columns;
  for (std::size_t budget = 0; budget < kBudgets.size(); ++budget) {
    for (const bool grouped : {false, true}) {
      for (int n = 1; n <= kMostAggregates; ++n) columns.push_back({budget, grouped, n});
    }
  }
  return columns;
}

std::vector<Series> ComputeSeries() {
  return {
      SeriesOf("DPSQL+ basic", false,
               [](const Column& column) { return Exactly(DpsqlPlusBasic(SessionOf(column))); }),
      SeriesOf("DPSQL+ RDP", false,
               [](const Column& column) {
                 const DpsqlPlusSession session = SessionOf(column);
                 return Count{DpsqlPlusRdp(session), DpsqlPlusRdpInDoubles(session)};
               }),
      SeriesOf("DPSQL+ PLD", false,
               [](const Column& column) { return Exactly(DpsqlPlusPld(SessionOf(column))); }),
      Ours("ours rdp", false, CapacityRdp),
      Ours("ours gdp", false, CapacityGdp),
      SeriesOf("ours basic", true,
               [](const Column& column) {
                 return Exactly(CapacityBasic(kBudgets.at(column.budget), kAsked));
               }),
      Ours("ours rdp", true, CapacityRdp),
      Ours("ours gdp", true, CapacityGdp),
  };
}

std::vector<NoiseSeries> ComputeNoises() {
  const auto published = [](int n) {
    const DpsqlPlusQuery query = DpsqlPlusNoise(kAsked, n);
    const double sigma = 1 / query.mu_count;
    return QueryNoise{1 / query.mu_aggregate, sigma, sigma * UpperQuantile(query.delta_infinity)};
  };
  std::vector<NoiseSeries> all = {NoisesOf("DPSQL+", published),
                                  NoisesOf("ours, its noise, scalar",
                                           [](int n) {
                                             return AtNoiseOfDpsqlPlus({0, false, n}).noise;
                                           }),
                                  NoisesOf("ours, tight, scalar", [](int n) {
                                    return AtTightNoise({0, false, n}).noise;
                                  })};
  for (std::size_t budget = 0; budget < kBudgets.size(); ++budget) {
    const std::string where = ", grouped " + NameOf(kBudgets.at(budget));
    all.push_back(NoisesOf("ours, its noise" + where, [&](int n) {
      return AtNoiseOfDpsqlPlus({budget, true, n}).noise;
    }));
    all.push_back(NoisesOf("ours, tight" + where, [&](int n) {
      return AtTightNoise({budget, true, n}).noise;
    }));
  }
  return all;
}

}  // namespace dpsql
