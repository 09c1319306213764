#pragma once

#include <string>

#include "account/chain.h"
#include "account/file_lock.h"
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

// The directory that holds the file. Who creates files in it holds its lock.
Result<FileDescriptor> OpenDirectoryOf(const std::string& path);

// Flushes the directory that holds the file, so that its name survives a power failure.
Status SyncDirectoryOf(const std::string& path);

// Flushes SQLite's log, where there is one.
Status FlushLogOf(const std::string& path);

// L601 unless the tables, indexes and triggers are exactly those of a new ledger.
Status CheckLedgerSchema(SqliteHandle& database, const std::string& path);

inline constexpr int kLedgerApplicationId = 0x4450534c;  // "DPSL"
// Version 3 has the tables of version 2 and may hold rows that revoke and admit, which programs of
// version 2 cannot read. A ledger of version 2 is used as it is, and becomes 3 with the first such
// row, in the same commit, or when its owner says so: those programs then say what is the matter.
inline constexpr int kLedgerSchemaVersion = 3;
inline constexpr int kLedgerOldestVersion = 2;

}  // namespace dpsql
