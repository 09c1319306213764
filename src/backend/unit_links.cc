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

constexpr std::uint64_t kBits = 64;  // of a word

}  // namespace

std::optional<UnitLinks> UnitLinks::Make(std::span<const std::unique_ptr<LinkPairs>> pairs,
                                         CellMemory& memory) {
  Range keys;
  Range units;
  std::uint64_t rows = 0;
  bool own = true;
  for (const std::unique_ptr<LinkPairs>& some : pairs) {
    keys.Cover(some->keys);
    units.Cover(some->units);
    rows += some->keys.size();
    own = own && std::equal(some->keys.begin(), some->keys.end(), some->units.begin());
  }
  UnitLinks links(memory);
  if (rows == 0) return links;
  if (!UnitCells::LieClose(keys.last(), rows, kFreeRange)) return std::nullopt;
  if (units.last() >= std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  links.own_ = own;
  links.first_key_ = static_cast<std::uint64_t>(keys.least);
  links.keys_ = keys.last() + 1;
  links.before_units_ = static_cast<std::uint64_t>(units.least) - 1;
  links.words_ = ZeroedWords(memory, own ? keys.last() / kBits + 1 : (links.keys_ + 1) / 2);
  for (const std::unique_ptr<LinkPairs>& some : pairs) {
    own ? links.SetBits(*some) : links.SetPlaces(*some);
  }
  return links;
}

void UnitLinks::SetBits(const LinkPairs& pairs) {
  for (const std::int64_t key : pairs.keys) {
    const std::uint64_t at = static_cast<std::uint64_t>(key) - first_key_;
    words_.data()[at / kBits] |= std::uint64_t{1} << (at % kBits);
  }
}

void UnitLinks::SetPlaces(const LinkPairs& pairs) {
  auto* const places = reinterpret_cast<std::uint32_t*>(words_.data());
  for (std::size_t i = 0; i < pairs.keys.size(); ++i) {
    const auto unit = static_cast<std::uint64_t>(pairs.units.data()[i]);
    places[static_cast<std::uint64_t>(pairs.keys.data()[i]) - first_key_] =
        static_cast<std::uint32_t>(unit - before_units_);
  }
}

// Every row is written where the next found one goes, so that nothing waits for a guess whether it
// is one.
template <typename T>
std::size_t UnitLinks::FindBits(const T* keys, std::size_t n, std::uint32_t* rows,
                                std::int64_t* units) const {
  const std::uint64_t* const words = words_.data();
  std::size_t found = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto key = static_cast<std::uint64_t>(static_cast<std::int64_t>(keys[i]));
    const std::uint64_t at = key - first_key_;
    rows[found] = i;
    units[found] = static_cast<std::int64_t>(key);
    found += at < keys_ ? (words[at / kBits] >> (at % kBits)) & 1 : 0;
  }
  return found;
}

template <typename T>
std::size_t UnitLinks::FindPlaces(const T* keys, std::size_t n, std::uint32_t* rows,
                                  std::int64_t* units) const {
  const auto* const places = reinterpret_cast<const std::uint32_t*>(words_.data());
  std::size_t found = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint64_t at =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(keys[i])) - first_key_;
    const std::uint32_t place = at < keys_ ? places[at] : 0;
    rows[found] = i;
    units[found] = static_cast<std::int64_t>(before_units_ + place);
    found += place != 0 ? 1 : 0;
  }
  return found;
}

std::size_t UnitLinks::Find(const ColumnData& keys, Payload payload, std::size_t n,
                            std::uint32_t* rows, std::int64_t* units) const {
  std::size_t found = 0;
  VisitNumbers(payload, keys.data, [&]<typename T>(const T* numbers) {
    if constexpr (!std::is_floating_point_v<T>) {
      found = own_ ? FindBits(numbers, n, rows, units) : FindPlaces(numbers, n, rows, units);
    }
  });
  if (keys.validity == nullptr) return found;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < found; ++i) {
    rows[kept] = rows[i];
    units[kept] = units[i];
    kept += keys.valid(rows[i]) ? 1 : 0;
  }
  return kept;
}

}  // namespace dpsql
