#include "backend/spill_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <system_error>

#include "base/error_codes.h"

namespace dpsql {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBeginning = "dpsql-spilled-rows-";
constexpr std::string_view kMade = "XXXXXX";  // mkdtemp puts letters here
constexpr int kTries = 16;

struct Living {
  std::mutex mutex;
  std::map<fs::path, pid_t> makers;
};

// Never destroyed: a folder may outlive static objects, and RemoveAll comes at any time.
Living& AllLiving() {
  static Living& living = *new Living;
  return living;
}

// Files may still be added while others are removed.
void Remove(const fs::path& path) {
  std::error_code failed;
  for (int i = 0; i < kTries; ++i) {
    fs::remove_all(path, failed);
    if (!failed) return;
  }
}

// The folder itself, which is no link and ours; -1 where it is not.
int OpenOwn(const fs::path& path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat status {};
  if (folder < 0 || (fstat(folder, &status) == 0 && status.st_uid == geteuid())) return folder;
  close(folder);
  return -1;
}

bool IsStill(const fs::path& path, int folder) {
  struct stat by_name {};
  struct stat by_handle {};
  return lstat(path.c_str(), &by_name) == 0 && fstat(folder, &by_handle) == 0 &&
         by_name.st_ino == by_handle.st_ino && by_name.st_dev == by_handle.st_dev;
}

bool HasName(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with(kBeginning) && name.size() == kBeginning.size() + kMade.size();
}

// Those of processes that were killed. Where locks do not work none is taken for one.
void RemoveAbandoned(const fs::path& parent) {
  std::error_code failed;
  for (fs::directory_iterator at(parent, failed), end; !failed && at != end; at.increment(failed)) {
    if (!HasName(at->path())) continue;
    const int folder = OpenOwn(at->path());
    if (folder < 0) continue;
    if (flock(folder, LOCK_EX | LOCK_NB) == 0) Remove(at->path());
    close(folder);
  }
}

Error Unusable(const std::string& place) {
  return MakeError(ErrorCode::kDatabaseOpen, "nothing can be made in the temporary folder " + place,
                   {}, "set TMPDIR to a folder on a local disk that you may write to");
}

}  // namespace

Result<std::unique_ptr<SpillFolder>> SpillFolder::Make() {
  std::error_code failed;
  const fs::path found = fs::temp_directory_path(failed);
  const char* const told = std::getenv("TMPDIR");
  if (failed) return Unusable(told != nullptr ? told : "/tmp");
  const fs::path parent = fs::absolute(found);  // the program may change its folder
  RemoveAbandoned(parent);
  // Between the two calls another process may take the new folder for one that nobody locks.
  for (int i = 0; i < kTries; ++i) {
    std::string name = (parent / kBeginning).string().append(kMade);
    if (mkdtemp(name.data()) == nullptr) break;
    const int lock = OpenOwn(name);
    if (lock < 0) continue;
    while (flock(lock, LOCK_EX) != 0 && errno == EINTR) continue;
    if (IsStill(name, lock)) return std::unique_ptr<SpillFolder>(new SpillFolder(name, lock));
    close(lock);
  }
  return Unusable(parent.string());
}

SpillFolder::SpillFolder(fs::path path, int lock)
    : path_(std::move(path)), lock_(lock), maker_(getpid()) {
  Living& living = AllLiving();
  const std::lock_guard<std::mutex> guard(living.mutex);
  living.makers.emplace(path_, maker_);
}

SpillFolder::~SpillFolder() {
  Living& living = AllLiving();
  const std::lock_guard<std::mutex> guard(living.mutex);
  living.makers.erase(path_);
  if (maker_ == getpid()) Remove(path_);
  close(lock_);
}

void SpillFolder::RemoveAll() {
  Living& living = AllLiving();
  const std::lock_guard<std::mutex> guard(living.mutex);
  for (const auto& [path, maker] : living.makers) {
    if (maker == getpid()) Remove(path);
  }
}

}  // namespace dpsql
