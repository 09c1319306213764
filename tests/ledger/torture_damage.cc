// Damage on purpose: old copies, missing files, files cut short, flipped bits. Either the ledger
// stops, or it is as it was.
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "ledger/torture_report.h"
#include "ledger/workload.h"

namespace dpsql {
namespace {

namespace fs = std::filesystem;

using Files = std::map<std::string, std::string>;  // name and bytes

Files ReadFolder(const std::string& folder) {
  Files files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string name = entry.path().filename().string();
    if (name.ends_with("-shm")) continue;
    files[name] = {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  return files;
}

// One word that processes share, until the program ends.
void* SharedMemory() {
  return ::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

void WriteFolder(const std::string& folder, const Files& files) {
  fs::remove_all(folder);
  fs::create_directory(folder);
  for (const auto& [name, bytes] : files) {
    std::ofstream(folder + "/" + name, std::ios::binary) << bytes;
  }
}

// A ledger at two moments, each as files that a client left open (with a log) or closed.
struct History {
  Files old_files;
  Files new_files;
  Facts facts;  // at the second moment
};

class DamageRuns {
 public:
  DamageRuns(const TortureTask& task, TortureReport& report)
      : report_(report), folder_(task.directory + "/damage"), random_(task.seed) {}

  History Live(bool open);
  void OldCopies(const History& history, const std::string& how);
  void CutShort(const Files& files, const Facts& facts, std::int64_t amount);
  void FlipBits(const Files& files, const Facts& facts, std::int64_t amount);
  void BothOld(const History& history, const std::string& how);
  void RemovedInUse(const std::string& suffix);

 private:
  LedgerPlace Place() const { return {.path = folder_ + "/ledger"}; }

  // Damage of which the ledger must know: it stops.
  void MustStop(const std::string& scenario, const Files& files, const Facts& facts) {
    WriteFolder(folder_, files);
    const Verdict verdict = Judge(Place(), facts, Opening::kMayBeStale);
    report_.Add(scenario, verdict);
    if (verdict.opened) report_.Violation(scenario, "was not noticed");
  }

  // Damage that may lie where nothing stands: it stops, or all is as it was.
  void StopsOrHolds(const std::string& scenario, const Files& files, const Facts& facts) {
    WriteFolder(folder_, files);
    const Verdict verdict = Judge(Place(), facts, Opening::kMayBeStale);
    report_.Add(scenario, verdict);
    if (verdict.opened) report_.Count("damage where nothing stands");
  }

  TortureReport& report_;
  std::string folder_;
  std::mt19937_64 random_;
};

// The reading is done while the ledger is open, or after its last user closed it.
History DamageRuns::Live(bool open) {
  WriteFolder(folder_, {});
  ObservationLog log;
  Workload workload;
  workload.place = Place();
  workload.questions = 6;
  History history;
  // A user who stays keeps SQLite from folding in and removing its log.
  std::atomic<int>& turn = *new (SharedMemory()) std::atomic<int>(0);
  const pid_t user = !open ? 0 : Spawn([&] {
    const Ledger ledger = OpenLedger(Place(), "user").value();
    turn = 1;
    while (true) ::pause();
  });
  while (open && turn != 1) ::usleep(200);
  RunWorkload(workload, log);
  history.old_files = ReadFolder(folder_);
  workload.seed = 9;
  workload.questions = 8;
  RunWorkload(workload, log);
  history.new_files = ReadFolder(folder_);
  history.facts = FactsOf(log.All());
  if (open) {
    ::kill(user, SIGKILL);
    static_cast<void>(Await(user));
  }
  return history;
}

void DamageRuns::OldCopies(const History& history, const std::string& how) {
  for (const auto& [name, bytes] : history.new_files) {
    const auto old = history.old_files.find(name);
    if (old == history.old_files.end() || old->second == bytes) continue;
    Files files = history.new_files;
    files[name] = old->second;
    // The log of a ledger in use may hold all that its older file has not.
    if (name == "ledger" && files.contains("ledger-wal")) {
      StopsOrHolds(how + ": an old " + name, files, history.facts);
    } else {
      MustStop(how + ": an old " + name, files, history.facts);
    }
    files.erase(name);
    MustStop(how + ": no " + name, files, history.facts);
    files[name] = "";
    MustStop(how + ": an empty " + name, files, history.facts);
  }
  Files database = history.new_files;
  for (const char* name : {"ledger", "ledger-wal"}) {
    const auto old = history.old_files.find(name);
    database.erase(name);
    if (old != history.old_files.end()) database[name] = old->second;
  }
  MustStop(how + ": an old database with its log", database, history.facts);
}

// The known limit: nothing on the machine remembers what both files have forgotten.
void DamageRuns::BothOld(const History& history, const std::string& how) {
  WriteFolder(folder_, history.old_files);
  const Verdict verdict = Judge(Place(), history.facts, Opening::kMayBeStale);
  report_.Count(how + ": all files old together: " + (verdict.opened ? "not noticed" : "stopped"));
}

void DamageRuns::CutShort(const Files& files, const Facts& facts, std::int64_t amount) {
  for (const auto& [name, bytes] : files) {
    for (std::int64_t i = 0; i < amount; ++i) {
      Files cut = files;
      const std::size_t size = random_() % bytes.size();
      cut[name].resize(size);
      StopsOrHolds(name + " cut to " + std::to_string(size), cut, facts);
    }
  }
}

// Every other time in a digit, which stays one: damage that is well formed.
void DamageRuns::FlipBits(const Files& files, const Facts& facts, std::int64_t amount) {
  for (const auto& [name, bytes] : files) {
    std::vector<std::size_t> digits;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] >= '0' && bytes[i] <= '9') digits.push_back(i);
    }
    for (std::int64_t i = 0; i < amount; ++i) {
      Files flipped = files;
      const bool digit = i % 2 == 0 && !digits.empty();
      const std::size_t place =
          digit ? digits[random_() % digits.size()] : random_() % bytes.size();
      flipped[name][place] ^= static_cast<char>(digit ? 1U : 1U << (random_() % 8));
      StopsOrHolds(name + " flipped at " + std::to_string(place), flipped, facts);
    }
  }
}

// A file of SQLite's disappears under a user who stays; another one comes, both spend, and the
// first one dies without closing. What was acknowledged to either is there, or the ledger stops.
void DamageRuns::RemovedInUse(const std::string& suffix) {
  WriteFolder(folder_, {});
  ObservationLog log;
  Workload workload;
  workload.place = Place();
  workload.questions = 4;
  workload.reopen_after_failure = 0;
  std::atomic<int>& turn = *new (SharedMemory()) std::atomic<int>(0);
  const pid_t stays = Spawn([&] {
    Ledger ledger = OpenLedger(workload.place, "stays").value();
    RunShared(workload, log, ledger);
    turn = 1;
    while (turn != 2) ::usleep(200);
    RunShared(workload, log, ledger);
    ::kill(::getpid(), SIGKILL);
  });
  while (turn != 1) ::usleep(200);
  fs::remove(folder_ + "/ledger" + suffix);
  workload.seed = 5;
  RunWorkload(workload, log);
  turn = 2;
  if (Await(stays) != -SIGKILL) report_.Violation(suffix + " removed", "the user threw");
  report_.Add(suffix + " removed in use", Judge(Place(), FactsOf(log.All()), Opening::kMayBeStale));
}

}  // namespace

// The amount is the number of random damages to each file.
void TortureDamage(const TortureTask& task, TortureReport& report) {
  DamageRuns runs(task, report);
  for (const char* suffix : {"-wal", "-shm", ".head", ""}) runs.RemovedInUse(suffix);
  for (const bool open : {false, true}) {
    const std::string how = open ? "in use" : "closed";
    const History history = runs.Live(open);
    runs.OldCopies(history, how);
    runs.BothOld(history, how);
    runs.CutShort(history.new_files, history.facts, task.amount);
    runs.FlipBits(history.new_files, history.facts, task.amount);
  }
}

}  // namespace dpsql
