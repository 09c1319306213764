#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>

#include "ledger/ledger_calls.h"
#include "ledger/observations.h"

namespace dpsql {

struct Workload {
  LedgerPlace place;
  int processes = 1;
  int threads = 1;      // of each process; all but the last share one open ledger
  int questions = 8;    // of each thread; 0: until it is killed or the budget is gone
  int reopen_each = 0;  // questions after which the ledger is closed and opened again
  int reopen_after_failure = 3;
  std::uint64_t seed = 0;
};

// One client: random plans of random analysts, some of which were answered before. What it learns
// from the ledger it writes down before it goes on.
void RunClient(const Workload& workload, ObservationLog& log, std::uint64_t seed);

// The same through a ledger that is open.
void RunShared(const Workload& workload, ObservationLog& log, Ledger& ledger);

// The threads of one process, until they are done.
void RunProcess(const Workload& workload, ObservationLog& log, std::uint64_t seed);

// A child that runs `body` and ends, with 0 or with 99 when it threw.
pid_t Spawn(const std::function<void()>& body);

// How the child ended: its exit code, or the signal that ended it, negative.
int Await(pid_t child);

// All processes of the workload, until they are done. False when one ended otherwise than by itself
// or by a fault of the disk.
bool RunWorkload(const Workload& workload, ObservationLog& log);

}  // namespace dpsql
