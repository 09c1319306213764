#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "base/random_source.h"
#include "noise/rounded_gaussian.h"

namespace dpsql {
namespace {

// Draws per second on one core with the product's random source; nothing is left out. The second
// argument is log2 of sigma in grid steps: a finer grid needs more random digits.
void BM_RoundedGaussian(benchmark::State& state) {
  const auto source = MakeRandomSource();
  RoundedGaussian noise(*source);
  std::vector<Int128> draws(static_cast<std::size_t>(state.range(0)));
  const GridSigma sigma = {.numerator = (std::uint64_t{1} << (state.range(1) + 8)) + 1, .bits = 8};
  for (auto _ : state) {
    noise.Draw(sigma, draws);
    benchmark::DoNotOptimize(draws.data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_RoundedGaussian)->ArgsProduct({{1, 16, 1 << 16}, {3, 22, 44}});

// The noise of a large answer: a million cells of three statistics, on one core.
void BM_MillionCellsOfThreeStatistics(benchmark::State& state) {
  const auto source = MakeRandomSource();
  RoundedGaussian noise(*source);
  std::vector<Int128> draws(3'000'000);
  for (auto _ : state) {
    noise.Draw({.numerator = (std::uint64_t{1} << 30) + 1, .bits = 8}, draws);
    benchmark::DoNotOptimize(draws.data());
  }
  state.SetItemsProcessed(state.iterations() * 3'000'000);
}
BENCHMARK(BM_MillionCellsOfThreeStatistics)->Unit(benchmark::kMillisecond);

// What the random words alone cost.
void BM_RandomWords(benchmark::State& state) {
  const auto source = MakeRandomSource();
  std::vector<std::uint32_t> words(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    source->Fill(words);
    benchmark::DoNotOptimize(words.data());
  }
  state.SetBytesProcessed(state.iterations() * state.range(0) * 4);
}
BENCHMARK(BM_RandomWords)->Arg(2)->Arg(64)->Arg(1024)->Arg(4096);

}  // namespace
}  // namespace dpsql
