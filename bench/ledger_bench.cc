// How long a paid question waits for the disk: one Reserve, and a whole Reserve + Store.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "account/ledger.h"
#include "base/random_source.h"

namespace dpsql {
namespace {

class ZeroRandom : public RandomSource {
 public:
  void Fill(std::span<std::uint32_t> words) override {
    for (std::uint32_t& word : words) word = 0;
  }
};

// A ledger in a directory of its own, gone at the end.
class ScratchLedger {
 public:
  ScratchLedger() : directory_(MakeDirectory()), ledger_(Open(directory_ + "/ledger")) {}
  ScratchLedger(const ScratchLedger&) = delete;
  ScratchLedger& operator=(const ScratchLedger&) = delete;
  ~ScratchLedger() { std::filesystem::remove_all(directory_); }

  Ledger& operator*() { return ledger_; }

 private:
  static std::string MakeDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "dpsql-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    return name;
  }

  static Ledger Open(const std::string& path) {
    return std::move(Ledger::Open({.path = path,
                                   .terms = {.dataset = "bench",
                                             .budget = {.total = {.epsilon = 4.0, .delta = 1e-6}},
                                             .aborts_allowed = 1'000'000'000},
                                   .analyst = "bench",
                                   .random = std::make_shared<ZeroRandom>()}))
        .value();
  }

  std::string directory_;
  Ledger ledger_;
};

Cost SmallCost() {
  return {.by_mechanism = {.mu_squared = 1, .delta = 1},
          .by_claim = {.delta = 1, .epsilon = 1},
          .asked = {.epsilon = 0.1, .delta = 1e-7},
          .doors = 1,
          .plan_digest = std::string(64, 'a'),
          .storable = true};
}

Answer SmallAnswer() {
  Answer answer;
  answer.columns = {
      {.name = "n", .type = "BIGINT", .role = ColumnRole::kEstimate, .mechanism = "gaussian"}};
  answer.rows = {{std::int64_t{30012}}};
  answer.intervals = {{NoiseInterval{.low = 29990, .high = 30034}}};
  return answer;
}

void BM_Reserve(benchmark::State& state) {
  ScratchLedger ledger;
  for (auto _ : state) benchmark::DoNotOptimize((*ledger).Reserve(SmallCost()).ok());
}
BENCHMARK(BM_Reserve)->UseRealTime()->Unit(benchmark::kMicrosecond);

void BM_ReserveAndStore(benchmark::State& state) {
  ScratchLedger ledger;
  for (auto _ : state) {
    Reservation paid = std::move((*ledger).Reserve(SmallCost())).value();
    benchmark::DoNotOptimize((*ledger).Store(std::move(paid), SmallAnswer()).ok());
  }
}
BENCHMARK(BM_ReserveAndStore)->UseRealTime()->Unit(benchmark::kMicrosecond);

void BM_Remaining(benchmark::State& state) {
  ScratchLedger ledger;
  for (auto _ : state) benchmark::DoNotOptimize((*ledger).RemainingFor(SmallCost()).ok());
}
BENCHMARK(BM_Remaining)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace dpsql

BENCHMARK_MAIN();
