// The same questions of the same files to DuckDB and to Spark, without noise: the same integers.
#include <fstream>

#include "dpsql/session.h"
#include "engines/spark_test.h"

namespace dpsql {
namespace {

constexpr const char* kPeople =
    "SELECT CAST(id AS INT) AS person, CASE WHEN id % 50 = 0 THEN NULL ELSE "
    "element_at(array('Berlin', "
    "'Paris', 'Osaka', 'Lyon', 'Wien'), CAST(1 + id % 5 AS INT)) END AS city, CASE WHEN id % 7 = 0 "
    "THEN NULL ELSE CAST(18 + id % 60 AS INT) END AS age, CAST(id * 37 % 2000 - 500 + id / 100 AS "
    "DECIMAL(10,2)) AS balance, CASE WHEN id % 11 = 0 THEN DOUBLE('NaN') WHEN id % 13 = 0 THEN "
    "DOUBLE('Infinity') WHEN id % 17 = 0 THEN DOUBLE('-Infinity') WHEN id % 19 = 0 THEN NULL ELSE "
    "id / 3D END AS score, id % 2 = 0 AS active, CASE WHEN id % 29 = 0 THEN NULL ELSE "
    "date_add(DATE "
    "'1950-01-01', CAST(id * 10 AS INT)) END AS born, timestampadd(SECOND, id * 100000, "
    "TIMESTAMP_NTZ '2020-02-28 23:00:00.5') AS seen FROM range(1, 301)";

constexpr const char* kOrders =
    "SELECT id AS order_id, CASE WHEN id % 40 = 0 THEN NULL ELSE CAST(1 + id * 7 % 280 AS INT) END "
    "AS person, CAST(id % 700 + 0.25 AS DECIMAL(10,2)) AS amount, CASE WHEN id = 3 THEN "
    "9223372036854775807 WHEN id = 4 THEN -9223372036854775808 ELSE id END AS big FROM "
    "range(1, 2001)";

constexpr const char* kPolicy = R"([dataset]
name = "people"
unit = "person"
[budget]
epsilon = 100
delta = 1e-3
accountant = "basic"
[query]
epsilon = 1.0
delta = 1e-6
min_frequency = 1
max_groups_per_unit = 100
[tables.people]
source = "PEOPLE"
unit = "person"
max_rows_per_unit = 1
[tables.people.columns]
age = { lower = 0, upper = 100 }
balance = { lower = -500, upper = 1500 }
score = { lower = 0, upper = 100 }
[tables.orders]
source = "ORDERS"
unit = "person"
max_rows_per_unit = ROWS
[tables.orders.columns]
amount = { lower = 0, upper = 1000 }
big = { lower = -1000, upper = 1000 }
)";

constexpr const char* kQuestions[] = {
    "SELECT count(*), count(age), count(DISTINCT person) FROM people",
    "SELECT city, count(*), sum(age), avg(balance) FROM people GROUP BY city ORDER BY city",
    "SELECT active, count(score), sum(score), var_pop(age) FROM people GROUP BY active ORDER BY 1",
    "SELECT balance, count(*) FROM people WHERE balance < -400 GROUP BY balance ORDER BY balance",
    "SELECT born, count(*) FROM people WHERE born < DATE '1950-04-01' GROUP BY born ORDER BY born",
    "SELECT seen, count(*) FROM people WHERE age < 21 GROUP BY seen ORDER BY seen",
    "SELECT sum(amount), count(amount), avg(big) FROM orders",
    "SELECT sum(amount) FROM orders WHERE big > 100 AND amount BETWEEN 10 AND 500",
    "SELECT covar_samp(amount, big), stddev_samp(amount) FROM orders",
    "SELECT p.city, sum(o.amount), count(DISTINCT o.person) FROM orders o JOIN people p ON "
    "o.person = p.person GROUP BY p.city ORDER BY p.city",
    "SELECT n, count(*) FROM (SELECT person, count(*) AS n FROM orders GROUP BY person) t GROUP BY "
    "n ORDER BY n",
    "SELECT extract(year FROM born), count(*) FROM people GROUP BY 1 ORDER BY 1",
    "SELECT lower(left(city, 2)) || '''\\', count(*) FROM people GROUP BY 1 ORDER BY 1",
    "SELECT count(*) FROM people WHERE city IN (SELECT city FROM people GROUP BY city HAVING "
    "count(*) > 55)",
    "SELECT count(*) FROM people WHERE age / 2 * 2 = age AND age % 3 = 1",
    "SELECT count(*) FROM people WHERE city LIKE '%r%s' OR city LIKE '_y%' OR city NOT LIKE '%i%'",
    "SELECT count(*) FROM people WHERE city ILIKE '%R%' AND city || '_x.' LIKE '%!__.' ESCAPE '!'",
    // Sums beyond 64 bits of one person, and a text that LIKE could be matched with in as many ways
    // as there are seconds in a million years.
    "SELECT count(*) FROM (SELECT person, avg(CASE WHEN age < 40 THEN 9223372036854775807 ELSE 0 "
    "END) AS a FROM (SELECT person, age FROM people UNION ALL SELECT person, age FROM people) t "
    "GROUP BY person) t WHERE a > 1",
    "SELECT count(*) FROM (SELECT avg(big + 9223372036854770000) OVER (PARTITION BY person) AS a "
    "FROM orders) t WHERE a > 1",
    "SELECT count(*) FROM people WHERE CASE WHEN age < 40 THEN repeat('a', 100) ELSE 'b' END LIKE "
    "'%a%a%a%a%a%a%a%a%a%b'",
    "SELECT CASE WHEN age < 30 THEN 'young' WHEN age < 60 THEN 'middle' END AS years, count(*) "
    "FROM "
    "people GROUP BY 1 ORDER BY 1",
};

class SparkAnswers : public SparkTest {
 protected:
  // The answers of a database, each as text; an error where it is one.
  std::vector<std::string> Answers(const std::string& url) {
    const std::string ledger =
        (folder_ / (url.empty() ? "duckdb.ledger" : "spark.ledger")).string();
    std::vector<std::string> answers;
    auto session =
        Session::Open({.url = url, .policy = policy_.file, .ledger = ledger, .analyst = "tester"});
    if (!session) return {session.error().message};
    for (const char* question : kQuestions) {
      std::string& text = answers.emplace_back();
      const auto answer = session->Ask(question);
      if (!answer) {
        text = answer.error().code + " " + answer.error().message;
        continue;
      }
      for (const auto& row : answer->rows) {
        for (const Value& cell : row) text += ToText(cell) + "\t";
        text += "\n";
      }
    }
    return answers;
  }

