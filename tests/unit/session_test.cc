#include "dpsql/session.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include "account/ledger.h"
#include "base/error_codes.h"
#include "support/temp_folder.h"
#include "support/test_session.h"

namespace dpsql {
namespace {

constexpr const char* kCount = "SELECT count(*) FROM customer";

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// What the ledger says was spent, seen through a handle of its own.
BudgetState Spent(const TestHouse& house) {
  auto ledger = Ledger::Open({.path = house.ledger(),
                              .terms = {.dataset = "shop", .budget = {.total = {8.0, 1e-6}}},
                              .analyst = "owner",
                              .random = MakeRandomSource()});
  if (!ledger) throw std::runtime_error(ledger.error().message);
  auto state = ledger->State();
  if (!state) throw std::runtime_error(state.error().message);
  return *state;
}

std::string CodeOf(const Result<Answer>& answer) {
  return answer ? "no error" : answer.error().code;
}

class SessionTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TempFolder;
    MakeCustomers(database(), {.customers = 3000, .numbers = 1500});
  }
  static void TearDownTestSuite() { delete folder_; }

  static std::string database() { return *folder_ / "shop.duckdb"; }
  static std::string path(const std::string& name) { return *folder_ / name; }

  static TempFolder* folder_;
};

TempFolder* SessionTest::folder_ = nullptr;

TEST_F(SessionTest, LabelledDataIsAnsweredOnce) {
  const TestHouse house(database(), {.labelled = true});
  Session session = house.Open();
  const auto first = session.Ask(kCount);
  ASSERT_TRUE(first.ok()) << first.error().message;
  EXPECT_FALSE(first->stored);
  const BudgetState after_first = Spent(house);
  const auto second = session.Ask("select  COUNT(*)\n from customer -- again");
  ASSERT_TRUE(second.ok()) << second.error().message;
  EXPECT_TRUE(second->stored);
  EXPECT_EQ(second->rows, first->rows);
  EXPECT_EQ(second->release, first->release);
  EXPECT_EQ(second->remaining.epsilon, first->remaining.epsilon);
  EXPECT_EQ(Spent(house).spent.mu_squared, after_first.spent.mu_squared);
  // Another session sees it too, another question is another answer.
  const auto third = house.Open("somebody else").Ask(kCount);
  ASSERT_TRUE(third.ok());
  EXPECT_TRUE(third->stored);
  EXPECT_EQ(third->rows, first->rows);
  EXPECT_FALSE(session.Ask("SELECT count(*) AS n FROM customer")->stored);
  EXPECT_GT(Spent(house).spent.mu_squared, after_first.spent.mu_squared);
}

TEST_F(SessionTest, A41FreeAnswersDoNotFillTheLedger) {
  const TestHouse house(database(), {.labelled = true});
  Session session = house.Open();
  const std::string wide = "SELECT a.n, b.n AS other, 0 AS k FROM number a CROSS JOIN number b";
  const std::string few = " WHERE a.n < 100 AND b.n < ";
  const auto first = session.Ask(wide + few + "100");
  ASSERT_TRUE(first.ok()) << first.error().message;
  EXPECT_EQ(first->price.epsilon, 0);
  const auto again = session.Ask(wide + few + "100");
  ASSERT_TRUE(again.ok());
  EXPECT_FALSE(again->stored);
  EXPECT_EQ(again->rows, first->rows);
  std::uintmax_t kept = 0;
  for (const char* file : {"", "-wal"}) {
    std::error_code none;
    const std::uintmax_t size = std::filesystem::file_size(house.ledger() + file, none);
    if (!none) kept += size;
  }
  EXPECT_LT(kept, 200'000U) << "each of the answers has 10,000 rows";
}

TEST_F(SessionTest, UnlabelledDataIsDrawnAnew) {
  const TestHouse house(database(), {.epsilon_query = "0.01"});
  Session session = house.Open();
  std::set<std::vector<std::vector<Value>>> answers;
  for (int i = 0; i < 8; ++i) {
    const auto answer = session.Ask(kCount);
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_FALSE(answer->stored);
    answers.insert(answer->rows);
  }
  EXPECT_GT(answers.size(), 1u);  // noise of sd 380: all equal once in 1e20 runs
  EXPECT_EQ(Spent(house).releases, 8);
}

// Sorted, filtered and passed on, an estimate is the number that was released.
TEST_F(SessionTest, AnEstimateKeepsItsIntervalAboveTheDoor) {
  const TestHouse house(database(), {});
  Session session = house.Open();
  const Result<Answer> answer = session.Ask(
      "SELECT c.n, c.n + 1 AS more, rank() OVER (ORDER BY c.n) AS place "
      "FROM (SELECT count(*) AS n FROM customer) c WHERE c.n > 0 ORDER BY n");
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  ASSERT_EQ(answer->rows.size(), 1u);
  ASSERT_TRUE(answer->intervals[0][0].has_value());
  const auto n = static_cast<double>(std::get<std::int64_t>(answer->rows[0][0]));
  EXPECT_LT(answer->intervals[0][0]->low, n);
  EXPECT_GT(answer->intervals[0][0]->high, n);
  ASSERT_TRUE(answer->intervals[0][1].has_value());
  EXPECT_LT(answer->intervals[0][1]->low, n + 1);
  EXPECT_GT(answer->intervals[0][1]->high, n + 1);
  EXPECT_FALSE(answer->intervals[0][2].has_value());
  EXPECT_EQ(answer->columns[0].role, ColumnRole::kEstimate);
  EXPECT_EQ(answer->columns[1].role, ColumnRole::kDerived);
}

TEST_F(SessionTest, PublicTablesCostNothing) {
  const TestHouse house(database(), {});
  Session session = house.Open();
  const Result<Answer> answer = session.Ask("SELECT 1 + 1 AS two");
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->price.epsilon, 0);
  EXPECT_EQ(answer->price.doors, 0);
  EXPECT_EQ(Spent(house).spent.mu_squared, 0u);
}

