#include "backend/keyed_hash.h"

#include <array>
#include <random>

#include "backend/priority.h"

namespace dpsql {
namespace {

HashSecret DrawSecret() {
  std::random_device device;
  const auto word = [&] { return std::uint64_t{device()} << 32 | device(); };
  const std::uint64_t a = word();
  return {a, word()};
}

}  // namespace

const HashSecret kHashSecret = DrawSecret();

std::uint64_t KeyedHash(std::string_view text) {
  const PriorityKey key = {
      static_cast<std::uint32_t>(kHashSecret.a), static_cast<std::uint32_t>(kHashSecret.a >> 32),
      static_cast<std::uint32_t>(kHashSecret.b), static_cast<std::uint32_t>(kHashSecret.b >> 32)};
  return SipHash24(key, text);
}

}  // namespace dpsql
