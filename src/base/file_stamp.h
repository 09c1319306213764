#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dpsql {

// Which file stands at a path, and in which state: whoever writes to it or puts another in its
// place changes the stamp, also if the time of writing is set back: the time of the last change of
// any kind cannot be.
struct FileStamp {
  std::string path;
  std::int64_t device = 0;
  std::int64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modified_ns = 0;  // since 1970
  std::int64_t changed_ns = 0;   // since 1970; by the system's own clock

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// The stamp of a regular file, without opening it: closing a file gives up the locks that this
// process holds on it. None where there is no such file.
std::optional<FileStamp> StampOf(const std::string& path);

// Whether each file still has its stamp.
bool Unchanged(const std::vector<FileStamp>& stamps);

}  // namespace dpsql