TEST_F(SessionTest, BudgetShrinksAndSurvivesReopening) {
  const TestHouse house(database(), {});
  double left = 8.0;
  UInt128 spent = 0;
  UInt128 price = 0;
  for (int i = 0; i < 3; ++i) {
    Session session = house.Open();
    const auto answer = session.Ask(kCount);
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_LT(answer->remaining.epsilon, left);
    left = answer->remaining.epsilon;
    const UInt128 now = Spent(house).spent.mu_squared;
    EXPECT_GT(now, spent);
    if (price == 0) price = now;
    EXPECT_EQ(now, spent + price);
    spent = now;
  }
}

TEST_F(SessionTest, TheBudgetEnds) {
  const TestHouse house(database(), {.epsilon_query = "8.0", .delta_query = "9e-7"});
  Session session = house.Open();
  ASSERT_TRUE(session.Ask(kCount).ok());
  const UInt128 spent = Spent(house).spent.mu_squared;
  EXPECT_EQ(CodeOf(session.Ask(kCount)), "B402");
  EXPECT_EQ(CodeOf(house.Open().Ask(kCount)), "B402");
  EXPECT_EQ(Spent(house).spent.mu_squared, spent);
}

TEST_F(SessionTest, ExplainingIsFree) {
  const TestHouse house(database(), {});
  Session session = house.Open();
  int explained = 0;
  const Status status = session.Run(
      "SET dp.epsilon = 0.25; EXPLAIN (DP) SELECT count(*) FROM customer", [&](const Reply& reply) {
        if (const auto* text = std::get_if<Explanation>(&reply)) {
          EXPECT_NE(text->text.find("price   epsilon 0.25"), std::string::npos);
          ++explained;
        }
      });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(explained, 1);
  EXPECT_EQ(Spent(house).spent.mu_squared, UInt128{0});
  EXPECT_EQ(Spent(house).releases, 0);
}

TEST_F(SessionTest, ARefusedQueryIsFree) {
  const TestHouse house(database(), {});
  Session session = house.Open();
  EXPECT_EQ(CodeOf(session.Ask("SELECT age FROM customer")), "V312");
  EXPECT_EQ(CodeOf(session.Ask("SELECT count(*) FROM customer; SELECT 1")), "P104");
  EXPECT_EQ(CodeOf(session.Ask("SELEC")), "P101");
  EXPECT_EQ(Spent(house).spent.mu_squared, UInt128{0});
}

// An owner who tightens the policy need not find and end the sessions that are open.
TEST_F(SessionTest, APolicyThatChangesEndsItsSessions) {
  const TestHouse house(database(), {.labelled = true});
  Session session = house.Open();
  ASSERT_TRUE(session.Ask(kCount).ok());
  const BudgetState before = Spent(house);
  house.WritePolicy({.min_frequency = 1000, .labelled = true});
  EXPECT_EQ(CodeOf(session.Ask("SELECT sum(age) FROM customer")), "B411");
  EXPECT_EQ(CodeOf(session.Ask(kCount)), "B411") << "an answer that is stored, too";
  const auto ignored = [](const Reply&) {};
  EXPECT_EQ(session.Run(std::string("EXPLAIN (DP) ") + kCount, ignored).error().code, "B411");
  EXPECT_EQ(Spent(house).spent.mu_squared, before.spent.mu_squared);
  EXPECT_TRUE(house.Open().Ask(kCount).ok());
  house.WritePolicy({.labelled = true});
  EXPECT_TRUE(session.Ask(kCount).ok()) << "it is the policy of the session again";
  const BudgetState then = Spent(house);
  const RunOptions slow = {.before_spending = [&](const Explanation&) {
    house.WritePolicy({.min_frequency = 1000, .labelled = true});
    return true;
  }};
  EXPECT_EQ(session.Run("SELECT sum(age) FROM customer", ignored, slow).error().code, "B411");
  EXPECT_EQ(Spent(house).spent.mu_squared, then.spent.mu_squared);
}

