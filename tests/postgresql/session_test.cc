// Whole sessions over a URL, as the program opens them.
#include <fstream>
#include <regex>
#include <sstream>

#include "dpsql/check.h"
#include "dpsql/draft.h"
#include "dpsql/session.h"
#include "postgresql/engine_fixture.h"
#include "support/test_session.h"

namespace dpsql {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kRows =
    "CREATE TABLE customer (customer_id int PRIMARY KEY, segment text NOT NULL, age int NOT NULL); "
    "INSERT INTO customer SELECT i, (ARRAY['home', 'office', 'school'])[1 + i % 3], i % 100 FROM "
    "generate_series(1, 3000) AS i; "
    "CREATE TABLE number (n int PRIMARY KEY); INSERT INTO number SELECT generate_series(0, 9);";

std::string Contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class SessionTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    SharedServer().Sql("CREATE SCHEMA asked; SET search_path = asked;" + std::string(kRows) +
                       "GRANT USAGE ON SCHEMA asked TO reader;"
                       "GRANT SELECT ON ALL TABLES IN SCHEMA asked TO reader");
  }

  static std::string Url(const std::string& account = "reader:rose-garden-7") {
    return SharedServer().TcpUrl(account, "options=-csearch_path%3Dasked");
  }
};

TEST_F(SessionTest, AnswersWithNoise) {
  const TestHouse house(Url(), {.epsilon_budget = "100", .epsilon_query = "1", .min_frequency = 5});
  Session session = house.Open();
  const auto answer = session.Ask("SELECT segment, count(*) FROM customer GROUP BY segment");
  ASSERT_TRUE(answer.ok()) << answer.error().message << Contents(house.incidents());
  ASSERT_EQ(answer->rows.size(), 3U);
  for (const auto& row : answer->rows) {
    // Its standard deviation is about 4: a wrong alarm once in 10^100 runs.
    EXPECT_NEAR(static_cast<double>(std::get<std::int64_t>(row[1])), 1000, 100);
  }
}

// A SELECT there takes 1,664 columns, and each statistic has some at each step of the clip.
TEST_F(SessionTest, AWideQuestionIsAnsweredOrRefusedForNothing) {
  SharedServer().Sql(R"(
CREATE SCHEMA wide; SET search_path = wide;
CREATE TABLE customer (customer_id int, segment text NOT NULL, age int NOT NULL);
INSERT INTO customer SELECT i % 500, (ARRAY['home', 'office'])[1 + i % 2], i % 100
  FROM generate_series(1, 1000) AS i;
CREATE TABLE number (n int);
GRANT USAGE ON SCHEMA wide TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA wide TO reader)");
  const TestHouse house(
      SharedServer().TcpUrl("reader:rose-garden-7", "options=-csearch_path%3Dwide"),
      {.epsilon_budget = "100", .epsilon_query = "1"});
  Session session = house.Open();
  int refused = 0;
  int answered = 0;
  for (const int width : {120, 136, 140, 144, 148, 152, 156, 170}) {
    std::string counts;
    for (int i = 0; i < width; ++i) {
      counts += ", count(*) FILTER (WHERE age = " + std::to_string(i) + ")";
    }
    // Of keys that nobody declared some cells are shown in some groups alone.
    for (const std::string key : {"segment", "age % 3"}) {
      const auto answer = session.Ask(
          "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (max_rows_contributed = 3, "
          "max_groups_contributed = 2) " +
          key + counts + " FROM customer GROUP BY " + key);
      (answer.ok() ? answered : refused) += 1;
      EXPECT_TRUE(answer.ok() || answer.error().code == "P102")
          << width << key << answer.error().message;
    }
  }
  EXPECT_GT(answered, 0);
  EXPECT_GT(refused, 0);
}

// Spellings of one unit would be units of their own here, and meet k for one person.
TEST_F(SessionTest, A32AUnitUnderALooseCollationIsRefused) {
  SharedServer().Sql(R"(
CREATE SCHEMA spelled; SET search_path = spelled;
CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE customer (customer_id text COLLATE loose, segment text, age int);
CREATE TABLE number (n int);
GRANT USAGE ON SCHEMA spelled TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA spelled TO reader)");
  const TestHouse house(
      SharedServer().TcpUrl("reader:rose-garden-7", "options=-csearch_path%3Dspelled"), {});
  const auto session = house.TryOpen();
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.error().code, "C204");
  EXPECT_THAT(session.error().message, HasSubstr("customer.customer_id tells whose a row is"));
}

// A key that could not be read again above the releases would end a question that was paid.
TEST_F(SessionTest, ATimestampAfterTheLastOfOursIsNoKey) {
  SharedServer().Sql(R"(
CREATE SCHEMA late; SET search_path = late;
CREATE TABLE customer (customer_id int PRIMARY KEY, segment text, age int, until timestamp);
INSERT INTO customer SELECT i, 'home', 1, (ARRAY['294247-01-10 04:00:54.775806',
  '294247-01-10 04:00:54.775807', '294276-12-31 23:59:59.999999', 'infinity'])[1 + i % 4]::timestamp
  FROM generate_series(1, 800) AS i;
CREATE TABLE number (n int);
GRANT USAGE ON SCHEMA late TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA late TO reader)");
  const TestHouse house(
      SharedServer().TcpUrl("reader:rose-garden-7", "options=-csearch_path%3Dlate"),
      {.epsilon_budget = "100", .epsilon_query = "10"});
  Session session = house.Open();
  const auto answer =
      session.Ask("SELECT until, count(*) FROM customer GROUP BY until HAVING count(*) > 1");
  ASSERT_TRUE(answer.ok()) << answer.error().message << Contents(house.incidents());
  std::vector<std::string> keys;
  for (const auto& row : answer->rows) {
    const auto* text = std::get_if<std::string>(&row[0]);
    keys.push_back(text == nullptr ? "NULL" : *text);
  }
  EXPECT_THAT(keys,
              testing::UnorderedElementsAre("294247-01-10 04:00:54.775806", "infinity", "NULL"));
}

