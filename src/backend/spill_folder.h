#pragma once

#include <filesystem>
#include <memory>

#include "dpsql/result.h"

namespace dpsql {

// A folder of our own for what DuckDB spills, which is rows as they are: only its account may look
// into it, and nothing private lands beside the owner's file. It is removed at the end; by
// RemoveAll where the process ends at once; and where it was killed, by the next one that makes
// such a folder in the same place: a folder that is in use is locked, and the lock dies with its
// process.
class SpillFolder {
 public:
  // Fails where nothing can be made in the system's temporary folder.
  static Result<std::unique_ptr<SpillFolder>> Make();

  ~SpillFolder();
  SpillFolder(const SpillFolder&) = delete;
  SpillFolder& operator=(const SpillFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // Removes all that this process has spilled, which is about to end: what still runs is not waited
  // for, and would spill anew if it went on. From any thread.
  static void RemoveAll();

 private:
  SpillFolder(std::filesystem::path path, int lock);

  std::filesystem::path path_;
  int lock_;
  int maker_;  // a child that forked has none of its own
};

}  // namespace dpsql
