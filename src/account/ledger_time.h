#pragma once

#include <cstdint>
#include <string>

namespace dpsql {

// 2026-11-15T16:00:00Z
std::string UtcText(std::int64_t seconds);

}  // namespace dpsql
