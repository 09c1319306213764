#include "backend/duckdb_open.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "support/reference_duckdb.h"
#include "support/temp_folder.h"

namespace dpsql {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class QuietLog : public IncidentLog {
 public:
  std::string Record(std::string_view) override { return "i-000000"; }
};

constexpr const char* kHead =
    "[dataset]\nname = \"d\"\n[budget]\nepsilon = 4.0\ndelta = 1e-6\n[query]\nmin_frequency = 1\n";

class DuckDbOpenTest : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_ / name; }

  void Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }

  // Runs SQL in a database of its own; @ stands for the folder.
  void Make(std::string sql) {
    const std::string folder = folder_ / "";
    for (std::size_t at; (at = sql.find('@')) != std::string::npos;) sql.replace(at, 1, folder);
    MakeDatabaseFromText(path("maker" + std::to_string(++makers_) + ".duckdb"), sql);
  }

  Policy PolicyOf(const std::string& tables) const {
    auto policy = ReadPolicy(kHead + tables, path("p.toml"));
    if (!policy) throw std::runtime_error(policy.error().message);
    return std::move(policy).value();
  }

  std::unique_ptr<DuckDbData> Open(const std::string& tables, const std::string& database = "") {
    auto data = std::make_unique<DuckDbData>(database, log_);
    const Status opened = data->Open(PolicyOf(tables));
    if (!opened) throw std::runtime_error(opened.error().message);
    return data;
  }

  // The error of opening, or "opened".
  std::string Refusal(const std::string& tables, const std::string& database = "") {
    DuckDbData data(database, log_);
    const Status opened = data.Open(PolicyOf(tables));
    return opened ? "opened" : opened.error().code + " " + opened.error().message;
  }

  // The rows of a query as one text each, "{1, x}".
  static std::vector<std::string> Rows(const DuckDbData& data, const std::string& sql) {
    DuckDbConnection connection(data.database());
    std::vector<std::vector<Value>> rows;
    const auto failure = connection.ReadRows(
        "SELECT regexp_replace(CAST(q AS VARCHAR), '''[a-z]+'': ', '', 'g') FROM (" + sql + ") q",
        1, rows);
    if (failure) return {failure->text};
    std::vector<std::string> texts;
    for (const auto& row : rows) {
      texts.push_back(IsNull(row[0]) ? "NULL" : std::get<std::string>(row[0]));
    }
    return texts;
  }

  TempFolder folder_;
  QuietLog log_;
  int makers_ = 0;
};

constexpr const char* kTypedColumns =
    "[tables.t.columns]\nid = { type = \"BIGINT\" }\nname = { type = \"VARCHAR\" }\n"
    "born = { type = \"DATE\" }\npaid = { type = \"DECIMAL(10,2)\" }\n"
    "score = { type = \"DOUBLE\" }\nactive = { type = \"BOOLEAN\" }\n";

std::string Source(const std::string& pattern) {
  return "[tables.t]\nunit = \"id\"\nsource = \"" + pattern + "\"\n" + kTypedColumns;
}

TEST_F(DuckDbOpenTest, EveryFormatHoldsTheSameRows) {
  const std::string rows =
      "SELECT i::BIGINT AS id, CASE WHEN i % 7 = 0 THEN NULL WHEN i % 7 = 1 THEN '' "
      "WHEN i % 7 = 2 THEN 'a,\"b\"' || chr(10) || 'c' ELSE 'ü' || i END AS name, "
      "DATE '2000-01-01' + CAST(i AS INTEGER) AS born, (i / 4)::DECIMAL(10,2) AS paid, "
      "CASE WHEN i % 5 = 0 THEN NULL ELSE i / 3.0 END::DOUBLE AS score, i % 2 = 0 AS active "
      "FROM range(60) t(i)";
  Make("COPY (" + rows + ") TO '@a.parquet'; COPY (" + rows + ") TO '@a.csv'; COPY (" + rows +
       ") TO '@a.ndjson' (FORMAT json); CREATE TABLE kept AS " + rows);
  const std::string sql =
      "SELECT id, name, born, paid, score, active FROM \"main\".\"t\" ORDER BY id";
  const auto parquet = Rows(*Open(Source("a.parquet")), sql);
  ASSERT_EQ(parquet.size(), 60u);
  EXPECT_EQ(Rows(*Open(Source("a.csv")), sql), parquet);
  EXPECT_EQ(Rows(*Open(Source("a.ndjson")), sql), parquet);
  // A file and a database that holds something else under the same name: the file is the table.
  EXPECT_EQ(Rows(*Open(Source("a.parquet"), path("maker1.duckdb")), sql), parquet);
}

