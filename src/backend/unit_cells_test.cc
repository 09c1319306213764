#include "backend/unit_cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <ostream>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "backend/cell_memory.h"
#include "backend/encode_steps.h"
#include "backend/merged_cells.h"
#include "backend/unit_bounding.h"

namespace dpsql {
namespace {

using Validity = std::vector<std::uint64_t>;

// One row as a person would write it.
struct Row {
  std::int64_t unit = 0;
  std::optional<std::string> text_key;
  std::optional<std::int32_t> number_key;
  std::optional<double> x;
  std::optional<std::int64_t> y;
  std::optional<std::string> item;
};

// How a random table is made and read.
struct Setting {
  std::string name;
  bool text_units = false;
  bool rows_are_units = false;
  std::size_t keys = 1;
  std::int64_t units = 50;
  std::int64_t unit_step = 1;
  int key_values = 3;
  std::uint32_t rows_before_spill = 1 << 22;
  std::size_t dense_words = 1 << 20;
  std::size_t log_cells = 1 << 20;
  std::uint64_t free_range = 1 << 23;
  bool distinct = false;
  std::size_t tables = 3;
  std::size_t parts = 2;
};

// How a test of it is listed.
void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.name; }

std::string UnitName(std::int64_t unit) {
  return unit % 2 == 0 ? std::to_string(unit) : "a unit with a long name " + std::to_string(unit);
}

std::vector<Row> MakeRows(const Setting& setting, std::mt19937_64& random) {
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  std::vector<Row> rows(3000);
  for (Row& row : rows) {
    // A few units have most of the rows.
    row.unit = setting.unit_step * (below(setting.units) * below(2) - 7);
    const std::string key = std::to_string(below(setting.key_values));
    if (below(10) != 0) row.text_key = below(2) == 0 ? key : "a key beyond twelve bytes " + key;
    if (below(10) != 0) row.number_key = static_cast<std::int32_t>(below(3)) - 1;
    if (below(5) != 0) row.x = static_cast<double>(below(2000)) / 7.0 - 50;
    if (below(20) == 0) row.x = std::numeric_limits<double>::quiet_NaN();
    if (below(20) == 0) row.x = std::numeric_limits<double>::infinity();
    if (below(5) != 0) row.y = below(1000) - 500;
    if (below(5) != 0) row.item = "item number " + std::to_string(below(12));
  }
  return rows;
}

constexpr ValueEncoding kX{.low = 0, .high = 100, .origin = 0, .scale = 10485.76};
constexpr ValueEncoding kY{.low = -300, .high = 300, .origin = -300, .scale = 1 << 20 >> 10};

CellLayout LayoutOf(const Setting& setting) {
  CellLayout layout{.rows_are_units = setting.rows_are_units,
                    .keys = setting.keys,
                    .values = {kX, kY},
                    .presences = 1,
                    .classes = {{}, {.values = {0}}, {.values = {0, 1}, .presences = {0}}},
                    .sums = {{.row_class = 1, .a = 0},
                             {.row_class = 1, .a = 0, .power_a = 2},
                             {.row_class = 2, .a = 0, .b = 1}},
                    .dense_words = setting.dense_words,
                    .log_cells = setting.log_cells,
                    .free_range = setting.free_range,
                    .rows_before_spill = setting.rows_before_spill};
  if (setting.distinct) layout.distincts = {{.row_class = 2, .presence = 0}};
  return layout;
}

std::vector<ColumnType> TypesOf(const Setting& setting) {
  std::vector<ColumnType> types;
  if (!setting.rows_are_units) {
    types.push_back({.payload = setting.text_units ? Payload::kText : Payload::kInt64});
  }
  if (setting.keys > 0) types.push_back({.payload = Payload::kText});
  if (setting.keys > 1) types.push_back({.payload = Payload::kInt32});
  types.push_back({.payload = Payload::kDouble});
  types.push_back({.payload = Payload::kInt64});
  types.push_back({.payload = Payload::kText});
  return types;
}

// Columns as DuckDB lays them out.
class Chunk {
 public:
  template <typename T>
  void Add(const std::vector<std::optional<T>>& values) {
    auto bytes = std::make_unique<std::vector<char>>();
    auto validity = std::make_unique<Validity>(values.size() / 64 + 1, 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i]) (*validity)[i / 64] |= std::uint64_t{1} << (i % 64);
      Append(values[i], *bytes);
    }
    columns_.push_back({bytes->data(), validity->data()});
    bytes_.push_back(std::move(bytes));
    validities_.push_back(std::move(validity));
  }

  std::span<const ColumnData> columns() const { return columns_; }

 private:
  template <typename T>
  void Append(const std::optional<T>& value, std::vector<char>& bytes) {
    if constexpr (std::is_same_v<T, std::string>) {
      AppendText(value.value_or("under a NULL lies anything"), bytes);
    } else {
      const T number = value.value_or(static_cast<T>(77));
      const auto* first = reinterpret_cast<const char*>(&number);
      bytes.insert(bytes.end(), first, first + sizeof(T));
    }
  }

  void AppendText(const std::string& text, std::vector<char>& bytes) {
    char raw[16] = {};
    const auto length = static_cast<std::uint32_t>(text.size());
    std::memcpy(raw, &length, 4);
    std::memcpy(raw + 4, text.data(), std::min<std::size_t>(text.size(), 12));
    if (text.size() > 12) {
      texts_.push_back(std::make_unique<std::string>(text));
      const char* pointer = texts_.back()->data();
      std::memcpy(raw + 8, &pointer, 8);
    }
    bytes.insert(bytes.end(), raw, raw + 16);
  }

  std::vector<ColumnData> columns_;
  std::vector<std::unique_ptr<std::vector<char>>> bytes_;
  std::vector<std::unique_ptr<Validity>> validities_;
  std::vector<std::unique_ptr<std::string>> texts_;
};

