#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "support/conformance_engines.h"
#include "support/temp_folder.h"

namespace dpsql {

// DuckDB files in another engine: each is copied once, under a name.
class EngineCopies {
 public:
  // Throws std::runtime_error where no engine has this name.
  explicit EngineCopies(std::string_view engine);

  std::string_view engine() const { return engine_.name; }
  // Whether its tables are files, which the policy names.
  bool is_files() const { return engine_.is_files; }

  // Whether there is such a database on this machine; makes an empty one.
  bool IsInstalled() { return engine_.fill({}, folder_ / "").has_value(); }

  // The URL of the copy; nothing where there is no such database on this machine.
  std::optional<std::string> Fill(const std::string& name, const std::string& duckdb_file);

  // What a policy of the DuckDB file must say to mean the same of the copy.
  // Requires: the copy was filled.
  std::string PolicyText(const std::string& name, const std::string& policy) const;

  // The same for files of policies.
  std::string PolicyOf(const std::string& name, const std::string& policy);

 private:
  struct Copy {
    std::optional<std::string> url;
    CopiedDatabase database;
  };

  const ConformanceEngine& engine_;
  TempFolder folder_;
  std::map<std::string, Copy> copies_;
};

}  // namespace dpsql