TEST_F(DuckDbOpenTest, APatternIsExpandedOnceAndSorted) {
  Make(
      "COPY (SELECT 2::BIGINT AS id) TO '@b2.parquet'; COPY (SELECT 1::BIGINT AS id) TO "
      "'@b1.parquet'; COPY (SELECT 3::BIGINT AS id) TO '@b10.parquet'");
  const auto data = Open("[tables.t]\nunit = \"id\"\nsource = \"b*.parquet\"\n");
  std::vector<std::string> names;
  for (const FileStamp& stamp : data->StampsOf("T")) {
    names.push_back(std::filesystem::path(stamp.path).filename());
  }
  EXPECT_THAT(names, ElementsAre("b1.parquet", "b10.parquet", "b2.parquet"));
  Make("COPY (SELECT 4::BIGINT AS id) TO '@b4.parquet'");
  EXPECT_THAT(Rows(*data, "SELECT sum(id)::BIGINT AS s FROM main.t"), ElementsAre("{6}"));
}

TEST_F(DuckDbOpenTest, TablesOfAFileAndOfTheDatabaseAreJoined) {
  MakeDatabaseFromText(path("shop.duckdb"),
                       "CREATE TABLE orders (order_id INTEGER PRIMARY KEY, id BIGINT NOT NULL);"
                       "INSERT INTO orders SELECT i, i % 10 FROM range(100) t(i);"
                       "CREATE TABLE t (other VARCHAR); CREATE VIEW v AS SELECT 1 AS one;");
  Make("COPY (SELECT i::BIGINT AS id FROM range(5) t(i)) TO '@c.parquet'");
  const std::string tables =
      "[tables.t]\nunit = \"id\"\nsource = \"c.parquet\"\n[tables.orders]\nunit = \"id\"\n"
      "[tables.v]\npublic = true\n[tables.gone]\npublic = true\n";
  const auto data = Open(tables, path("shop.duckdb"));
  EXPECT_THAT(Rows(*data, "SELECT count(*) AS n FROM main.t JOIN main.orders USING (id)"),
              ElementsAre("{50}"));
  const auto schema = data->ReadSchema();
  ASSERT_TRUE(schema.ok()) << schema.error().message;
  std::vector<std::string> found;
  for (const SchemaTable& table : schema->tables) {
    found.push_back(table.name + " " + std::to_string(table.columns.size()) + " " +
                    std::to_string(table.unique_keys.size()) + (table.is_view ? " view" : ""));
  }
  EXPECT_THAT(found, ElementsAre("orders 2 1", "v 1 0 view", "t 1 0"));
}

TEST_F(DuckDbOpenTest, TheThreadsAreThoseThatDuckDbHas) {
  MakeDatabaseFromText(path("shop.duckdb"), "CREATE TABLE t (id BIGINT)");
  const auto threads = [&](const std::string& database) {
    const auto data = Open("[tables.t]\nunit = \"id\"\n" + database, path("shop.duckdb"));
    EXPECT_THAT(Rows(*data, "SELECT current_setting('threads') AS n"),
                ElementsAre("{" + std::to_string(data->threads()) + "}"));
    return data->threads();
  };
  EXPECT_EQ(threads("[database]\nthreads = 3\n"), 3u);
  // With 128 MB for each no more than two have room.
  EXPECT_EQ(threads("[database]\nthreads = 3\nmemory = \"256 MB\"\n"), 2u);
  EXPECT_GE(threads(""), 1u);
}