template <typename T, typename Get>
std::vector<std::optional<T>> Column(std::span<const Row> rows, const Get& get) {
  std::vector<std::optional<T>> values;
  for (const Row& row : rows) values.push_back(get(row));
  return values;
}

void AddRows(const Setting& setting, std::span<const Row> rows, UnitCells& table) {
  Chunk chunk;
  if (!setting.rows_are_units && setting.text_units) {
    chunk.Add(Column<std::string>(rows, [](const Row& row) { return UnitName(row.unit); }));
  } else if (!setting.rows_are_units) {
    chunk.Add(Column<std::int64_t>(rows, [](const Row& row) { return row.unit; }));
  }
  if (setting.keys > 0) {
    chunk.Add(Column<std::string>(rows, [](const Row& row) { return row.text_key; }));
  }
  if (setting.keys > 1) {
    chunk.Add(Column<std::int32_t>(rows, [](const Row& row) { return row.number_key; }));
  }
  chunk.Add(Column<double>(rows, [](const Row& row) { return row.x; }));
  chunk.Add(Column<std::int64_t>(rows, [](const Row& row) { return row.y; }));
  chunk.Add(Column<std::string>(rows, [](const Row& row) { return row.item; }));
  table.Add(chunk.columns(), rows.size());
}

// A cell as the plain reference has it: rows per class, sums, the distinct items.
struct PlainCell {
  std::vector<Int128> rows = {0, 0, 0};
  std::vector<Int128> sums = {0, 0, 0};
  std::set<std::string> items;
  bool operator==(const PlainCell&) const = default;
};

using PlainCells = std::map<std::pair<std::string, std::string>, PlainCell>;

std::string KeyOf(const Setting& setting, const Row& row) {
  std::vector<Value> key;
  if (setting.keys > 0) key.push_back(row.text_key ? Value(*row.text_key) : Value());
  if (setting.keys > 1) {
    key.push_back(row.number_key ? Value(std::int64_t{*row.number_key}) : Value());
  }
  return KeyBytes(key);
}

