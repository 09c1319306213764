#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <fstream>
#include <thread>

#include "backend/key_facts.h"
#include "base/file_stamp.h"
#include "dpsql/budget.h"
#include "dpsql/check.h"
#include "dpsql/session.h"
#include "dpsql/verify.h"
#include "support/reference_duckdb.h"
#include "support/temp_folder.h"

namespace dpsql {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

constexpr int kCustomers = 3000;
constexpr const char* kCount = "SELECT count(*) FROM customer";

// A folder with files, a database beside them, and policies over both.
class DataSourcesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string sql =
        "CREATE TABLE customer AS SELECT i AS customer_id, 'c' || i % 3 AS city, i % 90 AS age "
        "FROM range(3000) t(i); CREATE TABLE orders AS SELECT i AS order_id, i % 3000 AS "
        "customer_id FROM range(6000) t(i); CREATE TABLE number AS SELECT i AS n FROM "
        "range(" +
        std::to_string(numbers()) + ") t(i);";
    for (const char* table : {"customer", "orders", "number"}) {
      sql += "COPY " + std::string(table) + " TO '" + path(table) + ".parquet';";
    }
    MakeDatabaseFromText(path("shop.duckdb"), sql);
  }

  virtual int numbers() const { return 1'000'000; }

  std::string path(const std::string& name) const { return folder_ / name; }

  // `extra` are further lines; the tables are files unless `from_database`.
  void WritePolicy(const std::string& extra = "", bool from_database = false) const {
    const auto source = [&](const std::string& table) {
      return from_database ? "" : "source = \"" + table + ".parquet\"\n";
    };
    std::ofstream(path("p.toml"))
        << "[dataset]\nname = \"shop\"\n[budget]\nepsilon = 50.0\ndelta = 1e-6\n"
        << extra << "[tables.customer]\nunit = \"customer_id\"\nmax_rows_per_unit = 1\n"
        << source("customer") << "[tables.orders]\nunit = \"customer_id\"\n"
        << "max_rows_per_unit = 5\nprimary_key = \"order_id\"\n"
        << source("orders") << "[tables.number]\npublic = true\n"
        << source("number");
  }

  Result<Session> Open(const std::string& url, const std::string& analyst = "tester") const {
    return Session::Open(
        {.url = url, .policy = path("p.toml"), .ledger = path("p.ledger"), .analyst = analyst});
  }

  AnalystBudget Standing() const {
    const auto report = ReadBudget({.policy = path("p.toml"), .ledger = path("p.ledger")});
    if (!report || report->analysts.size() != 1) throw std::runtime_error("one analyst asks");
    return report->analysts[0];
  }

  TempFolder folder_;
};

constexpr const char* kHeavy =
    "SELECT count(*) FROM customer CROSS JOIN number a WHERE a.n + customer.age > 5";

// Whether an answer is the number, but for noise. False alarms: 20 times the half width of a 95 %
// interval is 39 standard deviations, below 1e-300 for each call.
bool IsNear(const Result<Answer>& answer, double truth) {
  if (!answer || !answer->intervals[0][0]) return false;
  const auto value = static_cast<double>(std::get<std::int64_t>(answer->rows[0][0]));
  const NoiseInterval interval = *answer->intervals[0][0];
  return std::abs(value - truth) <= 10 * (interval.high - interval.low);
}

TEST_F(DataSourcesTest, ASessionAsksFilesWithOrWithoutADatabase) {
  for (const bool from_database : {false, true}) {
    WritePolicy("", from_database);
    for (const std::string& url :
         {std::string(), std::string("duckdb:"), std::string(":memory:"), path("shop.duckdb")}) {
      auto session = Open(url);
      if (from_database && url != path("shop.duckdb")) {
        ASSERT_FALSE(session.ok());
        EXPECT_EQ(session.error().code, "E501") << url;
        continue;
      }
      ASSERT_TRUE(session.ok()) << session.error().message;
      EXPECT_TRUE(IsNear(session->Ask(kCount), kCustomers)) << url;
    }
  }
}