TEST_F(DuckDbOpenTest, AnythingElseIsOutOfReach) {
  MakeDatabaseFromText(path("shop.duckdb"), "CREATE TABLE orders (id BIGINT)");
  Make(
      "COPY (SELECT 1::BIGINT AS id) TO '@a.parquet'; COPY (SELECT 1::BIGINT AS id) TO "
      "'@other.parquet'; COPY (SELECT 1 AS id) TO '@other.csv'");
  const std::string file = "[tables.t]\nunit = \"id\"\nsource = \"a.parquet\"\n";
  const std::string table = "[tables.orders]\nunit = \"id\"\n";
  const std::string folder = folder_ / "";
  for (const auto& data :
       {Open(file), Open(file + table, path("shop.duckdb")), Open(table, path("shop.duckdb"))}) {
    DuckDbConnection connection(data->database());
    for (const std::string& sql :
         {"COPY (SELECT 1) TO '" + folder + "x.csv'",
          "COPY (SELECT 1) TO '" + folder + "a.parquet'", "ATTACH '" + folder + "x.duckdb'",
          "ATTACH '" + folder + "maker1.duckdb' (READ_ONLY)", "EXPORT DATABASE '" + folder + "x'",
          "SELECT * FROM read_parquet('" + folder + "other.parquet')",
          "SELECT * FROM '" + folder + "other.csv'",
          "SELECT * FROM read_text('" + folder + "p.toml')",
          "SELECT * FROM glob('" + folder + "*')", std::string("SET threads = 1"),
          std::string("SET allowed_paths = []"), std::string("RESET enable_external_access"),
          std::string("INSTALL httpfs"), std::string("SET temp_directory = 'x'")}) {
      const auto failure = connection.Run(sql, [](const DuckDbChunk&) {});
      EXPECT_TRUE(failure.has_value()) << sql;
    }
  }
  EXPECT_FALSE(std::filesystem::exists(path("x.csv")));
  EXPECT_FALSE(std::filesystem::exists(path("x.duckdb")));
}

TEST_F(DuckDbOpenTest, ASourceIsFollowedToItsFile) {
  std::filesystem::create_directories(path("deep/folder.parquet"));
  Make("COPY (SELECT 7::BIGINT AS id) TO '@real.parquet'");
  std::filesystem::create_symlink(path("real.parquet"), path("deep/link.parquet"));
  for (const char* source : {"deep/link.parquet", "deep/../real.parquet", "./real.parquet"}) {
    const auto data = Open("[tables.t]\nunit = \"id\"\nsource = \"" + std::string(source) + "\"\n");
    EXPECT_THAT(Rows(*data, "SELECT id FROM main.t"), ElementsAre("{7}")) << source;
    EXPECT_EQ(data->StampsOf("t")[0].path, path("real.parquet"));
  }
  const auto refusal = [&](const std::string& source) {
    return Refusal("[tables.t]\nunit = \"id\"\nsource = \"" + source + "\"\n");
  };
  EXPECT_THAT(refusal("deep/f*.parquet"), HasSubstr("which is no file"));
  EXPECT_THAT(refusal("deep/none*.parquet"), HasSubstr("C204"));
  EXPECT_THAT(refusal("deep/none*.parquet"), HasSubstr("matches no file"));
  std::filesystem::create_symlink(path("nowhere"), path("dangling.parquet"));
  EXPECT_THAT(refusal("dangling.parquet"), HasSubstr("C204"));
  std::filesystem::copy_file(path("real.parquet"), path("x[1].parquet"));
  EXPECT_THAT(refusal("x*.parquet"), HasSubstr("a name with one of"));
}