PlainCells Reference(const Setting& setting, std::span<const Row> rows) {
  PlainCells cells;
  for (const Row& row : rows) {
    const std::string unit = setting.rows_are_units ? "0"
                             : setting.text_units   ? UnitName(row.unit)
                                                    : std::to_string(row.unit);
    PlainCell& cell = cells[{unit, KeyOf(setting, row)}];
    cell.rows[0] += 1;
    if (!row.x || std::isnan(*row.x)) continue;
    const Int128 x = EncodeStep(kX, *row.x);
    cell.rows[1] += 1;
    cell.sums[0] += x;
    cell.sums[1] += x * x;
    if (!row.y || !row.item) continue;
    cell.rows[2] += 1;
    cell.sums[2] += x * EncodeStep(kY, static_cast<double>(*row.y));
    if (setting.distinct) cell.items.insert(*row.item);
  }
  return cells;
}

void AddPlain(const MergedCells& merged, std::size_t part, const UnitView& unit,
              PlainCells& cells) {
  for (std::uint32_t at = 0; at < unit.cells(); ++at) {
    const std::string key = KeyBytes(merged.key(unit.key(at)));
    PlainCell& cell = cells[{merged.UnitText(part, unit.unit()), key}];
    EXPECT_EQ(cell.rows[0], 0) << "a cell appears once";
    for (std::size_t i = 0; i < 3; ++i) cell.rows[i] = unit.Rows(at, i);
    for (std::size_t i = 0; i < 3; ++i) cell.sums[i] = unit.Sum(at, i);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(unit.HasRows(at, i), cell.rows[i] != 0);
    if (merged.layout().distincts.empty()) continue;
    for (const std::uint32_t value : unit.Values(at, 0)) {
      cell.items.insert(std::get<std::string>(merged.DistinctValue(0, value)));
    }
    EXPECT_EQ(cell.items.size(), unit.Values(at, 0).size());
  }
}

PlainCells Plain(const MergedCells& merged) {
  PlainCells cells;
  for (std::size_t part = 0; part < merged.parts(); ++part) {
    merged.ForEachUnit(part, [&](const UnitView& unit) { AddPlain(merged, part, unit, cells); });
  }
  return cells;
}

// Rows dealt out to tables at random in chunks of random size. Each table has a thread, as when
// DuckDB's threads fill them, and all take from one allowance.
PlainCells Fast(const Setting& setting, std::vector<Row> rows, std::mt19937_64& random) {
  const CellLayout layout = LayoutOf(setting);
  const std::vector<ColumnType> types = TypesOf(setting);
  const auto memory = std::make_shared<CellMemory>(std::size_t{1} << 30);
  std::vector<std::unique_ptr<UnitCells>> tables(setting.tables);
  std::shuffle(rows.begin(), rows.end(), random);
  std::vector<std::vector<std::span<const Row>>> dealt(tables.size());
  for (std::size_t at = 0, n = 0; at < rows.size(); at += n) {
    n = std::min<std::size_t>(1 + random() % 400, rows.size() - at);
    dealt[random() % dealt.size()].push_back(std::span(rows).subspan(at, n));
  }
  RunTasks(tables.size(), [&](std::size_t t) {
    tables[t] = std::make_unique<UnitCells>(layout, types, *memory);
    for (const auto chunk : dealt[t]) AddRows(setting, chunk, *tables[t]);
  });
  std::erase_if(tables, [](const auto& table) { return table->keys().count() == 0; });
  return Plain(MergedCells(layout, types, memory, std::move(tables), setting.parts));
}

class UnitCellsOrderTest : public testing::TestWithParam<Setting> {};

TEST_P(UnitCellsOrderTest, HoldsWhatAPlainMapHoldsInWhateverOrderRowsCome) {
  std::mt19937_64 random(20261115);
  const std::vector<Row> rows = MakeRows(GetParam(), random);
  const PlainCells expected = Reference(GetParam(), rows);
  for (int round = 0; round < 4; ++round) EXPECT_EQ(Fast(GetParam(), rows, random), expected);
}