  void WritePolicy(const std::string& rows) {
    std::string text = kPolicy;
    const std::pair<std::string, std::string> places[] = {
        {"PEOPLE", WriteParquet("people", kPeople)},
        {"ORDERS", WriteParquet("orders", kOrders)},
        {"ROWS", rows}};
    for (const auto& [place, what] : places) text.replace(text.find(place), place.size(), what);
    std::ofstream(policy_.file) << text;
  }

  void Compare() {
    const std::vector<std::string> expected = Answers("");
    const std::vector<std::string> actual = Answers("spark://" + Server());
    ASSERT_EQ(expected.size(), std::size(kQuestions)) << expected.at(0);
    ASSERT_EQ(actual.size(), std::size(kQuestions)) << actual.at(0);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(actual[i], expected[i]) << kQuestions[i];
      EXPECT_NE(expected[i].find('\t'), std::string::npos) << expected[i];
    }
  }
};

TEST_F(SparkAnswers, SameAnswersAsDuckDb) {
  WritePolicy("100");
  Compare();
}

TEST_F(SparkAnswers, WhatSparkCannotDoIsRefusedBeforeItIsPaid) {
  WritePolicy("3");
  auto session = Session::Open({.url = "spark://" + Server(),
                                .policy = policy_.file,
                                .ledger = (folder_ / "own.ledger").string(),
                                .analyst = "tester"});
  ASSERT_TRUE(session.ok()) << session.error().message;
  const char* const counted = "SELECT count(*) FROM people";
  const double before = session->Ask(counted)->remaining.epsilon;
  for (const char* question : {"SELECT count(*) FROM people WHERE city ~ '^(ab|c)+d'",
                               "SELECT reverse(city), count(*) FROM people GROUP BY 1",
                               "SELECT count(*) FROM people WHERE city ILIKE '%\xc4\x8d%'",
                               "SELECT count(*) FROM (SELECT sum(big) OVER (PARTITION BY person) "
                               "AS s FROM orders) t WHERE s > 1",
                               "SELECT count(*) FROM people WHERE gcd(age, 2) = 2"}) {
    const auto answer = session->Ask(question);
    ASSERT_FALSE(answer.ok()) << question;
    EXPECT_EQ(answer.error().code.front(), 'V') << answer.error().message;
  }
  EXPECT_NEAR(session->Ask(counted)->remaining.epsilon, before - 1, 1e-6);
}

