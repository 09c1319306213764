#pragma once

#include <filesystem>
#include <string>

#include "dpsql/result.h"

namespace dpsql {

// The bytes of the owner's file.
Result<std::string> ReadPolicyFile(const std::string& path);

// The owner's file as a session has read it.
class PolicyFile {
 public:
  static Result<PolicyFile> Read(const std::string& path);

  const std::string& text() const { return text_; }

  // Refuses where the file now says another thing: an owner who raises k or hides a column means
  // the questions of sessions that are open as well. A pipe cannot be read again, and stands.
  Status Stands() const;

 private:
  PolicyFile(std::filesystem::path path, std::string text);

  std::filesystem::path path_;  // from the root: the program may change its folder
  bool can_be_read_again_;
  std::string text_;
};

}  // namespace dpsql
