#include "backend/unit_bounding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <span>

#include "backend/encode.h"
#include "base/check.h"
#include "support/opened_table.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

constexpr PriorityKey kOfficialKey = {0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c};
constexpr std::int64_t kGroupCap = 3;
constexpr std::int64_t kRowCap = 2;

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

// Units with random cells in a door that has every kind of statistic and two classes of cells.
class UnitBoundingTest : public ::testing::Test {
 protected:
  UnitBoundingTest()
      : catalog_(MakeShopCatalog({.min_frequency = 1, .max_groups = kGroupCap})),
        plan_(PlanQuery("SELECT ordered, count(DISTINCT customer_id), count(*), avg(amount), "
                        "sum(big, -100, 100), count(big) FROM orders GROUP BY ordered",
                        catalog_, RowCap())) {}

  Settings RowCap() const {
    Settings settings = DefaultSettings(catalog_.policy());
    settings.contribution_bound = kRowCap;
    return settings;
  }

  const Door& door() const { return plan_.doors()[0]; }

  // What a unit has in one group: rows, some of them with an amount, and sums of encoded values.
  UnitCell RandomCell(std::vector<Value> key) {
    const Int128 rows = 1 + static_cast<Int128>(random_() % (random_() % 5 == 0 ? 100'000 : 4));
    const Int128 with_amount = random_() % 3 == 0 ? 0 : 1 + random_() % rows;
    UnitCell cell{.key = std::move(key), .present = {}, .numbers = {}};
    for (const CellClass& cell_class : door().classes) {
      cell.present.push_back(!cell_class.argument || with_amount > 0);
    }
    for (const Statistic& statistic : door().statistics) {
      const Int128 count = door().classes[statistic.cell_class].argument ? with_amount : rows;
      for (const Int128 number : RandomNumbers(statistic, count)) cell.numbers.push_back(number);
    }
    return cell;
  }

  std::vector<Int128> RandomNumbers(const Statistic& statistic, Int128 count) {
    const auto place = static_cast<Int128>(random_() % (kStatisticScale + 1));
    const Int128 sum = count * place;
    switch (SumColumns(statistic.kind)) {
      case 0:
        return Coordinates(statistic, {});
      case 1:
        if (statistic.kind == StatisticKind::kRows) {
          return Coordinates(statistic, std::vector<Int128>{count});
        }
        return Coordinates(statistic, std::vector<Int128>{random_() % 2 == 0 ? sum : -sum});
      default:
        return Coordinates(statistic, std::vector<Int128>{count, sum});
    }
  }

  std::vector<UnitRows> RandomUnits(int count) {
    std::vector<UnitRows> units;
    for (int u = 0; u < count; ++u) {
      UnitRows rows{.unit = "u" + std::to_string(u), .cells = {}};
      std::vector<int> groups(8);
      std::iota(groups.begin(), groups.end(), 0);
      std::shuffle(groups.begin(), groups.end(), random_);
      groups.resize(1 + random_() % groups.size());
      for (const int group : groups) rows.cells.push_back(RandomCell({GroupName(group)}));
      units.push_back(std::move(rows));
    }
    return units;
  }

  static Value GroupName(int group) {
    if (group == 0) return std::monostate{};
    return "2026-01-0" + std::to_string(group);
  }

  // Some of the keys, with some of their cells.
  KeySet RandomKeys() {
    KeySet keys;
    for (int group = 0; group < 8; ++group) {
      if (random_() % 4 == 0) continue;
      SelectedKey key{.key = {GroupName(group)}, .cells = {}};
      for (std::size_t c = 0; c < door().classes.size(); ++c) {
        key.cells.push_back(random_() % 4 != 0);
      }
      keys.keys.push_back(std::move(key));
    }
    return keys;
  }

  OpenedTable CountUnits(const std::vector<UnitRows>& units) const {
    CellCounter counter(door(), kOfficialKey);
    for (const UnitRows& unit : units) counter.Add(unit);
    return OpenTable(std::move(counter).Finish());
  }

  OpenedTable SumUnits(const std::vector<UnitRows>& units, const KeySet& keys) const {
    StatisticSummer summer(door(), keys, kOfficialKey);
    for (const UnitRows& unit : units) summer.Add(unit);
    return OpenTable(std::move(summer).Finish());
  }

  std::vector<UnitRows> Shuffled(std::vector<UnitRows> units) {
    std::shuffle(units.begin(), units.end(), random_);
    for (UnitRows& unit : units) std::shuffle(unit.cells.begin(), unit.cells.end(), random_);
    return units;
  }

  // The first coordinate of a statistic.
  std::size_t Offset(std::size_t statistic) const {
    std::size_t offset = 0;
    for (std::size_t s = 0; s < statistic; ++s) offset += Coordinates(door().statistics[s].kind);
    return offset;
  }

  // The coordinates of one statistic in a row.
  std::span<const Int128> Part(const std::vector<Int128>& row, std::size_t statistic) const {
    return std::span(row).subspan(Offset(statistic),
                                  Coordinates(door().statistics[statistic].kind));
  }

  // How far two tables of the same keys are apart in one statistic, squared.
  UInt128 DistanceSquared(const OpenedTable& a, const OpenedTable& b, std::size_t statistic) const {
    UInt128 sum = 0;
    for (const auto& [key, numbers] : a) {
      const std::span<const Int128> x = Part(numbers, statistic);
      const std::span<const Int128> y = Part(b.at(key), statistic);
      for (std::size_t i = 0; i < x.size(); ++i) {
        sum += static_cast<UInt128>((x[i] - y[i]) * (x[i] - y[i]));
      }
    }
    return sum;
  }

  std::mt19937_64 random_{11};
  Catalog catalog_;
  DpPlan plan_;
};

TEST_F(UnitBoundingTest, DoorHasEveryKindOfStatistic) {
  std::set<StatisticKind> kinds;
  for (const Statistic& statistic : door().statistics) kinds.insert(statistic.kind);
  EXPECT_EQ(kinds.size(), 3u);  // units, moments of two columns, rows or a value
  EXPECT_EQ(door().classes.size(), 2u);
  EXPECT_EQ(door().groups_per_unit.value, kGroupCap);
  EXPECT_EQ(door().rows_per_unit.value, kRowCap);
}

TEST_F(UnitBoundingTest, AUnitMovesFewCountsByOne) {
  const auto most_cells = kGroupCap * static_cast<std::int64_t>(door().classes.size());
  for (int round = 0; round < 200; ++round) {
    std::vector<UnitRows> units = RandomUnits(6);
    const OpenedTable with = CountUnits(units);
    units.pop_back();
    const OpenedTable without = CountUnits(units);
    std::int64_t moved = 0;
    for (const auto& [key, numbers] : with) {
      const auto found = without.find(key);
      for (std::size_t c = 0; c < numbers.size(); ++c) {
        const Int128 before = found == without.end() ? 0 : found->second[c];
        ASSERT_TRUE(numbers[c] == before || numbers[c] == before + 1);
        moved += numbers[c] != before;
      }
    }
    for (const auto& [key, numbers] : without) ASSERT_TRUE(with.contains(key));
    ASSERT_LE(moved, most_cells);
    ASSERT_GE(moved, 1);
  }
}

TEST_F(UnitBoundingTest, AUnitMovesEachStatisticWithinItsSensitivity) {
  std::vector<bool> reached(door().statistics.size());
  for (int round = 0; round < 200; ++round) {
    std::vector<UnitRows> units = RandomUnits(4);
    const KeySet keys = RandomKeys();
    const OpenedTable with = SumUnits(units, keys);
    units.pop_back();
    const OpenedTable without = SumUnits(units, keys);
    for (std::size_t s = 0; s < door().statistics.size(); ++s) {
      const Statistic& statistic = door().statistics[s];
      const UInt128 moved_squared = DistanceSquared(with, without, s);
      ASSERT_LE(moved_squared, statistic.sensitivity_squared) << Name(statistic.kind);
      if (moved_squared > statistic.sensitivity_squared / 100 * 99) reached[s] = true;
    }
  }
  // The test would not see a clip that is far too tight.
  EXPECT_EQ(std::count(reached.begin(), reached.end(), true),
            static_cast<std::ptrdiff_t>(reached.size()));
}

TEST_F(UnitBoundingTest, NoOrderMatters) {
  for (int round = 0; round < 50; ++round) {
    const std::vector<UnitRows> units = RandomUnits(8);
    const std::vector<UnitRows> shuffled = Shuffled(units);
    const KeySet keys = RandomKeys();
    ASSERT_EQ(CountUnits(units), CountUnits(shuffled));
    ASSERT_EQ(SumUnits(units, keys), SumUnits(shuffled, keys));
  }
}

// So that a cell shown for its k units has k contributors in every statistic of its class.
TEST_F(UnitBoundingTest, WhoIsCountedContributes) {
  int checked = 0;
  for (int round = 0; round < 300; ++round) {
    const std::vector<UnitRows> one = RandomUnits(1);
    const KeySet keys = RandomKeys();
    const OpenedTable counted = CountUnits(one);
    const OpenedTable summed = SumUnits(one, keys);
    for (const SelectedKey& key : keys.keys) {
      const auto found = counted.find(key.key);
      if (found == counted.end()) continue;
      for (std::size_t s = 0; s < door().statistics.size(); ++s) {
        const Statistic& statistic = door().statistics[s];
        if (statistic.kind == StatisticKind::kValue) continue;  // a value may be zero
        if (!key.cells[statistic.cell_class] || found->second[statistic.cell_class] == 0) continue;
        const auto numbers = Part(summed.at(key.key), s);
        const Int128 weight = std::accumulate(numbers.begin(), numbers.end(), Int128{0});
        ASSERT_GT(weight, 0) << Name(statistic.kind);
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 300);
}

TEST_F(UnitBoundingTest, WithheldCellsGetNothing) {
  const std::vector<UnitRows> units = RandomUnits(20);
  const KeySet keys = RandomKeys();
  const OpenedTable summed = SumUnits(units, keys);
  for (const SelectedKey& key : keys.keys) {
    for (std::size_t s = 0; s < door().statistics.size(); ++s) {
      if (key.cells[door().statistics[s].cell_class]) continue;
      for (const Int128 number : Part(summed.at(key.key), s)) EXPECT_EQ(number, 0);
    }
  }
}

TEST_F(UnitBoundingTest, AKeyWithoutRowsHasARow) {
  KeySet keys;
  keys.keys = {{.key = {std::string("b")}, .cells = {true, true}},
               {.key = {std::monostate{}}, .cells = {true, true}},
               {.key = {std::string("a")}, .cells = {false, true}}};
  ExactReader reader(StatisticSummer(door(), keys, kOfficialKey).Finish());
  ASSERT_EQ(reader.size(), 3u);
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(reader.key(row), keys.keys[row].key);  // in the order of the set
    for (const Int128 number : reader.numbers(row)) EXPECT_EQ(number, 0);
  }
}

TEST_F(UnitBoundingTest, AGroupWithoutACountedRowTakesNoPlace) {
  UnitRows rows{.unit = "u", .cells = {}};
  for (int group = 0; group < 8; ++group) {
    UnitCell cell{.key = {GroupName(group)}, .present = {false, false}, .numbers = {}};
    if (group >= 5) cell.present = {true, true};
    rows.cells.push_back(std::move(cell));
  }
  const OpenedTable counted = CountUnits({rows});
  EXPECT_EQ(counted.size(), 3u);
  for (int group = 5; group < 8; ++group) EXPECT_TRUE(counted.contains({GroupName(group)}));
}

}  // namespace
}  // namespace dpsql
