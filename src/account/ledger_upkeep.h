#pragma once

#include <cstdint>
#include <string>

#include "account/chain.h"
#include "dpsql/result.h"

// What the files of a ledger need from time to time. None of it spends, or creates a ledger (L604).
namespace dpsql {

struct VerifiedFiles {
  Entry last;
  std::int64_t version = 0;
};

// Checks everything from the first entry on: L601 where anything is wrong. With the path of a head
// file that was kept elsewhere, also that the ledger has come at least as far as that: an old copy
// of the ledger and its own head file together shows in this way alone.
Result<VerifiedFiles> VerifyLedgerFiles(const std::string& path, const std::string& kept_head);

// Writes a copy of the ledger as it stands, with its head file, while others use it, and verifies
// it. Refuses (L605) where any file of that name is. The copy has no name before it is whole and
// verified: a crash leaves at most a folder beside it, or a database without its head file, which
// nobody opens. Nothing is removed that was not made here.
Result<VerifiedFiles> BackUpLedgerFiles(const std::string& path, const std::string& copy);

// Verifies the ledger, then brings it to the present version. Answers the version it had.
Result<std::int64_t> UpgradeLedgerFiles(const std::string& path);

}  // namespace dpsql
