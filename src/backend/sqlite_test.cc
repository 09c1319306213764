#include "backend/sqlite.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "backend/lower_answer.h"
#include "backend/sqlite_connection.h"
#include "backend/sqlite_schema.h"
#include "backend/sqlite_tables.h"
#include "backend/sqlite_values.h"
#include "sql/parser.h"
#include "support/function_grid.h"
#include "support/temp_folder.h"

namespace dpsql {
namespace {

class NoIncidents : public IncidentLog {
 public:
  std::string Record(std::string_view text) override {
    last = text;
    return "i-000001";
  }
  std::string last;
};

// A file of SQLite's that tests write.
class Written {
 public:
  explicit Written(const std::string& path) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &handle_), SQLITE_OK);
  }
  ~Written() { sqlite3_close(handle_); }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;

  void Run(const std::string& sql) {
    char* words = nullptr;
    EXPECT_EQ(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, &words), SQLITE_OK)
        << (words != nullptr ? words : "") << "\n"
        << sql;
    sqlite3_free(words);
  }

 private:
  sqlite3* handle_ = nullptr;
};

class SqliteTest : public ::testing::Test {
 protected:
  void Write(const std::string& sql) { Written(path_).Run(sql); }

  std::shared_ptr<SqliteConnection> Open() {
    auto opened = SqliteConnection::Open(path_, incidents_);
    EXPECT_TRUE(opened.ok());
    return opened.value();
  }

  Listing List() {
    auto listing = ListSqlite(path_, incidents_);
    EXPECT_TRUE(listing.ok());
    return std::move(listing).value();
  }

  // Everything of a table, as statements see it.
  std::vector<std::vector<Value>> Typed(const std::string& name) {
    const Schema schema = List().schema;
    const SchemaTable& table = Find(schema, name);
    PublicTable read{.name = name, .release = false, .columns = {}, .rows = {}};
    for (const SchemaColumn& column : table.columns) {
      if (column.type.family == TypeFamily::kOther) continue;
      read.columns.push_back({column.name, column.type});
    }
    const auto connection = Open();
    connection->Restrict({name});
    const auto failure =
        connection->Run(PrintForSqlite(LowerPublic(read), schema), [&](const SqliteRow& row) {
          auto& values = read.rows.emplace_back();
          for (std::size_t i = 0; i < read.columns.size(); ++i) {
            values.push_back(row.Read(static_cast<int>(i), read.columns[i].type.family));
          }
        });
    EXPECT_FALSE(failure) << failure->text;
    return read.rows;
  }

  // The rows of a SELECT over the table t: texts and whole numbers.
  std::vector<std::vector<Value>> Asked(const std::string& sql) {
    const auto parsed = Parse(sql);
    EXPECT_TRUE(parsed.ok()) << sql;
    const auto connection = Open();
    connection->Restrict({"t"});
    const ast::Select& select = std::get<ast::SelectStatement>(parsed->at(0).node).select;
    std::vector<std::vector<Value>> rows;
    const auto failure =
        connection->Run(PrintForSqlite(select, List().schema), [&](const SqliteRow& row) {
          auto& values = rows.emplace_back();
          for (std::size_t i = 0; i < select.items.size(); ++i) {
            const Value text = row.Read(static_cast<int>(i), TypeFamily::kText);
            values.push_back(IsNull(text) ? Value(row.Whole(static_cast<int>(i))) : text);
          }
        });
    EXPECT_FALSE(failure) << sql << ": " << failure->text;
    return rows;
  }

  static const SchemaTable& Find(const Schema& schema, const std::string& name) {
    for (const SchemaTable& table : schema.tables) {
      if (table.name == name) return table;
    }
    throw std::runtime_error("no table " + name);
  }

  TempFolder folder_;
  const std::string path_ = folder_ / "data.sqlite";
  NoIncidents incidents_;
};

using Rows = std::vector<std::vector<Value>>;
const Value kNull;

