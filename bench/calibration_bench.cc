#include <benchmark/benchmark.h>

#include "privacy/door_calibration.h"
#include "privacy/fixed_point.h"
#include "privacy/gdp_filter.h"

namespace dpsql {
namespace {

// The price of pricing: it is part of the time in which a query is parsed, bound and planned.
void BM_CalibrateDoor(benchmark::State& state) {
  const DoorTarget target = {.asked = {0.1, 1e-7},
                             .selects_keys = true,
                             .cells = state.range(0),
                             .delta_infinity = 1e-11,
                             .min_frequency = 10,
                             .statistics = 2};
  for (auto _ : state) benchmark::DoNotOptimize(CalibrateDoor(target));
}
BENCHMARK(BM_CalibrateDoor)->Arg(1)->Arg(10)->Arg(1000)->Arg(1000000);

// The leak may be nearly all of delta: then key selection decides and mu is searched for.
void BM_CalibrateDoorWithLargeLeak(benchmark::State& state) {
  const DoorTarget target = {.asked = {0.1, 1e-7},
                             .selects_keys = true,
                             .cells = state.range(0),
                             .delta_infinity = 0.9999e-7,
                             .min_frequency = 10,
                             .statistics = 2};
  for (auto _ : state) benchmark::DoNotOptimize(CalibrateDoor(target));
}
BENCHMARK(BM_CalibrateDoorWithLargeLeak)->Arg(1)->Arg(10)->Arg(1000);

void BM_GaussianMu(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(GaussianMu({0.1, 1e-7}));
}
BENCHMARK(BM_GaussianMu);

void BM_GdpEpsilonLeft(benchmark::State& state) {
  const Budget budget = {.total = {4, 1e-6}};
  const Purses caps = GdpCaps(budget);
  for (auto _ : state) {
    benchmark::DoNotOptimize(GdpEpsilonLeft(budget, caps, {.mu_squared = caps.mu_squared / 3}));
  }
}
BENCHMARK(BM_GdpEpsilonLeft);

void BM_MuSquaredCharge(benchmark::State& state) {
  const GridSigma sigma = RoundSigmaUp(12345.678);
  for (auto _ : state) benchmark::DoNotOptimize(MuSquaredCharge(1 << 30, sigma));
}
BENCHMARK(BM_MuSquaredCharge);

}  // namespace
}  // namespace dpsql
