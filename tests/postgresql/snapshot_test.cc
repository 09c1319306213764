#include <chrono>
#include <cmath>
#include <future>
#include <limits>
#include <thread>

#include "postgresql/engine_fixture.h"
#include "support/patience.h"

namespace dpsql {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class SnapshotTest : public EngineFixture {
 protected:
  static void SetUpTestSuite() {
    SharedServer().Sql(
        "CREATE TABLE person (id int PRIMARY KEY, city text);"
        "INSERT INTO person VALUES (1, 'Nara'), (2, 'Kyoto');");
  }

  std::string Count() const { return "SELECT count(*) FROM (" + Read("person") + ") AS p"; }
};

TEST_F(SnapshotTest, AllStatementsSeeOneState) {
  Open({"person"});
  const auto first = Connect();
  // Before its first question: the snapshot is as old as the connection.
  SharedServer().Sql("INSERT INTO person VALUES (3, 'Osaka'); DELETE FROM person WHERE id = 1");
  EXPECT_THAT(RowsOf(*first, Count()), ElementsAre("2"));
  SharedServer().Sql("UPDATE person SET city = 'Osaka'; INSERT INTO person VALUES (4, 'Uji')");
  EXPECT_THAT(RowsOf(*first, Count()), ElementsAre("2"));
  EXPECT_THAT(RowsOf(*first, "SELECT id, city FROM (" + Read("person") + ") AS p ORDER BY id"),
              ElementsAre("1|Nara", "2|Kyoto"));
  EXPECT_THAT(RowsOf(*Connect(), Count()), ElementsAre("3"));
}

// TRUNCATE and ALTER TABLE show in snapshots that are older. They have to wait.
TEST_F(SnapshotTest, TablesCannotBeRewrittenMeanwhile) {
  Open({"person"});
  auto connection = Connect();
  EXPECT_ANY_THROW(SharedServer().Sql("SET lock_timeout = '200ms'; TRUNCATE person"));
  EXPECT_ANY_THROW(
      SharedServer().Sql("SET lock_timeout = '200ms'; ALTER TABLE person ALTER id TYPE int8"));
  connection.reset();
  EXPECT_NO_THROW(SharedServer().Sql("ALTER TABLE person ALTER id TYPE int8"));
  EXPECT_NO_THROW(SharedServer().Sql("ALTER TABLE person ALTER id TYPE int4"));
}

TEST_F(SnapshotTest, ATableThatIsNotAsItWasIsRefused) {
  SharedServer().Sql("CREATE TABLE changing (id int PRIMARY KEY, v text NOT NULL)");
  Open({"changing"});
  EXPECT_NE(Connect(), nullptr);
  for (const char* const change : {"ALTER TABLE changing ALTER v DROP NOT NULL",
                                   "ALTER TABLE changing DROP CONSTRAINT "
                                   "changing_pkey",
                                   "ALTER TABLE changing ADD w int",
                                   "ALTER TABLE changing ALTER v TYPE "
                                   "varchar(3)",
                                   "ALTER TABLE changing ENABLE ROW LEVEL SECURITY"}) {
    Open({"changing"});
    SharedServer().Sql(change);
    const auto connected = engine_->Connect(sign_);
    ASSERT_FALSE(connected.ok()) << change;
    EXPECT_EQ(connected.error().message, "the data changed while it was read") << change;
  }
}

TEST_F(SnapshotTest, WaitsForNoLockOfOthers) {
  Open({"person"});
  auto holder = std::async(std::launch::async, [] {
    SharedServer().Sql("BEGIN; LOCK TABLE person; SELECT pg_sleep(4); COMMIT");
  });
  while (SharedServer().Sql("SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND "
                            "relation = 'person'::regclass") != "1\n") {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const auto connected = engine_->Connect(sign_);
  ASSERT_FALSE(connected.ok());
  EXPECT_EQ(connected.error().code, "E503");
  EXPECT_THAT(incidents_.texts, ElementsAre(HasSubstr("lock timeout")));
  EXPECT_THAT(connected.error().message, Not(HasSubstr("lock")));
  holder.get();
}

TEST_F(SnapshotTest, NothingCanBeWritten) {
  SharedServer().Sql(
      "CREATE SEQUENCE numbers; GRANT ALL ON numbers TO reader; CREATE TABLE open "
      "(id int); GRANT ALL ON open TO reader");
  for (const char* const write :
       {"INSERT INTO public.open VALUES (1)", "UPDATE public.open SET id = 2",
        "DELETE FROM public.open", "SELECT nextval('public.numbers')", "TRUNCATE public.open",
        "CREATE TABLE public.mine (id int)", "SELECT * FROM public.open FOR UPDATE",
        "WITH w AS (INSERT INTO public.open VALUES (1) RETURNING id) SELECT id FROM w"}) {
    Open({"open"});
    const auto connection = Connect();
    EXPECT_THAT(RowsOf(*connection, write), ElementsAre(HasSubstr("read-only"))) << write;
    // Nor is there a way out of the transaction.
    EXPECT_THAT(RowsOf(*connection, "SELECT 1"), ElementsAre(HasSubstr("earlier statement")));
  }
  Open({"open"});
  EXPECT_THAT(RowsOf(*Connect(), "COMMIT; INSERT INTO public.open VALUES (1)"),
              ElementsAre(HasSubstr("multiple commands")));
  const auto ended = Connect();
  EXPECT_THAT(RowsOf(*ended, "COMMIT"), SizeIs(0));
  EXPECT_THAT(RowsOf(*ended, "INSERT INTO public.open VALUES (1)"),
              ElementsAre(HasSubstr("no open transaction")));
  const auto writable = Connect();
  RowsOf(*writable, "SELECT 1");
  EXPECT_THAT(RowsOf(*writable, "SET TRANSACTION READ WRITE"), ElementsAre(HasSubstr("FAILED")));
  EXPECT_EQ(SharedServer().Sql("SELECT count(*) FROM open"), "0\n");
}

// What a hostile user of the database could put in our way.
TEST_F(SnapshotTest, FunctionsOperatorsAndTablesOfOthersAreNotSeen) {
  SharedServer().Sql(R"(
CREATE TABLE target (id int PRIMARY KEY, t text, at timestamptz, n numeric);
INSERT INTO target VALUES (1, 'a', '2024-01-01 00:00:00+00', 1.5);
CREATE FUNCTION public.lower(text) RETURNS text LANGUAGE sql AS $$SELECT 'stolen'$$;
CREATE FUNCTION public.count(int) RETURNS bigint LANGUAGE sql AS $$SELECT 666::bigint$$;
CREATE FUNCTION public.abs(int) RETURNS int LANGUAGE sql AS $$SELECT 666$$;
CREATE FUNCTION public.timezone(text, timestamptz) RETURNS text LANGUAGE sql AS $$SELECT 'no'$$;
CREATE FUNCTION public.never(int, int) RETURNS boolean LANGUAGE sql AS $$SELECT false$$;
CREATE OPERATOR public.= (LEFTARG = int, RIGHTARG = int, FUNCTION = public.never);
CREATE TYPE public.int8 AS ENUM ('trap');
CREATE TABLE public.pg_class AS SELECT oid, relname, relkind, relnamespace, relrowsecurity, relam
  FROM pg_catalog.pg_class WHERE false;
CREATE COLLATION public."C" (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
CREATE ROLE lured LOGIN;
GRANT SELECT ON target TO lured;
ALTER ROLE lured SET search_path = public, pg_catalog;
ALTER ROLE lured SET timezone = 'Asia/Tokyo';
ALTER ROLE lured SET datestyle = 'German';
ALTER ROLE lured SET intervalstyle = 'iso_8601';
ALTER ROLE lured SET extra_float_digits = -15;
ALTER ROLE lured SET standard_conforming_strings = off;
ALTER ROLE lured SET transform_null_equals = on;
ALTER ROLE lured SET array_nulls = off;
ALTER ROLE lured SET gin_fuzzy_search_limit = 1;
ALTER ROLE lured SET bytea_output = 'escape';
ALTER ROLE lured SET client_encoding = 'LATIN1';
ALTER ROLE lured SET default_transaction_isolation = 'read committed';
ALTER ROLE lured SET statement_timeout = '7s';
ALTER ROLE lured SET idle_in_transaction_session_timeout = '7s';
)");
  Open(SharedServer().Url("lured"), PolicyOf({"target"}));
  const auto connection = Connect();
  ASSERT_NE(connection, nullptr);
  const std::string from = " FROM (" + Read("target") + ") AS s";
  EXPECT_THAT(
      RowsOf(*connection, "SELECT lower(t), abs(id), id = 1, at, CAST(id AS int8), n" + from),
      ElementsAre("a|1|true|2024-01-01 00:00:00|1|1.5"));
  EXPECT_THAT(RowsOf(*connection, "SELECT count(id)" + from), ElementsAre("1"));
  EXPECT_THAT(RowsOf(*connection, "SELECT count(*)" + from + " WHERE t = 'A'"), ElementsAre("0"));
  EXPECT_THAT(RowsOf(*connection, R"(SELECT DATE '2024-02-01', 0.1::float8 + 0.2::float8,
      INTERVAL '1 month', '\', '\x01'::bytea, NULL = NULL, U&'\20ac')"),
              ElementsAre("2024-02-01|0.30000000000000004|1 mon|\\|\\x01|NULL|\u20ac"));
  const PublicTable nothing{
      .name = "r", .columns = {{"t", ParseType("VARCHAR")}}, .rows = {{std::monostate{}}}};
  EXPECT_THAT(
      RowsOf(*connection, "SELECT t IS NULL FROM (" + engine_->InlineTable(nothing) + ") AS r"),
      ElementsAre("true"));
  EXPECT_THAT(RowsOf(*connection,
                     "SELECT current_setting('transaction_isolation'), "
                     "current_setting('gin_fuzzy_search_limit'), "
                     "current_setting('statement_timeout'), "
                     "current_setting('idle_in_transaction_session_timeout')"),
              ElementsAre("repeatable read|0|0|10min"));
}

TEST_F(SnapshotTest, RowsOfOursCanBeRead) {
  Open({"person"});
  const double infinity = std::numeric_limits<double>::infinity();
  const PublicTable table{
      .name = "r1",
      .columns = {{"n", ParseType("BIGINT")},
                  {"x \"y\"", ParseType("DOUBLE")},
                  {"b", ParseType("BOOLEAN")},
                  {"t", ParseType("VARCHAR")},
                  {"d", ParseType("DATE")},
                  {"z", ParseType("TIMESTAMP")},
                  {"x", ParseType("DECIMAL(38,2)")},
                  {"h", ParseType("HUGEINT")},
                  {"u", ParseType("UUID")}},
      .rows = {{std::int64_t{-9223372036854775807 - 1}, 0.1, true,
                std::string("it's {\"a\\\", NULL, $1 \n\t\u20ac"), std::string("0044-03-15 (BC)"),
                std::string("0044-03-15 (BC) 12:30:00.5"), std::string("-0.10"),
                std::string("170141183460469231731687303715884105727"),
                std::string("00000000-0000-0000-0000-000000000001")},
               std::vector<Value>(9),
               {std::int64_t{5}, -infinity, false, std::string(), std::string("infinity"),
                std::string("-infinity"), std::string("0.00"), std::string("0"),
                std::string("00000000-0000-0000-0000-000000000002")}}};
  EXPECT_THAT(RowsOf(*Connect(), engine_->InlineTable(table)),
              ElementsAre("-9223372036854775808|0.1|true|it's {\"a\\\", NULL, $1 \n\t\u20ac|"
                          "0044-03-15 (BC)|0044-03-15 (BC) 12:30:00.5|-0.10|"
                          "170141183460469231731687303715884105727|"
                          "00000000-0000-0000-0000-000000000001",
                          "NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL",
                          "5|-Infinity|false||infinity|-infinity|0.00|0|"
                          "00000000-0000-0000-0000-000000000002"));
  EXPECT_THAT(RowsOf(*Connect(),
                     "SELECT pg_typeof(n), pg_typeof(\"x \"\"y\"\"\"), pg_typeof(b), "
                     "pg_typeof(t), pg_typeof(d), pg_typeof(z), pg_typeof(x), "
                     "pg_typeof(h), pg_typeof(u) FROM (" +
                         engine_->InlineTable(table) + ") AS r LIMIT 1"),
              ElementsAre("bigint|double precision|boolean|text|date|timestamp without time zone|"
                          "numeric|numeric|uuid"));
  PublicTable empty = table;
  empty.rows.clear();
  EXPECT_THAT(RowsOf(*Connect(), engine_->InlineTable(empty)), SizeIs(0));
  EXPECT_THAT(
      RowsOf(*Connect(), "SELECT count(*) FROM (" +
                             engine_->InlineTable({.name = "k", .rows = {{}, {}}}) + ") AS k"),
      ElementsAre("2"));
}

TEST_F(SnapshotTest, AMillionRowsOfOurs) {
  Open({"person"});
  PublicTable table{.name = "keys",
                    .columns = {{"n", ParseType("BIGINT")}, {"t", ParseType("VARCHAR")}},
                    .rows = {}};
  constexpr std::int64_t kRows = 1'000'000;
  for (std::int64_t i = 0; i < kRows; ++i) {
    table.rows.push_back({i, "key number " + std::to_string(i)});
  }
  const auto start = std::chrono::steady_clock::now();
  const auto connection = Connect();
  EXPECT_THAT(RowsOf(*connection, "SELECT count(*), sum(n), count(DISTINCT t) FROM (" +
                                      engine_->InlineTable(table) + ") AS k"),
              ElementsAre("1000000|499999500000|1000000"));
  const auto took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took, std::chrono::seconds(20) * Patience());
  RecordProperty("milliseconds", static_cast<int>(took / std::chrono::milliseconds(1)));
}

TEST_F(SnapshotTest, AMillionRowsOfTheirs) {
  Open({"person"});
  const auto connection = Connect();
  std::int64_t sum = 0;
  const auto failure =
      connection->Run("SELECT CAST(n AS int8), 'text ' || n FROM generate_series(1, 1000000) AS n",
                      [&](SqlConnection::Row row) { sum += std::stoll(*row[0]); });
  EXPECT_FALSE(failure);
  EXPECT_EQ(sum, 500000500000);
}

}  // namespace
}  // namespace dpsql
