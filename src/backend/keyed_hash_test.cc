#include "backend/keyed_hash.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace dpsql {
namespace {

constexpr int kKeys = 4096;

// How many of 4,096 places the upper bits of the hashes of as many keys fall into; 2,589 of truly
// random ones, with a standard deviation of 26.
std::size_t Places(const std::function<std::uint64_t(std::uint64_t)>& hash_of) {
  std::set<std::uint64_t> places;
  for (int i = 0; i < kKeys; ++i) places.insert(hash_of(static_cast<std::uint64_t>(i)) >> 52);
  return places.size();
}

// T22: keys that an analyst could compute in SQL to meet in one place of x ^= x >> 32; x *= C.
std::uint64_t Crafted(std::uint64_t i) {
  constexpr std::uint64_t kFactor = 0xd6e8feb86659fd93;
  std::uint64_t inverse = kFactor;
  for (int step = 0; step < 6; ++step) inverse *= 2 - kFactor * inverse;
  const std::uint64_t y = i * inverse;
  return y ^ (y >> 32);
}

TEST(KeyedHashTest, T22KeysWithAPatternAreSpread) {
  const std::vector<std::function<std::uint64_t(std::uint64_t)>> patterns = {
      [](std::uint64_t i) { return i; },
      [](std::uint64_t i) { return i << 32; },
      [](std::uint64_t i) { return i << 52; },
      [](std::uint64_t i) { return i * 1'000'003; },
      [](std::uint64_t i) { return i * 0x9e3779b97f4a7c15; },
      Crafted,
  };
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    const auto& key = patterns[p];
    EXPECT_GT(Places([&](std::uint64_t i) { return KeyedHash(key(i)); }), 2300u) << p;
    EXPECT_GT(Places([&](std::uint64_t i) { return KeyedHash(5, key(i)); }), 2300u) << p;
    EXPECT_GT(Places([&](std::uint64_t i) { return KeyedHash(key(i), key(i)); }), 2300u) << p;
  }
}

TEST(KeyedHashTest, TextsAreSpreadAndEqualOnesMeet) {
  const auto text = [](std::uint64_t i) { return "a text that is long " + std::to_string(i); };
  EXPECT_GT(Places([&](std::uint64_t i) { return KeyedHash(text(i)); }), 2300u);
  EXPECT_EQ(KeyedHash(text(7)), KeyedHash(text(7)));
}

}  // namespace
}  // namespace dpsql
