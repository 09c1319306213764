#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace dpsql {

using PriorityKey = std::array<std::uint32_t, 4>;

// The place of a group in a unit's order, by a keyed pseudo-random function (SipHash-2-4) of the
// unit and the group alone: no other unit's rows can change it, and both stages see the same.
std::uint64_t GroupPriority(const PriorityKey& key, std::string_view unit, std::string_view group);

// SipHash-2-4 of the bytes; exposed for its known-answer test.
std::uint64_t SipHash24(const PriorityKey& key, std::string_view bytes);

}  // namespace dpsql
