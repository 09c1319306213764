#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dpsql {

// "500 ms", "30 s", "5 min", "2 h": a whole number, one space, a unit. None for anything else, for
// nothing at all and beyond 1000 hours.
std::optional<std::chrono::milliseconds> ParseDuration(std::string_view text);

// "500 MB", "4 GB", "1 TB" in bytes, a thousand to a step. None for anything else, below 128 MB,
// in which DuckDB cannot spill, and beyond 1000 TB.
std::optional<std::uint64_t> ParseMemory(std::string_view text);

// The same of what may be spilled: from 1 MB on.
std::optional<std::uint64_t> ParseSpill(std::string_view text);

}  // namespace dpsql
