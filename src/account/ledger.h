#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "account/budget_terms.h"
#include "account/reservation.h"
#include "base/random_source.h"
#include "dpsql/answer.h"
#include "dpsql/result.h"
#include "privacy/cost.h"

namespace dpsql {

// Seconds since 1970. What it shows is not trusted to be monotone.
using Clock = std::function<std::int64_t()>;
std::int64_t SystemClock();

struct LedgerOptions {
  std::string path;     // the SQLite file; its head file is path + ".head"
  BudgetTerms terms;    // the policy's; they must equal those in the ledger
  std::string analyst;  // who asks
  std::shared_ptr<RandomSource> random;
  Clock clock = SystemClock;
  // Called at each named point of a write; see JournalOptions.
  std::function<void(std::string_view point)> at_point = nullptr;
};

// What a ledger says of itself now. The totals are those of the present window.
struct BudgetState {
  Budget budget;
  Purses caps;
  Purses spent;
  std::optional<Purses> analyst_caps;  // of who asks, where he has any
  Purses analyst_spent;
  std::int64_t releases = 0;
};

// How a paid query ended that has no answer.
enum class Ending {
  kFailed,     // after private data may have been read: counts against the analyst
  kCancelled,  // by the analyst himself
};

// The durable record of what has been spent: one SQLite file (WAL, synchronous=FULL, STRICT) with
// hash-chained rows, and the chain's head in an append-only file beside it.
// Protocol: Reserve (debit durable) -> run -> Store (answer durable) -> hand out. Nothing is ever
// refunded. Safe for several threads and processes, but not carried across fork; damage stops it
// (L601), it never guesses. The crash argument is in account/journal.h.
class Ledger {
 public:
  // Creates the ledger only where both its file and its head file are missing. Refuses a policy
  // whose terms are not the ledger's (B404), an analyst whom they do not list (B403), and one who
  // was revoked by name (B409).
  static Result<Ledger> Open(LedgerOptions options);

  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;
  ~Ledger();

  // The answer released earlier for the same plan on the same labelled data, if there is one:
  // its bytes as they were, marked `stored`, with what remains now. The dataset is not charged
  // again; an analyst with a cap of his own pays it once for an answer that somebody else bought.
  // B409 when the analyst was revoked by name, or owes for the answer while nobody may spend: what
  // was paid for stays free to repeat when everybody is stopped. `before_paying` is asked before
  // his cap is charged, and may refuse; so may `admitted`, as in Reserve.
  Result<std::optional<Answer>> Stored(const Cost& cost,
                                       const std::function<Status()>& before_paying = nullptr,
                                       const std::function<Status()>& admitted = {});

  // Debits the cost, or refuses: B402 when it does not fit what is left of the dataset's or the
  // analyst's budget, B405 when it could never have fitted, B407 when the analyst is locked out,
  // B408 when so many of his queries run that more could fail than may, B409 when the owner revoked
  // his spending or everybody's, B404 when the owner changed the terms otherwise meanwhile.
  // A reservation made before a revocation ends as any other (account/budget_terms.h).
  // Calls `admitted` when the cost is found to fit, while the debit is still on its way to the
  // disk, and never where it is refused: what depends on more than the plan and the budget may
  // begin there, and a refusal says nothing of it. It may refuse itself, for nothing: that is the
  // last moment, behind the wait for the lock. From any thread; others wait for it. Ensures: on
  // success the debit is on disk before this returns.
  Result<Reservation> Reserve(const Cost& cost, const std::function<Status()>& admitted = {});

  // Records the answer of a reservation, and fills its `release` and `remaining`. Where somebody
  // else stored an answer to the same plan meanwhile, that one is handed out: a plan has one
  // answer. Requires: the first ending of a reservation made by this ledger (else Bug). Ensures:
  // the bytes are on disk before the answer is returned.
  Result<Answer> Store(Reservation paid, Answer answer);

  // Records that a reservation has no answer. Nothing is refunded. Requires: as Store.
  Status Abandon(Reservation paid, Ending ending);

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
