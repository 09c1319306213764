#pragma once

#include <string>

#include "account/chain.h"
#include "account/sqlite_handle.h"
#include "dpsql/result.h"

namespace dpsql {

std::string HeadPath(const std::string& ledger_path);

// What a symbolic link names, else the path as it is: the log and the head of a ledger are those
// beside the file itself.
std::string FollowLink(const std::string& path);

// Whether any file of a ledger is there. Creates nothing.
Result<bool> LedgerExists(const std::string& path);

// Makes sure that both files of a ledger are there: creates them where both are missing, refuses
// (L601) where one is.
//
// Creation survives a crash at any point. Both files are written whole and flushed under names
// that end in `.new`; then the database is renamed, then the head, the directory flushed after
// each. A crash before the first rename leaves both missing: creation starts again. A crash between
// the two leaves the database, no head and a `.head.new`: nobody opens a ledger without its head,
// so nothing can have been spent, and the second rename is done by the next to come. A head that
// was deleted later has no `.head.new` and is damage. Creators exclude each other by a lock on the
// directory.
Status PrepareLedgerFiles(const std::string& path, const LedgerMeta& meta_if_new);

// Flushes the directory that holds the file, so that its name survives a power failure.
Status SyncDirectoryOf(const std::string& path);

// Flushes SQLite's log, where there is one.
Status FlushLogOf(const std::string& path);

// L601 unless the tables, indexes and triggers are exactly those of a new ledger.
Status CheckLedgerSchema(SqliteHandle& database, const std::string& path);

inline constexpr int kLedgerApplicationId = 0x4450534c;  // "DPSL"
inline constexpr int kLedgerSchemaVersion = 2;

}  // namespace dpsql
