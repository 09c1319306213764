#pragma once

#include <string>

#include "dpsql/result.h"

namespace dpsql {

// The bytes of the owner's file.
Result<std::string> ReadPolicyFile(const std::string& path);

}  // namespace dpsql
