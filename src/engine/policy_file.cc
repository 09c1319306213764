#include "engine/policy_file.h"

#include <fstream>
#include <sstream>

#include "base/error_codes.h"

namespace dpsql {

Result<std::string> ReadPolicyFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file && text << file.rdbuf()) return text.str();
  return MakeError(ErrorCode::kPolicyFile, "the policy file " + path + " cannot be read", {},
                   "give the owner's file with --policy FILE");
}

}  // namespace dpsql