INSTANTIATE_TEST_SUITE_P(
    Settings, UnitCellsOrderTest,
    testing::Values(
        Setting{.name = "dense"}, Setting{.name = "no_keys", .keys = 0},
        Setting{.name = "two_keys", .keys = 2, .tables = 1, .parts = 1},
        Setting{.name = "far_apart", .units = 400, .unit_step = 1'000'003, .tables = 2},
        Setting{.name = "very_far_apart", .unit_step = std::int64_t{1} << 57, .parts = 3},
        Setting{.name = "texts", .text_units = true, .units = 900},
        Setting{.name = "many_keys", .keys = 2, .units = 300, .key_values = 400},
        Setting{.name = "many_keys_far_apart", .unit_step = 1'000'003, .key_values = 40},
        Setting{.name = "spill", .units = 9, .rows_before_spill = 5},
        Setting{
            .name = "spill_far_apart", .units = 20, .unit_step = 900'001, .rows_before_spill = 2},
        Setting{.name = "spill_many_keys", .key_values = 30, .rows_before_spill = 4, .tables = 5},
        Setting{.name = "log", .key_values = 40, .dense_words = 0},
        Setting{.name = "log_shortened", .key_values = 40, .dense_words = 0, .log_cells = 100},
        Setting{.name = "log_far_apart",
                .units = 400,
                .unit_step = 1'000'003,
                .key_values = 40,
                .dense_words = 0,
                .log_cells = 100},
        Setting{.name = "log_texts",
                .text_units = true,
                .units = 20,
                .key_values = 40,
                .dense_words = 0,
                .log_cells = 70},
        Setting{.name = "log_after_spill",
                .units = 5,
                .key_values = 30,
                .rows_before_spill = 2,
                .dense_words = 0},
        Setting{.name = "log_spills",
                .units = 5,
                .key_values = 20,
                .rows_before_spill = 4,
                .dense_words = 0,
                .log_cells = 50},
        Setting{.name = "closer_than_it_seemed", .unit_step = 30, .free_range = 64},
        Setting{.name = "closer_no_keys", .keys = 0, .unit_step = 30, .free_range = 64},
        Setting{.name = "closer_spill",
                .units = 20,
                .unit_step = 90,
                .rows_before_spill = 2,
                .free_range = 64},
        Setting{.name = "closer_log",
                .unit_step = 30,
                .key_values = 40,
                .dense_words = 0,
                .log_cells = 100,
                .free_range = 64},
        Setting{.name = "closer_log_spills",
                .unit_step = 30,
                .key_values = 40,
                .rows_before_spill = 2,
                .dense_words = 0,
                .log_cells = 50,
                .free_range = 64},
        Setting{.name = "closer_distinct", .unit_step = 30, .free_range = 64, .distinct = true},
        Setting{.name = "closer_in_one_thread", .units = 900, .free_range = 64, .tables = 1},
        Setting{.name = "rows_are_units", .rows_are_units = true},
        Setting{.name = "rows_are_units_no_keys", .rows_are_units = true, .keys = 0},
        Setting{.name = "rows_spill", .rows_are_units = true, .keys = 0, .rows_before_spill = 100},
        Setting{.name = "rows_spill_by_key", .rows_are_units = true, .rows_before_spill = 100},
        Setting{.name = "rows_many_keys", .rows_are_units = true, .key_values = 400},
        Setting{.name = "distinct", .distinct = true},
        Setting{.name = "distinct_no_keys", .keys = 0, .units = 5, .distinct = true},
        Setting{.name = "distinct_far_apart", .unit_step = 1'000'003, .distinct = true},
        Setting{.name = "distinct_rows", .rows_are_units = true, .distinct = true}),
    [](const auto& setting) { return setting.param.name; });

// Few rows of many units seem to be far apart; a number that is far away ends it for good.
TEST(UnitCellsTest, UnitsThatTurnOutToLieCloseBecomeAnArray) {
  const Setting setting{.name = "close", .keys = 0, .free_range = 64};
  CellMemory memory(std::size_t{1} << 30);
  UnitCells table(LayoutOf(setting), TypesOf(setting), memory);
  const auto add = [&](std::int64_t from, std::int64_t to) {
    std::vector<Row> rows;
    for (std::int64_t unit = from; unit < to; ++unit) rows.push_back({.unit = unit * 7 % 1009});
    AddRows(setting, rows, table);
  };
  add(0, 20);
  EXPECT_TRUE(table.has_dense_units()) << "133 is less than 8 times 20";
  add(20, 40);
  EXPECT_TRUE(table.has_dense_units());
  add(144, 146);
  EXPECT_FALSE(table.has_dense_units()) << "1008 is not less than 8 times 42";
  add(200, 290);
  add(290, 300);
  EXPECT_TRUE(table.has_dense_units());
  AddRows(setting, std::vector<Row>{{.unit = 1'000'000}}, table);
  EXPECT_FALSE(table.has_dense_units());
  for (int i = 0; i < 200; ++i) add(0, 1009);
  EXPECT_FALSE(table.has_dense_units());
}

// Each thread's units lie close together, those of all threads do not.
TEST(UnitCellsTest, MergesUnitsOfThreadsThatSawNumbersFarApart) {
  const Setting setting;
  const CellLayout layout = LayoutOf(setting);
  const std::vector<ColumnType> types = TypesOf(setting);
  const auto memory = std::make_shared<CellMemory>(std::size_t{1} << 30);
  std::vector<std::unique_ptr<UnitCells>> tables;
  std::vector<Row> all;
  for (const std::int64_t first : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-3},
                                   std::numeric_limits<std::int64_t>::max() - 5}) {
    const std::vector<Row> rows = {{.unit = first, .text_key = "a"}, {.unit = first + 5, .x = 1}};
    all.insert(all.end(), rows.begin(), rows.end());
    tables.push_back(std::make_unique<UnitCells>(layout, types, *memory));
    AddRows(setting, rows, *tables.back());
    EXPECT_TRUE(tables.back()->has_dense_units());
  }
  EXPECT_EQ(Plain(MergedCells(layout, types, memory, std::move(tables), 2)),
            Reference(setting, all));
}