TEST_F(SqliteTest, WholeNumbersAreIntegersAndNothingElse) {
  Write(
      "CREATE TABLE t (x INT); INSERT INTO t VALUES (7), (-9223372036854775808), "
      "(9223372036854775807), (9223372036854775808), (3.5), ('x'), ('12'), (x'3132'), (NULL), "
      "(9e999)");
  const Rows expected = {{7},
                         {std::numeric_limits<std::int64_t>::min()},
                         {std::numeric_limits<std::int64_t>::max()},
                         {kNull},
                         {kNull},
                         {kNull},
                         {12},
                         {kNull},
                         {kNull},
                         {kNull}};
  EXPECT_EQ(Typed("t"), expected);
}

TEST_F(SqliteTest, DoublesAreNumbersAndNothingElse) {
  Write(
      "CREATE TABLE t (x REAL, d DECIMAL(10, 2)); INSERT INTO t VALUES (1, 1), (0.1, 12.34), "
      "(9e999, -9e999), (9e999 - 9e999, 'nan'), ('abc', x'00'), (9007199254740993, 5)");
  const double infinity = std::numeric_limits<double>::infinity();
  const Rows expected = {{1.0, 1.0},     {0.1, 12.34},   {infinity, -infinity},
                         {kNull, kNull}, {kNull, kNull}, {9007199254740992.0, 5.0}};
  EXPECT_EQ(Typed("t"), expected);
}

TEST_F(SqliteTest, BooleansAreZeroAndOne) {
  Write("CREATE TABLE t (x BOOLEAN); INSERT INTO t VALUES (0), (1), (2), ('true'), (0.5), (NULL)");
  const Rows expected = {{false}, {true}, {kNull}, {kNull}, {kNull}, {kNull}};
  EXPECT_EQ(Typed("t"), expected);
}

TEST_F(SqliteTest, TextsAreUtf8) {
  Write(
      "CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('Zürich'), (CAST(x'ff41' AS TEXT)), "
      "('a' || char(0) || 'b'), (x'41'), (''), (7), (zeroblob(3)), "
      "(CAST(x'eda080' AS TEXT)), (printf('%.*c', 65537, 'x'))");
  const Rows expected = {{"Zürich"}, {kNull}, {kNull},
                         {kNull},    {""},    {"7"},
                         {kNull},    {kNull}, {ShortText(std::string(65537, 'x'))}};
  EXPECT_EQ(Typed("t"), expected);
}

// NOCASE has one case of letters, and RTRIM no blanks at the end.
TEST_F(SqliteTest, TextsCompareByTheirBytes) {
  Write(
      "CREATE TABLE t (w TEXT COLLATE NOCASE, r TEXT COLLATE RTRIM); "
      "INSERT INTO t VALUES ('a', 'a'), ('A', 'a '), ('Z', 'b'), ('a', 'a  ')");
  const std::string groups = "SELECT s.w, count(*) FROM t AS s GROUP BY s.w ORDER BY s.w";
  EXPECT_EQ(Asked(groups), (Rows{{"A", 1}, {"Z", 1}, {"a", 2}}));
  EXPECT_EQ(Asked("SELECT DISTINCT s.w, s.r FROM t AS s ORDER BY s.w, s.r"),
            (Rows{{"A", "a "}, {"Z", "b"}, {"a", "a"}, {"a", "a  "}}));
  EXPECT_EQ(Asked("SELECT min(s.w), max(s.w), count(DISTINCT s.r) FROM t AS s"),
            (Rows{{"A", "a", 4}}));
  EXPECT_EQ(Asked("SELECT s.r FROM t AS s WHERE s.w = 'A' OR s.w < 'A'"), (Rows{{"a "}}));
  EXPECT_EQ(Asked("SELECT s.w FROM t AS s WHERE s.r IN ('a ', 'b ')"), (Rows{{"A"}}));
  EXPECT_EQ(Asked("SELECT s.w FROM t AS s WHERE s.w BETWEEN 'B' AND 'b' AND s.r = 'a'"),
            (Rows{{"a"}}));
  EXPECT_EQ(Asked("SELECT count(*) FROM t AS s JOIN t AS z ON s.w = z.w"), (Rows{{6}}));
}