// Behind the wait for the ledger, and between the statements of a script.
TEST_F(SessionTest, WhatIsWithdrawnOrForbiddenWhileItWaitsCostsNothing) {
  const TestHouse house(database(), {});
  Session session = house.Open();
  const auto ignored = [](const Reply&) {};
  const auto when_paying = [](const std::function<void()>& then) {
    return RunOptions{.on_progress = [then](const Progress& progress) {
      if (progress.stage == Stage::kPaying) then();
    }};
  };
  const RunOptions cancels = when_paying([&] { session.Cancel(); });
  const Error cancelled = session.Run(kCount, ignored, cancels).error();
  EXPECT_EQ(cancelled.code, CodeOf(ErrorCode::kInterrupted));
  EXPECT_EQ(cancelled.hint, "nothing was spent");
  int answers = 0;
  const auto stop = [&](const Reply&) {
    ++answers;
    session.Cancel();
  };
  const std::string script = std::string("SET dp.epsilon = 0.1; ") + kCount + "; " + kCount;
  EXPECT_EQ(session.Run(script, stop).error().code, CodeOf(ErrorCode::kInterrupted));
  EXPECT_EQ(answers, 1) << "the setting";
  const RunOptions tightens = when_paying([&] { house.WritePolicy({.min_frequency = 1000}); });
  EXPECT_EQ(session.Run(kCount, ignored, tightens).error().code, "B411");
  EXPECT_EQ(Spent(house).spent.mu_squared, 0u);
  house.WritePolicy({});
  EXPECT_TRUE(session.Ask(kCount).ok()) << "a cancelled call is over";
}

// The header's checksum: eight bytes before the rest of its 4 KiB.
std::uint64_t HeaderChecksum(const std::array<char, 4096>& header) {
  std::uint64_t sum = 5381;
  for (std::size_t at = 8; at < header.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, header.data() + at, 8);
    sum ^= word * 0xbf58476d1ce4e5b9u;
  }
  return sum;
}

// Rewrites the storage version of a DuckDB file, checksum and all.
void SetStorageVersion(const std::string& path, std::uint64_t version) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  std::array<char, 4096> header{};
  file.read(header.data(), header.size());
  std::uint64_t stored = 0;
  std::memcpy(&stored, header.data(), 8);
  ASSERT_EQ(stored, HeaderChecksum(header)) << "the file's format is not the one expected";
  std::memcpy(header.data() + 12, &version, 8);
  const std::uint64_t sum = HeaderChecksum(header);
  std::memcpy(header.data(), &sum, 8);
  file.seekp(0);
  file.write(header.data(), header.size());
}

TEST_F(SessionTest, AFileOfANewerDatabaseIsNamedSo) {
  const std::string newer = path("newer.duckdb");
  std::filesystem::copy_file(database(), newer);
  SetStorageVersion(newer, 9999);
  const TestHouse house(newer, {});
  const auto session = house.TryOpen();
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.error().code, "E502");
  EXPECT_EQ(session.error().exit_code, 4);
  EXPECT_NE(session.error().message.find("storage version 9999"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(house.ledger()));  // nothing was touched
}

constexpr std::size_t kBlock = 256 * 1024;

// Overwrites everything but the headers, the first blocks and the last ones, where DuckDB keeps
// its catalog.
void DamageBlocks(const std::string& path) {
  const auto size = std::filesystem::file_size(path);
  ASSERT_GT(size, 12 * kBlock);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  const std::string garbage(kBlock, 'x');
  for (std::size_t at = 3 * kBlock; at + 4 * kBlock < size; at += kBlock) {
    file.seekp(static_cast<std::streamoff>(at));
    file.write(garbage.data(), static_cast<std::streamsize>(garbage.size()));
  }
}

