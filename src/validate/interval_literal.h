#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace dpsql {

// Reads the text of an interval: pairs of a number and a unit, and HH:MM[:SS] at the end. A bare
// number takes the one unit of `unit_mask`, PostgreSQL's mask of INTERVAL '3' MONTH, or 0.
// Returns "M months D days S seconds", or nothing where it cannot be read or is beyond 4,000 years.
std::optional<std::string> ReadInterval(const std::string& text, std::int64_t unit_mask);

}  // namespace dpsql
