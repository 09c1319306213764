// Prints our epsilon of each workload on standard input, for pld_against_dp_accounting.py.
// A line is `delta grid` and then steps `law parameter delta count`, law being one of g, l, b.

#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

#include "privacy/pld.h"

namespace {

dpsql::LossLaw LawOf(char letter) {
  if (letter == 'g') return dpsql::LossLaw::kGaussian;
  return letter == 'l' ? dpsql::LossLaw::kLaplace : dpsql::LossLaw::kBlackBox;
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    double delta = 0;
    double grid = 0;
    words >> delta >> grid;
    dpsql::LossPlan plan;
    char letter = 0;
    dpsql::LossStep step;
    while (words >> letter >> step.parameter >> step.delta >> step.count) {
      step.law = LawOf(letter);
      plan.push_back(step);
    }
    std::printf("%.17g\n", dpsql::PldEpsilon(plan, delta, grid));
  }
  return 0;
}
