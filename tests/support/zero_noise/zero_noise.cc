// Noise for tests: none. Linked in place of the product's noise, into test programs only, so that
// an answer can be compared with the exact one. A program that links this is not private.
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include "base/random_source.h"
#include "noise/noise.h"

namespace dpsql {
namespace {

// Said at every start, before anything else.
[[maybe_unused]] const int kWarned = std::fputs("ORACLE: NOT PRIVATE\n", stderr);

class ZeroNoise : public Noise {
 public:
  void Draw(GridSigma, std::span<Int128> out) override { std::fill(out.begin(), out.end(), 0); }

  void DrawLaplace(LaplaceRate, std::span<Int128> out) override {
    std::fill(out.begin(), out.end(), 0);
  }

  // As the threshold is k: every cell that may be shown is.
  std::vector<bool> Toss(std::span<const UInt128> keep) override {
    std::vector<bool> kept;
    for (const UInt128 probability : keep) kept.push_back(probability > 0);
    return kept;
  }

  double StandardDeviation(double) const override { return 0; }

  std::int64_t CountThreshold(std::int64_t, std::int64_t min_frequency) const override {
    return min_frequency;
  }
};

// The same words each time, so that a unit's priorities are the same in every run.
class CountingSource : public RandomSource {
 public:
  void Fill(std::span<std::uint32_t> words) override {
    std::uint32_t next = 0;
    for (std::uint32_t& word : words) word = next++;
  }
};

}  // namespace

std::unique_ptr<Noise> MakeNoise() { return std::make_unique<ZeroNoise>(); }

std::shared_ptr<RandomSource> MakeRandomSource() { return std::make_shared<CountingSource>(); }

}  // namespace dpsql
