#include <memory>
#include <utility>

#include "base/random_source.h"
#include "noise/bernoulli.h"
#include "noise/discrete_laplace.h"
#include "noise/noise.h"
#include "noise/rounded_gaussian.h"
#include "privacy/truncated_geometric.h"

namespace dpsql {
namespace {

class ProductionNoise : public Noise {
 public:
  explicit ProductionNoise(std::shared_ptr<RandomSource> random)
      : random_(std::move(random)), gaussian_(*random_), laplace_(*random_), coins_(*random_) {}

  void Draw(GridSigma sigma, std::span<Int128> out) override { gaussian_.Draw(sigma, out); }

  void DrawLaplace(LaplaceRate rate, std::span<Int128> out) override { laplace_.Draw(rate, out); }

  std::vector<bool> Toss(std::span<const UInt128> keep) override {
    return coins_.Draw(keep, kKeepBits);
  }

  double StandardDeviation(double sd) const override { return sd; }

  std::int64_t CountThreshold(std::int64_t tau, std::int64_t) const override { return tau; }

 private:
  std::shared_ptr<RandomSource> random_;
  RoundedGaussian gaussian_;
  DiscreteLaplace laplace_;
  Bernoulli coins_;
};

}  // namespace

std::unique_ptr<Noise> MakeNoise() { return std::make_unique<ProductionNoise>(MakeRandomSource()); }

}  // namespace dpsql