TEST_F(DataSourcesTest, TheTimeLimitEndsAQueryAndCounts) {
  WritePolicy("[query]\ntimeout = \"200 ms\"\naborts_allowed = 1\n");
  auto session = Open("");
  ASSERT_TRUE(session.ok()) << session.error().message;
  const auto answer = session->Ask(kHeavy);
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().message, "the query took longer than the policy allows");
  EXPECT_THAT(answer.error().hint, HasSubstr("the budget stays spent"));
  EXPECT_EQ(Standing().unanswered, 1);
  EXPECT_GT(Standing().epsilon_spent, 0);
  const auto again = session->Ask(kCount);
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, "B407");
}

class AboveTheDoorsTest : public DataSourcesTest {
 protected:
  int numbers() const override { return 2000; }
};

TEST_F(AboveTheDoorsTest, TheTimeLimitHolds) {
  WritePolicy("[query]\ntimeout = \"500 ms\"\n");
  auto session = Open("");
  ASSERT_TRUE(session.ok()) << session.error().message;
  const auto answer = session->Ask(
      "SELECT count(*) FROM (SELECT count(*) AS n FROM customer) c, number a, number b, number d, "
      "number e WHERE a.n + b.n + d.n + e.n > c.n");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().message, "the query took longer than the policy allows");
}

TEST_F(DataSourcesTest, FilesThatChangeAreNotRead) {
  WritePolicy();
  auto session = Open("");
  ASSERT_TRUE(session.ok()) << session.error().message;
  EXPECT_TRUE(session->Ask(kCount).ok());
  std::filesystem::copy_file(path("orders.parquet"), path("customer.parquet"),
                             std::filesystem::copy_options::overwrite_existing);
  const auto answer = session->Ask(kCount);
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().message, "the data changed while it was read");
  EXPECT_EQ(Standing().queries, 2);
  EXPECT_EQ(Standing().unanswered, 1);
}

TEST_F(DataSourcesTest, CancelStopsOnlyItsOwn) {
  WritePolicy();
  std::array<std::string, 4> ended;
  auto heavy = Open("", "heavy");
  ASSERT_TRUE(heavy.ok()) << heavy.error().message;
  std::string ending;
  std::thread stopped([&] {
    const auto answer = heavy->Ask(kHeavy);
    ending = answer ? "answered" : answer.error().code;
  });
  const auto run = [&](int i) -> std::string {
    auto session = Open(i % 2 == 0 ? "" : path("shop.duckdb"), "analyst " + std::to_string(i));
    if (!session) return session.error().message;
    const auto first = session->Ask(kCount + (" WHERE age >= " + std::to_string(i)));
    session->Cancel();  // what is not running is not stopped
    const auto second = session->Ask("SELECT count(*) FROM orders");
    if (!first || !second) return (first ? second : first).error().message;
    const double truth = kCustomers - i * std::ceil(kCustomers / 90.0);
    return IsNear(first, truth) && IsNear(second, 2 * kCustomers) ? "well" : "wrongly";
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&, i] { ended.at(i) = run(i); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(ended, Each("well"));
  heavy->Cancel();
  stopped.join();
  EXPECT_EQ(ending, "E505");
}

TEST_F(DataSourcesTest, SeveralProcessesReadTheSameFiles) {
  std::vector<pid_t> children;
  WritePolicy();
  for (int i = 0; i < 3; ++i) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    auto session = Open(path("shop.duckdb"), "process " + std::to_string(i));
    _exit(session && IsNear(session->Ask(kCount), kCustomers) ? 42 : 1);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 42);
  }
}

