#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "dpsql/answer.h"
#include "dpsql/result.h"

// The care of a ledger's files: copies, checks, versions. None of it reads the data or spends, and
// none creates a ledger.
namespace dpsql {

// Which ledger: by its own name, or as the one beside a policy. Requires: one of them is given.
struct LedgerLocation {
  std::string ledger;  // a path or sqlite:PATH
  std::string policy;
};

// A ledger of which every entry, total, stored answer and head line was checked.
struct VerifiedLedger {
  std::string path;
  std::int64_t version = 0;
  std::int64_t entries = 0;
  std::int64_t reservations = 0;
  std::int64_t releases = 0;
  std::string last_time;  // UTC, of the last entry
  std::string head;       // the hash of the last entry
};

// Walks the chain from the first entry on; L601 (exit 5) where anything is wrong. An old copy of a
// ledger shows by its head file; where that is old as well, by a copy of a newer head file that
// was kept elsewhere, `kept_head`.
Result<VerifiedLedger> VerifyLedger(const LedgerLocation& place, const std::string& kept_head = "");

// Writes a verified copy of the ledger and of its head file (FILE and FILE.head) while others use
// it, and overwrites nothing (L605). To put an old copy back gives back what was spent since.
Result<VerifiedLedger> BackUpLedger(const LedgerLocation& place, const std::string& file);

struct LedgerUpgrade {
  std::string path;
  std::int64_t from = 0;
  std::int64_t to = 0;
};

// Verifies the ledger and brings it to the version of this program. Where it is of that version
// already, `from` equals `to`. Ledgers of the version before are used without it.
Result<LedgerUpgrade> UpgradeLedger(const LedgerLocation& place);

// Text, or one JSON object. Ensures: ends with a newline.
std::string FormatLedger(const VerifiedLedger& ledger, Format format);
std::string FormatUpgrade(const LedgerUpgrade& upgrade, Format format);

// Calls `call` at a moment when no thread of this process holds a lock of any ledger, and none gets
// one before it returns. For a program that is about to be stopped, as by Ctrl-Z: all others would
// wait for its lock. Requires: `call` uses no ledger.
void CallUnlocked(const std::function<void()>& call);

}  // namespace dpsql