TEST_F(DuckDbOpenTest, FilesOfOneTableHaveTheSameColumns) {
  Make(
      "COPY (SELECT 1::BIGINT AS id) TO '@d1.parquet'; COPY (SELECT 1::INTEGER AS id) TO "
      "'@d2.parquet'; COPY (SELECT 1 AS id, 2 AS n) TO '@d1.csv'; COPY (SELECT 1 AS n, 2 AS id) "
      "TO '@d2.csv'");
  const std::string typed = "[tables.t.columns]\nid = { type = \"BIGINT\" }\n";
  const auto refusal = [&](const std::string& source) {
    return Refusal("[tables.t]\nunit = \"id\"\nsource = \"" + source + "\"\n" + typed);
  };
  EXPECT_THAT(refusal("d*.parquet"), HasSubstr("has other columns than"));
  EXPECT_THAT(refusal("d*.csv"), HasSubstr("has other columns than"));
  EXPECT_EQ(refusal("d1.parquet"), "opened");
  EXPECT_EQ(refusal("d1.csv"), "opened");
  Write("text.parquet", "PAR1 this is none PAR1");
  EXPECT_THAT(refusal("text.parquet"), HasSubstr("is no Parquet file"));
  Write("twice.csv", "id,n,ID\n1,2,3\n");
  EXPECT_THAT(refusal("twice.csv"), HasSubstr("no list of different names"));
  Write("lacks.csv", "a,b\n1,2\n");
  EXPECT_THAT(refusal("lacks.csv"), HasSubstr("has no column id"));
  Write("open.csv", "id,\"b\n1,2\n");
  EXPECT_THAT(refusal("open.csv"), HasSubstr("no list of different names"));
}

TEST_F(DuckDbOpenTest, ACellOfAnotherTypeIsNull) {
  const std::string policy =
      "[tables.t]\nunit = \"id\"\n[tables.t.columns]\n"
      "id = { type = \"INTEGER\" }\nday = { type = \"DATE\" }\n";
  Write(
      "e.csv",
      "day,id,unused\n2026-01-01,1,x\nsoon,2,x\n2026-02-30,3,x\n,4,x\n2026-01-05,99999999999,x\n");
  Write("e.ndjson",
        "{\"id\":1,\"day\":\"2026-01-01\"}\n{\"id\":2,\"day\":\"soon\"}\n"
        "{\"id\":3,\"day\":20260230}\n{\"id\":4}\n{\"id\":99999999999,\"day\":"
        "\"2026-01-05\"}\n");
  for (const char* name : {"e.csv", "e.ndjson"}) {
    std::string tables = policy;
    tables.insert(tables.find("unit"), "source = \"" + std::string(name) + "\"\n");
    EXPECT_THAT(
        Rows(*Open(tables), "SELECT id, day FROM main.t ORDER BY id NULLS LAST"),
        ElementsAre("{1, 2026-01-01}", "{2, NULL}", "{3, NULL}", "{4, NULL}", "{NULL, 2026-01-05}"))
        << name;
  }
}

struct Garbage {
  const char* name;
  std::string bytes;
  std::vector<std::string> rows;  // what must come out
};

std::vector<Garbage> GarbageCsv() {
  const std::string head = "a,b\n";
  return {{"short", head + "1,2\n1\n4,5\n", {"{1, 2}", "{4, 5}"}},
          {"long", head + "1,2\n1,2,3,4\n4,5\n", {"{1, 2}", "{1, 2}", "{4, 5}"}},
          {"bad utf-8", head + "1,\xff\xfe\n4,5\n", {"{4, 5}"}},
          {"a line of 3 MB", head + "1," + std::string(3'000'000, 'x') + "\n4,5\n", {"{4, 5}"}},
          {"CRLF", "a,b\r\n1,2\r\n4,5\r\n", {"{1, 2}", "{4, 5}"}},
          {"no rows", head, {}},
          {"no newline", head + "1,2", {"{1, 2}"}},
          {"empty lines", head + "\n1,2\n\n\n", {"{1, 2}"}}};
}

