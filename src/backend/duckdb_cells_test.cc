#include "backend/duckdb_cells.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "backend/cell_bounding.h"
#include "backend/linked_door.h"
#include "backend/unit_bounding.h"

namespace dpsql {
namespace {

// A connection to a database, with the function that hands rows over.
class Db {
 public:
  explicit Db(duckdb_database database) { EXPECT_EQ(duckdb_connect(database, &handle_), 0); }
  ~Db() { duckdb_disconnect(&handle_); }
  Db(const Db&) = delete;
  Db& operator=(const Db&) = delete;

  duckdb_connection handle() const { return handle_; }

  // All values as text, NULL as a single zero byte.
  std::vector<std::vector<std::string>> Rows(const std::string& sql) const {
    duckdb_result result;
    EXPECT_EQ(duckdb_query(handle_, sql.c_str(), &result), 0) << sql << "\n"
                                                              << duckdb_result_error(&result);
    std::vector<std::vector<std::string>> rows(duckdb_row_count(&result));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (idx_t c = 0; c < duckdb_column_count(&result); ++c) {
        char* text = duckdb_value_varchar(&result, c, r);
        rows[r].push_back(text == nullptr ? std::string(1, '\0') : text);
        duckdb_free(text);
      }
    }
    duckdb_destroy_result(&result);
    return rows;
  }

 private:
  duckdb_connection handle_ = nullptr;
};

class DuckDbCellsTest : public testing::Test {
 protected:
  DuckDbCellsTest() {
    EXPECT_EQ(duckdb_open(nullptr, &database_), 0);
    EXPECT_TRUE(RowRegistry::Register(database_, rows_));
    Db(database_).Rows("SET threads = 3");
  }
  ~DuckDbCellsTest() override { duckdb_close(&database_); }

  // Returns how many rows were counted.
  static std::int64_t HandOver(const Db& db, std::int64_t id, const std::string& columns,
                               const std::string& from) {
    const auto rows = db.Rows("SELECT count(dpsql_rows(" + std::to_string(id) + ", " + columns +
                              ")) FROM " + from);
    return std::stoll(rows.at(0).at(0));
  }

  std::optional<MergedCells> Run(const Db& db, CellLayout layout, const std::string& columns,
                                 const std::string& from) const {
    CellPass pass(rows_, std::move(layout));
    return pass.Finish(HandOver(db, pass.id(), columns, from), 2);
  }

