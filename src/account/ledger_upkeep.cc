#include "account/ledger_upkeep.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include "account/file_lock.h"
#include "account/head_file.h"
#include "account/journal.h"
#include "account/ledger_errors.h"
#include "account/ledger_files.h"
#include "base/error_codes.h"
#include "base/try.h"

namespace dpsql {
namespace {

Result<VerifiedFiles> Verified(Journal& journal) {
  TRY(Entry last, journal.Verify());
  TRY(const std::int64_t version, journal.Version());
  return VerifiedFiles{.last = std::move(last), .version = version};
}

// The hash of an entry holds those of all before it, so the last line stands for its file.
Status CheckCameAsFar(Journal& journal, const VerifiedFiles& files, const std::string& kept_head) {
  TRY(const HeadFile kept, HeadFile::OpenToRead(kept_head));
  TRY(const std::int64_t kept_last, kept.LastSequence());
  TRY(const HeadLine line, kept.Line(kept_last));
  if (files.last.sequence < kept_last) {
    return DamageError("it ends at entry " + std::to_string(files.last.sequence) + ", but " +
                           kept_head + " knows entry " + std::to_string(kept_last) +
                           "; it is an old copy",
                       journal.path());
  }
  std::string hash = GenesisEntry(journal.meta(), 0).hash;
  TRY_DONE(journal.Read([&](JournalView& view) -> Status {
    TRY(const std::optional<Entry> entry, view.rows().At(kept_last));
    if (entry) hash = entry->hash;
    return Done{};
  }));
  if (hash == line.hash) return Done{};
  return DamageError(
      "entry " + std::to_string(kept_last) + " is not the one that " + kept_head + " knows",
      journal.path());
}

Status RefuseToOverwrite(const std::string& path) {
  for (const char* suffix : {"", "-wal", "-shm", "-journal", ".head"}) {
    const std::string name = path + suffix;
    if (::access(name.c_str(), F_OK) == 0) {
      return MakeError(ErrorCode::kFileExists, "there is a file of this name: " + name);
    }
    if (errno != ENOENT) return StorageError("cannot look at", name, errno);
  }
  return Done{};
}

// SQLite takes files of these names for the ledger's own, and removes them.
Status RefuseNamesOfLedger(const std::string& ledger, const std::string& copy) {
  const auto real = [](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path)).string();
  };
  for (const char* suffix : {"", "-wal", "-shm", "-journal", ".head", ".incidents"}) {
    if (real(copy) == real(ledger) + suffix) {
      return MakeError(ErrorCode::kFileExists, "this name belongs to the ledger: " + copy);
    }
  }
  return Done{};
}

// Where a copy is made before it gets its name: a folder that nobody else has, on the same disk.
// Nothing is ever removed that was not made here. A crash leaves the folder, which nobody reads.
class CopyFolder {
 public:
  static Result<CopyFolder> Make(const std::string& copy) {
    std::string path = copy + ".XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) return StorageError("cannot create", path, errno);
    return CopyFolder(std::move(path));
  }
  CopyFolder(CopyFolder&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  CopyFolder& operator=(CopyFolder&&) = delete;
  ~CopyFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }

  std::string file() const { return path_ + "/ledger"; }

 private:
  explicit CopyFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

// The last one to use the copy folded its log in; a log that stayed would be lost with its name.
Status CheckFolded(const std::string& path) {
  const std::string log = path + "-wal";
  if (::access(log.c_str(), F_OK) != 0) return Done{};
  return StorageError("cannot fold the log of", path, EBUSY);
}

Status GiveName(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) {
    return SyncDirectoryOf(to);
  }
  if (errno != EEXIST) return StorageError("cannot create", to, errno);
  return MakeError(ErrorCode::kFileExists, "there is a file of this name: " + to);
}

Result<VerifiedFiles> CopyAndVerify(Journal& journal, const std::string& path) {
  TRY_DONE(journal.CopyTo(path));
  TRY(const std::unique_ptr<Journal> copy,
      Journal::Open({.path = path, .meta_if_new = {}, .at_point = nullptr}));
  return Verified(*copy);
}

}  // namespace

Result<VerifiedFiles> VerifyLedgerFiles(const std::string& path, const std::string& kept_head) {
  TRY(const std::unique_ptr<Journal> journal, Journal::OpenExisting(path));
  TRY(VerifiedFiles files, Verified(*journal));
  if (!kept_head.empty()) TRY_DONE(CheckCameAsFar(*journal, files, kept_head));
  return files;
}

Result<VerifiedFiles> BackUpLedgerFiles(const std::string& path, const std::string& copy) {
  TRY(const std::unique_ptr<Journal> journal, Journal::OpenExisting(path));
  TRY(const FileDescriptor directory, OpenDirectoryOf(copy));
  TRY(const FileLock alone, FileLock::Acquire(directory, copy));
  TRY_DONE(RefuseNamesOfLedger(journal->path(), copy));
  TRY_DONE(RefuseToOverwrite(copy));
  TRY(const CopyFolder folder, CopyFolder::Make(copy));
  TRY(VerifiedFiles files, CopyAndVerify(*journal, folder.file()));
  TRY_DONE(CheckFolded(folder.file()));
  TRY_DONE(GiveName(folder.file(), copy));
  TRY_DONE(GiveName(HeadPath(folder.file()), HeadPath(copy)));
  return files;
}

Result<std::int64_t> UpgradeLedgerFiles(const std::string& path) {
  TRY(const std::unique_ptr<Journal> journal, Journal::OpenExisting(path));
  TRY(const VerifiedFiles files, Verified(*journal));
  TRY_DONE(journal->Upgrade());
  return files.version;
}

}  // namespace dpsql
