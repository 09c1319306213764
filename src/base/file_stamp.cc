#include "base/file_stamp.h"

#include <sys/stat.h>

#include <algorithm>

namespace dpsql {

std::optional<FileStamp> StampOf(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return FileStamp{.path = path,
                   .device = static_cast<std::int64_t>(info.st_dev),
                   .inode = static_cast<std::int64_t>(info.st_ino),
                   .size = info.st_size,
                   .modified_ns = info.st_mtim.tv_sec * kNanoseconds + info.st_mtim.tv_nsec,
                   .changed_ns = info.st_ctim.tv_sec * kNanoseconds + info.st_ctim.tv_nsec};
}

bool Unchanged(const std::vector<FileStamp>& stamps) {
  return std::all_of(stamps.begin(), stamps.end(),
                     [](const FileStamp& stamp) { return StampOf(stamp.path) == stamp; });
}

}  // namespace dpsql
