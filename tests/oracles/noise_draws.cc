// Prints draws of the product's samplers, one a line, for noise_against_opendp.py. A line of
// standard input is `law a b count`: `laplace n d count` for the rate n / d, `gaussian` and
// `rounded` with sigma = a / 2^b.

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "base/random_source.h"
#include "noise/discrete_gaussian.h"
#include "noise/discrete_laplace.h"
#include "noise/rounded_gaussian.h"

namespace {

void Draw(const std::string& law, std::uint64_t a, std::uint64_t b,
          std::vector<dpsql::Int128>& out) {
  const auto random = dpsql::MakeRandomSource();
  const dpsql::GridSigma sigma = {.numerator = a, .bits = static_cast<unsigned>(b)};
  if (law == "laplace") {
    dpsql::DiscreteLaplace(*random).Draw({.numerator = a, .denominator = b}, out);
  } else if (law == "gaussian") {
    dpsql::DiscreteGaussian(*random).Draw(sigma, out);
  } else {
    dpsql::RoundedGaussian(*random).Draw(sigma, out);
  }
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string law;
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    std::size_t count = 0;
    if (!(words >> law >> a >> b >> count)) return 1;
    std::vector<dpsql::Int128> draws(count);
    Draw(law, a, b, draws);
    for (const dpsql::Int128 draw : draws) std::puts(dpsql::ToString(draw).c_str());
  }
  return 0;
}
