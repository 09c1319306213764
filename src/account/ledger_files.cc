#include "account/ledger_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "account/file_lock.h"
#include "account/head_file.h"
#include "account/ledger_errors.h"
#include "account/network_disk.h"
#include "account/sqlite_handle.h"
#include "base/try.h"

namespace dpsql {
namespace {

// Numbers of 128 bits are decimal text: SQLite has no integer for them. An unknown `kind` is left
// to the reader, so that a later version adds kinds without rebuilding the table.
constexpr const char* kSchema = R"sql(
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
CREATE TABLE entries (
  sequence INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  reservation INTEGER NOT NULL,
  analyst TEXT NOT NULL,
  time TEXT NOT NULL,
  mark INTEGER NOT NULL,
  epsilon TEXT NOT NULL,
  delta TEXT NOT NULL,
  doors INTEGER NOT NULL,
  charge_mu_squared TEXT NOT NULL,
  charge_delta TEXT NOT NULL,
  charge_epsilon TEXT NOT NULL,
  plan_digest TEXT NOT NULL,
  payload_digest TEXT NOT NULL,
  keeps_answer INTEGER NOT NULL,
  window INTEGER NOT NULL,
  spent_mu_squared TEXT NOT NULL,
  spent_delta TEXT NOT NULL,
  spent_epsilon TEXT NOT NULL,
  analyst_mu_squared TEXT NOT NULL,
  analyst_delta TEXT NOT NULL,
  analyst_epsilon TEXT NOT NULL,
  analyst_queries INTEGER NOT NULL,
  analyst_unended INTEGER NOT NULL,
  analyst_aborts INTEGER NOT NULL,
  reservations INTEGER NOT NULL,
  releases INTEGER NOT NULL,
  terms INTEGER NOT NULL,
  commit_first INTEGER NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX entries_by_reservation ON entries (reservation, kind, analyst)
  WHERE reservation > 0;
CREATE INDEX entries_by_analyst ON entries (analyst, sequence);
CREATE UNIQUE INDEX entries_that_keep ON entries (plan_digest) WHERE keeps_answer = 1;
CREATE TABLE open_reservations (
  reservation INTEGER PRIMARY KEY,
  analyst TEXT NOT NULL
) STRICT;
CREATE INDEX open_reservations_by_analyst ON open_reservations (analyst);
CREATE TABLE answers (
  plan_digest TEXT PRIMARY KEY,
  reservation INTEGER NOT NULL,
  bytes BLOB NOT NULL
) STRICT;
CREATE TABLE terms (
  sequence INTEGER PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;
)sql";

Result<std::string> SchemaText(SqliteHandle& database) {
  TRY(SqliteStatement rows,
      database.Prepare("SELECT type, name, coalesce(sql, '') FROM sqlite_schema "
                       "WHERE name NOT GLOB 'sqlite_stat*' ORDER BY name"));  // of ANALYZE
  std::string text;
  while (true) {
    TRY(const bool found, rows.Step());
    if (!found) return text;
    text += rows.Text(0) + " " + rows.Text(1) + " " + rows.Text(2) + "\n";
  }
}

Result<bool> Exists(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return false;
    return StorageError("cannot look at", path, errno);
  }
  if (!S_ISREG(status.st_mode)) return StorageError("not a regular file:", path, EINVAL);
  return true;
}

Status Remove(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
    return StorageError("cannot remove", path, errno);
  }
  return Done{};
}

Status Rename(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return StorageError("cannot create", to, errno);
  return Done{};
}

std::string DirectoryOf(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

Status WriteDatabase(const std::string& path, const LedgerMeta& meta) {
  TRY(SqliteHandle database, SqliteHandle::Open(path, SqliteHandle::Mode::kCreate));
  TRY(SqliteTransaction transaction, SqliteTransaction::BeginImmediate(database));
  const std::string marks = "PRAGMA application_id = " + std::to_string(kLedgerApplicationId) +
                            "; PRAGMA user_version = " + std::to_string(kLedgerSchemaVersion);
  TRY_DONE(database.Execute(marks.c_str()));
  TRY_DONE(database.Execute(kSchema));
  for (const auto& [key, value] : meta) {
    TRY(SqliteStatement insert, database.Prepare("INSERT INTO meta (key, value) VALUES (?, ?)"));
    TRY_DONE(insert.Bind(key).Bind(value).Run());
  }
  TRY_DONE(transaction.Commit());
  // Stored answers are for those who may ask; SQLite gives its log the same permissions.
  if (::chmod(path.c_str(), S_IRUSR | S_IWUSR) != 0) {
    return StorageError("cannot protect", path, errno);
  }
  // The log is folded in, so that the one file to be renamed is the whole database.
  TRY(const std::int64_t busy, database.QueryInt("PRAGMA wal_checkpoint(TRUNCATE)"));
  if (busy != 0) return StorageError("cannot fold the log of", path, EBUSY);
  return Done{};
}

// Requires: no connection to the file is open; closing it here would drop SQLite's locks.
Status Flush(const std::string& path) {
  const FileDescriptor fd(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!fd.valid() || ::fsync(fd.get()) != 0) return StorageError("cannot flush", path, errno);
  return Done{};
}

Status CreateFiles(const std::string& path, const LedgerMeta& meta) {
  // SQLite would replay the log of a lost database into the new one.
  for (const char* suffix : {"-wal", "-journal"}) {
    TRY(const bool left_over, Exists(path + suffix));
    if (left_over) return DamageError("its file is missing, but not its log", path + suffix);
  }
  const std::string new_path = path + ".new";
  const std::string new_head = HeadPath(path) + ".new";
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) TRY_DONE(Remove(new_path + suffix));
  TRY_DONE(Remove(new_head));
  TRY_DONE(WriteDatabase(new_path, meta));
  TRY_DONE(Flush(new_path));
  TRY_DONE(HeadFile::Create(new_head, {.sequence = 0, .hash = GenesisEntry(meta, 0).hash}));
  TRY_DONE(SyncDirectoryOf(path));
  TRY_DONE(Rename(new_path, path));
  TRY_DONE(SyncDirectoryOf(path));  // a disk may keep the second rename and lose the first
  TRY_DONE(Rename(new_head, HeadPath(path)));
  return SyncDirectoryOf(path);
}

Status RefuseNetworkDisk(const FileDescriptor& directory, const std::string& path) {
  struct statfs status {};
  if (::fstatfs(directory.get(), &status) != 0) return StorageError("cannot look at", path, errno);
  if (IsNetworkDisk(static_cast<unsigned long>(status.f_type))) {
    return StorageError("a network disk cannot hold", path, "keep the ledger on a local disk");
  }
  return Done{};
}

}  // namespace