// What a question saw of a person's rows must not serve one that reads more: a line is left out for
// a text that is not UTF-8 only where that is read, and rows of groups that are not listed by
// groups.
TEST_F(DataSourcesTest, A27RowsThatOneQuestionLeavesOutAreBoundInTheNext) {
  std::ofstream csv(path("t.csv"), std::ios::binary);
  csv << "who,z\n";
  for (int i = 0; i < 300; ++i) csv << i << ",a\n";
  for (int i = 0; i < 50'000; ++i) csv << "7,\xff\xfe\n" << std::flush;
  MakeDatabaseFromText(path("t.duckdb"),
                       "CREATE TABLE t AS FROM range(300) a(who), (SELECT 'a' z) "
                       "UNION ALL SELECT 7, 'other' FROM range(50000)");
  for (const std::string source : {"source = \"t.csv\"\n", ""}) {
    std::ofstream(path("p.toml"))
        << "[dataset]\nname = \"rows\"\n[budget]\nepsilon = 50.0\ndelta = 1e-6\n"
        << "[query]\nmin_frequency = 1\n[tables.t]\nunit = \"who\"\nmax_rows_per_unit = 1\n"
        << source << "[tables.t.columns]\nwho = { type = \"BIGINT\" }\n"
        << "z = { type = \"VARCHAR\", values = [\"a\", \"b\"] }\n";
    auto session = Open(source.empty() ? path("t.duckdb") : "");
    ASSERT_TRUE(session.ok()) << session.error().message;
    ASSERT_TRUE(session->Ask("SELECT z, count(*) FROM t GROUP BY z").ok());
    EXPECT_TRUE(IsNear(session->Ask("SELECT count(*) FROM t"), 300)) << source;
  }
}

class VerifyTest : public DataSourcesTest {
 protected:
  int numbers() const override { return 10; }

  static constexpr const char* kLabel = "[data]\nversion = \"v1\"\n";

  // Each key as "table standing".
  std::vector<std::string> Verify(const std::string& url = "") const {
    const auto report = VerifyData({.policy = path("p.toml"), .url = url});
    if (!report) return {report.error().code + " " + report.error().message};
    std::vector<std::string> lines;
    const char* const names[] = {"enforced", "unique", "null", "repeats"};
    for (const KeyReport& key : report->keys) {
      lines.push_back(key.table + " " + names[static_cast<int>(key.standing)]);
    }
    return lines;
  }

  // Whether a check of the policy over its data still misses a key of orders.
  bool LacksKey() const {
    const auto findings = CheckPolicy({.policy = path("p.toml"), .url = ":memory:"});
    if (!findings) throw std::runtime_error(findings.error().message);
    return std::any_of(findings->begin(), findings->end(),
                       [](const Finding& finding) { return finding.code == "unenforced-key"; });
  }
};

TEST_F(VerifyTest, AVerifiedKeyIsBelievedOfThisDataOnly) {
  WritePolicy(kLabel);
  EXPECT_TRUE(LacksKey());
  EXPECT_THAT(Verify(), ::testing::ElementsAre("orders unique"));
  EXPECT_FALSE(LacksKey());
  WritePolicy("[data]\nversion = \"v2\"\n");
  EXPECT_TRUE(LacksKey());
  WritePolicy(kLabel);
  EXPECT_FALSE(LacksKey());
  const std::string copy = path("copy.parquet");
  std::filesystem::copy_file(path("orders.parquet"), copy);
  std::filesystem::rename(copy, path("orders.parquet"));
  EXPECT_TRUE(LacksKey());
  EXPECT_THAT(Verify(), ::testing::ElementsAre("orders unique"));
  EXPECT_FALSE(LacksKey());
  std::ofstream(path("p.facts")) << "version = [";
  EXPECT_TRUE(LacksKey());
}

// A table that leads to its unit through a file that nobody keeps unique.
TEST_F(VerifyTest, AVerifiedKeyCarriesALink) {
  MakeDatabaseFromText(
      path("item.duckdb"),
      "COPY (SELECT i % 6000 AS order_id FROM range(9000) t(i)) TO '" + path("item.parquet") + "'");
  WritePolicy(kLabel);
  std::ofstream(path("p.toml"), std::ios::app)
      << "[tables.item]\nsource = \"item.parquet\"\nmax_rows_per_unit = 9\n"
      << "unit = { through = \"order_id\", references = \"orders.order_id\" }\n";
  const auto refused = Open("");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "C205");
  EXPECT_THAT(refused.error().hint, HasSubstr("run  dpsql check --verify"));
  EXPECT_THAT(Verify(), ::testing::ElementsAre("orders unique"));
  auto session = Open("");
  ASSERT_TRUE(session.ok()) << session.error().message;
  EXPECT_TRUE(IsNear(session->Ask("SELECT count(*) FROM item"), 9000));
  // The same session is not served from other data.
  std::filesystem::last_write_time(path("orders.parquet"),
                                   std::filesystem::file_time_type::clock::now());
  const auto later = session->Ask("SELECT count(*) FROM item WHERE order_id > 5");
  ASSERT_FALSE(later.ok());
  EXPECT_EQ(later.error().message, "the data changed while it was read");
  EXPECT_FALSE(Open("").ok());
}

