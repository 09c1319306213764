// What Spark's tables, values and settings become.
#include "engines/spark_test.h"
#include "support/reference_duckdb.h"

namespace dpsql {
namespace {

TEST_F(SparkTest, TypesOfFiles) {
  policy_.tables = {Table(
      "t",
      WriteParquet("t",
                   "SELECT true b, 1Y i1, 2S i2, 3 i4, 4L i8, CAST(5 AS FLOAT) f, 6D d, "
                   "CAST(7 AS DECIMAL(38,10)) n, 'x' s, DATE '2024-02-29' da, TIMESTAMP "
                   "'2024-02-29 01:02:03' ts, TIMESTAMP_NTZ '2024-02-29 01:02:03' tn, X'00' bin, "
                   "array(1) a, map('k', 1) m, struct(1 AS x) st"))};
  const Schema schema = ReadSchema();
  ASSERT_EQ(schema.tables.size(), 1);
  EXPECT_THAT(
      Types(schema.tables[0]),
      ElementsAre("b BOOLEAN", "i1 TINYINT", "i2 SMALLINT", "i4 INTEGER", "i8 BIGINT", "f FLOAT",
                  "d DOUBLE", "n DECIMAL(38,10)", "s VARCHAR", "da DATE", "ts TIMESTAMP",
                  "tn TIMESTAMP", "bin other", "a other", "m other", "st other"));
  EXPECT_TRUE(schema.tables[0].unique_keys.empty());
  const auto connection = Connect();
  EXPECT_THAT(Ask(*connection, "SELECT b, i1, i2, i4, i8, f, d, n, s, da, ts, tn FROM (" +
                                   engine_->ReadTable(schema.tables[0]) + ")"),
              ElementsAre(ElementsAre("true", "1", "2", "3", "4", "5", "6", "7.0000000000", "x",
                                      "2024-02-29", "2024-02-29 01:02:03", "2024-02-29 01:02:03")));
}

TEST_F(SparkTest, TypesOfTheCatalogue) {
  {
    AdbcConnection writer(Target());
    Ask(writer, "DROP TABLE IF EXISTS shop");
    Ask(writer, "DROP VIEW IF EXISTS shown");
    EXPECT_EQ(Ask(writer,
                  "CREATE TABLE shop (c CHAR(5), v VARCHAR(9), ci STRING COLLATE "
                  "UNICODE_CI, i INTERVAL DAY TO SECOND, `o``d.d` INT, p INT) USING parquet "
                  "PARTITIONED BY (p)"),
              Rows{});
    EXPECT_EQ(Ask(writer,
                  "INSERT INTO shop VALUES ('ab', 'v ', 'A', INTERVAL '1' DAY, 7, 1), ('ab', "
                  "'v', 'a', NULL, 8, 2)"),
              Rows{});
    EXPECT_EQ(Ask(writer, "CREATE VIEW shown AS SELECT 1 AS x"), Rows{});
  }
  policy_.tables = {Table("shop"), Table("shown"), Table("absent")};
  const Schema schema = ReadSchema();
  ASSERT_EQ(schema.tables.size(), 2);
  EXPECT_TRUE(schema.tables[0].is_view);
  EXPECT_THAT(Types(schema.tables[1]), ElementsAre("c VARCHAR", "v VARCHAR", "ci VARCHAR",
                                                   "i other", "o`d.d INTEGER", "p INTEGER"));
  for (const SchemaColumn& column : schema.tables[1].columns) {
    EXPECT_EQ(column.has_collation, column.name == "ci") << column.name;
  }
  const auto connection = Connect();
  const std::string shop = "(" + engine_->ReadTable(schema.tables[1]) + ")";
  EXPECT_THAT(Ask(*connection,
                  "SELECT min(length(c)), max(length(c)), count(DISTINCT ci), "
                  "count(DISTINCT v), max(ci) = 'a', bool_or(ci = 'A'), sum(`o``d.d`) FROM " +
                      shop),
              ElementsAre(ElementsAre("2", "2", "2", "2", "true", "true", "15")));
}

TEST_F(SparkTest, ValuesOutsideOfTheirTypesAreNull) {
  policy_.tables = {
      Table("t", WriteParquet("t",
                              "SELECT * FROM VALUES (CAST('NaN' AS DOUBLE), CAST('NaN' AS FLOAT), "
                              "CAST(X'ff41' AS STRING), DATE '-0001-01-01', TIMESTAMP "
                              "'+10000-01-01 00:00:00'), (-0D, CAST('-Infinity' AS FLOAT), "
                              "concat('a', char(0), X'f09f9880'), DATE '9999-12-31', TIMESTAMP "
                              "'0001-01-01 00:00:00.000001') AS t(d, f, s, day, moment)"))};
  const Schema schema = ReadSchema();
  ASSERT_EQ(schema.tables.size(), 1);
  const auto connection = Connect();
  EXPECT_THAT(Ask(*connection, engine_->ReadTable(schema.tables[0]) + " ORDER BY d NULLS FIRST"),
              ElementsAre(ElementsAre("NULL", "NULL", "NULL", "NULL", "NULL"),
                          ElementsAre("-0", "-inf", std::string("a\0\xf0\x9f\x98\x80", 6),
                                      "9999-12-31", "0001-01-01 00:00:00.000001")));
}

TEST_F(SparkTest, NamesOfAnyKind) {
  policy_.tables = {Table(
      "od`d $name", WriteParquet("t", "SELECT 1 AS `we'ird \\\\ n``ame`, 2 AS `${env:HOME}`"))};
  const Schema schema = ReadSchema();
  ASSERT_EQ(schema.tables.size(), 1);
  EXPECT_EQ(schema.tables[0].columns.size(), 2);
  EXPECT_EQ(schema.tables[0].columns[1].name, "${env:HOME}");
  EXPECT_EQ(Ask(*Connect(), engine_->ReadTable(schema.tables[0])), (Rows{{"1", "2"}}));
}

TEST_F(SparkTest, EveryTypeOfAnAnswer) {
  ReadSchema();
  const auto connection = Connect();
  EXPECT_EQ(Ask(*connection,
                "SELECT NULL, true, -128Y, 32767S, -2147483648, 9223372036854775807L, "
                "CAST(0.1 AS FLOAT), 0.1D, CAST('NaN' AS DOUBLE), CAST('-Infinity' AS DOUBLE), "
                "1e300, CAST(-0.5 AS DECIMAL(38,2)), "
                "CAST('-99999999999999999999999999999999999999' AS DECIMAL(38,0)), '', 'é', "
                "DATE '1969-12-31', TIMESTAMP_NTZ '1969-12-31 23:59:59.5', TIMESTAMP "
                "'2024-02-29 00:00:00+01:00'"),
            (Rows{{"NULL", "true", "-128", "32767", "-2147483648", "9223372036854775807",
                   "0.10000000149011612", "0.1", "nan", "-inf", "1e+300", "-0.50",
                   "-99999999999999999999999999999999999999", "", "é", "1969-12-31",
                   "1969-12-31 23:59:59.5", "2024-02-28 23:00:00"}}));
  EXPECT_THAT(Ask(*connection, "SELECT X'00'")[0][0], HasSubstr("FAILED"));
  EXPECT_THAT(Ask(*connection, "SELECT array(1)")[0][0], HasSubstr("FAILED"));
  EXPECT_EQ(Ask(*connection, "SELECT 1 WHERE false"), Rows{});
  EXPECT_EQ(Ask(*connection, "SELECT id FROM range(300000) ORDER BY id").size(), 300'000);
}

// A view tells sessions apart.
TEST_F(SparkTest, ASessionThatEndedWellServesTheNextQuestion) {
  constexpr const char* kMark = "CREATE TEMPORARY VIEW mark AS SELECT 7 AS x";
  constexpr const char* kLook = "SELECT x FROM mark";
  const auto is_gone = ElementsAre(ElementsAre(HasSubstr("FAILED")));
  ReadSchema();
  EXPECT_EQ(Ask(*Connect(), kMark), Rows{});
  EXPECT_EQ(Ask(*Connect(), kLook), (Rows{{"7"}}));
  {
    const auto first = Connect();
    EXPECT_THAT(Ask(*Connect(), kLook), is_gone) << "two have one each";
    EXPECT_EQ(Ask(*first, kLook), (Rows{{"7"}}));
    EXPECT_THAT(Ask(*first, "SELECT no_such_column"), is_gone);
  }
  EXPECT_EQ(Ask(*Connect(), kMark), Rows{}) << "the one that failed is not used again";
  Connect()->Stop();
  EXPECT_THAT(Ask(*Connect(), kLook), is_gone) << "neither is one that was stopped";
}

TEST_F(SparkTest, SettingsOfTheServerDoNotMatter) {
  ReadSchema();
  const auto connection = Connect();
  for (const SparkSetting& setting : SparkSettings()) {
    const Rows rows = Ask(*connection, "SET " + std::string(setting.name));
    ASSERT_EQ(rows.size(), 1) << setting.name;
    if (rows[0][1] == "<undefined>") continue;
    EXPECT_EQ(rows[0][1], setting.value) << setting.name;
  }
  EXPECT_EQ(Ask(*connection,
                "SELECT current_timezone(), '${env:HOME}', typeof(1e0), 'a\\nb', "
                "CAST(TIMESTAMP '2024-01-01 00:00:00' AS TIMESTAMP_NTZ)"),
            (Rows{{"UTC", "${env:HOME}", "double", "a\nb", "2024-01-01 00:00:00"}}));
  EXPECT_THAT(Ask(*connection, "SELECT 9223372036854775807L + id FROM range(1, 2)")[0][0],
              HasSubstr("FAILED"));
  // Whether Spark's own defaults are what we take them for.
  AdbcConnection plain(Target());
  for (const SparkSetting& setting : SparkSettings()) {
    const std::string name(setting.name);
    if (Environment("DPSQL_TEST_SPARK_HOSTILE").find(name + "=") != std::string::npos) continue;
    const std::string value = Ask(plain, "SET " + name).at(0).at(1);
    EXPECT_EQ(value == setting.value || (value == "<undefined>" && setting.value.empty()),
              setting.is_default)
        << name << " is " << value;
  }
}

TEST_F(SparkTest, InlineTablesAreExact) {
  ReadSchema();
  const double infinity = std::numeric_limits<double>::infinity();
  PublicTable table;
  table.columns = {{"big", ParseType("BIGINT")},          {"real", ParseType("DOUBLE")},
                   {"flag", ParseType("BOOLEAN")},        {"te'x`t", ParseType("VARCHAR")},
                   {"exact", ParseType("DECIMAL(38,2)")}, {"day", ParseType("DATE")},
                   {"moment", ParseType("TIMESTAMP")},    {"huge", ParseType("HUGEINT")}};
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  all += "é\xf0\x9f\x98\x80\xe2\x80\xa8${env:HOME}\\u0041\\'";
  const std::string huge = "-" + std::string(38, '9');
  const auto row = [&](Value big, Value real, Value text) {
    return std::vector<Value>{
        big, real, true, text, "-0.01", "0001-01-01", "9999-12-31 23:59:59.999999", huge};
  };
  table.rows = {row(std::numeric_limits<std::int64_t>::min(), std::nan(""), all),
                row(std::numeric_limits<std::int64_t>::max(), infinity, ""),
                row(std::int64_t{0}, -infinity, "NULL"),
                row(std::int64_t{-1}, 0.1 + 0.2, " x "),
                row(std::int64_t{-2}, std::numeric_limits<double>::denorm_min(), "null"),
                row(std::int64_t{-3}, std::numeric_limits<double>::max(), "["),
                std::vector<Value>(8)};
  const auto connection = Connect();
  const Rows rows = Ask(*connection, engine_->InlineTable(table));
  ASSERT_EQ(rows.size(), table.rows.size());
  EXPECT_THAT(rows[0], ElementsAre("-9223372036854775808", "nan", "true", all, "-0.01",
                                   "0001-01-01", "9999-12-31 23:59:59.999999", huge));
  EXPECT_EQ(rows[1][0] + rows[1][1] + rows[1][3], "9223372036854775807inf");
  EXPECT_EQ(rows[2][1], "-inf");
  for (std::size_t i = 3; i < 6; ++i) {
    EXPECT_EQ(std::strtod(rows[i][1].c_str(), nullptr), std::get<double>(table.rows[i][1]));
  }
  EXPECT_EQ(rows[6], std::vector<std::string>(8, "NULL"));
  EXPECT_EQ(Ask(*connection,
                "SELECT typeof(big), typeof(real), typeof(flag), typeof(`te'x``t`), "
                "typeof(exact), typeof(day), typeof(moment), typeof(huge) FROM (" +
                    engine_->InlineTable(table) + ") LIMIT 1"),
            (Rows{{"bigint", "double", "boolean", "string", "decimal(38,2)", "date",
                   "timestamp_ntz", "decimal(38,0)"}}));
  table.rows.clear();
  EXPECT_EQ(
      Ask(*connection, "SELECT count(*), count(big) FROM (" + engine_->InlineTable(table) + ")"),
      (Rows{{"0", "0"}}));
}

TEST_F(SparkTest, AMillionRowsInline) {
  ReadSchema();
  PublicTable table;
  table.columns = {{"k", ParseType("BIGINT")}, {"s", ParseType("VARCHAR")}};
  for (std::int64_t i = 0; i < 1'000'000; ++i) {
    table.rows.push_back({i, "key " + std::to_string(i)});
  }
  const auto connection = Connect();
  const auto begin = Clock::now();
  EXPECT_EQ(Ask(*connection, "SELECT count(*), sum(k), count(DISTINCT s) FROM (" +
                                 engine_->InlineTable(table) + ")"),
            (Rows{{"1000000", "499999500000", "1000000"}}));
  RecordProperty("milliseconds", static_cast<int>((Clock::now() - begin).count() / 1'000'000));
  EXPECT_LT(Clock::now() - begin, seconds(90));
}

TEST_F(SparkTest, DataThatChangesIsNoticed) {
  const std::string file = WriteParquet("t", "SELECT 1 AS x");
  policy_.tables = {Table("t", file)};
  const Schema schema = ReadSchema();
  ASSERT_EQ(schema.tables.size(), 1);
  const auto connection = Connect();
  const std::string sql = engine_->ReadTable(schema.tables[0]);
  EXPECT_EQ(Ask(*connection, sql), (Rows{{"1"}}));
  EXPECT_EQ(Ask(*connection, sql), (Rows{{"1"}}));
  fs::copy_file(WriteParquet("other", "SELECT 2 AS x"), file, fs::copy_options::overwrite_existing);
  const auto failure = connection->Run(sql, [](SqlConnection::Row) {});
  ASSERT_TRUE(failure);
  EXPECT_TRUE(failure->changed) << failure->text;
  EXPECT_EQ(Connect()->Run(sql, [](SqlConnection::Row) {})->changed, true);
}

TEST_F(SparkTest, ACatalogueThatChangesIsNoticed) {
  AdbcConnection writer(Target());
  Ask(writer, "DROP TABLE IF EXISTS grows");
  ASSERT_EQ(Ask(writer, "CREATE TABLE grows USING parquet AS SELECT 1 AS x"), Rows{});
  policy_.tables = {Table("grows")};
  const Schema schema = ReadSchema();
  ASSERT_EQ(schema.tables.size(), 1);
  const auto connection = Connect();
  const std::string sql = engine_->ReadTable(schema.tables[0]);
  EXPECT_EQ(Ask(*connection, sql), (Rows{{"1"}}));
  ASSERT_EQ(Ask(writer, "INSERT INTO grows VALUES (2)"), Rows{});
  const auto failure = connection->Run(sql, [](SqlConnection::Row) {});
  ASSERT_TRUE(failure);
  EXPECT_TRUE(failure->changed);
}

// A partition can be renamed where its files lie: the same files, with rows of somebody else.
TEST_F(SparkTest, APartitionThatIsRenamedIsNoticed) {
  AdbcConnection writer(Target());
  const std::string folder = "file://" + (folder_ / "parts").string();
  Ask(writer, "DROP TABLE IF EXISTS parts");
  ASSERT_EQ(Ask(writer,
                "CREATE TABLE parts (x INT, `the part` INT) USING parquet PARTITIONED BY (`the "
                "part`) LOCATION '" +
                    folder + "'"),
            Rows{});
  ASSERT_EQ(Ask(writer, "INSERT INTO parts VALUES (1, 1), (2, 2)"), Rows{});
  policy_.tables = {Table("parts")};
  const Schema schema = ReadSchema();
  ASSERT_EQ(schema.tables.size(), 1);
  const auto connection = Connect();
  const std::string sql = engine_->ReadTable(schema.tables[0]) + " WHERE x = 1";
  EXPECT_EQ(Ask(*connection, sql), (Rows{{"1", "1"}}));
  ASSERT_EQ(
      Ask(writer,
          "ALTER TABLE parts PARTITION (`the part` = 1) RENAME TO PARTITION (`the part` = 3)"),
      Rows{});
  const auto failure = connection->Run(sql, [](SqlConnection::Row) {});
  ASSERT_TRUE(failure);
  EXPECT_TRUE(failure->changed) << failure->text;
}

TEST_F(SparkTest, FilesThatSparkDoesNotSeeAreRefused) {
  const fs::path file = WriteParquet("t", "SELECT 1 AS x");
  fs::copy_file(file, folder_ / "a.parquet");
  fs::copy_file(file, folder_ / "_hidden.parquet");
  policy_.tables = {Table("t", "*.parquet")};
  const auto schema = engine_->ReadSchema(policy_);
  ASSERT_FALSE(schema.ok());
  EXPECT_EQ(schema.error().code, "C204");
  EXPECT_THAT(schema.error().message, HasSubstr("does not see"));
  fs::remove(folder_ / "_hidden.parquet");
  fs::copy_file(file, folder_ / "b c%20.parquet");
  const Schema both = ReadSchema();
  ASSERT_EQ(both.tables.size(), 1);
  EXPECT_EQ(Ask(*Connect(), "SELECT count(*) FROM (" + engine_->ReadTable(both.tables[0]) + ")"),
            (Rows{{"2"}}));
}

TEST_F(SparkTest, FilesOfDifferentTypesAreRefused) {
  fs::copy_file(WriteParquet("t", "SELECT 1 AS x"), folder_ / "a.parquet");
  fs::copy_file(WriteParquet("u", "SELECT 'one' AS x"), folder_ / "b.parquet");
  policy_.tables = {Table("t", "*.parquet")};
  EXPECT_FALSE(engine_->ReadSchema(policy_).ok());
}

// An infinite time of DuckDB is the last millisecond of 64 bits. Which questions meet it must not
// matter, so that nobody may ask any.
TEST_F(SparkTest, ATimeThatSparkCannotReadRefusesTheTable) {
  for (const std::string moment : {"2026-11-19", "infinity"}) {
    const fs::path file = folder_ / (moment + ".parquet");
    MakeDatabaseFromText((folder_ / (moment + ".duckdb")).string(),
                         "COPY (SELECT 1 AS x, TIMESTAMP_MS '" + moment + "' AS moment) TO '" +
                             file.string() + "' (FORMAT parquet)");
    policy_.tables = {Table("t", file.string())};
    const auto schema = engine_->ReadSchema(policy_);
    EXPECT_EQ(schema.ok(), moment != "infinity");
    if (schema.ok()) continue;
    EXPECT_EQ(schema.error().code, "C204");
    EXPECT_THAT(schema.error().message, HasSubstr("cannot be read whole (incident i-000001)"));
  }
}

// Many long texts in one batch end whatever statement reads them.
TEST_F(SparkTest, ALongTextRefusesTheTable) {
  for (const std::string length : {"1048576", "1048577"}) {
    policy_.tables = {
        Table("t", WriteParquet("t" + length, "SELECT 1 AS x, repeat('x', " + length + ") AS s"))};
    const auto schema = engine_->ReadSchema(policy_);
    EXPECT_EQ(schema.ok(), length == "1048576");
    if (schema.ok()) continue;
    EXPECT_EQ(schema.error().code, "C204");
    EXPECT_THAT(schema.error().message, HasSubstr("longer than 1 MiB"));
  }
}

// No text becomes another one, nor what another one is cut to.
TEST_F(SparkTest, ALongTextIsReadInPart) {
  policy_.tables = {Table(
      "t", WriteParquet("t",
                        "SELECT * FROM VALUES (1, repeat('a', 65535)), (2, repeat('a', 65536)), "
                        "(3, concat(repeat('a', 65472), sha2(repeat('a', 65536), 256))), "
                        "(4, repeat('\U0001F600', 20000)) AS t(id, s)"))};
  const Schema schema = ReadSchema();
  ASSERT_EQ(schema.tables.size(), 1);
  const auto connection = Connect();
  const std::string read = "(" + engine_->ReadTable(schema.tables[0]) + ")";
  EXPECT_THAT(Ask(*connection, "SELECT id, length(s) FROM " + read + " ORDER BY id"),
              ElementsAre(ElementsAre("1", "65535"), ElementsAre("2", "65536"),
                          ElementsAre("3", "65536"), ElementsAre("4", "20064")));
  EXPECT_EQ(Ask(*connection, "SELECT count(DISTINCT s) FROM " + read), (Rows{{"4"}}));
}

TEST_F(SparkTest, WordsOfTheServerGoToTheOwner) {
  policy_.tables = {Table("t", "s3a://no-such-bucket.invalid/secret-word/*.parquet")};
  const auto schema = engine_->ReadSchema(policy_);
  ASSERT_FALSE(schema.ok());
  EXPECT_EQ(schema.error().code, "E501");
  EXPECT_EQ(schema.error().message.find("secret-word"), std::string::npos);
  EXPECT_FALSE(incidents_.texts.empty());
}

TEST_F(SparkTest, TwoSessionsAtOnce) {
  policy_.tables = {Table("t", WriteParquet("t", "SELECT 1 AS x"))};
  const Schema schema = ReadSchema();
  Incidents incidents;
  Policy other = policy_;
  other.tables = {Table("t", WriteParquet("u", "SELECT 'two' AS y"))};
  const auto second = MakeSparkEngine("//" + Server(), incidents).value();
  const Schema second_schema = second->ReadSchema(other).value();
  std::atomic<int> right = 0;
  const auto ask = [&right](SqlEngine& engine, const SchemaTable& table, const Rows& expected) {
    for (int i = 0; i < 5; ++i) {
      StopSign nobody;
      const auto connection = engine.Connect(nobody).value();
      if (Ask(*connection, engine.ReadTable(table)) == expected) ++right;
    }
  };
  std::thread one([&] { ask(*engine_, schema.tables[0], {{"1"}}); });
  std::thread two([&] { ask(*second, second_schema.tables[0], {{"two"}}); });
  one.join();
  two.join();
  EXPECT_EQ(right, 10);
}

}  // namespace
}  // namespace dpsql

// The runner asks first whether there is a driver to test with.
int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--has-driver") {
    return dpsql::FindAdbcDriver("spark").path.empty() ? 1 : 0;
  }
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
