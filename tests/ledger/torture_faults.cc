// Every call to the disk fails once, or from then on, or is the last of its process. Afterwards the
// disk is well again: the ledger must open, and nothing that was acknowledged may be missing.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

#include "ledger/storage_shim.h"
#include "ledger/torture_report.h"
#include "ledger/workload.h"

namespace dpsql {
namespace {

struct FaultKind {
  const char* name;
  Fault fault;
};

constexpr FaultKind kFaultKinds[] = {
    {"flush EIO", {.calls = kSyncCall, .way = FaultWay::kError, .error = EIO}},
    {"flush EIO lasting",
     {.calls = kSyncCall, .way = FaultWay::kError, .error = EIO, .lasting = true}},
    {"write EIO", {.calls = kWriteCall, .way = FaultWay::kError, .error = EIO}},
    {"write ENOSPC", {.calls = kWriteCall, .way = FaultWay::kError, .error = ENOSPC}},
    {"write ENOSPC lasting",
     {.calls = kWriteCall, .way = FaultWay::kError, .error = ENOSPC, .lasting = true}},
    {"write short", {.calls = kWriteCall, .way = FaultWay::kShort}},
    {"truncate EIO", {.calls = kTruncateCall, .way = FaultWay::kError, .error = EIO}},
    {"rename EIO", {.calls = kRenameCall, .way = FaultWay::kError, .error = EIO}},
    {"unlink EIO", {.calls = kUnlinkCall, .way = FaultWay::kError, .error = EIO}},
    {"open EIO", {.calls = kOpenCall, .way = FaultWay::kError, .error = EIO}},
    {"open ENOSPC", {.calls = kOpenCall, .way = FaultWay::kError, .error = ENOSPC}},
    {"any EIO lasting", {.way = FaultWay::kError, .error = EIO, .lasting = true}},
    {"death before", {.way = FaultWay::kDieBefore}},
    {"death after", {.way = FaultWay::kDieAfter}},
};

class FaultRuns {
 public:
  FaultRuns(const TortureTask& task, TortureReport& report)
      : report_(report), directory_(task.directory + "/faults") {
    workload_.place.path = directory_ + "/ledger";
    workload_.questions = 5;
    workload_.reopen_each = 3;
    workload_.seed = task.seed;
  }

  // Several processes of several threads from now on; the fault meets one of them.
  void InACrowd() {
    workload_.processes = 3;
    workload_.threads = 2;
  }

  // False when the workload was over before the n-th call.
  bool Run(const FaultKind& kind, std::int64_t nth) {
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directory(directory_);
    log_.Clear();
    BeginTrace(directory_);
    Fault fault = kind.fault;
    fault.nth = nth;
    SetFault(fault);
    const std::string scenario = std::string(kind.name) + " " + std::to_string(nth);
    if (!RunWorkload(workload_, log_)) report_.Violation(scenario, "a client crashed");
    const bool happened = FaultHappened();
    EndTrace();
    Look(scenario);
    return happened;
  }

 private:
  void Look(const std::string& scenario) {
    const auto observations = log_.All();
    for (const Observation& seen : observations) {
      if (seen.seen != Seen::kFailed) continue;
      report_.Count(std::string("calls that failed with ") + seen.code);
      if (std::strcmp(seen.code, "L602") != 0) {
        report_.Violation(scenario, std::string("a failing disk was taken for ") + seen.code);
      }
    }
    report_.Add(scenario, Judge(workload_.place, FactsOf(observations), Opening::kMustSucceed));
  }

  TortureReport& report_;
  ObservationLog log_;
  std::string directory_;
  Workload workload_;
};

}  // namespace

// The amount is the stride among the many calls; of the few, all are tried.
void TortureFaults(const TortureTask& task, TortureReport& report) {
  FaultRuns runs(task, report);
  for (const FaultKind& kind : kFaultKinds) {
    const bool few = (kind.fault.calls & kWriteCall) == 0;
    const std::int64_t stride = few ? 1 : task.amount;
    std::int64_t nth = 1 + static_cast<std::int64_t>(task.seed) % stride;
    const std::int64_t first = nth;
    while (runs.Run(kind, nth)) nth += stride;
    report.Count(std::string("calls until the end: ") + kind.name, nth);
    if (nth == first) report.Violation(kind.name, "there was no such call");
  }
  runs.InACrowd();
  for (const FaultKind& kind : kFaultKinds) {
    std::int64_t nth = 1;
    while (runs.Run(kind, nth)) nth += 3 * task.amount;
    report.Count(std::string("calls until the end in a crowd: ") + kind.name, nth);
  }
}

}  // namespace dpsql
