#include "plan/public_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_catalog.h"

namespace dpsql {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class PublicKeysTest : public ::testing::Test {
 protected:
  // Each list of the question's keys as its tables and the number of its conditions: "p0 q 1".
  std::vector<std::string> Lists(const std::string& sql) const {
    std::vector<std::string> texts;
    for (const Relation& list : PublicKeysOf(BindDoor(sql, catalog_))) {
      std::string text;
      for (const Scan& scan : list.scans) {
        if (scan.role == ScanRole::kInner) text += scan.alias + " ";
      }
      texts.push_back(text + std::to_string(list.conditions.size()));
    }
    return texts;
  }

  static std::string Cities(int count, const std::string& condition = "") {
    std::string from = " FROM customer c";
    for (int i = 0; i < count; ++i) {
      const std::string name = "p" + std::to_string(i);
      from += " JOIN city " + name + " ON " + name + ".name = c.city";
      if (i > 0 && !condition.empty()) {
        from += " AND p" + std::to_string(i - 1) + ".country " + condition + name + ".country";
      }
    }
    return from;
  }

  Catalog catalog_ = MakeShopCatalog({.min_frequency = 1, .max_groups = 3});
};

// The four cities joined forty times in the statement of the keys would be 4^40 rows.
TEST_F(PublicKeysTest, A25TablesThatPrivateRowsJoinAreNotMultiplied) {
  EXPECT_THAT(Lists("SELECT p0.name, count(*)" + Cities(40) + " GROUP BY p0.name"),
              ElementsAre("p0 0"));
  EXPECT_THAT(Lists("SELECT p3.name, p1.country, count(*)" + Cities(40) +
                    " WHERE p1.country <> 'Japan' AND p2.country <> 'France' GROUP BY 1, 2"),
              ElementsAre("p3 0", "p1 1"));
}

TEST_F(PublicKeysTest, ConditionsConnectTables) {
  EXPECT_THAT(Lists("SELECT p0.name, count(*)" + Cities(4, "= ") + " GROUP BY p0.name"),
              ElementsAre("p0 p1 p2 p3 3"));
  EXPECT_THAT(Lists("SELECT p0.name, p2.name, count(*)" + Cities(3, "<> ") + " GROUP BY 1, 2"),
              ElementsAre("p0 p1 p2 2"));
  EXPECT_THAT(Lists("SELECT p.name, count(*) FROM customer c JOIN city p ON p.name = c.city "
                    "JOIN fair f ON f.town = p.name AND f.year = 1 AND f.year = c.age "
                    "GROUP BY p.name"),
              ElementsAre("p f 2"));
}

// A key of each table is equated with private rows, so that none is wide beside those; among public
// tables alone all of them are.
TEST_F(PublicKeysTest, A25AJoinThatIsTooWideIsNotMade) {
  EXPECT_THAT(Lists("SELECT p0.name, count(*)" + Cities(5, "<> ") + " GROUP BY p0.name"),
              IsEmpty());
  const DpPlan plan =
      PlanQuery("SELECT p0.name, count(*)" + Cities(5, "<> ") + " GROUP BY p0.name", catalog_);
  EXPECT_EQ(plan.doors()[0].key_mode, KeyMode::kDiscovered);
  EXPECT_TRUE(plan.doors()[0].selects_keys());
}

TEST_F(PublicKeysTest, TablesThatAKeyReachesAreNotWide) {
  std::string from = " FROM customer c JOIN city p0 ON p0.name = c.city";
  for (int i = 1; i < 9; ++i) {
    const std::string name = "p" + std::to_string(i);
    from += " JOIN city " + name + " ON " + name + ".name = p" + std::to_string(i - 1) + ".name";
  }
  EXPECT_THAT(Lists("SELECT p8.country, count(*)" + from + " GROUP BY p8.country"),
              ElementsAre("p0 p1 p2 p3 p4 p5 p6 p7 p8 8"));
}

TEST_F(PublicKeysTest, OtherKeysHaveNoLists) {
  EXPECT_THAT(Lists("SELECT p0.name, c.age, count(*)" + Cities(1) + " GROUP BY 1, 2"), IsEmpty());
  EXPECT_THAT(Lists("SELECT upper(p0.name), count(*)" + Cities(1) + " GROUP BY 1"), IsEmpty());
  EXPECT_THAT(Lists("SELECT segment, count(*) FROM customer GROUP BY segment"), IsEmpty());
}

TEST_F(PublicKeysTest, DeclaredValuesTakeTheirRoom) {
  std::vector<BoundKey> keys(3);
  EXPECT_EQ(MostPublicKeys(keys), kMostKnownKeys);
  keys[1].values.resize(300);
  EXPECT_EQ(MostPublicKeys(keys), kMostKnownKeys / 300);
  keys[2].values.resize(kMostKnownKeys / 300);
  EXPECT_EQ(MostPublicKeys(keys), 1u);
  keys[2].values.resize(kMostKnownKeys / 300 + 1);
  EXPECT_EQ(MostPublicKeys(keys), 0u);

  BoundDoor door =
      BindDoor("SELECT p0.name, segment, count(*)" + Cities(1) + " GROUP BY 1, 2", catalog_);
  EXPECT_EQ(PublicKeysOf(door).size(), 1u);
  door.keys[1].values.resize(kMostKnownKeys + 1);
  EXPECT_THAT(PublicKeysOf(door), IsEmpty());
}

}  // namespace
}  // namespace dpsql