TEST_F(SqliteTest, DatesAndTimestampsAreTextsOfOneForm) {
  Write(
      "CREATE TABLE t (d DATE, z DATETIME); INSERT INTO t VALUES ('2026-11-16', "
      "'2026-11-16T10:00'), ('2026-02-30', '2026-02-30 10:00:00'), (20261116, 1763300000), "
      "('now', 'now'), (2460000.5, '2026-11-16 10:00:00Z')");
  const Rows expected = {{"2026-11-16", "2026-11-16 10:00:00"},
                         {kNull, kNull},
                         {kNull, kNull},
                         {kNull, kNull},
                         {kNull, kNull}};
  EXPECT_EQ(Typed("t"), expected);
}

TEST_F(SqliteTest, OfOtherTypesItIsKnownThatThereIsAValue) {
  Write("CREATE TABLE t (x BLOB); INSERT INTO t VALUES (x'00ff'), (NULL), ('a'), (7), (1.5)");
  const auto connection = Open();
  std::vector<Value> shown;
  EXPECT_FALSE(connection->Run("SELECT dpsql_other(x) FROM t", [&](const SqliteRow& row) {
    shown.push_back(row.Read(0, TypeFamily::kText));
  }));
  EXPECT_EQ(shown, (std::vector<Value>{"00ff", kNull, "a", "7", "1.5"}));
}

TEST_F(SqliteTest, TypesComeFromWholeNames) {
  EXPECT_EQ(SqliteType("varchar(20)").name, "VARCHAR");
  EXPECT_EQ(SqliteType("Double Precision").name, "DOUBLE");
  EXPECT_EQ(SqliteType("DECIMAL(10,2)").name, "DOUBLE");
  EXPECT_EQ(SqliteType("INTEGER").name, "BIGINT");
  for (const char* name : {"", "BLOB", "ANY", "INTERVAL", "POINT", "STRING", "JSON", "FLOATING"}) {
    EXPECT_EQ(SqliteType(name).family, TypeFamily::kOther) << name;
  }
}

TEST_F(SqliteTest, KeysAreThoseThatSqliteKeepsByBytes) {
  Write(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT COLLATE NOCASE UNIQUE, "
      "c INT, d REAL UNIQUE, e INT, z TIMESTAMP UNIQUE);"
      "CREATE UNIQUE INDEX t1 ON t (c, a); CREATE UNIQUE INDEX t2 ON t (e) WHERE e > 0;"
      "CREATE UNIQUE INDEX t3 ON t (abs(e)); CREATE UNIQUE INDEX t4 ON t (a COLLATE NOCASE);"
      "CREATE INDEX t5 ON t (e);"
      "CREATE TABLE w (x INT, y TEXT, PRIMARY KEY (x, y)) WITHOUT ROWID;"
      "CREATE TABLE down (id INTEGER PRIMARY KEY DESC)");
  const Schema schema = List().schema;
  auto keys = Find(schema, "t").unique_keys;
  std::sort(keys.begin(), keys.end());
  const std::vector<std::vector<std::string>> expected = {{"a"}, {"c", "a"}, {"id"}};
  EXPECT_EQ(keys, expected);
  EXPECT_FALSE(Find(schema, "t").columns[0].nullable);
  EXPECT_TRUE(Find(schema, "t").columns[1].nullable);
  EXPECT_EQ(Find(schema, "w").unique_keys, (std::vector<std::vector<std::string>>{{"x", "y"}}));
  EXPECT_TRUE(Find(schema, "down").columns[0].nullable);
}

