// kill -9 under load, at random times and at each named point of a write.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "ledger/torture_report.h"
#include "ledger/workload.h"

namespace dpsql {
namespace {

constexpr std::int64_t kRoundsOfALedger = 40;  // then a new one, so that verifying it stays cheap
constexpr std::size_t kProcesses = 3;

class KillRuns {
 public:
  KillRuns(const TortureTask& task, TortureReport& report)
      : report_(report), directory_(task.directory), random_(task.seed) {}
  KillRuns(const KillRuns&) = delete;
  KillRuns& operator=(const KillRuns&) = delete;
  ~KillRuns() { KillAll(); }

  std::int64_t kills() const { return kills_; }

  // Processes are killed one after the other while the rest go on, until none is left.
  void Round() {
    if (rounds_ % kRoundsOfALedger == 0) Rotate();
    const std::string scenario = "round " + std::to_string(rounds_++);
    while (alive_.size() < kProcesses) SpawnClient();
    while (!alive_.empty()) {
      ::usleep(static_cast<useconds_t>(random_() % 6000));
      End(random_() % alive_.size());
      const bool in_use = rounds_ % 16 == 0 && alive_.size() == 1;
      if (in_use) report_.Add(scenario, JudgeInUse(workload_.place, FactsOf(log_.All())));
    }
    const Facts facts = FactsOf(log_.All());
    report_.Add(scenario, Judge(workload_.place, facts, Opening::kMustSucceed));
    const auto acknowledged = static_cast<std::int64_t>(facts.reservations.size());
    report_.Count("reservations acknowledged", acknowledged - acknowledged_);
    acknowledged_ = acknowledged;
  }

 private:
  void Rotate() {
    KillAll();
    const std::string folder = directory_ + "/kills";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    log_.Clear();
    acknowledged_ = 0;
    // Some ledgers have little budget: their clients race for the last of it, and then ask in vain.
    workload_ = {};
    workload_.place = {.path = folder + "/ledger",
                       .slots = rounds_ / kRoundsOfALedger % 4 == 1 ? 400U : 100'000U};
    workload_.threads = 2;
    workload_.questions = 0;
  }

  void SpawnClient() {
    const std::uint64_t seed = random_();
    if (seed % 4 == 0 && std::filesystem::exists(workload_.place.path + ".head")) {
      const std::string_view point = kWritePoints[seed / 4 % std::size(kWritePoints)];
      const auto nth = static_cast<int>(seed / 64 % 4);
      alive_.push_back(Spawn([&] { DieAt(point, nth); }));
      report_.Count("deaths at " + std::string(point));
      return;
    }
    alive_.push_back(Spawn([&] { RunProcess(workload_, log_, seed); }));
  }

  void DieAt(std::string_view where, int nth) {
    Observation seen;
    ReserveBelow(
        workload_.place,
        [&](std::string_view point) {
          if (point == "locked") {
            seen.seen = Seen::kAsked;
            log_.Add(seen);
          }
          if (point == where && nth-- == 0) ::kill(::getpid(), SIGKILL);
        },
        [&](std::int64_t reservation) {
          seen.seen = Seen::kReserved;
          seen.reservation = reservation;
          log_.Add(seen);
        });
  }

  void End(std::size_t number) {
    const pid_t child = alive_[number];
    alive_.erase(alive_.begin() + static_cast<std::ptrdiff_t>(number));
    ::kill(child, SIGKILL);
    const int end = Await(child);
    if (end == -SIGKILL) ++kills_;
    report_.Count(end == -SIGKILL ? "kills" : "processes that ended by themselves");
    if (end != -SIGKILL && end != 0) report_.Violation("a client", "ended " + std::to_string(end));
  }

  void KillAll() {
    while (!alive_.empty()) End(alive_.size() - 1);
  }

  TortureReport& report_;
  ObservationLog log_;
  std::string directory_;
  std::mt19937_64 random_;
  Workload workload_;
  std::vector<pid_t> alive_;
  std::int64_t rounds_ = 0;
  std::int64_t kills_ = 0;
  std::int64_t acknowledged_ = 0;
};

}  // namespace

// The amount is the number of kills.
void TortureKills(const TortureTask& task, TortureReport& report) {
  KillRuns runs(task, report);
  while (runs.kills() < task.amount) runs.Round();
}

}  // namespace dpsql