std::vector<Garbage> GarbageJson() {
  const std::string good = "{\"a\":1,\"b\":2}\n";
  const std::string deep = std::string(50'000, '[') + std::string(50'000, ']');
  return {
      {"words", good + "not json\n" + good, {"{1, 2}", "{1, 2}"}},
      {"cut short", good + "{\"a\":2,\n" + good, {"{1, 2}", "{1, 2}"}},
      {"on several lines", "{\n\"a\": 1\n}\n" + good, {"{1, 2}"}},
      {"an array", "[" + good + "]\n", {}},
      {"bad utf-8", "{\"a\":\"\xff\"}\n" + good, {"{1, 2}"}},
      {"half a pair", "{\"a\":\"\\ud800\"}\n" + good, {"{1, 2}"}},
      {"a line of 3 MB", "{\"a\":\"" + std::string(3'000'000, 'x') + "\"}\n" + good, {"{1, 2}"}},
      {"a deep value", "{\"a\":3,\"b\":4,\"c\":" + deep + "}\n" + good, {"{3, 4}", "{1, 2}"}},
      {"two on a line", "{\"a\":1}{\"a\":2}\n" + good, {"{1, 2}"}},
      {"empty", "", {}},
      {"empty lines", "\n\n" + good + "\n", {"{1, 2}"}},
      {"a mark of order", "\xEF\xBB\xBF" + good, {"{1, 2}"}}};
}

std::string TwoColumns(const std::string& source, const std::string& table = "t") {
  return "[tables." + table + "]\nunit = \"a\"\nsource = \"" + source + "\"\n[tables." + table +
         ".columns]\na = { type = \"VARCHAR\" }\nb = { type = \"VARCHAR\" }\n";
}

TEST_F(DuckDbOpenTest, GarbageCostsItsOwnRowsAndNoQuery) {
  for (const Garbage& garbage : GarbageCsv()) {
    Write("g.csv", garbage.bytes);
    const auto data = Open(TwoColumns("g.csv"));
    EXPECT_EQ(Rows(*data, "SELECT * FROM main.t"), garbage.rows) << garbage.name;
  }
  for (const Garbage& garbage : GarbageJson()) {
    Write("g.jsonl", garbage.bytes);
    const auto data = Open(TwoColumns("g.jsonl"));
    EXPECT_EQ(Rows(*data, "SELECT * FROM main.t WHERE a IS NOT NULL"), garbage.rows)
        << garbage.name;
  }
}

// Bytes that a reader's rules speak of, and any others.
std::string RandomBytes(std::mt19937& random) {
  const std::string special = "\"\"',,\n\n\r{}[]:\\ab1\x01";
  std::string bytes;
  const std::size_t size = random() % 3000;
  while (bytes.size() < size) {
    bytes += random() % 8 == 0 ? static_cast<char>(random()) : special[random() % special.size()];
  }
  return bytes;
}

// The bytes without those after which rows do not stand apart; a CSV file with them is refused.
std::string WithoutCsvFlaws(std::string bytes) {
  std::erase_if(bytes, [](char byte) { return byte == '"' || byte == '\r'; });
  return bytes;
}

TEST_F(DuckDbOpenTest, NoBytesEndAQuery) {
  std::mt19937 random(20261115);
  std::string tables;
  constexpr int kFiles = 100;
  for (int i = 0; i < kFiles; ++i) {
    const std::string name = "r" + std::to_string(i) + (i % 2 == 0 ? ".csv" : ".json");
    const std::string bytes = RandomBytes(random);
    Write(name, i % 2 == 0 ? "a,b\n" + WithoutCsvFlaws(bytes) : bytes);
    tables += TwoColumns(name, "t" + std::to_string(i));
  }
  const auto data = Open(tables);
  DuckDbConnection connection(data->database());
  for (int i = 0; i < kFiles; ++i) {
    const auto failure =
        connection.Run("SELECT a, b, count(*) FROM main.t" + std::to_string(i) + " GROUP BY a, b",
                       [](const DuckDbChunk&) {});
    EXPECT_FALSE(failure.has_value()) << i << " " << failure->text;
  }
}

TEST_F(DuckDbOpenTest, CsvWhoseRowsDoNotStandApartIsRefused) {
  const std::string rows = "a,b\n1,2\n";
  const auto refusal = [&](const std::string& bytes) {
    Write("f.csv", bytes);
    return Refusal(TwoColumns("f.csv"));
  };
  EXPECT_EQ(refusal(rows + "3,\"x\"\"\r\n\"\r\n4,5"), "opened");
  EXPECT_THAT(refusal(rows + "3,\"x\n4,5\n"), HasSubstr("C204"));
  EXPECT_THAT(refusal(rows + "3,\"x\n4,5\n"), HasSubstr("a quote is not closed"));
  EXPECT_THAT(refusal(rows + "3,x\"y\n4,5\n"), HasSubstr("a quote stands inside of a field"));
  EXPECT_THAT(refusal(rows + "3, \"x\n4,\"5\"\n"), HasSubstr("a quote stands inside"));
  EXPECT_THAT(refusal(rows + "3,\"x\" \n4,5\n"), HasSubstr("a quote stands inside"));
  EXPECT_THAT(refusal(rows + "3,x\ry\n4,5\n"), HasSubstr("a line ends with CR alone"));
  EXPECT_THAT(refusal(rows + "3,x\r"), HasSubstr("a line ends with CR alone"));
  // DuckDB would take lines of this one for rows, or end with an error of its own.
  std::string lines = "3,\"";
  while (lines.size() < 100'000'000) lines += "4,5\n";
  EXPECT_THAT(refusal(rows + lines + "\"\n4,5\n"), HasSubstr("longer than 16 MB"));
}

// Any bytes in quotes are a field, whatever stands in the rows around it: what comes out are the
// rows that went in, but for those with bytes that are no text.
TEST_F(DuckDbOpenTest, RowsOfCsvAreReadAsWritten) {
  std::mt19937 random(20261116);
  const std::vector<std::string> pieces = {"\"", ",", "\n", "\r",   "\r\n",
                                           " ",  "x", "\\", "\xff", "#"};
  std::string bytes = "a,b\n";
  std::vector<std::string> expected;
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    for (std::size_t left = random() % 6; left > 0; --left)
      text += pieces[random() % pieces.size()];
    std::string quoted;
    for (const char byte : text) quoted += byte == '"' ? "\"\"" : std::string(1, byte);
    bytes += std::to_string(i) + ",\"" + quoted + "\"" + (random() % 2 == 0 ? "\n" : "\r\n");
    if (text.find('\xff') == std::string::npos) expected.push_back(std::to_string(i) + " " + text);
  }
  Write("w.csv", bytes);
  const auto data = Open(TwoColumns("w.csv"));
  DuckDbConnection connection(data->database());
  std::vector<std::vector<Value>> rows;
  ASSERT_FALSE(connection.ReadRows("SELECT a, b FROM main.t", 2, rows).has_value());
  std::vector<std::string> found;
  for (const auto& row : rows) {
    found.push_back(std::get<std::string>(row[0]) + " " + std::get<std::string>(row[1]));
  }
  EXPECT_EQ(found, expected);
}

