// Power failures. A workload is run once and every call that reaches the disk is recorded; then the
// power fails after each of them, in several ways of losing what was not flushed. Every image must
// open, verify, and hold what had been acknowledged by then.
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ledger/crash_image.h"
#include "ledger/storage_shim.h"
#include "ledger/torture_report.h"
#include "ledger/workload.h"

namespace dpsql {
namespace {

constexpr int kQuestionsOfALongLog = 500;  // SQLite folds its log in after 1000 pages

struct NamedPolicy {
  const char* name;
  CrashPolicy policy;
};

// What a power failure may leave. Of all of these the ledger must open.
const std::vector<NamedPolicy>& LegalPolicies() {
  static const std::vector<NamedPolicy> policies = {
      {"dropped", {.unflushed = Unflushed::kDropped}},
      {"kept", {.unflushed = Unflushed::kKept}},
      {"last kept", {.unflushed = Unflushed::kLastKept}},
      {"writes", {.unflushed = Unflushed::kWrites}},
      {"sectors", {.unflushed = Unflushed::kSectors}},
  };
  return policies;
}

// Where files grow around gaps and names change in any order. The ledger may stop, not err.
const std::vector<NamedPolicy>& UnorderedPolicies() {
  static const std::vector<NamedPolicy> policies = {
      {"unordered last", {.unflushed = Unflushed::kLastKept, .ordered = false}},
      {"unordered writes", {.unflushed = Unflushed::kWrites, .ordered = false}},
      {"unordered sectors", {.unflushed = Unflushed::kSectors, .ordered = false}},
  };
  return policies;
}

// What was recorded: the disk before, what was done to it, and what the world saw meanwhile.
struct Recording {
  std::string name;
  std::string group;  // under which it is counted
  CrashDisk before;
  Trace trace;
  const ObservationLog* log = nullptr;
  std::uint64_t stride = 1;  // the power fails after every so many calls
  std::uint64_t file = 0;    // if not 0, of the calls to this file only
};

std::string ReadBytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class PowerRuns {
 public:
  PowerRuns(const TortureTask& task, TortureReport& report)
      : task_(task),
        report_(report),
        directory_(task.directory + "/disk"),
        image_(task.directory + "/image"),
        random_(task.seed) {}

  void OneClient(int questions, std::uint64_t stride);
  void ManyClients(std::uint64_t stride);
  void LongLog(std::uint64_t stride);
  void DeathThenPower(const Fault& death, int processes, std::uint64_t stride);
  void FailedFlushThenPower(std::int64_t nth, std::uint64_t stride);
  void LyingDisk(std::uint64_t stride);

 private:
  Workload Clients(int questions) const {
    Workload workload;
    workload.place.path = directory_ + "/ledger";
    workload.questions = questions;
    workload.seed = task_.seed;
    return workload;
  }

  void Begin() {
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directory(directory_);
    log_.Clear();
    BeginTrace(directory_);
  }

  void Run(const Workload& workload, const std::string& scenario) {
    if (!RunWorkload(workload, log_)) report_.Violation(scenario, "a client crashed");
  }

  Recording End(const std::string& group, std::uint64_t stride, std::int64_t nth = 0) {
    EndTrace();
    return {.name = nth == 0 ? group : group + " " + std::to_string(nth),
            .group = group,
            .before = {},
            .trace = ReadTrace(),
            .log = &log_,
            .stride = stride};
  }

  void RequireWholeTrace(const Trace& trace);

  using Seens = std::vector<Observation>;
  using Look = std::function<Verdict(const std::string& scenario, const Seens& seens)>;
  void FailEverywhere(const Recording& recording, const std::vector<NamedPolicy>& policies,
                      const Look& look);
  Look Expect(Opening opening);
  Look ExpectAgain(std::uint64_t each);

  const TortureTask& task_;
  TortureReport& report_;
  ObservationLog log_;
  ObservationLog second_log_;
  std::string directory_;
  std::string image_;
  std::mt19937_64 random_;
  std::uint64_t judged_ = 0;
};

// Were a call to pass beside the shim, the disk would seem safer than it is.
void PowerRuns::RequireWholeTrace(const Trace& trace) {
  std::map<TraceKind, int> seen;
  std::set<std::string> names;
  for (const TraceRecord& record : trace.records) {
    ++seen[record.kind];
    if (record.kind == TraceKind::kCreate) names.emplace(record.data);
  }
  for (const TraceKind kind : {TraceKind::kWrite, TraceKind::kSync, TraceKind::kSyncDirectory,
                               TraceKind::kRename, TraceKind::kUnlink}) {
    if (seen[kind] == 0) report_.Violation("the shim", "a kind of call was never seen");
  }
  for (const char* name : {"ledger.new", "ledger.head.new", "ledger-wal"}) {
    if (!names.contains(name)) report_.Violation("the shim", std::string("never saw ") + name);
  }
  const CrashPolicy all{.unflushed = Unflushed::kKept};
  CrashDisk disk;
  for (const TraceRecord& record : trace.records) disk.Apply(record);
  disk.WriteImage(all, image_);
  for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with("-shm")) continue;
    if (ReadBytes(entry.path()) != ReadBytes(image_ + "/" + name)) {
      report_.Violation("the shim", "the trace does not add up to " + name);
    }
  }
}