std::string HeadPath(const std::string& ledger_path) { return ledger_path + ".head"; }

std::string FollowLink(const std::string& path) {
  std::error_code unknown;  // then opening the path tells why
  if (!std::filesystem::is_symlink(path, unknown)) return path;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, unknown);
  return unknown ? path : target.string();
}

Result<FileDescriptor> OpenDirectoryOf(const std::string& path) {
  const std::string directory = DirectoryOf(path);
  FileDescriptor fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) return StorageError("cannot open the directory", directory, errno);
  return fd;
}

Result<bool> LedgerExists(const std::string& path) {
  TRY(const bool has_database, Exists(path));
  TRY(const bool has_head, Exists(HeadPath(path)));
  return has_database || has_head;
}

Status SyncDirectoryOf(const std::string& path) {
  TRY(const FileDescriptor directory, OpenDirectoryOf(path));
  if (::fsync(directory.get()) != 0)
    return StorageError("cannot flush the directory of", path, errno);
  return Done{};
}

Status FlushLogOf(const std::string& path) {
  const std::string log = path + "-wal";
  // SQLite holds no locks on its log, so closing this descriptor takes none away.
  const FileDescriptor fd(::open(log.c_str(), O_RDWR | O_CLOEXEC));
  if (!fd.valid() && errno == ENOENT) return Done{};
  if (!fd.valid() || ::fdatasync(fd.get()) != 0) return StorageError("cannot flush", log, errno);
  return SyncDirectoryOf(path);
}

Status CheckLedgerSchema(SqliteHandle& database, const std::string& path) {
  static const Result<std::string> expected = []() -> Result<std::string> {
    TRY(SqliteHandle fresh, SqliteHandle::OpenInMemory());
    TRY_DONE(fresh.Execute(kSchema));
    return SchemaText(fresh);
  }();
  if (!expected.ok()) return expected.error();
  TRY(const std::string found, SchemaText(database));
  if (found == *expected) return Done{};
  return DamageError("its tables are not those of a ledger", path);
}

Status PrepareLedgerFiles(const std::string& path, const LedgerMeta& meta_if_new) {
  if (path.empty()) return StorageError("no name for", "the file", EINVAL);
  const std::string head_path = HeadPath(path);
  TRY(const FileDescriptor directory, OpenDirectoryOf(path));
  TRY_DONE(RefuseNetworkDisk(directory, path));
  TRY(bool has_database, Exists(path));
  TRY(bool has_head, Exists(head_path));
  if (has_database && has_head) return Done{};

  // Another process may be creating them just now: look again when it is done.
  TRY(const FileLock creator, FileLock::Acquire(directory, path));
  TRY(has_database, Exists(path));
  TRY(has_head, Exists(head_path));
  if (has_database && has_head) return Done{};
  if (!has_database && !has_head) return CreateFiles(path, meta_if_new);
  if (!has_database) return DamageError("its file is missing, but not its head file", path);
  TRY(const bool unfinished, Exists(head_path + ".new"));
  if (!unfinished) return DamageError("its head file is missing", head_path);
  TRY_DONE(Rename(head_path + ".new", head_path));
  return SyncDirectoryOf(path);
}

}  // namespace dpsql
