#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/temp_folder.h"
#include "support/test_session.h"

namespace dpsql {
namespace {

// What DuckDB stores and cannot write as text, in columns of types that no function of ours reads.
constexpr const char* kColumns[] = {"moments", "held", "seconds", "millis", "nanos", "named"};

// One person among thirty has such values.
std::string MakeUnwritable(const TempFolder& folder) {
  std::string path = folder / "shop.duckdb";
  MakeCustomers(path);
  MakeDatabaseFromText(
      path,
      "ALTER TABLE customer ADD COLUMN moments TIMESTAMP[];"
      "ALTER TABLE customer ADD COLUMN held STRUCT(a TIMESTAMP);"
      "ALTER TABLE customer ADD COLUMN seconds TIMESTAMP_S;"
      "ALTER TABLE customer ADD COLUMN millis TIMESTAMP_MS;"
      "ALTER TABLE customer ADD COLUMN nanos TIMESTAMP_NS;"
      "ALTER TABLE customer ADD COLUMN named MAP(VARCHAR, TIMESTAMP);"
      // Of a table, so that DuckDB does not compute and write it while it plans.
      "CREATE TEMP TABLE least AS SELECT -9223372036854775806 AS micros;"
      "CREATE TEMP TABLE m AS SELECT micros, make_timestamp(micros) AS m FROM least;"
      "UPDATE customer SET moments = [m], held = struct_pack(a := m), "
      "seconds = CAST(m AS TIMESTAMP_S), millis = CAST(m AS TIMESTAMP_MS), "
      "nanos = make_timestamp_ns(micros), named = map(['k'], [m]) FROM m WHERE customer_id = 5;");
  return path;
}

// That a question fails would be one exact bit of one person, about whatever else it asks of him.
TEST(UnwritableValuesTest, NobodysValueMakesAQuestionFail) {
  const TempFolder folder;
  const TestHouse house(MakeUnwritable(folder), {.epsilon_query = "0.01"});
  Session session = house.Open();
  for (const std::string column : kColumns) {
    for (const std::string& start : std::vector<std::string>{
             "SELECT count(" + column + ") FROM customer WHERE age < 30",
             "SELECT count(coalesce(" + column + ", " + column + ")) FROM customer",
             "SELECT count(CASE WHEN age < 30 THEN " + column + " END) FROM customer",
             "SELECT count(*) FILTER (WHERE " + column + " IS NOT NULL) FROM customer",
             "SELECT segment, count(" + column + "), avg(age) FROM customer GROUP BY segment",
             "SELECT age % 2, count(" + column + ") FROM customer GROUP BY 1"}) {
      const auto answer = session.Ask(start);
      EXPECT_TRUE(answer.ok() || answer.error().exit_code == 1)
          << start << ": " << answer.error().message;
    }
    EXPECT_TRUE(session.Ask("SELECT count(" + column + ") FROM customer").ok());
  }
}

// Those of public tables stand in the memory above the doors, behind a door that is paid for.
TEST(UnwritableValuesTest, NorDoesAPublicOneAboveTheDoors) {
  const TempFolder folder;
  const std::string path = folder / "shop.duckdb";
  MakeCustomers(path);
  MakeDatabaseFromText(path,
                       "CREATE OR REPLACE TABLE number (k INTEGER, span INTERVAL, m TIMESTAMP);"
                       "CREATE TEMP TABLE least AS SELECT -9223372036854775806 AS micros;"
                       "INSERT INTO number SELECT 1, INTERVAL '1 month -3 days 02:00:01.5', "
                       "make_timestamp(micros) FROM least;");
  const TestHouse house(path, {.epsilon_query = "0.01"});
  Session session = house.Open();
  const auto answer = session.Ask(
      "SELECT n.span, n.m FROM (SELECT 1 AS k, count(*) AS people FROM customer) c JOIN number n "
      "ON "
      "n.k = c.k");
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  ASSERT_EQ(answer->rows.size(), 1U);
  EXPECT_EQ(answer->rows[0][0], Value("1 month -3 days 02:00:01.5"));
  EXPECT_EQ(answer->rows[0][1], Value());
}

}  // namespace
}  // namespace dpsql