TEST_F(SqliteTest, DeclaredCollationsAreSeen) {
  Write(
      "CREATE TABLE t (a TEXT, b TEXT COLLATE binary, c TEXT COLLATE NOCASE, d VARCHAR(9) COLLATE "
      "rtrim, e INTEGER COLLATE NOCASE, \"f \"\"g\"\"\" TEXT COLLATE NOCASE NOT NULL UNIQUE);"
      "CREATE TABLE w (k TEXT COLLATE NOCASE PRIMARY KEY) WITHOUT ROWID");
  const Schema schema = List().schema;
  std::string with_collation;
  for (const SchemaTable& table : schema.tables) {
    for (const SchemaColumn& column : table.columns) {
      if (column.has_collation) with_collation += table.name + "." + column.name + ";";
    }
  }
  EXPECT_EQ(with_collation, "t.c;t.d;t.f \"g\";w.k;");
}

TEST_F(SqliteTest, ViewsModulesAndGeneratedColumnsAreSeen) {
  Write(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b INT GENERATED ALWAYS AS (a + 1));"
      "CREATE VIEW v AS SELECT * FROM t; CREATE VIEW broken AS SELECT * FROM nowhere;"
      "CREATE VIRTUAL TABLE f USING fts5(x);"
      "CREATE TABLE child (t_id INT REFERENCES t)");
  const Listing listing = List();
  EXPECT_TRUE(Find(listing.schema, "t").has_generated_column);
  for (const char* name : {"v", "broken", "f"}) {
    EXPECT_TRUE(Find(listing.schema, name).is_view) << name;
  }
  ASSERT_EQ(listing.foreign_keys.size(), 1U);
  EXPECT_EQ(listing.foreign_keys[0].parent_columns, std::vector<std::string>{"id"});
}

// Whatever a statement says, nothing but reading the policy's tables is possible.
TEST_F(SqliteTest, AStatementCanOnlyReadTheTablesOfThePolicy) {
  Write(
      "CREATE TABLE t (x INT); CREATE TABLE secret (x INT); CREATE VIEW v AS SELECT * FROM t;"
      "CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM secret; END");
  const auto connection = Open();
  std::int64_t version = 0;
  EXPECT_FALSE(connection->Freeze(version));
  connection->Restrict({"t"});
  EXPECT_EQ(connection->Compile("SELECT dpsql_bigint(x) FROM main.t"), "");
  EXPECT_EQ(connection->Compile("WITH t AS (SELECT x FROM main.t) SELECT count(*) FROM t"), "");
  for (const char* sql :
       {"SELECT x FROM secret",
        "SELECT x FROM v",
        "SELECT * FROM sqlite_schema",
        "SELECT count(*) FROM secret",
        "SELECT name FROM pragma_table_info('t')",
        "INSERT INTO t VALUES (1)",
        "DELETE FROM t",
        "UPDATE t SET x = 1",
        "DROP TABLE t",
        "CREATE TABLE n (x)",
        "CREATE TEMP TABLE n (x)",
        "ATTACH ':memory:' AS other",
        "PRAGMA writable_schema = ON",
        "PRAGMA schema_version",
        "COMMIT",
        "BEGIN",
        "VACUUM",
        "SELECT load_extension('x')",
        "SELECT random()",
        "SELECT sqlite_version()",
        "SELECT readfile('/etc/passwd')",
        "SELECT fts3_tokenizer('x')",
        "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r",
        "SELECT zeroblob(1000000000)",
        "SELECT printf('%s', x) FROM t"}) {
    EXPECT_TRUE(connection->Run(sql, [](const SqliteRow&) {})) << sql;
  }
}

TEST_F(SqliteTest, NothingIsWrittenBesideTheFile) {
  Write("CREATE TABLE t (x INT); INSERT INTO t VALUES (1)");
  {
    const auto connection = Open();
    std::int64_t version = 0;
    EXPECT_FALSE(connection->Freeze(version));
    EXPECT_FALSE(connection->Add({.name = "(release 1)",
                                  .release = true,
                                  .columns = {{"c0", ParseType("BIGINT")}},
                                  .rows = {{std::int64_t{5}}}}));
    EXPECT_EQ(
        std::distance(
            std::filesystem::directory_iterator(std::filesystem::path(path_).parent_path()), {}),
        1);
  }
}

