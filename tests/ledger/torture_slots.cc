// Many clients race for the last slots of a budget: exactly those are given out.
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "ledger/torture_report.h"
#include "ledger/workload.h"

namespace dpsql {
namespace {

struct Crowd {
  int processes;
  int threads;  // of each
  bool shared;  // the threads of a process share one open ledger
};

constexpr Crowd kCrowds[] = {{.processes = 1, .threads = 64, .shared = true},
                             {.processes = 1, .threads = 64, .shared = false},
                             {.processes = 64, .threads = 1, .shared = false},
                             {.processes = 8, .threads = 8, .shared = true},
                             {.processes = 8, .threads = 8, .shared = false}};

void Spend(Ledger& ledger, const LedgerPlace& place, ObservationLog& log) {
  Observation seen;
  seen.question = {.plan = 1, .units = 1, .storable = false};
  for (unsigned got = 0; got <= place.slots; ++got) {
    const Result<Reservation> paid = Reserve(ledger, place, seen.question);
    seen.seen = paid.ok() ? Seen::kReserved : Seen::kRefused;
    if (paid.ok()) {
      seen.reservation = paid->id();
    } else {
      paid.error().code.copy(seen.code, sizeof(seen.code) - 1);
    }
    log.Add(seen);
    if (!paid.ok()) return;
  }
}

void RunThreads(const Crowd& crowd, const LedgerPlace& place, ObservationLog& log) {
  Ledger common = OpenLedger(place, "common").value();
  std::vector<std::thread> threads;
  for (int i = 0; i < crowd.threads; ++i) {
    threads.emplace_back([&, i] {
      if (crowd.shared) return Spend(common, place, log);
      Ledger own = OpenLedger(place, "analyst-" + std::to_string(i)).value();
      Spend(own, place, log);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

void Race(const Crowd& crowd, const LedgerPlace& place, TortureReport& report) {
  const std::string scenario = std::to_string(crowd.processes) + " processes of " +
                               std::to_string(crowd.threads) + " threads, " +
                               std::to_string(place.slots) + " slots";
  ObservationLog log;
  std::vector<pid_t> children;
  for (int i = 0; i < crowd.processes; ++i) {
    children.push_back(Spawn([&] { RunThreads(crowd, place, log); }));
  }
  for (const pid_t child : children) {
    if (Await(child) != 0) report.Violation(scenario, "a client crashed");
  }
  std::int64_t refused = 0;
  Facts facts = FactsOf(log.All());
  for (const Observation& seen : log.All()) {
    if (seen.seen != Seen::kRefused) continue;
    ++refused;
    if (std::string(seen.code) != "B402") report.Violation(scenario, std::string(seen.code));
  }
  facts.asked_units = facts.reserved_units;
  if (facts.reserved_units != place.slots) {
    report.Violation(scenario, std::to_string(facts.reserved_units) + " slots were given out");
  }
  if (refused != std::int64_t{crowd.processes} * crowd.threads) {
    report.Violation(scenario, "a client was not refused at the end");
  }
  report.Add(scenario, Judge(place, facts, Opening::kMustSucceed));
}

}  // namespace

// The amount is the number of races of each crowd.
void TortureSlots(const TortureTask& task, TortureReport& report) {
  for (std::int64_t i = 0; i < task.amount; ++i) {
    for (const Crowd& crowd : kCrowds) {
      const std::string folder = task.directory + "/slots";
      std::filesystem::remove_all(folder);
      std::filesystem::create_directory(folder);
      const auto slots = static_cast<unsigned>((task.seed + 7 * static_cast<unsigned>(i)) % 90);
      Race(crowd, {.path = folder + "/ledger", .slots = 20 + slots}, report);
    }
  }
}

}  // namespace dpsql
