#include "backend/cell_bounding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "backend/unit_bounding.h"
#include "privacy/clip.h"
#include "support/opened_table.h"

namespace dpsql {
namespace {

constexpr PriorityKey kKey = {11, 22, 33, 44};
constexpr std::int64_t kGrid = 1 << 20;
constexpr std::int64_t kRowCap = 3;

struct Row {
  std::int32_t unit = 0;
  std::int32_t group = 0;
  std::int32_t x = 0;
  bool has_x = false;
  std::int32_t item = 0;
};

std::vector<Row> MakeRows(std::mt19937_64& random, std::size_t n) {
  std::vector<Row> rows(n);
  const auto below = [&](unsigned most) { return static_cast<std::int32_t>(random() % most); };
  for (Row& row : rows) {
    row = {below(200) - 5, below(8), below(kGrid + 1), below(3) != 0, below(9)};
    if (row.unit < 0) row.unit = 1;  // one unit has many rows
  }
  return rows;
}

// Two classes: all rows, and those with x. One sum of x, one set of items.
CellLayout Layout(bool rows_are_units) {
  return {.rows_are_units = rows_are_units,
          .keys = 1,
          .values = {{.low = 0, .high = kGrid, .scale = 1}},
          .presences = 1,
          .classes = {{.presences = {0}}, {.values = {0}}},
          .sums = {{.row_class = 1, .a = 0}},
          .distincts = {{.row_class = 0, .presence = 0}}};
}

MergedCells MakeCells(const std::vector<Row>& rows, std::size_t parts,
                      bool rows_are_units = false) {
  const CellLayout layout = Layout(rows_are_units);
  std::vector<ColumnType> types(layout.columns(), {.payload = Payload::kInt32});
  const auto memory = std::make_shared<CellMemory>(std::size_t{1} << 26);
  std::vector<std::vector<std::int32_t>> data(4);
  std::vector<std::uint64_t> validity(rows.size() / 64 + 1, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    data[0].push_back(rows[i].unit);
    data[1].push_back(rows[i].group);
    data[2].push_back(rows[i].x);
    data[3].push_back(rows[i].item);
    if (rows[i].has_x) validity[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  std::vector<ColumnData> columns;
  for (std::size_t c = rows_are_units ? 1 : 0; c < 4; ++c) {
    columns.push_back({data[c].data(), c == 2 ? validity.data() : nullptr});
  }
  std::vector<std::unique_ptr<UnitCells>> tables;
  tables.push_back(std::make_unique<UnitCells>(layout, types, *memory));
  tables[0]->Add(columns, rows.size());
  return {layout, types, memory, std::move(tables), parts};
}

std::vector<Value> Key(std::int32_t group) { return {std::int64_t{group}}; }

// A unit's groups, the first by priority: ten lines that need no cells.
std::vector<std::int32_t> First(std::int32_t unit, const std::set<std::int32_t>& groups,
                                std::size_t most) {
  std::vector<std::tuple<std::uint64_t, std::string, std::int32_t>> ranked;
  for (const std::int32_t group : groups) {
    const std::string bytes = KeyBytes(Key(group));
    ranked.emplace_back(GroupPriority(kKey, std::to_string(unit), bytes), bytes, group);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::int32_t> first;
  for (std::size_t i = 0; i < std::min(most, ranked.size()); ++i) {
    first.push_back(std::get<2>(ranked[i]));
  }
  return first;
}

using Numbers = std::map<std::string, std::vector<Int128>>;

Numbers Open(ExactTable table) {
  ExactReader reader(std::move(table));
  Numbers numbers;
  for (std::size_t i = 0; i < reader.size(); ++i) {
    const bool is_new = numbers.emplace(KeyBytes(reader.key(i)), reader.numbers(i)).second;
    EXPECT_TRUE(is_new);
  }
  return numbers;
}

std::map<std::int32_t, std::set<std::int32_t>> GroupsOf(const std::vector<Row>& rows) {
  std::map<std::int32_t, std::set<std::int32_t>> groups;
  for (const Row& row : rows) groups[row.unit].insert(row.group);
  return groups;
}

TEST(CellBoundingTest, CountsUnitsAsTheSlowPathDoes) {
  std::mt19937_64 random(1);
  for (const std::int64_t most : {1, 2, 3, 100}) {
    const std::vector<Row> rows = MakeRows(random, 1500);
    Door door;
    door.classes.resize(2);
    door.groups_per_unit.value = most;
    CellCounter counter(door, kKey);
    for (const auto& [unit, groups] : GroupsOf(rows)) {
      UnitRows of_unit{.unit = std::to_string(unit)};
      for (const std::int32_t group : groups) {
        const bool any_x = std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
          return row.unit == unit && row.group == group && row.has_x;
        });
        of_unit.cells.push_back({.key = Key(group), .rows = {1, any_x ? 1 : 0}, .sums = {}});
      }
      counter.Add(std::move(of_unit));
    }
    const Numbers expected = Open(std::move(counter).Finish());
    for (const std::size_t parts : {1, 2, 5}) {
      const MergedCells cells = MakeCells(rows, parts);
      EXPECT_EQ(Open(CountCells(cells, {.groups_per_unit = most, .key = kKey})), expected);
    }
  }
}

// All groups but number 5, and no x in group 2.
KeySet Selected() {
  KeySet keys;
  for (const std::int32_t group : {7, 0, 1, 2, 3, 4, 6, 99}) {
    keys.keys.push_back({.key = Key(group), .cells = {true, group != 2}});
  }
  return keys;
}

CellStatistic Moments(std::int64_t rows_inside) {
  return {
      .row_class = 1,
      .sums = {0},
      .width = 2,
      .coordinates =
          [](std::span<const Int128> rows, std::span<const Int128> sums, std::span<Int128> out) {
            out[0] = rows[1] * kGrid - sums[0];
            out[1] = sums[0];
          },
      .clip = [](std::span<Int128> vector) { ClipL2(vector, kRowCap * kGrid); },
      .rows_inside = rows_inside};
}

CellStatistic Units() { return {.kind = CellStatistic::Kind::kUnits}; }
CellStatistic Items() { return {.kind = CellStatistic::Kind::kDistinct}; }

void AddMoments(const std::vector<Row>& rows, Numbers& totals) {
  std::map<std::int32_t, std::map<std::int32_t, std::vector<Int128>>> vectors;
  for (const Row& row : rows) {
    if (!row.has_x || row.group == 5 || row.group == 2) continue;
    std::vector<Int128>& vector = vectors[row.unit].try_emplace(row.group, 2, 0).first->second;
    vector[0] += kGrid - row.x;
    vector[1] += row.x;
  }
  for (const auto& [unit, groups] : vectors) {
    std::vector<Int128> all;
    for (const auto& [group, vector] : groups) all.insert(all.end(), vector.begin(), vector.end());
    ClipL2(all, kRowCap * kGrid);
    std::size_t at = 0;
    for (const auto& [group, vector] : groups) {
      for (std::size_t i = 0; i < 2; ++i) totals[KeyBytes(Key(group))][i] += all[at++];
    }
  }
}

void AddUnits(const std::vector<Row>& rows, std::size_t most, Numbers& totals) {
  for (auto [unit, groups] : GroupsOf(rows)) {
    groups.erase(5);
    for (const std::int32_t group : First(unit, groups, most)) totals[KeyBytes(Key(group))][2] += 1;
  }
}

// Units claim items one after the other.
void AddItems(const std::vector<Row>& rows, std::size_t most, Numbers& totals) {
  std::map<std::int32_t, std::map<std::int32_t, std::set<std::int32_t>>> items;
  for (const Row& row : rows) items[row.group][row.unit].insert(row.item);
  std::map<std::int32_t, std::vector<std::tuple<std::size_t, std::uint64_t, std::string>>> order;
  for (auto [unit, groups] : GroupsOf(rows)) {
    groups.erase(5);
    const std::string name = std::to_string(unit);
    for (const std::int32_t group : First(unit, groups, most)) {
      order[group].emplace_back(items[group][unit].size(), GroupPriority(kKey, name, ""), name);
    }
  }
  for (auto& [group, units] : order) {
    std::set<std::int32_t> claimed;
    std::sort(units.begin(), units.end());
    for (const auto& [own, priority, name] : units) {
      std::set<std::tuple<std::uint64_t, std::string, std::int32_t>> free;
      for (const std::int32_t item : items[group][std::stoi(name)]) {
        const std::string bytes = KeyBytes(Key(item));
        if (!claimed.contains(item)) free.emplace(GroupPriority(kKey, name, bytes), bytes, item);
      }
      if (!free.empty()) claimed.insert(std::get<2>(*free.begin()));
    }
    totals[KeyBytes(Key(group))][3] += static_cast<Int128>(claimed.size());
  }
}

TEST(CellBoundingTest, SumsAreThoseOfAPlainMapWithAndWithoutTheShortCut) {
  std::mt19937_64 random(2);
  for (const std::size_t most : {1, 2, 100}) {
    const std::vector<Row> rows = MakeRows(random, 1200);
    Numbers expected;
    for (const SelectedKey& key : Selected().keys) expected[KeyBytes(key.key)] = {0, 0, 0, 0};
    AddMoments(rows, expected);
    AddUnits(rows, most, expected);
    AddItems(rows, most, expected);
    const CellBounds bounds{.groups_per_unit = static_cast<std::int64_t>(most), .key = kKey};
    for (const std::int64_t inside : {std::int64_t{0}, kRowCap}) {
      const std::vector<CellStatistic> statistics = {Moments(inside), Units(), Items()};
      for (const std::size_t parts : {1, 3}) {
        const MergedCells cells = MakeCells(rows, parts);
        EXPECT_EQ(Open(SumCells(cells, Selected(), statistics, bounds)), expected);
      }
    }
  }
}

// The sum of x^2 over units of one row each, in one group.
Int128 SumOfSquares(std::span<const std::int32_t> xs) {
  const CellLayout layout{.values = {{.low = 0, .high = kGrid, .scale = 1}},
                          .classes = {{}},
                          .sums = {{.a = 0, .power_a = 2}}};
  const std::vector<ColumnType> types(layout.columns(), {.payload = Payload::kInt32});
  std::vector<std::int32_t> units(xs.size());
  std::iota(units.begin(), units.end(), 0);
  const std::vector<ColumnData> columns = {{units.data(), nullptr}, {xs.data(), nullptr}};
  const auto memory = std::make_shared<CellMemory>(std::size_t{1} << 26);
  std::vector<std::unique_ptr<UnitCells>> tables;
  tables.push_back(std::make_unique<UnitCells>(layout, types, *memory));
  tables[0]->Add(columns, xs.size());
  const MergedCells cells(layout, types, memory, std::move(tables), 1);
  KeySet one_group;
  one_group.keys.push_back({.key = {}, .cells = {true}});
  const std::vector<CellStatistic> squares = {
      {.sums = {0},
       .width = 1,
       .coordinates = [](std::span<const Int128>, std::span<const Int128> sums,
                         std::span<Int128> out) { out[0] = sums[0]; },
       .clip = [](std::span<Int128> vector) { ClipL2(vector, kGrid * kGrid); },
       .rows_inside = 1}};
  return Open(SumCells(cells, one_group, squares, {.key = kKey})).at(KeyBytes({})).at(0);
}

// Odd squares, and an odd sum above 2^53, which no double is; each unit moves it by its own.
TEST(CellBoundingTest, SumsBeyondTheReachOfDoublesAreExact) {
  std::vector<std::int32_t> xs(20'001);
  Int128 sum = 0;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    xs[i] = static_cast<std::int32_t>(kGrid - 1) - 2 * static_cast<std::int32_t>(i);
    sum += Int128{xs[i]} * xs[i];
  }
  EXPECT_GT(sum, Int128{1} << 53);
  EXPECT_EQ(sum % 2, 1);
  EXPECT_EQ(SumOfSquares(xs), sum);
  const Int128 last = Int128{xs.back()} * xs.back();
  xs.pop_back();
  EXPECT_EQ(SumOfSquares(xs), sum - last);
}

TEST(CellBoundingTest, RowsComeInTheOrderOfTheKeySet) {
  std::mt19937_64 random(3);
  const MergedCells cells = MakeCells(MakeRows(random, 50), 2);
  const std::vector<CellStatistic> statistics = {Units()};
  ExactReader reader(SumCells(cells, Selected(), statistics, {.key = kKey}));
  const KeySet keys = Selected();
  ASSERT_EQ(reader.size(), keys.keys.size());
  for (std::size_t i = 0; i < keys.keys.size(); ++i) EXPECT_EQ(reader.key(i), keys.keys[i].key);
}

TEST(CellBoundingTest, WhereRowsAreUnitsEachCountsOnce) {
  std::mt19937_64 random(4);
  const std::vector<Row> rows = MakeRows(random, 1500);
  std::vector<Row> apart = rows;  // the same rows, each with a unit of its own
  for (std::size_t i = 0; i < apart.size(); ++i) apart[i].unit = static_cast<std::int32_t>(i);
  const CellBounds bounds{.groups_per_unit = 1, .key = kKey};
  const MergedCells fast = MakeCells(rows, 2, true);
  const MergedCells slow = MakeCells(apart, 2);
  EXPECT_EQ(Open(CountCells(fast, bounds)), Open(CountCells(slow, bounds)));
  const std::vector<CellStatistic> statistics = {Moments(kRowCap), Units(), Items()};
  EXPECT_EQ(Open(SumCells(fast, Selected(), statistics, bounds)),
            Open(SumCells(slow, Selected(), statistics, bounds)));
}

// Taking one unit out lowers the claims of a group by at most one, though it holds many values that
// nobody else has.
TEST(CellBoundingTest, ClaimsMoveByOneWithAUnit) {
  std::mt19937_64 random(5);
  const std::vector<CellStatistic> statistics = {Items()};
  const CellBounds bounds{.groups_per_unit = 100, .key = kKey};
  for (int round = 0; round < 20; ++round) {
    std::vector<Row> rows = MakeRows(random, 60);
    for (Row& row : rows) {
      row.unit %= 6;
      row.group %= 2;
      row.item = static_cast<std::int32_t>(random() % 40);
    }
    Numbers with = Open(SumCells(MakeCells(rows, 1), Selected(), statistics, bounds));
    for (std::int32_t unit = 0; unit < 6; ++unit) {
      std::vector<Row> fewer = rows;
      std::erase_if(fewer, [&](const Row& row) { return row.unit == unit; });
      for (const auto& [key, numbers] :
           Open(SumCells(MakeCells(fewer, 1), Selected(), statistics, bounds))) {
        EXPECT_LE(numbers[0], with[key][0]);
        EXPECT_GE(numbers[0] + 1, with[key][0]);
      }
    }
  }
}

TEST(CellBoundingTest, WithoutRowsEveryKeyHasZeros) {
  const MergedCells cells(Layout(false), {}, std::make_shared<CellMemory>(1 << 20), {}, 2);
  const std::vector<CellStatistic> statistics = {Moments(1), Units(), Items()};
  EXPECT_TRUE(Open(CountCells(cells, {.key = kKey})).empty());
  const Numbers sums = Open(SumCells(cells, Selected(), statistics, {.key = kKey}));
  EXPECT_EQ(sums.size(), Selected().keys.size());
  for (const auto& [key, numbers] : sums) EXPECT_EQ(numbers, std::vector<Int128>(4, 0));
}

}  // namespace
}  // namespace dpsql