void PowerRuns::FailEverywhere(const Recording& recording, const std::vector<NamedPolicy>& policies,
                               const Look& look) {
  CrashDisk disk = recording.before;
  const auto& records = recording.trace.records;
  report_.Count("points in time: " + recording.group, static_cast<std::int64_t>(records.size()));
  std::uint64_t skipped = random_() % recording.stride;
  for (std::uint64_t done = 0; done <= records.size(); ++done) {
    if (done > 0) disk.Apply(records[done - 1]);
    const bool of_file = done > 0 && records[done - 1].file == recording.file;
    if (recording.file != 0 && !of_file) continue;
    if (++skipped < recording.stride) continue;
    skipped = 0;
    const Seens seens = recording.log->Before(done);
    for (const NamedPolicy& named : policies) {
      CrashPolicy policy = named.policy;
      policy.seed = random_();
      disk.WriteImage(policy, image_);
      const Verdict verdict =
          look(recording.name + ", power fails after call " + std::to_string(done) + ", " +
                   named.name + " " + std::to_string(policy.seed),
               seens);
      report_.Count("power failures: " + recording.group);
      if (!verdict.code.empty()) {
        report_.Count("stopped: " + recording.group + ", " + named.name + ", " + verdict.code);
      }
    }
  }
}

PowerRuns::Look PowerRuns::Expect(Opening opening) {
  return [this, opening](const std::string& scenario, const Seens& seens) {
    const LedgerPlace place{.path = image_ + "/ledger"};
    const Facts facts = FactsOf(seens);
    Verdict verdict = Judge(place, facts, opening);
    if (verdict.opened && ++judged_ % 4 == 0) SpendOneMore(place, facts, verdict);
    report_.Add(scenario, verdict);
    return verdict;
  };
}

// Some images are used again, and the power fails while that is done.
PowerRuns::Look PowerRuns::ExpectAgain(std::uint64_t each) {
  return [this, each, next = std::uint64_t{0}](const std::string& scenario,
                                               const Seens& seens) mutable {
    if (++next % each != 0) return Expect(Opening::kMustSucceed)(scenario, seens);
    const std::string first = task_.directory + "/first";
    std::filesystem::remove_all(first);
    std::filesystem::rename(image_, first);
    Recording again{.name = "used again",
                    .group = "used again",
                    .before = CrashDisk::Of(first),
                    .trace = {},
                    .log = &second_log_,
                    .stride = 3};
    BeginTrace(first);
    second_log_.Clear();
    for (const Observation& seen : seens) second_log_.Add(seen);
    Workload workload = Clients(2);
    workload.place.path = first + "/ledger";
    workload.seed = next;
    if (!RunWorkload(workload, second_log_)) report_.Violation(scenario, "a client crashed");
    EndTrace();
    again.trace = ReadTrace();
    FailEverywhere(again, LegalPolicies(), [&](const std::string& then, const Seens& later) {
      return Expect(Opening::kMustSucceed)(scenario + "; " + then, later);
    });
    return Verdict{};
  };
}

void PowerRuns::OneClient(int questions, std::uint64_t stride) {
  Begin();
  Workload workload = Clients(questions);
  workload.reopen_each = 4;
  Run(workload, "one client");
  const Recording recording = End("one client", stride);
  RequireWholeTrace(recording.trace);
  FailEverywhere(recording, LegalPolicies(), ExpectAgain(97));
  FailEverywhere(recording, UnorderedPolicies(), Expect(Opening::kMayStop));
}

void PowerRuns::ManyClients(std::uint64_t stride) {
  Begin();
  Workload workload = Clients(4);
  workload.processes = 3;
  workload.threads = 2;
  Run(workload, "many clients");
  const Recording recording = End("many clients", stride);
  FailEverywhere(recording, LegalPolicies(), Expect(Opening::kMustSucceed));
  FailEverywhere(recording, UnorderedPolicies(), Expect(Opening::kMayStop));
}