  duckdb_database database_ = nullptr;
  std::shared_ptr<RowRegistry> rows_ = std::make_shared<RowRegistry>();
};

// Unit, key, rows of class 0, first sum.
using CellRow = std::tuple<std::string, std::string, std::string, std::string>;

std::set<CellRow> CellRows(const MergedCells& cells) {
  std::set<CellRow> rows;
  for (std::size_t part = 0; part < cells.parts(); ++part) {
    cells.ForEachUnit(part, [&](const UnitView& unit) {
      for (std::uint32_t at = 0; at < unit.cells(); ++at) {
        rows.emplace(cells.UnitText(part, unit.unit()), KeyBytes(cells.key(unit.key(at))),
                     std::to_string(unit.Rows(at, 0)), ToString(unit.Sum(at, 0)));
      }
    });
  }
  return rows;
}

Value KeyValue(const std::string& text, const std::string& type) {
  if (text == std::string(1, '\0')) return std::monostate{};
  if (type == "BOOLEAN") return text == "true";
  if (type.ends_with("INT") || type.ends_with("INTEGER")) return std::int64_t{std::stoll(text)};
  return text;
}

// One column of each type, with NULLs, negative numbers, short and long texts.
const std::vector<std::pair<std::string, std::string>> kTyped = {
    {"BOOLEAN", "i % 3 = 0"},
    {"TINYINT", "i % 7 - 3"},
    {"SMALLINT", "i % 300 - 150"},
    {"INTEGER", "i % 5 - 2147483648"},
    {"BIGINT",
     "CASE i % 3 WHEN 0 THEN 9223372036854775807 WHEN 1 THEN -9223372036854775808 ELSE i % 5 END"},
    {"UTINYINT", "i % 256"},
    {"UINTEGER", "4294967295 - i % 9"},
    {"DATE", "DATE '1969-12-25' + (i % 20)::INTEGER"},
    {"TIMESTAMP", "TIMESTAMP '1969-12-31 23:59:59.5' + INTERVAL 1 MILLISECOND * (i % 9)"},
    {"DECIMAL(4,1)", "(i % 9 - 4) / 10.0"},
    {"DECIMAL(15,2)", "(i % 9 - 4) * 1234567.89"},
    {"DECIMAL(18,6)", "(i % 9 - 4) * 98765.432198"},
    {"DECIMAL(38,3)", "(i % 9 - 4) * 12345678901234567890123456.125::DECIMAL(38,3)"},
    {"UUID", "('0000000' || i % 9 || '-ffff-4000-8000-0123456789ab')::UUID"},
    {"UUID", "('f000000' || i % 9 || '-ffff-4000-8000-0123456789ab')::UUID"},
    {"VARCHAR", "'k' || i % 11"},
    {"VARCHAR", "'a key of twel' || i % 11"},
    {"VARCHAR", "substr('twelve bytes', 1, (i % 13)::INTEGER)"},
};

CellLayout CountAndSum() {
  return {.keys = 1,
          .values = {{.low = 0, .high = 100, .scale = 100}},
          .classes = {{}},
          .sums = {{.a = 0}}};
}

TEST_F(DuckDbCellsTest, KeysOfEveryTypeAreWhatTheirCastsAre) {
  const Db db(database_);
  for (const auto& [type, expression] : kTyped) {
    ASSERT_TRUE(CellsTake(CellColumn::kKey, type));
    db.Rows("CREATE OR REPLACE TABLE t AS SELECT i % 97 AS u, CASE WHEN i % 10 <> 0 THEN (" +
            expression + ")::" + type + " END AS k, 50 AS x FROM range(9000) r(i)");
    const auto cells = Run(db, CountAndSum(), "u, k, x", "t");
    ASSERT_TRUE(cells);
    std::set<CellRow> expected;
    for (const auto& row :
         db.Rows("SELECT u::VARCHAR, k::VARCHAR, count(*), sum(x) * 100 FROM t GROUP BY 1, 2")) {
      expected.emplace(row[0], KeyBytes({KeyValue(row[1], type)}), row[2], row[3]);
    }
    EXPECT_EQ(CellRows(*cells), expected) << type;
  }
}

TEST_F(DuckDbCellsTest, UnitsOfEveryTypeAreWhatTheirCastsAre) {
  const Db db(database_);
  for (const auto& [type, expression] : kTyped) {
    if (!CellsTake(CellColumn::kUnit, type)) continue;
    db.Rows("CREATE OR REPLACE TABLE t AS SELECT (" + expression + ")::" + type +
            " AS u, i % 4 AS k, 50 AS x FROM range(9000) r(i)");
    const auto cells = Run(db, CountAndSum(), "u, k, x", "t");
    ASSERT_TRUE(cells);
    std::set<CellRow> expected;
    for (const auto& row :
         db.Rows("SELECT u::VARCHAR, k, count(*), sum(x) * 100 FROM t GROUP BY 1, 2")) {
      expected.emplace(row[0], KeyBytes({std::int64_t{std::stoll(row[1])}}), row[2], row[3]);
    }
    EXPECT_EQ(CellRows(*cells), expected) << type;
  }
}

// Groups outside of a list are none, whether keys come as texts or as places in it.
TEST_F(DuckDbCellsTest, RowsOfGroupsThatAreNotListedAreNone) {
  const Db db(database_);
  db.Rows(
      "CREATE TABLE t AS SELECT i % 97 AS u, ['a', 'b', 'c', NULL, ''][1 + i % 5] AS k, 1 AS x "
      "FROM range(9000) r(i)");
  CellLayout layout = CountAndSum();
  layout.listed = {{"b", "none", "a"}};
  const auto listed = Run(db, layout, "u, k, x", "t");
  layout.as_places = {true};
  const auto places = Run(db, layout, "u, list_position(['b', 'none', 'a'], k), x", "t");
  const auto filtered = Run(db, CountAndSum(), "u, k, x", "t WHERE k = 'a' OR k = 'b'");
  ASSERT_TRUE(listed && places && filtered);
  EXPECT_EQ(CellRows(*filtered).size(), 2 * 97u);
  EXPECT_EQ(CellRows(*listed), CellRows(*filtered));
  EXPECT_EQ(CellRows(*places), CellRows(*filtered));
}

// Children without a parent, with a NULL for it, and parents without a unit are no rows of the
// join.
TEST_F(DuckDbCellsTest, LinksGiveTheRowsOfTheJoin) {
  const Db db(database_);
  for (const std::string key : {"BIGINT", "INTEGER", "SMALLINT", "UINTEGER"}) {
    for (const std::string least : {"1", "200"}) {  // the first children have no parent, or one
      db.Rows("CREATE OR REPLACE TABLE parent AS SELECT (i * 2)::" + key +
              " AS id, CASE WHEN i % 7 <> 0 THEN (i % 50)::SMALLINT - 3 END AS u FROM range(" +
              least + ", 9000) r(i)");
      db.Rows("CREATE OR REPLACE TABLE child AS SELECT CASE WHEN i % 11 <> 0 THEN (i % 20000)::" +
              key + " END AS id, i % 3 AS k, i % 2 + 1 AS x FROM range(70000) r(i)");
      LinkPass pass(rows_, 1 << 26);
      const auto links =
          pass.Finish(HandOver(db, pass.id(), "id, u", "parent WHERE u IS NOT NULL"));
      ASSERT_NE(links, nullptr);
      CellPass linked(rows_, CountAndSum());
      linked.Link(links);
      const auto cells = linked.Finish(HandOver(db, linked.id(), "id, k, x", "child"), 2);
      const auto joined =
          Run(db, CountAndSum(), "u, k, x", "child JOIN parent USING (id) WHERE u IS NOT NULL");
      ASSERT_TRUE(cells && joined);
      EXPECT_FALSE(CellRows(*joined).empty());
      EXPECT_EQ(CellRows(*cells), CellRows(*joined)) << key << " " << least;
    }
  }
  EXPECT_FALSE(LinksTake("UBIGINT", "BIGINT"));
  EXPECT_FALSE(LinksTake("BIGINT", "VARCHAR"));
}

TEST_F(DuckDbCellsTest, LinksThatAreNotWorthAnArrayAreNone) {
  const Db db(database_);
  const auto links = [&](const std::string& pairs, std::size_t memory) {
    LinkPass pass(rows_, memory);
    return pass.Finish(HandOver(db, pass.id(), "k, u", pairs));
  };
  const std::size_t plenty = 1 << 26;
  EXPECT_NE(links("(SELECT i AS k, i AS u FROM range(9) t(i))", plenty), nullptr);
  EXPECT_NE(links("(SELECT 1 AS k, 1 AS u FROM range(0))", plenty), nullptr);
  EXPECT_EQ(links("(VALUES (-9223372036854775808, 1), (9223372036854775807, 2)) t(k, u)", plenty),
            nullptr);
  EXPECT_EQ(links("(VALUES (1, -9223372036854775808), (2, 9223372036854775807)) t(k, u)", plenty),
            nullptr);
  EXPECT_EQ(links("(SELECT i AS k, i AS u FROM range(9000) t(i))", 1 << 12), nullptr);
}

// The steps are those of the SQL in encode.cc, for each type a number may have.
TEST_F(DuckDbCellsTest, NumbersAreEncodedAsInSql) {
  const Db db(database_);
  const std::vector<std::pair<std::string, std::string>> numbers = {
      {"DOUBLE", "hash(i)::DOUBLE / 1e17 - 50"},
      {"FLOAT", "hash(i)::DOUBLE / 1e17 - 50"},
      {"DECIMAL(4,1)", "(hash(i) % 9999)::DECIMAL(9,1) / 10 - 300"},
      {"DECIMAL(15,2)", "(hash(i) % 30000)::DECIMAL(15,2) / 100 - 100"},
      {"DECIMAL(15,9)", "(hash(i) % 300000000000)::DECIMAL(15,0) / 1000000000.0 - 100"},
      {"TINYINT", "i % 200 - 100"},
      {"BIGINT", "hash(i)::HUGEINT - 9223372036854775808"},
      {"UBIGINT", "hash(i)"},
  };
  for (const auto& [type, expression] : numbers) {
    ASSERT_TRUE(CellsTake(CellColumn::kValue, type));
    db.Rows("CREATE OR REPLACE TABLE t AS SELECT i // 3 AS u, CASE WHEN i % 10 <> 0 THEN (" +
            expression + ")::" + type + " END AS x FROM range(30000) r(i)");
    const CellLayout layout{
        .values = {{.low = -33.3, .high = 111.1, .origin = -33.3, .scale = 1048576 / 144.4}},
        .classes = {{.values = {0}}},
        .sums = {{.a = 0}}};
    const auto cells = Run(db, layout, "u, x", "t");
    ASSERT_TRUE(cells);
    std::set<CellRow> expected;
    const std::string x = "x::DOUBLE";
    for (const auto& row :
         db.Rows("SELECT u::VARCHAR, count(x), sum(floor((CASE WHEN " + x +
                 " > 1.111e2 THEN 1.111e2 WHEN " + x + " < -3.33e1 THEN -3.33e1 ELSE " + x +
                 " END - (-3.33e1)) * (1.048576e6 / 1.444e2) + 5e-1)::BIGINT) FROM t GROUP BY 1 "
                 "HAVING count(x) > 0")) {
      expected.emplace(row[0], KeyBytes({}), row[1], row[2]);
    }
    EXPECT_EQ(CellRows(*cells), expected) << type;
  }
  EXPECT_FALSE(CellsTake(CellColumn::kValue, "DECIMAL(16,2)"));
  EXPECT_FALSE(CellsTake(CellColumn::kValue, "HUGEINT"));
}

TEST_F(DuckDbCellsTest, NanIsAbsentAndDistinctValuesAreKept) {
  const Db db(database_);
  const CellLayout layout{.keys = 0,
                          .values = {{.low = 0, .high = 10, .scale = 1}},
                          .presences = 2,
                          .classes = {{}, {.values = {0}}, {.presences = {0}}},
                          .sums = {{.row_class = 1, .a = 0}},
                          .distincts = {{.row_class = 2, .presence = 0}}};
  const auto cells = Run(db, layout, "u, x, d, l",
                         "(VALUES (1, 'nan'::DOUBLE, DATE '2020-01-01', [1]), (1, 3, NULL, NULL), "
                         "(1, 4, DATE '2020-01-01', []), (1, NULL, DATE '2021-01-01', [2])) "
                         "t(u, x, d, l)");
  ASSERT_TRUE(cells);
  ASSERT_EQ(cells->parts(), 1u);
  std::size_t units = 0;
  cells->ForEachUnit(0, [&](const UnitView& unit) {
    ++units;
    EXPECT_EQ(unit.Rows(0, 0), 4);
    EXPECT_EQ(unit.Rows(0, 1), 2);
    EXPECT_EQ(unit.Rows(0, 2), 3);
    EXPECT_EQ(unit.Sum(0, 0), 7);
    std::set<Value> dates;
    for (const std::uint32_t code : unit.Values(0, 0)) dates.insert(cells->DistinctValue(0, code));
    EXPECT_EQ(dates, (std::set<Value>{Value("2020-01-01"), Value("2021-01-01")}));
  });
  EXPECT_EQ(units, 1u);
}

TEST_F(DuckDbCellsTest, NoRowsGiveNoCells) {
  const Db db(database_);
  const auto cells =
      Run(db, CountAndSum(), "u, k, x", "(SELECT 1 AS u, 'a' AS k, 2 AS x) WHERE u > 1");
  ASSERT_TRUE(cells);
  EXPECT_EQ(cells->keys(), 0u);
  EXPECT_EQ(cells->parts(), 0u);
}

TEST_F(DuckDbCellsTest, BeyondTheLimitThereIsNothingAndTheTransactionLives) {
  const Db db(database_);
  db.Rows(
      "CREATE TABLE t AS SELECT 'unit number ' || i AS u, i AS k, 1 AS x FROM range(50000) r(i)");
  CellLayout layout = CountAndSum();
  layout.memory_limit = 1 << 20;
  db.Rows("BEGIN TRANSACTION READ ONLY");
  EXPECT_FALSE(Run(db, layout, "u, k, x", "t").has_value());
  EXPECT_EQ(db.Rows("SELECT count(*) FROM t")[0][0], "50000");
  db.Rows("COMMIT");
  layout.memory_limit = 1 << 28;
  EXPECT_TRUE(Run(db, layout, "u, k, x", "t").has_value());
}

TEST_F(DuckDbCellsTest, AFailedStatementLeavesNothingBehind) {
  const Db db(database_);
  const CellPass pass(rows_, CountAndSum());
  const std::string call = "SELECT count(dpsql_rows(" + std::to_string(pass.id()) + ", i, i, ";
  for (const std::string rest :
       {"CASE WHEN i = 70000 THEN error('stop') ELSE 1 END)) FROM range(90000) r(i)",
        "[i])) FROM range(9) r(i)", "i, i)) FROM range(9) r(i)"}) {
    duckdb_result result;
    EXPECT_NE(duckdb_query(db.handle(), (call + rest).c_str(), &result), 0) << rest;
    duckdb_destroy_result(&result);
  }
  duckdb_result result;
  EXPECT_NE(duckdb_query(db.handle(), "SELECT dpsql_rows(999999, 1, 2, 3)", &result), 0);
  EXPECT_NE(std::string(duckdb_result_error(&result)).find("a function of the query failed"),
            std::string::npos);
  duckdb_destroy_result(&result);
}

// Rows that a statement hands over and does not count, or twice, are not answered from.
TEST_F(DuckDbCellsTest, RowsAreHeldAgainstTheCount) {
  const Db db(database_);
  const std::string columns = "i, i % 3, i";
  const std::string from = "range(9000) r(i)";
  {
    CellPass pass(rows_, CountAndSum());
    const std::int64_t counted = HandOver(db, pass.id(), columns, from);
    HandOver(db, pass.id(), columns, from);
    EXPECT_EQ(counted, 9000);
    EXPECT_THROW(pass.Finish(counted, 2), Bug);
  }
  CellPass pass(rows_, CountAndSum());
  const auto rows = db.Rows("SELECT count(*) FROM " + from + " WHERE NOT dpsql_rows(" +
                            std::to_string(pass.id()) + ", " + columns + ")");
  EXPECT_THROW(pass.Finish(std::stoll(rows.at(0).at(0)), 2), Bug);
}

TEST_F(DuckDbCellsTest, AnInterruptedStatementEnds) {
  const Db db(database_);
  const CellPass pass(rows_, CountAndSum());
  std::atomic<bool> ended = false;
  std::jthread interrupter([&] {
    while (!ended) {
      duckdb_interrupt(db.handle());
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  duckdb_result result;
  const std::string sql = "SELECT count(dpsql_rows(" + std::to_string(pass.id()) +
                          ", i % 1000, i % 3, i)) FROM range(10000000000) r(i)";
  EXPECT_NE(duckdb_query(db.handle(), sql.c_str(), &result), 0);
  ended = true;
  duckdb_destroy_result(&result);
}

TEST_F(DuckDbCellsTest, StatementsRunSideBySideOnAHardenedFile) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("dpsql_cells_" + std::to_string(getpid()) + ".db");
  duckdb_database writer = nullptr;
  ASSERT_EQ(duckdb_open(path.c_str(), &writer), 0);
  Db(writer).Rows(
      "CREATE TABLE t AS SELECT i % 500 AS u, i % 7 AS k, i % 90 AS x FROM range(200000) r(i)");
  duckdb_close(&writer);
  duckdb_config config = nullptr;
  duckdb_create_config(&config);
  duckdb_set_config(config, "access_mode", "READ_ONLY");
  duckdb_database reader = nullptr;
  ASSERT_EQ(duckdb_open_ext(path.c_str(), &reader, config, nullptr), 0);
  duckdb_destroy_config(&config);
  {
    const Db db(reader);
    db.Rows("SET enable_external_access = false");
    db.Rows("SET lock_configuration = true");
    ASSERT_TRUE(RowRegistry::Register(reader, rows_));
    std::vector<std::set<CellRow>> results(4);
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < results.size(); ++i) {
        threads.emplace_back([&, i] {
          const Db own(reader);
          CellPass pass(rows_, CountAndSum());
          own.Rows("BEGIN TRANSACTION READ ONLY");
          const std::int64_t counted =
              HandOver(own, pass.id(), "u, k, x", "t WHERE x % 4 <> " + std::to_string(i % 2));
          results[i] = CellRows(*pass.Finish(counted, 1 + i));
        });
      }
    }
    EXPECT_EQ(results[0].size(), 3500u);
    EXPECT_EQ(results[0], results[2]);
    EXPECT_EQ(results[1], results[3]);
    EXPECT_NE(results[0], results[1]);
  }
  duckdb_close(&reader);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace dpsql
