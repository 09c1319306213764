// figure2 [--csv]: prints Figure 2 as tables or as CSV.
// figure2 --session EPSILON DELTA TOTAL_EPSILON TOTAL_DELTA: prints how many scalar queries with
// one aggregate, each (EPSILON, DELTA), the accountants of DPSQL+ admit within the total.

#include <cstdio>
#include <cstdlib>
#include <cstring>
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
  const bool csv = argc == 2 && std::strcmp(argv[1], "--csv") == 0;
  if (argc != 1 && !csv) {
    std::fputs("usage: figure2 [--csv]\n       figure2 --session E D TOTAL_E TOTAL_D\n", stderr);
    return 2;
  }
  const std::vector<dpsql::Series> series = dpsql::ComputeSeries();
  const std::string text =
      csv ? dpsql::CsvOf(series) : dpsql::TextOf(series, dpsql::ComputeNoises());
  std::fputs(text.c_str(), stdout);
  return 0;
}