constexpr const char* kSpelledPolicy = R"([dataset]
name = "spelled"
unit = "person"
[budget]
epsilon = 100
delta = 1e-3
[query]
epsilon = 1.0
delta = 1e-6
min_frequency = 1
max_groups_per_unit = 1
[tables.spelled]
max_rows_per_unit = 1
unit = )";

// The copies of tests/sql are files, which have no collations. For the server "a" and "A" are one
// word.
TEST_F(SparkAnswers, TextsOfTheCatalogueCompareByTheirBytes) {
  {
    AdbcConnection writer(Target());
    Ask(writer, "DROP TABLE IF EXISTS spelled");
    ASSERT_EQ(Ask(writer,
                  "CREATE TABLE spelled (person INT, word STRING COLLATE UNICODE_CI, who STRING "
                  "COLLATE UNICODE_CI) USING parquet"),
              Rows{});
    ASSERT_EQ(Ask(writer,
                  "INSERT INTO spelled SELECT CAST(id AS INT), CASE WHEN id % 3 = 0 THEN 'A' ELSE "
                  "'a' END, concat('P', id) FROM range(0, 60)"),
              Rows{});
    ASSERT_EQ(Ask(writer, "SELECT count(DISTINCT word) FROM spelled"), (Rows{{"1"}}));
  }
  const auto open = [&](const std::string& unit) {
    std::ofstream(policy_.file) << kSpelledPolicy << '"' << unit << "\"\n";
    return Session::Open({.url = "spark://" + Server(),
                          .policy = policy_.file,
                          .ledger = (folder_ / (unit + ".ledger")).string(),
                          .analyst = "tester"});
  };
  auto session = open("person");
  ASSERT_TRUE(session.ok()) << session.error().message;
  const std::pair<const char*, std::vector<std::vector<Value>>> asked[] = {
      {"SELECT word, count(*) FROM spelled GROUP BY word ORDER BY word",
       {{"A", std::int64_t{20}}, {"a", std::int64_t{40}}}},
      {"SELECT count(*) FROM spelled WHERE word = 'a'", {{std::int64_t{40}}}},
      {"SELECT count(*) FROM spelled WHERE word < 'a'", {{std::int64_t{20}}}},
      {"SELECT count(*) FROM (SELECT person, min(word) AS least FROM spelled WHERE word IN ('A', "
       "'b') GROUP BY person) t WHERE least <= 'A'",
       {{std::int64_t{20}}}}};
  for (const auto& [question, rows] : asked) {
    const auto answer = session->Ask(question);
    ASSERT_TRUE(answer.ok()) << question << ": " << answer.error().message;
    EXPECT_EQ(answer->rows, rows) << question;
  }
  const auto refused = open("who");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "C204");
}

TEST_F(SparkAnswers, SameClippedSumsAsDuckDb) {
  WritePolicy("3");
  Compare();
}

}  // namespace
}  // namespace dpsql
