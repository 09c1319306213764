#include "backend/priority.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "backend/unit_bounding.h"
#include "base/check.h"

namespace dpsql {
namespace {

constexpr PriorityKey kOfficialKey = {0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c};

TEST(SipHashTest, MatchesTheOfficialVectors) {
  std::string input;
  EXPECT_EQ(SipHash24(kOfficialKey, input), 0x726fdb47dd0e0e31u);
  for (char byte = 0; byte < 15; ++byte) input.push_back(byte);
  EXPECT_EQ(SipHash24(kOfficialKey, input), 0xa129ca6149be45e5u);
  EXPECT_EQ(SipHash24(kOfficialKey, input.substr(0, 8)), 0x93f5f5799a932462u);
}

TEST(SipHashTest, PriorityDependsOnEachPart) {
  std::set<std::uint64_t> seen;
  for (const auto& [unit, group] : std::vector<std::pair<std::string, std::string>>{
           {"a", "b"}, {"ab", ""}, {"", "ab"}, {"a", "c"}, {"b", "b"}, {"1:a", "b"}}) {
    EXPECT_TRUE(seen.insert(GroupPriority(kOfficialKey, unit, group)).second) << unit << group;
  }
  EXPECT_TRUE(seen.insert(GroupPriority({1, 2, 3, 4}, "a", "b")).second);
}

TEST(KeyBytesTest, DifferentKeysHaveDifferentBytes) {
  using S = std::string;
  const std::int64_t one = 1;
  const std::vector<std::vector<Value>> keys = {
      {},
      {std::monostate{}},
      {std::monostate{}, std::monostate{}},
      {true},
      {false},
      {true, false},
      {one},
      {-one},
      {std::int64_t{11}},
      {one, one},
      {std::int64_t{INT64_MIN}},
      {std::int64_t{INT64_MAX}},
      {S()},
      {S(), S()},
      {S("n")},
      {S("t")},
      {S("1")},
      {S("i1;")},
      {S("1;")},
      {S("s0:")},
      {S("0:")},
      {S("a"), S("b")},
      {S("ab")},
      {S("ab"), S()},
      {S(), S("ab")},
      {S("as1:b")},
      {S("a1:b")},
      {S("a", 1), S("\0", 1)},
      {S("a\0", 2)},
      {S("\0", 1)},
      {S("NULL")},
      {S("'")},
      {S("''")},
      {S("a','b")},
      {S("a's'b")},
      {S("\xc3\xa9")},
      {S("e\xcc\x81")},
      {S("11:aaaaaaaaaaa")},
      {S("aaaaaaaaaaa")},
      {one, S()},
      {S("i1;"), S()},
      {S(12, 'x')},
      {S("2:"), S(10, 'x')},
  };
  std::set<std::string> seen;
  for (const auto& key : keys) EXPECT_TRUE(seen.insert(KeyBytes(key)).second) << KeyBytes(key);
  for (const auto& key : keys) EXPECT_EQ(KeyBytes(key), KeyBytes(std::vector<Value>(key)));
}

// Random tuples over an alphabet of the encoding's own marks: equal bytes only for equal tuples.
TEST(KeyBytesTest, IsInjectiveOnHostileTexts) {
  std::mt19937 random(7);
  const std::string alphabet = "nstfi:;,'\"012";
  std::map<std::string, std::vector<Value>> seen;
  for (int i = 0; i < 20'000; ++i) {
    std::vector<Value> key(1 + random() % 3);
    for (Value& value : key) {
      if (random() % 4 == 0) {
        value = static_cast<std::int64_t>(random() % 13);
        continue;
      }
      std::string text;
      while (random() % 3 != 0) text.push_back(alphabet[random() % alphabet.size()]);
      value = text;
    }
    const auto [at, is_new] = seen.emplace(KeyBytes(key), key);
    ASSERT_EQ(at->second, key);
  }
}

TEST(KeyBytesTest, RefusesInexactKeys) { EXPECT_THROW(KeyBytes({0.5}), Bug); }

}  // namespace
}  // namespace dpsql
