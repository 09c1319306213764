#include "ledger/workload.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "ledger/storage_shim.h"

namespace dpsql {
namespace {

class Client {
 public:
  Client(const Workload& workload, ObservationLog& log, std::uint64_t seed)
      : workload_(workload), log_(log), random_(seed), analyst_(random_() % 4) {}

  // Asks until the workload is done, through `shared` or through ledgers of its own.
  void Run(Ledger* shared) {
    int failures = 0;
    for (int asked = 0; workload_.questions == 0 || asked < workload_.questions;) {
      if (shared == nullptr && !EnsureOpen(asked)) {
        if (++failures > workload_.reopen_after_failure) return;
        continue;
      }
      ++asked;
      if (Ask(shared == nullptr ? *own_ : *shared)) continue;
      own_.reset();
      if (++failures > workload_.reopen_after_failure) return;
    }
  }

 private:
  struct Paid {
    Question question;
    Reservation reservation;
  };

  bool EnsureOpen(int asked) {
    const bool again = workload_.reopen_each != 0 && asked % workload_.reopen_each == 0;
    if (own_ && !again) return true;
    own_.reset();
    Result<Ledger> ledger = OpenLedger(workload_.place, "analyst-" + std::to_string(analyst_));
    if (!ledger.ok()) {
      Note(Seen::kFailed, {}, ledger.error());
      return false;
    }
    own_.emplace(std::move(ledger).value());
    return true;
  }

  // Few plans at first, more as time goes on, so that there are old answers and new questions.
  Question Draw() {
    const std::uint64_t range = 6 + static_cast<std::uint64_t>(asked_++) / 3;
    Question question;
    question.plan = static_cast<std::uint32_t>(random_() % range);
    question.storable = question.plan % 5 != 4;
    question.units = 1 + static_cast<std::uint32_t>(random_() % 3);
    return question;
  }

  // False when the ledger could not serve.
  bool Ask(Ledger& ledger) {
    const Question question = Draw();
    const auto stored = Stored(ledger, workload_.place, question);
    if (!stored.ok()) return Note(Seen::kFailed, question, stored.error());
    if (stored->has_value()) return Note(Seen::kServed, question, **stored);
    Note(Seen::kAsked, question, HandedOut{});
    Result<Reservation> paid = Reserve(ledger, workload_.place, question);
    if (!paid.ok()) {
      const bool refused = paid.error().code == "B402";
      Note(refused ? Seen::kRefused : Seen::kFailed, question, paid.error());
      return refused && workload_.questions != 0;
    }
    Note(Seen::kReserved, question, HandedOut{.release = paid->id(), .digest = 0});
    paid_.push_back({question, std::move(paid).value()});
    if (random_() % 3 == 0) return true;  // a slow query: others ask the same meanwhile
    return StoreOldest(ledger) && StoreOldest(ledger);
  }

  // Stores the answer of the query that has run longest, or drops it: an analyst who went away.
  bool StoreOldest(Ledger& ledger) {
    if (paid_.empty()) return true;
    Paid oldest = std::move(paid_.front());
    paid_.erase(paid_.begin());
    if (random_() % 8 == 0) return true;
    const auto number = static_cast<std::int64_t>(random_() >> 2U);
    const auto answer = Store(ledger, std::move(oldest.reservation), number);
    if (!answer.ok()) return Note(Seen::kFailed, oldest.question, answer.error());
    return Note(Seen::kHanded, oldest.question, *answer);
  }

  bool Note(Seen seen, const Question& question, const HandedOut& answer) {
    Observation observation;
    observation.seen = seen;
    observation.question = question;
    observation.reservation = answer.release;
    observation.digest = answer.digest;
    log_.Add(observation);
    return true;
  }

  bool Note(Seen seen, const Question& question, const Error& error) {
    Observation observation;
    observation.seen = seen;
    observation.question = question;
    error.code.copy(observation.code, sizeof(observation.code) - 1);
    log_.Add(observation);
    return false;
  }

  const Workload& workload_;
  ObservationLog& log_;
  std::mt19937_64 random_;
  std::uint64_t analyst_;  // who answers for what it reserved, whichever ledger it was
  std::optional<Ledger> own_;
  std::vector<Paid> paid_;  // what runs
  std::int64_t asked_ = 0;
};

}  // namespace

void RunClient(const Workload& workload, ObservationLog& log, std::uint64_t seed) {
  Client(workload, log, seed).Run(nullptr);
}

void RunShared(const Workload& workload, ObservationLog& log, Ledger& ledger) {
  Client(workload, log, workload.seed).Run(&ledger);
}

void RunProcess(const Workload& workload, ObservationLog& log, std::uint64_t seed) {
  if (workload.threads == 1) return RunClient(workload, log, seed);
  Result<Ledger> shared = OpenLedger(workload.place, "shared");
  std::vector<std::thread> threads;
  for (int i = 0; i < workload.threads; ++i) {
    threads.emplace_back([&, i] {
      const bool own = i + 1 == workload.threads || !shared.ok();
      const std::uint64_t own_seed = seed * 64 + static_cast<std::uint64_t>(i);
      Client(workload, log, own_seed).Run(own ? nullptr : &*shared);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

pid_t Spawn(const std::function<void()>& body) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  try {
    body();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "a client threw: %s\n", failure.what());
    ::_exit(99);
  }
  ::_exit(0);
}

int Await(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

bool RunWorkload(const Workload& workload, ObservationLog& log) {
  std::vector<pid_t> children;
  for (int i = 0; i < workload.processes; ++i) {
    const std::uint64_t seed = workload.seed * 64 + static_cast<std::uint64_t>(i);
    children.push_back(Spawn([&] { RunProcess(workload, log, seed); }));
  }
  bool regular = true;
  for (const pid_t child : children) {
    const int code = Await(child);
    regular = regular && (code == 0 || code == kFaultExit);
  }
  return regular;
}

}  // namespace dpsql