// A row of PostgreSQL's has 1 GB at most. One person's text, in many columns, must not fill it: nor
// where these are joined to one text, to choose groups of units that have several rows.
TEST_F(SessionTest, A33LongTextsInManyColumnsDoNotFail) {
  SharedServer().Sql(R"(
CREATE SCHEMA vast; SET search_path = vast;
CREATE TABLE customer (customer_id int, segment text, age int);
INSERT INTO customer VALUES (1, repeat('x', 1180001), 1), (1, 'home', 1), (2, 'home', 2);
CREATE TABLE number (n int);
GRANT USAGE ON SCHEMA vast TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA vast TO reader)");
  const TestHouse house(
      SharedServer().TcpUrl("reader:rose-garden-7", "options=-csearch_path%3Dvast"), {});
  Session session = house.Open();
  std::string keys;
  for (int i = 0; i < 1000; ++i) {
    keys += (i == 0 ? "left(segment," : ",left(segment,") + std::to_string(1'180'000 - i) + ")";
  }
  const auto done = session.Run(
      "SET dp.contribution_bound = 2; SET dp.max_groups_contributed = 1;"
      "SELECT count(*) FROM customer GROUP BY " +
          keys,
      [](const Reply&) {});
  EXPECT_TRUE(done.ok()) << done.error().message << Contents(house.incidents());
}

// PostgreSQL has no reverse that keeps accents; that is known before anything is paid.
TEST_F(SessionTest, RefusesForNothingWhatTheServerCannotDo) {
  const TestHouse house(Url(), {});
  Session session = house.Open();
  const double before = session.Budget()->gauge.epsilon_left;
  const std::string sql = "SELECT count(*) FROM customer WHERE reverse(segment) = 'emoh'";
  for (const std::string& statement : {sql, "EXPLAIN (DP) " + sql}) {
    const Status done = session.Run(statement, [](const Reply&) {});
    ASSERT_FALSE(done.ok());
    EXPECT_THAT(done.error().message, HasSubstr("reverse"));
    EXPECT_EQ(done.error().exit_code, 1);
  }
  EXPECT_EQ(session.Budget()->gauge.epsilon_left, before);
}

TEST_F(SessionTest, KeepsThePasswordToItself) {
  const TestHouse house(Url("reader:horse-9"), {});
  const auto session = house.TryOpen();
  ASSERT_FALSE(session.ok());
  EXPECT_THAT(session.error().message + session.error().hint, Not(HasSubstr("horse-9")));
  const std::string log = Contents(house.incidents());
  EXPECT_THAT(log, testing::AllOf(HasSubstr("authentication failed"), Not(HasSubstr("horse-9"))));
}

TEST_F(SessionTest, DraftsAPolicyWithoutThePassword) {
  const auto draft = DraftPolicy({.sources = {Url()}});
  ASSERT_TRUE(draft.ok()) << draft.error().message;
  EXPECT_EQ(draft->unit, "customer.customer_id");
  EXPECT_THAT(draft->text, HasSubstr("name = \"postgres\""));
  EXPECT_THAT(draft->text + draft->url, Not(HasSubstr("rose-garden")));
}

// The page says how to make an account, and such an account is nothing to warn of.
TEST_F(SessionTest, TheAccountOfThePageCanOnlyRead) {
  PostgreSqlServer server;
  server.Sql(std::string(kRows) + "CREATE TABLE orders (id int)");
  const std::string page = Contents(DPSQL_SOURCE_DIR "/docs/reference/postgresql.md");
  std::smatch block;
  ASSERT_TRUE(std::regex_search(page, block, std::regex("```text account\n([^`]*)```")));
  server.Sql(block[1]);
  server.Sql("GRANT SELECT ON number TO dpsql_reader");
  const TempFolder folder;
  const std::string policy = folder / "shop.toml";
  std::ofstream(policy) << "[dataset]\nname = \"shop\"\n[budget]\nepsilon = 4\ndelta = 1e-6\n"
                           "[query]\nepsilon = 0.5\ndelta = 1e-7\nmin_frequency = 5\n"
                           "[tables.customer]\nunit = \"customer_id\"\n";
  const auto warned = [&](const std::string& account) {
    const auto findings = CheckPolicy({.policy = policy, .url = server.Url(account)});
    if (!findings) throw std::runtime_error(findings.error().message);
    return std::count_if(findings->begin(), findings->end(),
                         [](const Finding& finding) { return finding.code == "database-account"; });
  };
  EXPECT_EQ(warned("dpsql_reader"), 0);
  EXPECT_EQ(warned("postgres"), 1);
}

}  // namespace
}  // namespace dpsql
