// figure2 [--csv] [--svg FILE]: prints Figure 2 as tables or as CSV, and draws it.

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "figure2/figure.h"
#include "figure2/print.h"

int main(int argc, char** argv) {
  bool csv = false;
  std::string plot;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--csv") == 0) {
      csv = true;
    } else if (std::strcmp(argv[i], "--svg") == 0 && i + 1 < argc) {
      plot = argv[++i];
    } else {
      std::fprintf(stderr, "usage: figure2 [--csv] [--svg FILE]\n");
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
