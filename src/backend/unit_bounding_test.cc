#include "backend/unit_bounding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <numeric>
#include <random>
#include <set>
#include <span>

#include "backend/encode.h"
#include "plan/calibrate.h"
#include "support/opened_table.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;

constexpr PriorityKey kOfficialKey = {0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c};
constexpr std::int64_t kGroupCap = 3;
constexpr std::int64_t kRowCap = 2;

constexpr const char* kQueries[] = {
    "SELECT ordered, count(DISTINCT customer_id), count(*), avg(amount), sum(big, -100, 100), "
    "count(big) FROM orders GROUP BY ordered",
    "SELECT ordered, sum(amount) FROM orders GROUP BY ordered",
    "SELECT ordered, count(*), var_pop(amount) FROM orders GROUP BY ordered",
    "SELECT ordered, covar_pop(amount, big, 0, 1000, -9, 9), count(*) FROM orders GROUP BY ordered",
    "SELECT ordered, regr_slope(amount, big, 0, 1000, -9, 9) FROM orders GROUP BY ordered",
    "SELECT ordered, corr(amount, big, 0, 1000, -9, 9) FROM orders GROUP BY ordered",
};

// Units with random cells, in doors that have every shape of statistic with either noise.
class UnitBoundingTest : public ::testing::Test {
 protected:
  UnitBoundingTest() : catalog_(MakeShopCatalog({.min_frequency = 1, .max_groups = kGroupCap})) {
    Settings settings = DefaultSettings(catalog_.policy());
    settings.contribution_bound = kRowCap;
    for (const NoiseChoice noise : {NoiseChoice::kGaussian, NoiseChoice::kLaplace}) {
      settings.noise = noise;
      const std::size_t first = doors_.size();
      for (const char* sql : kQueries) {
        doors_.push_back(PlanQuery(sql, catalog_, settings).doors()[0]);
      }
      // No aggregate asks for more than the second degree yet.
      for (const unsigned degree : {3U, 4U}) doors_.push_back(OfDegree(doors_[first + 2], degree));
    }
  }

  static Door OfDegree(Door door, unsigned degree) {
    Statistic& statistic = door.statistics[0];
    statistic.shape.degrees = {degree, 0};
    statistic.step_bits = kMostGridBits / degree;
    statistic.clip = static_cast<std::uint64_t>(kRowCap) << statistic.grid_bits();
    return door;
  }

  // Rows of a unit in one group: of each class, and of each statistic the sums over its class.
  UnitCell RandomCell(const Door& door, std::vector<Value> key, Int128 rows) {
    UnitCell cell{.key = std::move(key), .rows = {}, .sums = {}};
    for (const CellClass& cell_class : door.classes) {
      const Int128 some = random_() % 3 == 0 ? 0 : static_cast<Int128>(random_()) % (rows + 1);
      cell.rows.push_back(cell_class.present.empty() ? rows : std::max(some, Int128{0}));
    }
    for (const Statistic& statistic : door.statistics) {
      const Int128 own = cell.rows[statistic.cell_class];
      for (const Int128 sum : RandomSums(statistic, own)) cell.sums.push_back(sum);
    }
    return cell;
  }

  // The sums of rows at two places, which may be ends of the range.
  std::vector<Int128> RandomSums(const Statistic& statistic, Int128 rows) {
    const std::vector<Powers> powers = SummedPowers(statistic.shape);
    std::vector<Int128> sums(powers.size(), 0);
    const Int128 first = rows - rows / static_cast<Int128>(1 + random_() % 3);
    for (const Int128 some : {first, rows - first}) {
      const Int128 x = RandomStep(statistic);
      const Int128 y = RandomStep(statistic);
      for (std::size_t i = 0; i < powers.size(); ++i) {
        Int128 power = some;
        for (unsigned a = 0; a < powers[i].x; ++a) power *= x;
        for (unsigned b = 0; b < powers[i].y; ++b) power *= y;
        sums[i] += power;
      }
    }
    return sums;
  }

  Int128 RandomStep(const Statistic& statistic) {
    const Int128 top = Int128{1} << statistic.step_bits;
    const Int128 step = random_() % 2 == 0 ? static_cast<Int128>(random_() % 3) * (top / 2)
                                           : static_cast<Int128>(random_()) % (top + 1);
    const bool negative = statistic.shape.kind == StatisticKind::kValue && random_() % 2 == 0;
    return negative ? -std::max(step, -step) : std::max(step, -step);
  }

