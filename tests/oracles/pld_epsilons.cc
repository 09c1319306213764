// Prints our epsilon of each workload on standard input, for pld_against_dp_accounting.py.
// A line is `delta grid` and then steps `law parameter delta count`, law being one of g, l, b.
// With --time each epsilon is followed by the processor time it took, in seconds.

#include <cstdio>
#include <ctime>
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

int main(int argc, char** argv) {
  const bool timed = argc > 1 && std::string(argv[1]) == "--time";
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
    const std::clock_t begin = std::clock();
    std::printf("%.17g", dpsql::PldEpsilon(plan, delta, grid));
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    if (timed) std::printf(" %.6f", seconds);
    std::printf("\n");
  }
  return 0;
}
