#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "base/random_source.h"
#include "noise/bernoulli.h"
#include "noise/discrete_gaussian.h"
#include "noise/discrete_laplace.h"

namespace dpsql {
namespace {

constexpr std::size_t kDraws = 1 << 16;

// Draws per second on one core with the product's random source. The argument is log2 of the scale
// in grid steps; the rate is not in lowest terms, so that there is something to divide.
void BM_DiscreteLaplace(benchmark::State& state) {
  const auto source = MakeRandomSource();
  std::vector<Int128> draws(kDraws);
  const LaplaceRate rate = {.numerator = 7,
                            .denominator = (std::uint64_t{7} << state.range(0)) + 1};
  for (auto _ : state) {
    DiscreteLaplace(*source).Draw(rate, draws);
    benchmark::DoNotOptimize(draws.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kDraws));
}
BENCHMARK(BM_DiscreteLaplace)->Arg(0)->Arg(3)->Arg(22)->Arg(40)->Arg(60);

void BM_DiscreteGaussian(benchmark::State& state) {
  const auto source = MakeRandomSource();
  std::vector<Int128> draws(kDraws);
  const GridSigma sigma = {.numerator = (std::uint64_t{1} << (state.range(0) + 8)) + 1, .bits = 8};
  for (auto _ : state) {
    DiscreteGaussian(*source).Draw(sigma, draws);
    benchmark::DoNotOptimize(draws.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kDraws));
}
BENCHMARK(BM_DiscreteGaussian)->Arg(0)->Arg(3)->Arg(22)->Arg(44);

void BM_Bernoulli(benchmark::State& state) {
  const auto source = MakeRandomSource();
  const std::vector<UInt128> thresholds(kDraws, (UInt128{1} << 120) / 3);
  for (auto _ : state) {
    benchmark::DoNotOptimize(Bernoulli(*source).Draw(thresholds, 120));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kDraws));
}
BENCHMARK(BM_Bernoulli);

}  // namespace
}  // namespace dpsql
