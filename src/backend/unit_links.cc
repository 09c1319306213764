#include "backend/unit_links.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "backend/unit_cells.h"
#include "backend/value_codes.h"

namespace dpsql {
namespace {

struct Range {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t largest = std::numeric_limits<std::int64_t>::min();

  void Cover(std::span<const std::int64_t> numbers) {
    for (const std::int64_t number : numbers) {
      least = std::min(least, number);
      largest = std::max(largest, number);
    }
  }
  std::uint64_t last() const {
    return static_cast<std::uint64_t>(largest) - static_cast<std::uint64_t>(least);
  }
};

}  // namespace

std::optional<UnitLinks> UnitLinks::Make(std::span<const std::unique_ptr<LinkPairs>> pairs,
                                         CellMemory& memory) {
  Range keys;
  Range units;
  std::uint64_t rows = 0;
  for (const std::unique_ptr<LinkPairs>& some : pairs) {
    keys.Cover(some->keys);
    units.Cover(some->units);
    rows += some->keys.size();
  }
  UnitLinks links(memory);
  if (rows == 0) return links;
  if (!UnitCells::LieClose(keys.last(), rows)) return std::nullopt;
  if (units.last() >= std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  links.first_key_ = static_cast<std::uint64_t>(keys.least);
  links.keys_ = keys.last() + 1;
  links.before_units_ = static_cast<std::uint64_t>(units.least) - 1;
  links.units_ = ZeroedWords(memory, (links.keys_ + 1) / 2);
  auto* const places = reinterpret_cast<std::uint32_t*>(links.units_.data());
  for (const std::unique_ptr<LinkPairs>& some : pairs) {
    for (std::size_t i = 0; i < some->keys.size(); ++i) {
      const std::uint64_t unit = static_cast<std::uint64_t>(some->units.data()[i]);
      places[static_cast<std::uint64_t>(some->keys.data()[i]) - links.first_key_] =
          static_cast<std::uint32_t>(unit - links.before_units_);
    }
  }
  return links;
}

template <typename T>
std::size_t UnitLinks::FindAll(const T* keys, std::size_t n, std::int64_t* units,
                               std::uint8_t* present) const {
  const auto* const places = reinterpret_cast<const std::uint32_t*>(units_.data());
  std::size_t found = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t at =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(keys[i])) - first_key_;
    const std::uint32_t place = at < keys_ ? places[at] : 0;
    units[i] = static_cast<std::int64_t>(before_units_ + place);
    present[i] = place != 0 ? 1 : 0;
    found += present[i];
  }
  return found;
}

std::size_t UnitLinks::Find(const ColumnData& keys, Payload payload, std::size_t n,
                            std::int64_t* units, std::uint8_t* present) const {
  std::size_t found = 0;
  VisitNumbers(payload, keys.data, [&]<typename T>(const T* numbers) {
    if constexpr (!std::is_floating_point_v<T>) found = FindAll(numbers, n, units, present);
  });
  for (std::size_t i = 0; i < n && keys.validity != nullptr; ++i) {
    if (keys.valid(i) || present[i] == 0) continue;
    present[i] = 0;
    --found;
  }
  return found;
}

}  // namespace dpsql
