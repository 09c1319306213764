#include "engine/policy_file.h"

#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "base/error_codes.h"
#include "base/try.h"

namespace dpsql {

Result<std::string> ReadPolicyFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file && text << file.rdbuf()) return text.str();
  return MakeError(ErrorCode::kPolicyFile, "the policy file " + path + " cannot be read", {},
                   "give the owner's file with --policy FILE");
}

PolicyFile::PolicyFile(std::filesystem::path path, std::string text)
    : path_(std::move(path)), text_(std::move(text)) {
  std::error_code unknown;
  can_be_read_again_ = std::filesystem::is_regular_file(path_, unknown);
}

Result<PolicyFile> PolicyFile::Read(const std::string& path) {
  TRY(std::string text, ReadPolicyFile(path));
  std::error_code unknown;
  const std::filesystem::path absolute = std::filesystem::absolute(path, unknown);
  return PolicyFile(unknown ? std::filesystem::path(path) : absolute, std::move(text));
}

Status PolicyFile::Stands() const {
  if (!can_be_read_again_) return Done{};
  TRY(const std::string now, ReadPolicyFile(path_.string()));
  if (now == text_) return Done{};
  return MakeError(ErrorCode::kPolicyChanged,
                   "the policy has changed since this session was opened", {},
                   "nothing was spent; open a new session");
}

}  // namespace dpsql