TEST_F(SessionTest, ADamagedFileSaysNothingOfItsRows) {
  const std::string damaged = path("damaged.duckdb");
  MakeDatabaseFromText(
      damaged,
      "CREATE TABLE customer (customer_id BIGINT, segment VARCHAR NOT NULL, age BIGINT);"
      "INSERT INTO customer SELECT hash(i)::HUGEINT % 1000000000, 's' || hash(i), hash(i + 1) % "
      "1000000 FROM range(0, 400000) t(i); CREATE TABLE number (n INTEGER PRIMARY KEY);");
  DamageBlocks(damaged);
  const TestHouse house(damaged, {.labelled = true});
  auto session = house.TryOpen();
  ASSERT_TRUE(session.ok()) << session.error().message;
  ASSERT_TRUE(session->Run("SET dp.contribution_bound = 1", [](const Reply&) {}).ok());
  const auto answer = session->Ask("SELECT count(age), sum(age) FROM customer");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, "E503");
  EXPECT_EQ(answer.error().exit_code, 4);

  const std::string& message = answer.error().message;
  const std::string fixed = "the database could not run the query (incident ";
  ASSERT_EQ(message.compare(0, fixed.size(), fixed), 0) << message;
  const std::string incident = message.substr(fixed.size(), message.size() - fixed.size() - 1);
  EXPECT_EQ(message, fixed + incident + ")");
  EXPECT_EQ(incident.find_first_not_of("i-0123456789abcdef"), std::string::npos) << incident;

  const std::string log = ReadAll(house.incidents());
  EXPECT_NE(log.find(incident + " "), std::string::npos);
  EXPECT_NE(log.find("checksum"), std::string::npos) << log;
  struct stat info {};
  ASSERT_EQ(stat(house.incidents().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_GT(Spent(house).spent.mu_squared, UInt128{0});
  EXPECT_EQ(Spent(house).releases, 0);
}

TEST_F(SessionTest, CancelStopsAQuery) {
  const std::string heavy = path("heavy.duckdb");
  MakeCustomers(heavy, {.customers = 3000, .numbers = 1'000'000});
  const TestHouse house(heavy, {});
  Session session = house.Open();
  const auto start = std::chrono::steady_clock::now();
  std::thread canceller([&] {
    // Data is read once the ledger has been debited; a query that is refused never is.
    const auto deadline = start + std::chrono::seconds(20);
    while (Spent(house).spent.mu_squared == 0 && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    session.Cancel();
  });
  const auto answer =
      session.Ask("SELECT count(*) FROM customer CROSS JOIN number a WHERE a.n + customer.age > 5");
  canceller.join();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, "E505");
  EXPECT_EQ(answer.error().exit_code, 130);
  EXPECT_EQ(answer.error().message, "the query was interrupted");
  EXPECT_LT(taken.count(), 5.0);
  EXPECT_GT(Spent(house).spent.mu_squared, UInt128{0});
  EXPECT_EQ(Spent(house).releases, 0);
  EXPECT_TRUE(session.Ask(kCount).ok());  // the session lives on
}

TEST_F(SessionTest, CancelBetweenQueriesDoesNothing) {
  const TestHouse house(database(), {});
  Session session = house.Open();
  session.Cancel();
  EXPECT_TRUE(session.Ask(kCount).ok());
  session.Cancel();
  EXPECT_TRUE(session.Ask(kCount).ok());
}

// Two processes with one ledger handle could both spend the same budget.
TEST_F(SessionTest, AForkedSessionStopsAsABug) {
  const TestHouse house(database(), {});
  Session session = house.Open();
  ASSERT_TRUE(session.Ask(kCount).ok());
  const UInt128 spent = Spent(house).spent.mu_squared;
  const pid_t child = fork();
  if (child == 0) {
    const auto answer = session.Ask(kCount);
    const bool as_promised =
        !answer.ok() && answer.error().code == "X901" &&
        answer.error().message == "the program broke one of its own promises and stopped";
    _exit(as_promised ? 42 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 42);
  EXPECT_EQ(Spent(house).spent.mu_squared, spent);
  EXPECT_TRUE(session.Ask(kCount).ok());
}

TEST_F(SessionTest, SessionsShareOneBudget) {
  const TestHouse house(database(), {.epsilon_query = "0.1"});
  constexpr int kAsked = 10;
  std::array<int, 2> answered = {0, 0};
  std::array<std::set<std::string>, 2> releases;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      Session session = house.Open("analyst " + std::to_string(i));
      for (int q = 0; q < kAsked; ++q) {
        const auto answer = session.Ask(kCount);
        if (!answer) continue;
        ++answered[i];
        releases[i].insert(answer->release);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answered[0], kAsked);
  EXPECT_EQ(answered[1], kAsked);
  releases[0].merge(releases[1]);
  EXPECT_EQ(releases[0].size(), 2u * kAsked);
  const BudgetState state = Spent(house);
  EXPECT_EQ(state.releases, 2 * kAsked);

  const TestHouse other(database(), {.epsilon_query = "0.1"});
  ASSERT_TRUE(other.Open().Ask(kCount).ok());
  EXPECT_EQ(state.spent.mu_squared, 2 * kAsked * Spent(other).spent.mu_squared);
}

}  // namespace
}  // namespace dpsql
