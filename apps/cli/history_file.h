#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dpsql::cli {

// What was typed in earlier shells, one entry a line, in a file that only its owner can read: it is
// under $XDG_STATE_HOME or ~/.local/state. Where it cannot be kept, the shell goes on without.
class HistoryFile {
 public:
  HistoryFile();

  // The last thousand entries, oldest first. The file is cut down to them.
  std::vector<std::string> Load() const;

  // Written at once, so that it outlives a crash and two shells keep both.
  // Requires: no line end in it.
  void Append(std::string_view entry) const;

 private:
  std::string path_;  // empty: nowhere to keep it
};

// The entries that keep a statement: one line, where its line ends mean no more than a space, else
// each of its lines.
std::vector<std::string> HistoryEntries(std::string_view statement);

}  // namespace dpsql::cli
