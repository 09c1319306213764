#include "noise/select_keys.h"

#include <gtest/gtest.h>

#include <utility>

#include "privacy/truncated_geometric.h"
#include "support/fake_noise.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

constexpr std::int64_t kMinFrequency = 10;
constexpr Int128 kHuge = Int128{1} << 100;

using Key = std::vector<Value>;
using Numbers = std::vector<Int128>;

Key Named(const char* name) { return {std::string(name)}; }

class SelectKeysTest : public ::testing::Test {
 protected:
  // Two classes of cells: every row, and rows with an age.
  Door Discovered() const {
    return PlanQuery("SELECT city, count(*), count(age) FROM customer GROUP BY city", catalog_)
        .doors()[0];
  }
  Door Known() const {
    return PlanQuery("SELECT segment, count(*) FROM customer GROUP BY segment", catalog_)
        .doors()[0];
  }

  // Where the owner declared the keys, all of them are asked for.
  static KeySet Select(ExactTable counts, const Door& door, Noise& noise) {
    return SelectKeys(std::move(counts), door.known_keys, door, noise);
  }

  static ExactTable Counts(std::vector<std::pair<Key, Numbers>> rows) {
    ExactTableBuilder builder;
    for (auto& [key, numbers] : rows) builder.Add(std::move(key), std::move(numbers));
    return std::move(builder).Finish();
  }

  // Whether a cell of this count shows itself under this noise.
  bool Shown(Int128 count, Int128 added) const {
    FakeNoise noise([&](std::size_t) { return added; });
    const KeySet keys = Select(Counts({{Named("Lyon"), {count, count}}}), Discovered(), noise);
    return !keys.keys.empty();
  }

  Catalog catalog_ = MakeShopCatalog({.min_frequency = kMinFrequency, .max_groups = 3});
};

TEST_F(SelectKeysTest, FewerThanKAreHiddenWhateverTheNoise) {
  EXPECT_FALSE(Shown(kMinFrequency - 1, kHuge));
  EXPECT_FALSE(Shown(0, kHuge));
  EXPECT_TRUE(Shown(kMinFrequency, kHuge));
  EXPECT_FALSE(Shown(kMinFrequency, 0));
  EXPECT_FALSE(Shown(1'000'000, -kHuge));
}

TEST_F(SelectKeysTest, NoisyCountReachesTau) {
  const std::int64_t tau = Discovered().tau;
  ASSERT_GT(tau, kMinFrequency);
  EXPECT_TRUE(Shown(tau, 0));
  EXPECT_FALSE(Shown(tau - 1, 0));
  EXPECT_TRUE(Shown(tau - 1, 1));
  EXPECT_TRUE(Shown(kMinFrequency, tau - kMinFrequency));
  EXPECT_FALSE(Shown(kMinFrequency, tau - kMinFrequency - 1));
  EXPECT_TRUE(Shown(tau + 5, -5));
  EXPECT_FALSE(Shown(tau + 5, -6));
}

TEST_F(SelectKeysTest, AnEmptyCellIsHiddenWhateverK) {
  const Catalog catalog = MakeShopCatalog({.min_frequency = 0, .max_groups = 3});
  const DpPlan plan = PlanQuery("SELECT city, count(*) FROM customer GROUP BY city", catalog);
  Door door = plan.doors()[0];
  door.min_frequency = 0;  // the planner says 1; the room does not lean on it
  FakeNoise noise([](std::size_t) { return kHuge; });
  const KeySet keys = Select(Counts({{Named("Lyon"), {0}}, {Named("Oslo"), {1}}}), door, noise);
  ASSERT_EQ(keys.keys.size(), 1u);
  EXPECT_EQ(keys.keys[0].key, Named("Oslo"));
}

TEST_F(SelectKeysTest, EachCellIsJudgedAlone) {
  const std::int64_t tau = Discovered().tau;
  FakeNoise noise([](std::size_t) { return 0; });
  const KeySet keys = Select(Counts({{Named("a"), {tau, tau - 1}},
                                     {Named("b"), {tau, tau}},
                                     {Named("c"), {tau - 1, tau - 1}}}),
                             Discovered(), noise);
  ASSERT_EQ(keys.keys.size(), 2u);
  EXPECT_EQ(keys.keys[0].cells, (std::vector<bool>{true, false}));
  EXPECT_EQ(keys.keys[1].cells, (std::vector<bool>{true, true}));
}

