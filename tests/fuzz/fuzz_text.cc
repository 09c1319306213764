// Raw bytes as the text of a query. Everything that does not end in an answer or a refusal is a
// finding: a crash, a hang, a leak, an exception, an accepted query that is not unit-local.
#include <cstdio>
#include <cstdlib>

#include "fuzz/front_end.h"
#include "fuzz/target.h"
#include "support/unit_local_walk.h"

namespace {

dpsql::FrontEnd& TheFrontEnd() {
  static dpsql::FrontEnd front_end(dpsql::CheckUnitLocal);
  return front_end;
}

void PrintSummary() { std::fputs(TheFrontEnd().Summary().c_str(), stderr); }

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  TheFrontEnd();  // before the handler: it must outlive it
  return std::atexit(PrintSummary);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  TheFrontEnd().RunOrAbort({reinterpret_cast<const char*>(data), size});
  return 0;
}