TEST(UnitCellsTest, SumsBeyondInt64AreExact) {
  const CellLayout layout{.rows_are_units = true,
                          .values = {{.low = 0, .high = 1 << 20, .scale = 1}},
                          .classes = {{}},
                          .sums = {{.a = 0, .power_a = 2}}};
  const std::vector<ColumnType> types = {{.payload = Payload::kInt32}};
  const auto memory = std::make_shared<CellMemory>(std::size_t{1} << 20);
  std::vector<std::unique_ptr<UnitCells>> tables;
  tables.push_back(std::make_unique<UnitCells>(layout, types, *memory));
  const std::vector<std::int32_t> values(2048, (1 << 20) - 1);
  const std::vector<ColumnData> columns = {{values.data(), nullptr}};
  constexpr int kChunks = 9000;  // 2^24 rows of nearly 2^40 each
  for (int i = 0; i < kChunks; ++i) tables[0]->Add(columns, values.size());
  const MergedCells merged(layout, types, memory, std::move(tables), 1);
  const Int128 rows = Int128{kChunks} * 2048;
  const Int128 square = Int128{(1 << 20) - 1} * ((1 << 20) - 1);
  std::size_t units = 0;
  merged.ForEachUnit(0, [&](const UnitView& all) {
    ++units;
    EXPECT_EQ(all.Rows(0, 0), rows);
    EXPECT_EQ(all.Sum(0, 0), rows * square);
  });
  EXPECT_EQ(units, 1u);
}

