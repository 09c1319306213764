#include "backend/key_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/public_keys.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class KeySetTest : public ::testing::Test {
 protected:
  // A door whose keys are in two lists, with a declared key between them.
  KeySetTest()
      : plan_(PlanQuery("SELECT a.name, c.segment, b.country, b.name, count(*) FROM customer c "
                        "JOIN city a ON a.name = c.city JOIN city b ON b.name = c.city "
                        "GROUP BY 1, 2, 3, 4",
                        catalog_)) {}

  const Door& door() const { return plan_.doors()[0]; }

  static KeyTuples Numbers(std::size_t count, std::size_t columns) {
    KeyTuples tuples;
    for (std::size_t i = 0; i < count; ++i) {
      tuples.emplace_back(columns, Value{static_cast<std::int64_t>(i)});
    }
    return tuples;
  }

  Catalog catalog_ = MakeShopCatalog({.min_frequency = 1, .max_groups = 3});
  DpPlan plan_;
};

TEST_F(KeySetTest, EveryCombinationInItsPlaces) {
  ASSERT_EQ(door().public_keys.size(), 2u);
  const auto keys = WithDeclaredKeys(door(), {{{"Lyon"}}, {{"France", "Paris"}, {"Japan", "X"}}});
  ASSERT_TRUE(keys.ok());
  using Key = std::vector<Value>;
  EXPECT_THAT(
      *keys,
      ElementsAre(Key{"Lyon", "home", "France", "Paris"}, Key{"Lyon", "office", "France", "Paris"},
                  Key{"Lyon", "school", "France", "Paris"}, Key{"Lyon", "home", "Japan", "X"},
                  Key{"Lyon", "office", "Japan", "X"}, Key{"Lyon", "school", "Japan", "X"}));
}

TEST_F(KeySetTest, NoTupleOfAListMeansNoKey) {
  const auto keys = WithDeclaredKeys(door(), {{}, Numbers(kMostKnownKeys + 1, 2)});
  ASSERT_TRUE(keys.ok());
  EXPECT_THAT(*keys, IsEmpty());
}

// Three declared values, so that 333,333 of the others have room.
TEST_F(KeySetTest, A25TooManyKeysAreRefusedBeforeTheyAreMade) {
  const auto number = [&](std::size_t first, std::size_t second) {
    const auto keys = WithDeclaredKeys(door(), {Numbers(first, 1), Numbers(second, 2)});
    return keys ? std::to_string(keys->size()) : keys.error().code;
  };
  EXPECT_EQ(number(1, 333'333), "999999");
  EXPECT_EQ(number(1, 333'334), "E503");
  EXPECT_EQ(number(1000, 333), "999000");
  EXPECT_EQ(number(1000, 334), "E503");
  EXPECT_EQ(number(30'000, 30'000), "E503");  // 2.7e9 keys, were they made
}

}  // namespace
}  // namespace dpsql