// Long enough for SQLite to fold its log into the database while the ledger is in use; the power
// fails while it does.
void PowerRuns::LongLog(std::uint64_t stride) {
  Begin();
  Run(Clients(kQuestionsOfALongLog), "long log");
  Recording recording = End("long log", stride);
  const auto& records = recording.trace.records;
  const auto database = std::find_if(records.begin(), records.end(), [](const TraceRecord& record) {
    return record.kind == TraceKind::kCreate && record.data == "ledger.new";
  });
  if (database == records.end()) throw std::logic_error("the ledger is made as ledger.new");
  recording.file = database->file;
  FailEverywhere(recording, LegalPolicies(), Expect(Opening::kMustSucceed));
}

// A process dies at a call; the next one, or one beside it, goes on with what stands in the cache
// of the system, and then the power fails.
void PowerRuns::DeathThenPower(const Fault& death, int processes, std::uint64_t stride) {
  Begin();
  SetFault(death);
  Workload workload = Clients(4);
  workload.processes = processes;
  Run(workload, "death");
  SetFault({});
  Workload next = Clients(2);
  next.seed += 1000;
  Run(next, "after a death");
  const std::string group =
      std::string("death ") + (death.way == FaultWay::kDieBefore ? "before " : "after ") +
      (death.calls == kSyncCall ? "flush" : "call") + " of " + std::to_string(processes);
  const Recording recording = End(group, stride, death.nth);
  FailEverywhere(recording, LegalPolicies(), Expect(Opening::kMustSucceed));
  FailEverywhere(recording, UnorderedPolicies(), Expect(Opening::kMayStop));
}

// The system forgets the pages whose flush failed: a later flush succeeds without them.
void PowerRuns::FailedFlushThenPower(std::int64_t nth, std::uint64_t stride) {
  Begin();
  SetFault({.calls = kSyncCall, .nth = nth, .way = FaultWay::kError, .error = EIO});
  Run(Clients(4), "failed flush");
  SetFault({});
  Workload next = Clients(2);
  next.seed += 1000;
  Run(next, "after a failed flush");
  const Recording recording = End("failed flush", stride, nth);
  FailEverywhere(recording, LegalPolicies(), Expect(Opening::kMayStop));
}

// Nothing can be promised on a disk that lies; what happens is counted.
void PowerRuns::LyingDisk(std::uint64_t stride) {
  Begin();
  DropSyncs(true);
  Run(Clients(6), "lying disk");
  const Recording recording = End("lying disk", stride);
  FailEverywhere(recording, LegalPolicies(), [this](const std::string&, const Seens& seens) {
    const LedgerPlace place{.path = image_ + "/ledger"};
    const Verdict verdict = Judge(place, FactsOf(seens), Opening::kMayBeStale);
    const std::string outcome = verdict.violations.empty()
                                    ? verdict.opened ? "harmless" : "stopped " + verdict.code
                                    : "LOST UNNOTICED";
    report_.Count("a disk that lies: " + outcome);
    return Verdict{};
  });
}

}  // namespace

// The amount is how dense the points in time are: 1 in `make test`, more in the audit.
void TorturePower(const TortureTask& task, TortureReport& report) {
  const auto stride = [&](std::int64_t sparse) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(1, sparse / task.amount));
  };
  PowerRuns runs(task, report);
  runs.OneClient(10, stride(2));
  runs.ManyClients(stride(8));
  // The moment before a flush is the one at which most can be lost.
  for (std::int64_t nth = 4; nth < 20; ++nth) {
    runs.DeathThenPower({.calls = kSyncCall, .nth = nth, .way = FaultWay::kDieBefore}, 1,
                        stride(6));
  }
  const auto step = static_cast<std::int64_t>(stride(24));
  for (std::int64_t nth = 40; nth < 140; nth += step) {
    runs.DeathThenPower({.nth = nth, .way = FaultWay::kDieBefore}, 1, stride(12));
    runs.DeathThenPower({.nth = nth, .way = FaultWay::kDieBefore}, 3, stride(12));
    runs.DeathThenPower({.nth = nth + step / 2, .way = FaultWay::kDieAfter}, 1, stride(12));
  }
  for (std::int64_t nth = 1; nth < 20; nth += static_cast<std::int64_t>(stride(3))) {
    runs.FailedFlushThenPower(nth, stride(6));
  }
  runs.LongLog(stride(24));
  runs.LyingDisk(stride(4));
}

}  // namespace dpsql