// Public rows multiply a person's unless a key reaches them, and a declared key is none before it
// was found in the data.
TEST_F(VerifyTest, AVerifiedKeyOfAPublicTableLimitsAJoin) {
  WritePolicy(kLabel);
  std::ofstream(path("p.toml"), std::ios::app) << "primary_key = \"n\"\n";
  const std::string twice =
      "SELECT count(*) FROM customer c JOIN number a ON c.age = a.n JOIN number b ON "
      "c.customer_id = b.n";
  const std::string distinct =
      "SELECT count(DISTINCT a.n) FROM customer c JOIN number a ON c.age = a.n";
  const auto refusals = [&] {
    auto session = Open("");
    if (!session) throw std::runtime_error(session.error().message);
    std::vector<std::string> found;
    for (const std::string& sql : {twice, distinct}) {
      const auto answer = session->Ask(sql);
      found.push_back(answer ? "answered" : answer.error().code + " " + answer.error().hint);
    }
    return found;
  };
  const auto refused = ::testing::ElementsAre("V322 join on keys that the database keeps unique",
                                              "V322 join the public table by a key of it");
  EXPECT_THAT(refusals(), refused);
  EXPECT_THAT(Verify(), ::testing::UnorderedElementsAre("number unique", "orders unique"));
  EXPECT_THAT(refusals(), ::testing::Each("answered"));
  std::filesystem::last_write_time(path("number.parquet"),
                                   std::filesystem::file_time_type::clock::now());
  EXPECT_THAT(refusals(), refused);
}

// One bad row: no session, whatever it would ask, and no facts.
TEST_F(VerifyTest, AFlawOfAFileIsFoundBeforeAnyQuestion) {
  WritePolicy(kLabel);
  std::ofstream(path("p.toml"), std::ios::app)
      << "[tables.note]\nsource = \"note.csv\"\nunit = \"id\"\n[tables.note.columns]\n"
      << "id = { type = \"BIGINT\" }\nwords = { type = \"VARCHAR\" }\n";
  std::ofstream(path("note.csv")) << "id,words\n1,\"good\"\n2,\"bad\n3,good\n";
  const auto session = Open("");
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.error().code, "C204");
  EXPECT_THAT(session.error().message, HasSubstr("a quote is not closed (incident i-"));
  EXPECT_THAT(Verify().at(0), HasSubstr("C204"));
  EXPECT_FALSE(std::filesystem::exists(path("p.facts")));
  std::ofstream(path("note.csv")) << "id,words\n1,\"good\"\n2,\"bad\"\n3,good\n";
  EXPECT_TRUE(Open("").ok());
}

