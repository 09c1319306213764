// Whole sessions over a file of SQLite's.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>

#include "support/temp_folder.h"
#include "support/test_session.h"

namespace dpsql {
namespace {

class SqliteSessionTest : public ::testing::Test {
 protected:
  SqliteSessionTest() {
    Write(
        "CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, segment VARCHAR NOT NULL, "
        "age INTEGER NOT NULL); CREATE TABLE number (n INTEGER PRIMARY KEY);"
        "INSERT INTO number VALUES (1), (2), (3);"
        "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 300) "
        "INSERT INTO customer SELECT n, CASE n % 3 WHEN 0 THEN 'home' WHEN 1 THEN 'office' ELSE "
        "'school' END, n % 100 FROM r");
  }

  void Write(const std::string& sql) {
    sqlite3* handle = nullptr;
    EXPECT_EQ(sqlite3_open(path_.c_str(), &handle), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
    sqlite3_close(handle);
  }

  TempFolder folder_;
  const std::string path_ = folder_ / "data.sqlite";
  TestHouse house_{"sqlite:" + path_, {}};
};

TEST_F(SqliteSessionTest, AnswersWithNoise) {
  Session session = house_.Open();
  const auto answer = session.Ask("SELECT segment, count(*) FROM customer GROUP BY segment");
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->rows.size(), 3U);
}

// Spellings of one unit would be units of their own here, and meet k for one person.
TEST_F(SqliteSessionTest, A32AUnitUnderACollationIsRefused) {
  Write(
      "DROP TABLE customer; CREATE TABLE customer (customer_id TEXT COLLATE NOCASE, segment TEXT, "
      "age INTEGER)");
  const auto session = house_.TryOpen();
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.error().code, "C204");
  EXPECT_NE(session.error().message.find("customer.customer_id tells whose a row is"),
            std::string::npos);
}

// SQLite would call another column by such a name, hidden or the unit's.
TEST_F(SqliteSessionTest, A54AColumnWhoseNameIsLostIsRefused) {
  for (const char* name : {"\"true\"", "\"False\"", "\"\""}) {
    Write(std::string("DROP TABLE customer; CREATE TABLE customer (") + name +
          " INTEGER, customer_id INTEGER PRIMARY KEY, segment TEXT, age INTEGER)");
    const auto session = house_.TryOpen();
    ASSERT_FALSE(session.ok()) << name;
    EXPECT_EQ(session.error().code, "C204") << name;
  }
}

TEST_F(SqliteSessionTest, TakesTheNumberOfACharacter) {
  Session session = house_.Open();
  const auto answer = session.Ask("SELECT count(*) FROM customer WHERE ascii(segment) = 104");
  EXPECT_TRUE(answer.ok()) << answer.error().message;
}

// What is not possible here is said before anything is paid.
TEST_F(SqliteSessionTest, RefusesForNothing) {
  Session session = house_.Open();
  const auto refused = session.Ask("SELECT count(*) FROM customer WHERE upper(segment) = 'HOME'");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "V307");
  const auto report = session.Budget(10);
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->history.empty());
}

// A row of SQLite's has 10^9 bytes at most. One person's text, in many columns, must not fill it.
TEST_F(SqliteSessionTest, A33LongTextsInManyColumnsDoNotFail) {
  Write(
      "DROP TABLE customer; CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, segment TEXT, "
      "age INTEGER); INSERT INTO customer VALUES (1, printf('%.*c', 15000000, 'x'), 1), "
      "(2, 'home', 2)");
  std::string columns;
  for (int i = 0; i < 80; ++i) {
    columns += ", left(segment, " + std::to_string(14'000'000 + i) + ") AS a" + std::to_string(i);
  }
  Session session = house_.Open();
  const auto answer = session.Ask("SELECT count(*) FROM (SELECT DISTINCT customer_id" + columns +
                                  " FROM customer) t");
  EXPECT_TRUE(answer.ok()) << answer.error().message;
}

// A sum beyond 64 bits is a double there: two of them could be one group.
TEST_F(SqliteSessionTest, SumsAreNoGroups) {
  const std::string sums =
      " FROM (SELECT customer_id, sum(age) AS s FROM customer GROUP BY customer_id) t";
  Session session = house_.Open();
  for (const std::string& question :
       {"SELECT s, count(*)" + sums + " GROUP BY s", "SELECT count(DISTINCT s)" + sums}) {
    const auto refused = session.Ask(question);
    ASSERT_FALSE(refused.ok()) << question;
    EXPECT_EQ(refused.error().code, "V318") << question;
  }
  const auto cast = session.Ask("SELECT CAST(s AS bigint), count(*)" + sums + " GROUP BY 1");
  EXPECT_TRUE(cast.ok()) << cast.error().message;
}

TEST_F(SqliteSessionTest, ASchemaThatChangesEndsTheSession) {
  Session session = house_.Open();
  Write("CREATE TABLE more (x INT)");
  const auto refused = session.Ask("SELECT count(*) FROM customer");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "the data changed while it was read");
}

// In WAL mode what others write stands in a file of its own.
TEST_F(SqliteSessionTest, DataThatChangesInTheLogEndsTheSession) {
  Write("PRAGMA journal_mode = WAL");
  Session session = house_.Open();
  EXPECT_TRUE(session.Ask("SELECT count(*) FROM customer").ok());
  Write("DELETE FROM customer WHERE customer_id = 1");
  const auto refused = session.Ask("SELECT count(*) FROM customer");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "the data changed while it was read");
}

TEST_F(SqliteSessionTest, SessionsAskSideBySide) {
  Session first = house_.Open();
  Session second = house_.Open("other");
  EXPECT_TRUE(first.Ask("SELECT count(*) FROM customer").ok());
  EXPECT_TRUE(second.Ask("SELECT count(*) FROM customer").ok());
}

}  // namespace
}  // namespace dpsql
