#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "account/ledger.h"
#include "base/int128.h"
#include "dpsql/result.h"

// The calls of the ledger that the torture makes, and all that it knows of them. A change of the
// ledger's interface is a change of ledger_calls.cc.
namespace dpsql {

// What is asked: a plan, known by a number, at a price in units.
struct Question {
  std::uint32_t plan = 0;
  std::uint32_t units = 1;
  bool storable = true;
};

// An answer as somebody got it: its release and a digest of its bytes.
struct HandedOut {
  std::int64_t release = 0;
  std::uint64_t digest = 0;
};

// What a ledger says of itself, with the price of a unit in each purse.
struct Accounts {
  Purses caps;
  Purses spent;
  Purses unit;
  std::int64_t releases = 0;
};

// Where the ledger lies and of how many units its whole budget is.
struct LedgerPlace {
  std::string path;
  unsigned slots = 100'000;
};

// Whether several analysts who pay for the same storable plan at once get the same answer. Where
// not, each gets the one that he paid for and the first one stored is handed out from then on.
inline constexpr bool kOneAnswerPerPlan = true;

// The points of a write at which JournalOptions::at_point is called.
inline constexpr std::string_view kWritePoints[] = {"locked", "inserted", "committed", "appended",
                                                    "done"};

Result<Ledger> OpenLedger(const LedgerPlace& place, const std::string& analyst);
Result<Reservation> Reserve(Ledger& ledger, const LedgerPlace& place, const Question& question);
Result<HandedOut> Store(Ledger& ledger, Reservation paid, std::int64_t number);
Result<std::optional<HandedOut>> Stored(Ledger& ledger, const LedgerPlace& place,
                                        const Question& question);
Result<Accounts> ReadAccounts(Ledger& ledger, const LedgerPlace& place);
Status Verify(Ledger& ledger);

// How many entries the head file has heard of; 0 where there is none.
std::int64_t EntriesInHead(const LedgerPlace& place);

// Reserves one unit again and again, below the ledger, and calls `at_point` at each named point of
// each write and `reserved` with the number of each reservation. Returns at the first failure.
void ReserveBelow(const LedgerPlace& place, std::function<void(std::string_view)> at_point,
                  const std::function<void(std::int64_t)>& reserved);

}  // namespace dpsql