TEST_F(SqliteTest, OneStateOfTheDataIsReadWhileOthersWrite) {
  Write("PRAGMA journal_mode = WAL; CREATE TABLE t (x INT); INSERT INTO t VALUES (1), (2)");
  Written writer(path_);
  const auto connection = Open();
  std::int64_t before = 0;
  EXPECT_FALSE(connection->Freeze(before));
  const auto count = [&] {
    std::int64_t rows = -1;
    EXPECT_FALSE(connection->Run("SELECT count(*) FROM t",
                                 [&](const SqliteRow& row) { rows = row.Whole(0); }));
    return rows;
  };
  EXPECT_EQ(count(), 2);
  writer.Run("INSERT INTO t VALUES (3)");
  EXPECT_EQ(count(), 2);
  const auto later = Open();
  std::int64_t after = 0;
  EXPECT_FALSE(later->Freeze(after));
  EXPECT_EQ(after, before);
  writer.Run("CREATE INDEX i ON t (x)");
  std::int64_t changed = 0;
  EXPECT_FALSE(Open()->Freeze(changed));
  EXPECT_NE(changed, before);
}

TEST_F(SqliteTest, InterruptStopsWhatRunsAndWhatFollows) {
  Write("CREATE TABLE t (x INT)");
  const auto connection = Open();
  connection->Interrupt();
  const auto failure = connection->Run("SELECT count(*) FROM t", [](const SqliteRow&) {});
  ASSERT_TRUE(failure);
  EXPECT_TRUE(failure->interrupted);
}

TEST_F(SqliteTest, MemoryHasAnEnd) {
  Write("CREATE TABLE t (x INT); INSERT INTO t VALUES (1)");
  const auto connection = Open();
  connection->LimitMemory(1);
  const auto failure = connection->Run(
      "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 100000) "
      "SELECT count(*) FROM r",
      [](const SqliteRow&) {});
  ASSERT_TRUE(failure);
  EXPECT_TRUE(failure->out_of_memory);
  EXPECT_FALSE(failure->interrupted);
}

TEST_F(SqliteTest, WhatIsNoFileOfSqliteIsRefused) {
  EXPECT_EQ(SqliteConnection::Open(path_, incidents_).error().code, "E501");
  std::ofstream(path_) << std::string(4096, 'x');
  const auto refused = SqliteConnection::Open(path_, incidents_);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, path_ + " is not an SQLite file");
  const std::string wide = folder_ / "wide.sqlite";
  Written(wide).Run("PRAGMA encoding = 'UTF-16'; CREATE TABLE t (x TEXT)");
  EXPECT_EQ(SqliteConnection::Open(wide, incidents_).error().code, "E501");
}

// Every function that the dialect prints is one that a statement may call.
TEST_F(SqliteTest, EveryPrintedFunctionIsAllowed) {
  SchemaTable grid{.name = "grid"};
  const Catalog& catalog = GridCatalog();
  for (const CatalogColumn& column : catalog.table(*catalog.FindTable("grid")).columns) {
    grid.columns.push_back({.name = column.name, .type = column.type});
  }
  const auto connection = SqliteConnection::OpenEmpty({grid});
  connection->Restrict({"grid"});
  int printed = 0;
  for (const ScalarFunction& function : AllScalarFunctions()) {
    for (const std::string& call : GridCalls(function)) {
      const Result<std::string> sql = PrintFor(call, SqliteDialect());
      if (!sql) continue;
      EXPECT_EQ(connection->Compile("SELECT " + *sql + " FROM grid AS s0"), "") << call;
      ++printed;
    }
  }
  EXPECT_GT(printed, 100);
}

}  // namespace
}  // namespace dpsql