TEST_F(SelectKeysTest, OneDrawPerCellWithTheSigmaOfTheCount) {
  const Door door = Discovered();
  FakeNoise noise([](std::size_t) { return 0; });
  Select(Counts({{Named("a"), {1, 0}}, {Named("b"), {500, 400}}, {Named("c"), {5, 5}}}), door,
         noise);
  EXPECT_EQ(noise.drawn(), 6u);
  for (const GridSigma& sigma : noise.sigmas()) {
    EXPECT_EQ(sigma.numerator, door.count_sigma.numerator);
    EXPECT_EQ(sigma.bits, door.count_sigma.bits);
  }
}

// Every cell has a draw of its own: lift exactly one of six equal cells over tau.
TEST_F(SelectKeysTest, NoDrawIsUsedTwice) {
  const Door door = Discovered();
  for (std::size_t lifted = 0; lifted < 6; ++lifted) {
    FakeNoise noise([&](std::size_t i) { return i == lifted ? kHuge : 0; });
    const KeySet keys =
        Select(Counts({{Named("a"), {10, 10}}, {Named("b"), {10, 10}}, {Named("c"), {10, 10}}}),
               door, noise);
    ASSERT_EQ(keys.keys.size(), 1u);
    EXPECT_NE(keys.keys[0].cells[0], keys.keys[0].cells[1]);
  }
}

TEST_F(SelectKeysTest, DiscoveredKeysComeSorted) {
  FakeNoise noise([](std::size_t) { return kHuge; });
  const KeySet keys = Select(Counts({{Named("b"), {50, 50}},
                                     {Named("a"), {20, 20}},
                                     {{std::monostate{}}, {90, 90}},
                                     {Named("B"), {10, 10}},
                                     {Named(""), {11, 11}}}),
                             Discovered(), noise);
  std::vector<Key> order;
  for (const SelectedKey& key : keys.keys) order.push_back(key.key);
  EXPECT_EQ(order,
            (std::vector<Key>{{std::monostate{}}, Named(""), Named("B"), Named("a"), Named("b")}));
}

TEST_F(SelectKeysTest, KnownKeysAreAllThereWithTheirCellsHidden) {
  const Door door = Known();
  ASSERT_EQ(door.key_mode, KeyMode::kKnown);
  FakeNoise noise([](std::size_t) { return 0; });
  const KeySet keys = Select(
      Counts({{Named("school"), {door.tau}}, {Named("home"), {kMinFrequency - 1}}}), door, noise);
  ASSERT_EQ(keys.keys.size(), 3u);
  EXPECT_EQ(keys.keys[0].key, Named("home"));
  EXPECT_EQ(keys.keys[1].key, Named("office"));
  EXPECT_EQ(keys.keys[2].key, Named("school"));
  EXPECT_FALSE(keys.keys[0].any());
  EXPECT_FALSE(keys.keys[1].any());
  EXPECT_TRUE(keys.keys[2].any());
}

// Keys that public tables hold are known as those of a list are.
TEST_F(SelectKeysTest, KeysOfPublicTablesAreAllThere) {
  Door door = Known();
  door.key_mode = KeyMode::kPublic;
  door.known_keys.clear();
  FakeNoise noise([](std::size_t) { return 0; });
  const KeySet keys = SelectKeys(Counts({{Named("Oslo"), {door.tau}}, {Named("Rome"), {1}}}),
                                 {Named("Rome"), Named("Bonn"), Named("Oslo")}, door, noise);
  ASSERT_EQ(keys.keys.size(), 3u);
  EXPECT_EQ(keys.keys[0].key, Named("Bonn"));
  EXPECT_FALSE(keys.keys[0].any());
  EXPECT_TRUE(keys.keys[1].any());
  EXPECT_FALSE(keys.keys[2].any());
}

TEST_F(SelectKeysTest, AScalarBelowKKeepsItsRow) {
  const DpPlan plan = PlanQuery("SELECT count(*) FROM customer", catalog_);
  FakeNoise noise([](std::size_t) { return kHuge; });
  const KeySet hidden = Select(Counts({{{}, {kMinFrequency - 1}}}), plan.doors()[0], noise);
  ASSERT_EQ(hidden.keys.size(), 1u);
  EXPECT_FALSE(hidden.keys[0].any());
  const KeySet empty = Select(Counts({}), plan.doors()[0], noise);
  ASSERT_EQ(empty.keys.size(), 1u);
  EXPECT_FALSE(empty.keys[0].any());
  const KeySet shown = Select(Counts({{{}, {kMinFrequency}}}), plan.doors()[0], noise);
  EXPECT_TRUE(shown.keys[0].any());
}

