#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace dpsql {

using PriorityKey = std::array<std::uint32_t, 4>;

// The place of a group in a unit's order, by a keyed pseudo-random function (SipHash-2-4) of the
// unit and the group alone: no other unit's rows can change it, and both stages see the same.
std::uint64_t GroupPriority(const PriorityKey& key, std::string_view unit, std::string_view group);

// The same for many groups of one unit.
class UnitPriority {
 public:
  UnitPriority(const PriorityKey& key, std::string_view unit);
  std::uint64_t Of(std::string_view group);

 private:
  PriorityKey key_;
  std::string bytes_;  // of the unit; a group's are put behind them
  std::size_t unit_size_;
};

// SipHash-2-4 of the bytes; exposed for its known-answer test.
std::uint64_t SipHash24(const PriorityKey& key, std::string_view bytes);

}  // namespace dpsql
