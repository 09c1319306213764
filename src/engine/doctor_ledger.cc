#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <filesystem>

#include "account/file_lock.h"
#include "account/ledger_files.h"
#include "account/ledger_owner.h"
#include "account/network_disk.h"
#include "base/random_source.h"
#include "engine/doctor.h"
#include "engine/ledger_of_policy.h"

namespace dpsql {
namespace {

namespace fs = std::filesystem;

bool IsOnNetworkDisk(const std::string& folder) {
  struct statfs status {};
  if (::statfs(folder.c_str(), &status) != 0) return false;
  return IsNetworkDisk(static_cast<std::uint32_t>(status.f_type));
}

// Whether the lock of one opening keeps out another: some disks take locks and keep none.
bool LocksHold(const std::string& folder) {
  const auto open_folder = [&] {
    return FileDescriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  };
  const FileDescriptor first = open_folder();
  const FileDescriptor second = open_folder();
  if (::flock(first.get(), LOCK_EX | LOCK_NB) != 0) return errno == EWOULDBLOCK;
  return ::flock(second.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

// False where a ledger cannot live there.
bool ExamineFolder(const std::string& folder, AreaReport& area) {
  constexpr std::uintmax_t kLittle = 100'000'000;
  if (::access(folder.c_str(), R_OK | W_OK | X_OK) != 0) {
    area.Fail("this account cannot write to the ledger's folder, " + folder,
              "let it, or give another place with --ledger FILE");
    return false;
  }
  if (IsOnNetworkDisk(folder)) {
    area.Fail(folder + " is on a network disk, where neither locks nor SQLite's log hold",
              "give a place on a local disk with --ledger FILE");
    return false;
  }
  if (!LocksHold(folder)) {
    area.Fail("the disk of " + folder + " keeps no locks",
              "give a place on a local disk with --ledger FILE");
    return false;
  }
  std::error_code failed;
  const fs::space_info space = fs::space(folder, failed);
  if (!failed && space.available < kLittle) {
    area.Warn("less than 100 MB is free for the ledger in " + folder,
              "free some: without room for its price no question is answered");
  } else {
    area.Ok(folder + " is a local disk with room, and keeps locks");
  }
  WarnOfWriters(folder, "could put an old ledger in the place of the present one", area);
  return true;
}

void ExamineFile(const std::string& path, AreaReport& area) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return;
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    area.Warn("others than its owner may use " + path + ", which holds answers and their prices",
              "run  chmod go= '" + path + "'");
  }
  if (status.st_uid != ::geteuid()) {
    area.Warn(path + " belongs to another account than this one, " + ThisAccount(),
              "run dpsql under the account that owns the ledger");
  }
}

void ExamineTerms(const LedgerOptions& options, AreaReport& area) {
  constexpr std::int64_t kMinute = 60;
  const auto ledger = ReadLedger(options, 1);
  if (!ledger) {
    area.Fail(ledger.error());
    return;
  }
  const Status same = CheckSameTerms(ledger->fixed.terms, options.terms);
  if (same) {
    area.Ok("the policy's budget is the one in force");
  } else {
    area.Fail(same.error());
  }
  const bool later =
      !ledger->history.empty() && ledger->history[0].event.mark > options.clock() + kMinute;
  if (later) {
    area.Warn("the last entry is of a later time than now: the clock was set back",
              "set the clock; a budget that renews waits for that time");
  }
}

}  // namespace

void ExamineLedger(const DoctorOptions& options, const Policy& policy, DoctorReport& report) {
  AreaReport area("ledger", report);
  const auto path = LedgerPath(options.ledger, options.policy);
  if (!path) {
    area.Fail(path.error());
    return;
  }
  const std::string file = FollowLink(*path);
  const fs::path folder = fs::path(file).parent_path();
  if (!ExamineFolder(folder.empty() ? "." : folder.string(), area)) return;
  const auto exists = LedgerExists(*path);
  if (!exists) {
    area.Fail(exists.error());
    return;
  }
  if (!*exists) {
    area.Ok("there is none yet; " + *path + " begins with the first question");
    return;
  }
  ExamineFile(file, area);
  ExamineFile(HeadPath(file), area);
  const LedgerOptions ledger{
      .path = *path, .terms = TermsOf(policy), .analyst = "", .random = MakeRandomSource()};
  std::int64_t entries = 0;
  const Status verified =
      ExportLedger(ledger, {.meta = [](const LedgerMeta&) {},
                            .entry = [&](const Entry&, const std::string&) { ++entries; }});
  if (!verified) {
    area.Fail(verified.error());
    return;
  }
  area.Ok(*path + " is whole: " + std::to_string(entries) + " entries, verified from the first on");
  ExamineTerms(ledger, area);
}

}  // namespace dpsql