TEST_F(SelectKeysTest, PublicKeysAndNoMinimumNeedNoNoise) {
  const Catalog catalog = MakeShopCatalog({.min_frequency = 1});
  const DpPlan plan = PlanQuery("SELECT segment, count(*) FROM customer GROUP BY segment", catalog);
  FakeNoise noise([](std::size_t) { return -kHuge; });
  const KeySet keys = Select(Counts({}), plan.doors()[0], noise);
  EXPECT_EQ(keys.keys.size(), 3u);
  for (const SelectedKey& key : keys.keys) EXPECT_TRUE(key.any());
  EXPECT_EQ(noise.drawn(), 0u);
}

// A door that keeps cells by coins.
class CoinTest : public SelectKeysTest {
 protected:
  Door Tossed() const {
    Door door = Discovered();
    door.selection = KeySelection::kTruncatedGeometric;
    door.keep = {0.25, 1e-6};
    return door;
  }
};

TEST_F(CoinTest, OneCoinPerCellWithTheProbabilityOfItsCount) {
  const Door door = Tossed();
  const TruncatedGeometric table(door.keep, kMinFrequency);
  FakeNoise noise([](std::size_t) { return 0; });
  Select(Counts({{Named("a"), {9, 10}}, {Named("b"), {25, 40}}, {Named("c"), {0, 500}}}), door,
         noise);
  EXPECT_EQ(noise.drawn(), 0u);
  const std::vector<UInt128> wanted = {0, table.Keep(10),         table.Keep(25), table.Keep(40),
                                       0, UInt128{1} << kKeepBits};
  ASSERT_GE(500, table.certain_from());
  ASSERT_LT(table.Keep(10), table.Keep(25));
  EXPECT_TRUE(noise.tossed() == wanted);
}

TEST_F(CoinTest, CoinsDecideCellByCell) {
  const Door door = Tossed();
  for (std::size_t lifted = 0; lifted < 6; ++lifted) {
    FakeNoise noise([&](std::size_t i) { return i == lifted ? 1 : -1; });
    const KeySet keys =
        Select(Counts({{Named("a"), {10, 10}}, {Named("b"), {10, 10}}, {Named("c"), {10, 10}}}),
               door, noise);
    ASSERT_EQ(keys.keys.size(), 1u);
    EXPECT_EQ(keys.keys[0].key, Named(std::string(1, static_cast<char>('a' + lifted / 2)).c_str()));
    EXPECT_EQ(keys.keys[0].cells[lifted % 2], true);
    EXPECT_EQ(keys.keys[0].cells[1 - lifted % 2], false);
  }
}

TEST_F(CoinTest, FewerThanKAreHiddenWhateverTheCoin) {
  FakeNoise heads([](std::size_t) { return 1; });
  const KeySet keys = Select(
      Counts({{Named("few"), {kMinFrequency - 1, 0}}, {Named("enough"), {kMinFrequency, 0}}}),
      Tossed(), heads);
  ASSERT_EQ(keys.keys.size(), 1u);
  EXPECT_EQ(keys.keys[0].key, Named("enough"));
  EXPECT_EQ(keys.keys[0].cells, (std::vector<bool>{true, false}));
}

TEST_F(CoinTest, KnownKeysAreAllThereWithTheirCoins) {
  Door door = Known();
  door.selection = KeySelection::kTruncatedGeometric;
  door.keep = {0.25, 1e-6};
  FakeNoise noise([](std::size_t i) { return i == 0 ? 1 : -1; });
  const KeySet keys =
      Select(Counts({{Named("school"), {400}}, {Named("home"), {400}}}), door, noise);
  ASSERT_EQ(keys.keys.size(), 3u);
  EXPECT_FALSE(keys.keys[0].any());
  EXPECT_FALSE(keys.keys[1].any());
  EXPECT_TRUE(keys.keys[2].any());
}

}  // namespace
}  // namespace dpsql