  Int128 ManyRows() {
    return 1 + static_cast<Int128>(random_() % (random_() % 5 == 0 ? 100'000 : 4));
  }

  std::vector<UnitRows> RandomUnits(const Door& door, int count) {
    std::vector<UnitRows> units;
    for (int u = 0; u < count; ++u) {
      UnitRows rows{.unit = "u" + std::to_string(u), .cells = {}};
      std::vector<int> groups(8);
      std::iota(groups.begin(), groups.end(), 0);
      std::shuffle(groups.begin(), groups.end(), random_);
      groups.resize(1 + random_() % groups.size());
      for (const int group : groups) {
        rows.cells.push_back(RandomCell(door, {GroupName(group)}, ManyRows()));
      }
      units.push_back(std::move(rows));
    }
    return units;
  }

  static Value GroupName(int group) {
    if (group == 0) return std::monostate{};
    return "2026-01-0" + std::to_string(group);
  }

  // Some of the keys, with some of their cells.
  KeySet RandomKeys(const Door& door) {
    KeySet keys;
    for (int group = 0; group < 8; ++group) {
      if (random_() % 4 == 0) continue;
      SelectedKey key{.key = {GroupName(group)}, .cells = {}};
      for (std::size_t c = 0; c < door.classes.size(); ++c) {
        key.cells.push_back(random_() % 4 != 0);
      }
      keys.keys.push_back(std::move(key));
    }
    return keys;
  }

  static OpenedTable CountUnits(const Door& door, const std::vector<UnitRows>& units) {
    CellCounter counter(door, kOfficialKey);
    for (const UnitRows& unit : units) counter.Add(unit);
    return OpenTable(std::move(counter).Finish());
  }

  static OpenedTable SumUnits(const Door& door, const std::vector<UnitRows>& units,
                              const KeySet& keys) {
    StatisticSummer summer(door, keys, kOfficialKey);
    for (const UnitRows& unit : units) summer.Add(unit);
    return OpenTable(std::move(summer).Finish());
  }

  std::vector<UnitRows> Shuffled(std::vector<UnitRows> units) {
    std::shuffle(units.begin(), units.end(), random_);
    for (UnitRows& unit : units) std::shuffle(unit.cells.begin(), unit.cells.end(), random_);
    return units;
  }

  // The coordinates of one statistic in a row.
  static std::span<const Int128> Part(const Door& door, const std::vector<Int128>& row,
                                      std::size_t statistic) {
    std::size_t offset = 0;
    for (std::size_t s = 0; s < statistic; ++s) offset += Coordinates(door.statistics[s].shape);
    return std::span(row).subspan(offset, Coordinates(door.statistics[statistic].shape));
  }

  // How far two tables of the same keys are apart in one statistic: the sum of magnitudes for
  // Laplace noise, the sum of weighted squares for Gaussian noise.
  static cpp_int Distance(const Door& door, const OpenedTable& a, const OpenedTable& b,
                          std::size_t statistic) {
    const Statistic& own = door.statistics[statistic];
    const ClipWeights weights = WeightsOf(own.shape);
    cpp_int sum = 0;
    for (const auto& [key, numbers] : a) {
      const std::span<const Int128> x = Part(door, numbers, statistic);
      const std::span<const Int128> y = Part(door, b.at(key), statistic);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const cpp_int apart(x[i] - y[i]);
        const bool laplace = own.mechanism == Mechanism::kLaplace;
        sum += laplace ? cpp_int(abs(apart)) : cpp_int(apart * apart * weights.weight[i]);
      }
    }
    return sum;
  }

  // What the plan has paid for, in the same terms.
  static cpp_int Paid(const Door& door, std::size_t statistic) {
    const Statistic& own = door.statistics[statistic];
    const Sensitivity sensitivity = SensitivityOf(door, own);
    if (own.mechanism == Mechanism::kLaplace) return cpp_int(sensitivity.l1);
    return cpp_int(sensitivity.l2_squared) * WeightsOf(own.shape).whole;
  }

  // The numbers of a cell where one unit alone was summed, and nothing was clipped.
  static void ExpectWhole(const Door& door, const UnitCell& cell,
                          const std::vector<Int128>& numbers) {
    std::size_t sum = 0;
    for (std::size_t s = 0; s < door.statistics.size(); ++s) {
      const Statistic& own = door.statistics[s];
      const std::size_t width = SummedPowers(own.shape).size();
      const std::vector<Int128> expected =
          own.shape.kind == StatisticKind::kUnits
              ? std::vector<Int128>{cell.rows[own.cell_class]}
              : Coordinates(own, cell.rows, std::span(cell.sums).subspan(sum, width));
      const auto part = Part(door, numbers, s);
      ASSERT_EQ(std::vector<Int128>(part.begin(), part.end()), expected) << Name(own.shape);
      sum += width;
    }
  }

  // Statistics of one unit's cell where it was counted must hold some of it; how many were checked.
  static int ExpectContributes(const Door& door, const SelectedKey& key,
                               const std::vector<Int128>& counted,
                               const std::vector<Int128>& summed) {
    int checked = 0;
    for (std::size_t s = 0; s < door.statistics.size(); ++s) {
      const Statistic& own = door.statistics[s];
      if (own.shape.kind == StatisticKind::kValue) continue;  // a value may be zero
      if (!key.cells[own.cell_class] || counted[own.cell_class] == 0) continue;
      const auto numbers = Part(door, summed, s);
      EXPECT_GT(std::accumulate(numbers.begin(), numbers.end(), Int128{0}), 0) << Name(own.shape);
      ++checked;
    }
    return checked;
  }

  std::mt19937_64 random_{11};
  Catalog catalog_;
  std::vector<Door> doors_;
};

TEST_F(UnitBoundingTest, DoorsHaveEveryShapeWithBothNoises) {
  std::set<std::pair<std::string, Mechanism>> shapes;
  for (const Door& door : doors_) {
    EXPECT_EQ(door.groups_per_unit.value, kGroupCap);
    EXPECT_EQ(door.rows_per_unit.value, kRowCap);
    for (const Statistic& own : door.statistics) shapes.insert({Name(own.shape), own.mechanism});
  }
  std::set<std::string> names;
  for (const auto& [name, mechanism] : shapes) names.insert(name);
  EXPECT_EQ(names,
            (std::set<std::string>{"units", "rows", "value", "moments", "moments (2) and missing",
                                   "moments (3) and missing", "moments (4) and missing",
                                   "moments (1,1)", "moments (2,1)", "moments (2,2)"}));
  EXPECT_EQ(shapes.size(), 2 * names.size());
  EXPECT_EQ(doors_[0].classes.size(), 2u);
}

TEST_F(UnitBoundingTest, AUnitMovesFewCountsByOne) {
  const Door& door = doors_[0];
  const auto most_cells = kGroupCap * static_cast<std::int64_t>(door.classes.size());
  for (int round = 0; round < 200; ++round) {
    std::vector<UnitRows> units = RandomUnits(door, 6);
    const OpenedTable with = CountUnits(door, units);
    units.pop_back();
    const OpenedTable without = CountUnits(door, units);
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
  for (const Door& door : doors_) {
    std::vector<bool> reached(door.statistics.size());
    for (int round = 0; round < 60; ++round) {
      std::vector<UnitRows> units = RandomUnits(door, 4);
      const KeySet keys = RandomKeys(door);
      const OpenedTable with = SumUnits(door, units, keys);
      units.pop_back();
      const OpenedTable without = SumUnits(door, units, keys);
      for (std::size_t s = 0; s < door.statistics.size(); ++s) {
        const cpp_int moved = Distance(door, with, without, s);
        ASSERT_TRUE(moved <= Paid(door, s)) << Name(door.statistics[s].shape);
        if (moved * 100 > Paid(door, s) * 99) reached[s] = true;
      }
    }
    // The test would not see a clip that is far too tight.
    for (std::size_t s = 0; s < reached.size(); ++s) {
      EXPECT_TRUE(reached[s]) << Name(door.statistics[s].shape);
    }
  }
}

// A unit within its caps is summed as it is: every coordinate of every cell.
TEST_F(UnitBoundingTest, WithinItsCapsAUnitLosesNothing) {
  for (const Door& door : doors_) {
    KeySet keys;
    for (int group = 0; group < 8; ++group) {
      keys.keys.push_back(
          {.key = {GroupName(group)}, .cells = std::vector<bool>(door.classes.size(), true)});
    }
    for (int round = 0; round < 40; ++round) {
      UnitRows unit{.unit = "u", .cells = {}};
      for (int group = 1; group <= kRowCap; ++group) {
        unit.cells.push_back(RandomCell(door, {GroupName(group)}, 1));
      }
      const OpenedTable summed = SumUnits(door, {unit}, keys);
      for (const UnitCell& cell : unit.cells) ExpectWhole(door, cell, summed.at(cell.key));
    }
  }
}

TEST_F(UnitBoundingTest, TheClipIsInTheNormOfTheNoise) {
  constexpr Int128 kBound = 1'000'000;
  Statistic statistic{.shape = Moments(2), .clip = kBound};
  std::vector<Int128> middle = {0, kBound, 0};
  Clip(statistic, middle);
  EXPECT_EQ(middle[1], 534'522);  // a million over sqrt(7/2)
  std::vector<Int128> ends = {kBound, 0, kBound};
  Clip(statistic, ends);
  EXPECT_EQ(ends[0], 707'106);
  statistic.mechanism = Mechanism::kLaplace;
  std::vector<Int128> spread = {kBound / 4, kBound / 2, kBound / 4};
  const std::vector<Int128> before = spread;
  Clip(statistic, spread);
  EXPECT_EQ(spread, before);
  spread[2] += kBound;
  Clip(statistic, spread);
  EXPECT_EQ(spread, (std::vector<Int128>{kBound / 8, kBound / 4, kBound / 8 * 5}));
  statistic = {.shape = {.kind = StatisticKind::kRows}, .clip = kBound};
  std::vector<Int128> rows = {kBound, -kBound};
  Clip(statistic, rows);
  EXPECT_EQ(rows, (std::vector<Int128>{707'106, -707'106}));
}

TEST_F(UnitBoundingTest, NoOrderMatters) {
  for (const Door& door : doors_) {
    for (int round = 0; round < 15; ++round) {
      const std::vector<UnitRows> units = RandomUnits(door, 8);
      const std::vector<UnitRows> shuffled = Shuffled(units);
      const KeySet keys = RandomKeys(door);
      ASSERT_EQ(CountUnits(door, units), CountUnits(door, shuffled));
      ASSERT_EQ(SumUnits(door, units, keys), SumUnits(door, shuffled, keys));
    }
  }
}

// So that a cell shown for its k units has k contributors in every statistic of its class.
TEST_F(UnitBoundingTest, WhoIsCountedContributes) {
  for (const Door& door : doors_) {
    int checked = 0;
    for (int round = 0; round < 60; ++round) {
      const std::vector<UnitRows> one = RandomUnits(door, 1);
      const KeySet keys = RandomKeys(door);
      const OpenedTable counted = CountUnits(door, one);
      const OpenedTable summed = SumUnits(door, one, keys);
      for (const SelectedKey& key : keys.keys) {
        const auto found = counted.find(key.key);
        if (found == counted.end()) continue;
        checked += ExpectContributes(door, key, found->second, summed.at(key.key));
      }
    }
    const bool only_value = door.statistics[0].shape.kind == StatisticKind::kValue;
    EXPECT_TRUE(only_value || checked > 30) << checked;
  }
}

TEST_F(UnitBoundingTest, WithheldCellsGetNothing) {
  int withheld = 0;
  int served = 0;
  for (const Door& door : doors_) {
    const std::vector<UnitRows> units = RandomUnits(door, 20);
    const KeySet keys = RandomKeys(door);
    const OpenedTable summed = SumUnits(door, units, keys);
    for (const SelectedKey& key : keys.keys) {
      for (std::size_t s = 0; s < door.statistics.size(); ++s) {
        const Statistic& own = door.statistics[s];
        // A vector that counts missing rows is also released where all rows are shown.
        const bool for_all = own.shape.counts_missing && key.cells[own.row_class];
        if (key.cells[own.cell_class]) continue;
        const auto numbers = Part(door, summed.at(key.key), s);
        const bool empty =
            std::all_of(numbers.begin(), numbers.end(), [](Int128 number) { return number == 0; });
        EXPECT_TRUE(empty || for_all) << Name(own.shape);
        withheld += for_all ? 0 : 1;
        served += for_all && !empty ? 1 : 0;
      }
    }
  }
  EXPECT_GT(withheld, 10);
  EXPECT_GT(served, 0);
}

TEST_F(UnitBoundingTest, AKeyWithoutRowsHasARow) {
  KeySet keys;
  keys.keys = {{.key = {std::string("b")}, .cells = {true, true}},
               {.key = {std::monostate{}}, .cells = {true, true}},
               {.key = {std::string("a")}, .cells = {false, true}}};
  ExactReader reader(StatisticSummer(doors_[0], keys, kOfficialKey).Finish());
  ASSERT_EQ(reader.size(), 3u);
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(reader.key(row), keys.keys[row].key);  // in the order of the set
    for (const Int128 number : reader.numbers(row)) EXPECT_EQ(number, 0);
  }
}

TEST_F(UnitBoundingTest, AGroupWithoutACountedRowTakesNoPlace) {
  UnitRows rows{.unit = "u", .cells = {}};
  for (int group = 0; group < 8; ++group) {
    UnitCell cell{.key = {GroupName(group)}, .rows = {0, 0}, .sums = {}};
    if (group >= 5) cell.rows = {1, 2};
    rows.cells.push_back(std::move(cell));
  }
  const OpenedTable counted = CountUnits(doors_[0], {rows});
  EXPECT_EQ(counted.size(), 3u);
  for (int group = 5; group < 8; ++group) EXPECT_TRUE(counted.contains({GroupName(group)}));
}

}  // namespace
}  // namespace dpsql