TEST_F(VerifyTest, WhatIsNoKeyIsNotWrittenDown) {
  for (const auto& [value, standing] :
       {std::pair("CASE WHEN i = 7 THEN NULL ELSE i END", "orders null"),
        std::pair("CASE WHEN i = 7 THEN 8 ELSE i END", "orders repeats")}) {
    MakeDatabaseFromText(path(std::string(standing) + ".duckdb"),
                         "COPY (SELECT " + std::string(value) +
                             " AS order_id, i AS customer_id FROM range(100) t(i)) TO '" +
                             path("orders.parquet") + "'");
    WritePolicy(kLabel);
    EXPECT_THAT(Verify(), ::testing::ElementsAre(standing));
    EXPECT_TRUE(LacksKey());
  }
}

TEST_F(VerifyTest, NothingIsVerifiedWithoutALabel) {
  WritePolicy();
  EXPECT_THAT(Verify().at(0), HasSubstr("C202"));
  EXPECT_FALSE(std::filesystem::exists(path("p.facts")));
}

TEST_F(VerifyTest, AKeyThatTheDatabaseKeepsNeedsNoReading) {
  MakeDatabaseFromText(path("kept.duckdb"),
                       "CREATE TABLE customer (customer_id BIGINT); CREATE TABLE orders (order_id "
                       "BIGINT PRIMARY KEY, customer_id BIGINT); CREATE TABLE number (n BIGINT);");
  WritePolicy(kLabel, true);
  EXPECT_THAT(Verify(path("kept.duckdb")), ::testing::ElementsAre("orders enforced"));
}

// All that is wrong with the owner's data stands in one refusal, in the same order each time.
TEST_F(VerifyTest, EveryFlawIsToldAtOnce) {
  WritePolicy(kLabel);
  std::ofstream(path("p.toml"), std::ios::app)
      << "[tables.away]\nsource = \"away.parquet\"\nunit = \"id\"\n"
      << "[tables.note]\nsource = \"note.csv\"\nunit = \"id\"\nprimary_key = \"id\"\n"
      << "[tables.note.columns]\nid = { type = \"BIGINT\" }\n"
      << "[tables.twice]\nsource = \"twice.parquet\"\nunit = \"id\"\n"
      << "unique = [[\"id\"], [\"idd\"]]\n"
      << "[tables.kept]\nunit = \"id\"\nprimary_key = \"no\"\n";
  std::ofstream(path("note.csv")) << "id\n\"1\n";
  MakeDatabaseFromText(path("kept.duckdb"),
                       "CREATE TABLE kept (id BIGINT); COPY (SELECT 7 AS id "
                       "FROM range(2)) TO '" +
                           path("twice.parquet") + "'");
  const std::vector<std::string> told = {
      ": there is no kept with the columns no; ",
      ": the source of away matches no file: ",
      ": the files of note are no CSV by RFC 4180: a quote is not closed (incident i-",
      ": there is no twice with the columns idd; ",
      ": twice (id) is no key: two rows have the same",
  };
  for (int round = 0; round < 2; ++round) {
    const std::vector<std::string> found = Verify(path("kept.duckdb"));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_THAT(found[0], ::testing::StartsWith("C204 " + path("p.toml") + ":"));
    EXPECT_THAT(found[0], ::testing::EndsWith(told.back()));
    std::size_t at = 0;
    for (const std::string& part : told) {
      const std::size_t next = found[0].find(part, at);
      ASSERT_NE(next, std::string::npos) << part << " in " << found[0];
      at = next + part.size();
    }
    EXPECT_EQ(std::count(found[0].begin(), found[0].end(), ';'), 4) << found[0];
    EXPECT_FALSE(std::filesystem::exists(path("p.facts")));
  }
  const auto refused = VerifyData({.policy = path("p.toml"), .url = path("kept.duckdb")});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().hint,
            "`dpsql check` tells what does not fit; "
            "write a path or a pattern from the policy's folder on; "
            "write them with a program that quotes fields, and doubles quotes in them");
}

