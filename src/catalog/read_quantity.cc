#include "catalog/read_quantity.h"

#include <array>
#include <charconv>
#include <span>
#include <utility>

namespace dpsql {
namespace {

using Unit = std::pair<std::string_view, std::int64_t>;

constexpr auto kTimes =
    std::to_array<Unit>({{" ms", 1}, {" s", 1'000}, {" min", 60'000}, {" h", 3'600'000}});
constexpr auto kSizes =
    std::to_array<Unit>({{" MB", 1'000'000}, {" GB", 1'000'000'000}, {" TB", 1'000'000'000'000}});

constexpr std::int64_t kLongestTime = 1000 * kTimes[3].second;
constexpr std::uint64_t kLeastMemory = 128 * kSizes[0].second;
constexpr std::int64_t kMostSize = 1000 * kSizes[2].second;

std::optional<std::int64_t> ParseQuantity(std::string_view text, std::span<const Unit> units) {
  constexpr std::int64_t kLargest = 1'000'000'000;
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc{} || number < 1 || number > kLargest) return std::nullopt;
  for (const auto& [unit, size] : units) {
    const bool fits = number <= INT64_MAX / size;
    if (std::string_view(parsed.ptr, end) == unit && fits) return number * size;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::chrono::milliseconds> ParseDuration(std::string_view text) {
  const auto number = ParseQuantity(text, kTimes);
  if (!number || *number > kLongestTime) return std::nullopt;
  return std::chrono::milliseconds(*number);
}

std::optional<std::uint64_t> ParseMemory(std::string_view text) {
  const auto number = ParseSpill(text);
  return number && *number >= kLeastMemory ? number : std::nullopt;
}

std::optional<std::uint64_t> ParseSpill(std::string_view text) {
  const auto number = ParseQuantity(text, kSizes);
  if (!number || *number > kMostSize) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

}  // namespace dpsql
