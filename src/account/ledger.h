#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "account/reservation.h"
#include "base/random_source.h"
#include "dpsql/answer.h"
#include "dpsql/result.h"
#include "privacy/cost.h"
#include "privacy/gdp_filter.h"

namespace dpsql {

struct LedgerOptions {
  std::string path;     // the SQLite file; its head file is path + ".head"
  std::string dataset;  // whose budget this is
  GdpBudget budget;     // the policy's caps; they must equal those in the ledger
  std::string analyst;  // who asks, for the history
  std::shared_ptr<RandomSource> random;
};

struct BudgetState {
  GdpBudget budget;
  GdpState caps;
  GdpState spent;
  std::int64_t releases = 0;
};

// The durable record of what has been spent: one SQLite file (WAL, synchronous=FULL, STRICT) with
// hash-chained rows, and the chain's head in an append-only file beside it.
// Protocol: Reserve (debit durable) -> run -> Store (answer durable) -> hand out. Nothing is ever
// refunded. Safe for several threads and processes, but not carried across fork; damage stops it
// (L601), it never guesses. The crash argument is in account/journal.h.
class Ledger {
 public:
  // Creates the ledger only where both its file and its head file are missing. Refuses a policy
  // whose dataset or budget is not the ledger's (B404).
  static Result<Ledger> Open(LedgerOptions options);

  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;
  ~Ledger();

  // The answer released earlier for the same plan on the same labelled data, if there is one:
  // its bytes as they were, marked `stored`, with what remains now.
  Result<std::optional<Answer>> Stored(const Cost& cost);

  // Debits the cost, or refuses: B402 when it does not fit what is left, B405 when it could never
  // have fitted. Ensures: on success the debit is on disk before this returns.
  Result<Reservation> Reserve(const Cost& cost);

  // Records the answer of a reservation, and fills its `release` and `remaining`.
  // Requires: the first Store of a reservation made by this ledger (else Bug).
  // Ensures: the bytes are on disk before the answer is returned.
  Result<Answer> Store(Reservation paid, Answer answer);

  Result<BudgetState> State();
  Result<Remaining> RemainingFor(const Cost& cost);

  // Checks everything from the first entry on, where Open checks the ends of the chain only.
  Status Verify();

 private:
  struct Impl;
  explicit Ledger(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace dpsql