// Three hundred people with a row each; customer 1 is given five thousand more, and a city that is
// nobody else's, after the owner has said or found that customer_id is a key.
class WrongKeyTest : public VerifyTest {
 protected:
  static constexpr int kPeople = 300;
  static constexpr const char* kCities = "SELECT city, count(*) FROM customer GROUP BY city";

  void SetUp() override {
    std::ofstream(path("p.toml"))
        << "[dataset]\nname = \"shop\"\n[budget]\nepsilon = 50.0\ndelta = 1e-6\n"
        << "[query]\nmin_frequency = 2\nmax_groups_per_unit = 1\n"
        << kLabel << "[tables.customer]\nsource = \"customer.parquet\"\n"
        << "unit = \"customer_id\"\nmax_rows_per_unit = 1\nprimary_key = \"customer_id\"\n";
    WriteCustomers("SELECT i AS customer_id, 'c' || i % 3 AS city FROM range(300) t(i)");
  }

  void BreakKey() {
    WriteCustomers(
        "SELECT i AS customer_id, 'c' || i % 3 AS city FROM range(300) t(i) UNION ALL "
        "SELECT 1, 'alone' FROM range(5000)");
  }

  // The facts as they would be if the key had been found in the data as it is now.
  void BelieveFactsOfTheOldData() const {
    KeyFacts facts = ReadKeyFacts(path("p.facts"));
    ASSERT_EQ(facts.keys.size(), 1u);
    const auto stamp = StampOf(facts.keys[0].files.at(0).path);
    ASSERT_TRUE(stamp.has_value());
    facts.keys[0].files = {*stamp};
    ASSERT_TRUE(WriteKeyFacts(facts, path("p.facts")).ok());
  }

  // Whether the plan takes it from the key that a person has one row.
  static bool KeyIsBelieved(Session& session) {
    std::string text;
    const Status status = session.Run("EXPLAIN (DP) " + std::string(kCities), [&](const Reply& r) {
      text = std::get<Explanation>(r).text;
    });
    if (!status) throw std::runtime_error(status.error().message);
    return text.find("(one row per unit)") != std::string::npos;
  }

  // No answer depends on more than one row of a person's.
  void ExpectClipped(Session& session) const {
    EXPECT_TRUE(IsNear(session.Ask(kCount), kPeople));
    const auto cities = session.Ask(kCities);
    ASSERT_TRUE(cities.ok()) << cities.error().message;
    // Certain: a city of one person is below k.
    for (const auto& row : cities->rows) EXPECT_NE(std::get<std::string>(row[0]), "alone");
  }

 private:
  void WriteCustomers(const std::string& select) {
    MakeDatabaseFromText(path("maker" + std::to_string(++makers_) + ".duckdb"),
                         "COPY (" + select + ") TO '" + path("customer.parquet") + "'");
  }

  int makers_ = 0;
};

TEST_F(WrongKeyTest, A12ADeclaredKeyLeavesTheClipOn) {
  BreakKey();
  auto session = Open("");
  ASSERT_TRUE(session.ok()) << session.error().message;
  EXPECT_FALSE(KeyIsBelieved(*session));
  ExpectClipped(*session);
}

TEST_F(WrongKeyTest, A13AKeyOfEarlierDataLeavesTheClipOn) {
  ASSERT_THAT(Verify(), ::testing::ElementsAre("customer unique"));
  BreakKey();
  auto session = Open("");
  ASSERT_TRUE(session.ok()) << session.error().message;
  EXPECT_FALSE(KeyIsBelieved(*session));
  ExpectClipped(*session);
}

TEST_F(WrongKeyTest, A14AVerifiedKeyThatIsWrongLeavesTheClipOn) {
  ASSERT_THAT(Verify(), ::testing::ElementsAre("customer unique"));
  BreakKey();
  BelieveFactsOfTheOldData();
  auto session = Open("");
  ASSERT_TRUE(session.ok()) << session.error().message;
  EXPECT_TRUE(KeyIsBelieved(*session));
  ExpectClipped(*session);
}

}  // namespace
}  // namespace dpsql