// A sum and a count share a word while a few groups are added up: neither reaches into the other.
TEST(UnitCellsTest, SumsOfFewGroupsAreExactAtTheirEnds) {
  constexpr double kEnd = 1 << 20;
  const CellLayout layout{
      .rows_are_units = true,
      .keys = 1,
      .listed = {{std::int64_t{1}, std::int64_t{2}}},
      .as_places = {true},
      .values = {{.low = -kEnd, .high = kEnd, .scale = 1}},
      .classes = {{}, {.values = {0}}},
      .sums = {{.row_class = 1, .a = 0}, {.row_class = 1, .a = 0, .power_a = 2}}};
  const std::vector<ColumnType> types = {{.payload = Payload::kInt32},
                                         {.payload = Payload::kInt32}};
  const auto memory = std::make_shared<CellMemory>(std::size_t{1} << 20);
  std::vector<std::unique_ptr<UnitCells>> tables;
  tables.push_back(std::make_unique<UnitCells>(layout, types, *memory));
  const std::vector<std::int32_t> values(2048, -(1 << 20));
  constexpr int kChunks = 2100;  // 2^22 rows and more: numbers move to 128 bits on the way
  for (int i = 0; i < kChunks; ++i) {
    const std::vector<std::int32_t> places(2048, i % 3 == 0 ? 1 : 2);
    const std::vector<ColumnData> columns = {{places.data(), nullptr}, {values.data(), nullptr}};
    tables[0]->Add(columns, values.size());
  }
  const MergedCells merged(layout, types, memory, std::move(tables), 1);
  std::map<std::int64_t, Int128> rows;
  merged.ForEachUnit(0, [&](const UnitView& all) {
    for (std::uint32_t cell = 0; cell < all.cells(); ++cell) {
      const Int128 own = all.Rows(cell, 0);
      rows[std::get<std::int64_t>(merged.key(all.key(cell))[0])] += own;
      EXPECT_EQ(all.Rows(cell, 1), own);
      EXPECT_EQ(all.Sum(cell, 0), -own * (1 << 20));
      EXPECT_EQ(all.Sum(cell, 1), own << 40);
    }
  });
  EXPECT_EQ(rows,
            (std::map<std::int64_t, Int128>{{1, 2048 * kChunks / 3}, {2, 4096 * kChunks / 3}}));
}

// Groups that all occur among the first units are not kept for every unit that follows.
TEST(UnitCellsTest, AnArrayEndsWhereItIsNoLongerSmall) {
  for (const bool text : {false, true}) {
    const Setting setting{.text_units = text, .units = 1, .key_values = 40, .dense_words = 1 << 17};
    const CellLayout layout = LayoutOf(setting);
    const std::vector<ColumnType> types = TypesOf(setting);
    const auto memory = std::make_shared<CellMemory>(std::size_t{1} << 30);
    std::vector<std::unique_ptr<UnitCells>> tables;
    tables.push_back(std::make_unique<UnitCells>(layout, types, *memory));
    std::vector<Row> rows;
    for (int i = 0; i < 40'000; ++i) {
      rows.push_back({.unit = i / 40 < 100 ? i / 40 : i, .text_key = std::to_string(i % 40)});
    }
    AddRows(setting, rows, *tables[0]);
    EXPECT_LT((std::size_t{1} << 30) - memory->left(), std::size_t{16} << 20);
    EXPECT_EQ(Plain(MergedCells(layout, types, memory, std::move(tables), 1)),
              Reference(setting, rows));
  }
}

TEST(UnitCellsTest, MemoryEndsWithAnExceptionAndIsGivenBack) {
  for (const std::size_t bytes : {std::size_t{4} << 10, std::size_t{100} << 10}) {
    const Setting setting{.text_units = true, .keys = 2, .units = 3000, .key_values = 300};
    const CellLayout layout = LayoutOf(setting);
    const std::vector<ColumnType> types = TypesOf(setting);
    std::mt19937_64 random(7);
    const std::vector<Row> rows = MakeRows(setting, random);
    CellMemory memory(bytes);
    EXPECT_THROW(AddRows(setting, rows, *std::make_unique<UnitCells>(layout, types, memory)),
                 CellLimitReached);
    EXPECT_EQ(memory.left(), bytes);
  }
}

}  // namespace
}  // namespace dpsql
