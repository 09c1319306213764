#include <memory>
#include <utility>

#include "base/random_source.h"
#include "noise/noise.h"
#include "noise/rounded_gaussian.h"

namespace dpsql {
namespace {

class GaussianNoise : public Noise {
 public:
  explicit GaussianNoise(std::shared_ptr<RandomSource> random)
      : random_(std::move(random)), gaussian_(*random_) {}

  void Draw(GridSigma sigma, std::span<Int128> out) override { gaussian_.Draw(sigma, out); }

  double StandardDeviation(GridSigma sigma) const override { return sigma.value(); }

  std::int64_t CountThreshold(std::int64_t tau, std::int64_t) const override { return tau; }

 private:
  std::shared_ptr<RandomSource> random_;
  RoundedGaussian gaussian_;
};

}  // namespace

std::unique_ptr<Noise> MakeNoise() { return std::make_unique<GaussianNoise>(MakeRandomSource()); }

}  // namespace dpsql
