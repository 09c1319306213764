#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dpsql {

// A whole number as an argument of a test program; nothing where the text is no such number.
inline std::optional<std::uint64_t> ReadNumber(std::string_view text) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace dpsql
