#pragma once

#include <string>
#include <vector>

namespace dpsql {

// Cases that a database does not answer as DuckDB does, each with the reason. A line of the file:
//
//   functions_time.test | SELECT extract(epoch FROM … | SQLite has no …
//
// the name of a golden file, how the text of the case begins, or * for all of the file, and why.
// Lines that begin with # say something about those below.
struct Skip {
  std::string file;
  std::string begins;
  std::string reason;
};

class SkipList {
 public:
  // Throws std::runtime_error where the file is not there or a line has no reason.
  explicit SkipList(const std::string& path);

  // Null where the case is not on the list.
  const Skip* Find(const std::string& file, const std::string& sql) const;

  const std::vector<Skip>& skips() const { return skips_; }

 private:
  std::vector<Skip> skips_;
};

}  // namespace dpsql
