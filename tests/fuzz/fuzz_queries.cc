// Bytes as the choices of a generator of queries: nearly all parse, many are accepted, and some
// differ from an acceptable one in a single place.
#include <array>
#include <cstdio>
#include <cstdlib>

#include "fuzz/front_end.h"
#include "fuzz/target.h"
#include "support/query_generator.h"
#include "support/test_catalog.h"
#include "support/unit_local_walk.h"

namespace {

// Throws where an accepted query could show more than its plan pays for.
constexpr dpsql::AcceptedCheck kAcceptedCheck = dpsql::CheckUnitLocal;

struct Run {
  dpsql::Catalog catalog = dpsql::MakeShopCatalog();
  dpsql::FrontEnd front_end{kAcceptedCheck};
  std::array<std::size_t, 16> made{};  // by near miss
  std::array<std::size_t, 16> accepted{};
};

Run& TheRun() {
  static Run run;
  return run;
}

void PrintSummary() {
  const Run& run = TheRun();
  std::fputs(run.front_end.Summary().c_str(), stderr);
  for (std::size_t i = 0; i < run.made.size(); ++i) {
    if (run.made[i] == 0) continue;
    const char* const what = i == 0 ? "ordinary" : "near miss";
    std::fprintf(stderr, "  %s %zu: %zu made, %zu accepted\n", what, i, run.made[i],
                 run.accepted[i]);
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  TheRun();  // before the handler: it must outlive it
  return std::atexit(PrintSummary);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Run& run = TheRun();
  dpsql::Choices choices({data, size});
  const auto query = dpsql::QueryGenerator(run.catalog.tables(), choices).Next();
  run.front_end.RunOrAbort(query.sql);
  const auto miss = static_cast<std::size_t>(query.near_miss);
  ++run.made.at(miss);
  if (run.front_end.accepted()) ++run.accepted.at(miss);
  return 0;
}
