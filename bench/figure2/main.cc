// figure2 [--csv] [--svg FILE]: prints Figure 2 as tables or as CSV, and draws it.
// figure2 --session EPSILON DELTA TOTAL_EPSILON TOTAL_DELTA: prints how many scalar queries with
// one aggregate, each (EPSILON, DELTA), the accountants of DPSQL+ admit within the total.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "figure2/dpsql_plus.h"
#include "figure2/figure.h"
#include "figure2/print.h"

namespace {

int PrintSession(char** numbers) {
  const dpsql::DpsqlPlusSession session = {
      .asked = {std::atof(numbers[0]), std::atof(numbers[1])},
      .budget = {std::atof(numbers[2]), std::atof(numbers[3])}};
  std::printf("basic %lld\nrdp %lld\npld %lld\n",
              static_cast<long long>(dpsql::DpsqlPlusBasic(session)),
              static_cast<long long>(dpsql::DpsqlPlusRdp(session)),
              static_cast<long long>(dpsql::DpsqlPlusPld(session)));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 6 && std::strcmp(argv[1], "--session") == 0) return PrintSession(argv + 2);
  bool csv = false;
  std::string plot;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--csv") == 0) {
      csv = true;
    } else if (std::strcmp(argv[i], "--svg") == 0 && i + 1 < argc) {
      plot = argv[++i];
    } else {
      std::fprintf(
          stderr,
          "usage: figure2 [--csv] [--svg FILE]\n       figure2 --session E D TOTAL_E TOTAL_D\n");
      return 2;
    }
  }
  const std::vector<dpsql::Series> series = dpsql::ComputeSeries();
  const std::string text =
      csv ? dpsql::CsvOf(series) : dpsql::TextOf(series, dpsql::ComputeNoises());
  std::fputs(text.c_str(), stdout);
  if (plot.empty()) return 0;
  std::ofstream file(plot);
  file << dpsql::SvgOf(series);
  file.close();
  if (file) return 0;
  std::fprintf(stderr, "figure2: cannot write %s\n", plot.c_str());
  return 1;
}