// Parquet with bytes in place of others of the same number: DuckDB itself writes no such values.
class BadParquetTest : public DuckDbOpenTest {
 protected:
  void MakeBad(const std::string& sql, const std::string& from, const std::string& to) {
    Make("COPY (" + sql + ") TO '@bad.parquet' (COMPRESSION uncompressed)");
    std::ifstream file(path("bad.parquet"), std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    ASSERT_NE(bytes.find(from), std::string::npos);
    for (std::size_t at; (at = bytes.find(from)) != std::string::npos;) {
      bytes.replace(at, from.size(), to);
    }
    Write("bad.parquet", bytes);
  }

  // In the last column; some are named as words of SQL.
  void MakeBadText() {
    MakeBad(
        "SELECT i AS id, i AS r, i AS t, i AS \"columns\", CASE WHEN i = 7 THEN 'QZQZ' ELSE 'x' || "
        "i "
        "END AS word FROM range(9) t(i)",
        "QZQZ", "\xff\xfe\xffQ");
  }

  static constexpr const char* kTable = "[tables.t]\nunit = \"id\"\nsource = \"bad.parquet\"\n";
};

TEST_F(BadParquetTest, OneValueThatCannotBeReadRefusesTheTable) {
  MakeBadText();
  EXPECT_EQ(Refusal(kTable),
            "C204 " + path("p.toml") +
                ":10: the files of t hold a value that cannot be read (incident i-000000)");
  // 0x7A7A… milliseconds are more than a TIMESTAMP has microseconds for.
  MakeBad("SELECT i AS id, make_timestamp_ms(i)::TIMESTAMP_MS AS at FROM range(7, 8) t(i)",
          std::string("\x07\0\0\0\0\0\0\0", 8), std::string(8, 'z'));
  EXPECT_THAT(Refusal(kTable), HasSubstr("C204"));
}

TEST_F(BadParquetTest, WhatTheOwnerVerifiedIsNotReadAgain) {
  MakeBadText();
  const std::string label = "[data]\nversion = \"v1\"\n";
  const auto stamp = StampOf(path("bad.parquet"));
  ASSERT_TRUE(stamp.has_value());
  const KeyFacts facts{.version = "v1", .keys = {}, .files = {{.table = "t", .files = {*stamp}}}};
  ASSERT_TRUE(WriteKeyFacts(facts, PolicyOf(label + kTable).facts_file).ok());
  EXPECT_EQ(Refusal(label + kTable), "opened");
  EXPECT_THAT(Refusal("[data]\nversion = \"v2\"\n" + std::string(kTable)), HasSubstr("C204"));
  DuckDbData data("", log_);
  EXPECT_FALSE(data.Open(PolicyOf(label + kTable), Verified::kReadAgain).ok());
  MakeBadText();
  EXPECT_THAT(Refusal(label + kTable), HasSubstr("C204"));
}

TEST_F(DuckDbOpenTest, AFileWithTwoNamesIsReadOnce) {
  Make(
      "COPY (SELECT 1::BIGINT AS id) TO '@n1.parquet'; COPY (SELECT 5::BIGINT AS id) TO "
      "'@n4.parquet'");
  std::filesystem::create_symlink(path("n1.parquet"), path("n2.parquet"));
  std::filesystem::create_hard_link(path("n1.parquet"), path("n3.parquet"));
  const auto data = Open("[tables.t]\nunit = \"id\"\nsource = \"n*.parquet\"\n");
  EXPECT_THAT(Rows(*data, "SELECT id FROM main.t ORDER BY id"), ElementsAre("{1}", "{5}"));
  EXPECT_EQ(data->StampsOf("t").size(), 2u);
}

TEST_F(DuckDbOpenTest, TheOwnerSaysHowMuchOfTheMachine) {
  Make("COPY (SELECT 1::BIGINT AS id) TO '@a.parquet'");
  const std::string table = "[tables.t]\nunit = \"id\"\nsource = \"a.parquet\"\n";
  const auto data = Open("[database]\nmemory = \"500 MB\"\nthreads = 3\n" + table);
  EXPECT_THAT(Rows(*data, "SELECT current_setting('threads') AS s"), ElementsAre("{3}"));
  EXPECT_THAT(Rows(*data, "SELECT current_setting('memory_limit') AS s"),
              ElementsAre("{476.8 MiB}"));
}

// Each thread of DuckDB needs memory of its own to spill with: sixteen in 128 MB end this query.
TEST_F(DuckDbOpenTest, LittleMemoryMeansFewThreadsAndSpilling) {
  Make(
      "COPY (SELECT i * 7919 % 1000003 AS id, 'a rather long name of ' || i AS name FROM "
      "range(1000000) t(i)) TO '@a.parquet' (ROW_GROUP_SIZE 20000)");
  const std::string table = "[tables.t]\nunit = \"id\"\nsource = \"a.parquet\"\n";
  const auto data = Open("[database]\nmemory = \"128 MB\"\nthreads = 16\n" + table);
  EXPECT_THAT(Rows(*data, "SELECT current_setting('threads') AS s"), ElementsAre("{1}"));
  EXPECT_THAT(Rows(*data,
                   "SELECT count(*) AS n FROM main.t a JOIN main.t b ON a.id = b.id AND "
                   "a.name = b.name"),
              ElementsAre("{1000000}"));
}

TEST_F(DuckDbOpenTest, ADatabaseMayBeNamedLikeItsSchema) {
  MakeDatabaseFromText(path("main.duckdb"), "CREATE TABLE t (id BIGINT); INSERT INTO t VALUES (4)");
  const auto data = Open("[tables.t]\nunit = \"id\"\n", path("main.duckdb"));
  EXPECT_THAT(Rows(*data, "SELECT * FROM \"main\".\"t\""), ElementsAre("{4}"));
}

}  // namespace
}  // namespace dpsql
