#include "backend/priority.h"

#include <bit>
#include <cstring>
#include <string>

namespace dpsql {
namespace {

struct SipState {
  std::uint64_t v0, v1, v2, v3;

  void Round() {
    v0 += v1;
    v1 = std::rotl(v1, 13) ^ v0;
    v0 = std::rotl(v0, 32);
    v2 += v3;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v2 = std::rotl(v2, 32);
  }

  void Absorb(std::uint64_t word) {
    v3 ^= word;
    Round();
    Round();
    v0 ^= word;
  }
};

std::uint64_t LittleEndian(std::string_view bytes) {
  std::uint64_t word = 0;
  if (std::endian::native == std::endian::little && bytes.size() == sizeof(word)) {
    std::memcpy(&word, bytes.data(), sizeof(word));
    return word;
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return word;
}

}  // namespace

std::uint64_t SipHash24(const PriorityKey& key, std::string_view bytes) {
  const std::uint64_t k0 = key[0] | static_cast<std::uint64_t>(key[1]) << 32;
  const std::uint64_t k1 = key[2] | static_cast<std::uint64_t>(key[3]) << 32;
  SipState state{k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261,
                 k1 ^ 0x7465646279746573};
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) state.Absorb(LittleEndian(bytes.substr(at, 8)));
  state.Absorb(LittleEndian(bytes.substr(at)) | static_cast<std::uint64_t>(bytes.size()) << 56);
  state.v2 ^= 0xff;
  for (int i = 0; i < 4; ++i) state.Round();
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

// The unit's length first, so that no two pairs have the same bytes.
UnitPriority::UnitPriority(const PriorityKey& key, std::string_view unit)
    : key_(key), bytes_(std::to_string(unit.size()) + ":") {
  bytes_ += unit;
  unit_size_ = bytes_.size();
}

std::uint64_t UnitPriority::Of(std::string_view group) {
  bytes_.resize(unit_size_);
  bytes_ += group;
  return SipHash24(key_, bytes_);
}

std::uint64_t GroupPriority(const PriorityKey& key, std::string_view unit, std::string_view group) {
  return UnitPriority(key, unit).Of(group);
}

}  // namespace dpsql
