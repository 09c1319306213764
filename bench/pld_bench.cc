#include <benchmark/benchmark.h>

#include <cstdint>

#include "privacy/pld.h"

namespace dpsql {
namespace {

// A report over queries of which no two are alike.
LossPlan Plan(std::int64_t queries) {
  LossPlan plan;
  for (std::int64_t i = 0; i < queries; ++i) {
    const double parameter = 0.01 + 2e-5 * static_cast<double>(i);
    const LossLaw laws[] = {LossLaw::kLaplace, LossLaw::kBlackBox, LossLaw::kGaussian};
    plan.push_back({.law = laws[i % 3], .parameter = parameter});
  }
  return plan;
}

void BM_PldEpsilonHeterogeneous(benchmark::State& state) {
  const LossPlan plan = Plan(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(PldEpsilon(plan, 1e-6));
}
BENCHMARK(BM_PldEpsilonHeterogeneous)->Arg(10)->Arg(1000)->Unit(benchmark::kMillisecond);

void BM_PldEpsilonHomogeneous(benchmark::State& state) {
  const LossPlan plan = {{.law = LossLaw::kLaplace, .parameter = 0.02, .count = state.range(0)}};
  for (auto _ : state) benchmark::DoNotOptimize(PldEpsilon(plan, 1e-6));
}
BENCHMARK(BM_PldEpsilonHomogeneous)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dpsql
