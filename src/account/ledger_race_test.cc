// Several writers and sudden deaths. Whatever happens: no more slots than there are, and at least
// as much spent as was released.
#include <signal.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <map>
#include <random>
#include <thread>
#include <vector>

#include "account/journal.h"
#include "account/ledger.h"
#include "account/ledger_errors.h"
#include "base/check.h"
#include "support/ledger_fixture.h"
#include "support/patience.h"

namespace dpsql {
namespace {

constexpr unsigned kSlots = 12;

TEST_F(LedgerTest, ProcessesRacingForTheLastSlotsGetExactlyThose) {
  { Open(); }
  std::vector<pid_t> children;
  for (int i = 0; i < 2; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      Ledger ledger = Open();
      int admitted = 0;
      while (ledger.Reserve(CostForSlots(kSlots)).ok()) ++admitted;
      ::_exit(admitted);
    }
    children.push_back(child);
  }
  unsigned admitted = 0;
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    admitted += static_cast<unsigned>(WEXITSTATUS(status));
  }
  EXPECT_EQ(admitted, kSlots);
  EXPECT_TRUE(Open().Verify().ok());
}

TEST_F(LedgerTest, ThreadsRacingForTheLastSlotsGetExactlyThose) {
  Ledger shared = Open();
  std::atomic<unsigned> admitted{0};
  const auto spend = [&](Ledger& ledger) {
    while (ledger.Reserve(CostForSlots(kSlots)).ok()) ++admitted;
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([&] { spend(shared); });
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      Ledger own = Open();
      spend(own);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(admitted, kSlots);
  EXPECT_TRUE(shared.Verify().ok());
}

TEST_F(LedgerTest, ProcessesCreatingTheLedgerAtOnceShareOne) {
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(Open().Reserve(CostForSlots(8)).ok() ? 0 : 1);
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(Open().RemainingFor(CostForSlots(8))->queries_like_this, 4);
}

TEST_F(LedgerTest, ALedgerIsNotUsedAcrossFork) {
  Ledger ledger = Open();
  const int code = InChild([&] {
    try {
      static_cast<void>(ledger.Reserve(CostForSlots(3)));
    } catch (const Bug&) {
      return 0;
    }
    return 1;
  });
  EXPECT_EQ(code, 0);
}

// SQLite would take no locks in the child, and write into a log that its parent removes.
TEST_F(LedgerTest, AChildDoesNotOpenWhatItsParentHasOpen) {
  Ledger ledger = Open();
  EXPECT_EQ(InChild([&] { return OpenFailure() == "L602" ? 0 : 1; }), 0);
}

TEST_F(LedgerTest, AStoreAfterAStoreIsABug) {
  { ASSERT_TRUE(Open().Reserve(CostForSlots(3)).ok()); }
  auto journal =
      std::move(Journal::Open({.path = path(), .meta_if_new = {}, .at_point = nullptr})).value();
  const auto store = [](JournalView&) -> Result<std::optional<Draft>> {
    Draft draft;
    draft.event.kind = EntryKind::kStore;
    draft.event.reservation = 1;
    draft.event.analyst = "alice";
    draft.event.plan_digest = std::string(64, 'a');
    return std::optional(draft);
  };
  ASSERT_TRUE(journal->Append(store).ok());
  EXPECT_THROW(static_cast<void>(journal->Append(store)), Bug);
}

Result<std::optional<Draft>> ReserveOneUnit(JournalView& view) {
  Draft draft;
  draft.event.reservation = view.last().reservations + 1;
  draft.event.charge.mu_squared = 1;
  return std::optional(draft);
}

// Between its commit and its head line a writer is slow; the others must wait for the line.
TEST_F(LedgerTest, NobodyWritesBetweenACommitAndItsHeadLine) {
  { Open(); }
  const auto dawdle = [](std::string_view point) {
    if (point == "committed") std::this_thread::sleep_for(std::chrono::milliseconds(10));
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      auto journal = Journal::Open({.path = path(), .meta_if_new = {}, .at_point = dawdle});
      ASSERT_TRUE(journal.ok());
      for (int n = 0; n < 3; ++n) EXPECT_TRUE((*journal)->Append(ReserveOneUnit).ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  Ledger ledger = Open();
  EXPECT_TRUE(ledger.Verify().ok());
  EXPECT_TRUE(ledger.State()->spent.mu_squared == 9);
}

// SQLite ends the transaction of all when the disk fails one of them. Whoever is told that his
// entry is written has it; the others are told otherwise, and the chain stays whole.
TEST_F(LedgerTest, AFailureOfTheDiskConcernsItsWholeCommit) {
  { Open(); }
  const auto dawdle = [](std::string_view point) {
    if (point == "locked") std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  auto journal =
      std::move(Journal::Open({.path = path(), .meta_if_new = {}, .at_point = dawdle})).value();
  std::atomic<int> acknowledged{0};
  std::atomic<int> failed{0};
  const auto fails = [](JournalView&) -> Result<std::optional<Draft>> {
    return StorageError("cannot read", "ledger", EIO);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int n = 0; n < 4; ++n) {
        const bool bad = i == 3 && n < 2;
        const Result<Entry> entry = bad ? journal->Append(fails) : journal->Append(ReserveOneUnit);
        ++(entry.ok() ? acknowledged : failed);
        EXPECT_EQ(entry.ok() ? "L602" : entry.error().code, "L602");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(failed, 2);
  Ledger ledger = Open();
  EXPECT_TRUE(ledger.Verify().ok());
  EXPECT_TRUE(ledger.State()->spent.mu_squared == static_cast<UInt128>(acknowledged.load()));
}

// A child dies at the named point of its second entry; what it had acknowledged must be there.
TEST_F(LedgerTest, DeathAtEachNamedPointLeavesALedgerThatOpens) {
  { Open(); }
  std::int64_t entries = 0;
  for (const std::string_view where : {"locked", "inserted", "committed", "appended", "done"}) {
    const int code = InChild([&] {
      int times = 0;
      const auto die = [&](std::string_view point) {
        if (point == where && ++times == 2) ::kill(::getpid(), SIGKILL);
      };
      auto journal = Journal::Open({.path = path(), .meta_if_new = {}, .at_point = die});
      if (!journal.ok() || !(*journal)->Append(ReserveOneUnit).ok()) return 1;
      static_cast<void>((*journal)->Append(ReserveOneUnit));
      return 2;
    });
    EXPECT_EQ(code, -1) << where;
    const bool committed = where != "locked" && where != "inserted";
    entries += committed ? 2 : 1;
    Ledger ledger = Open();
    EXPECT_TRUE(ledger.State()->spent.mu_squared == static_cast<UInt128>(entries)) << where;
    EXPECT_TRUE(ledger.Verify().ok()) << where;
  }
}

// What a child tells its parent, through a pipe, after each release.
struct Released {
  std::int64_t reservation;
  std::int64_t number;
};

class KillTest : public LedgerTest {
 protected:
  // Reserves, stores and reports until it is killed or the budget is gone.
  void SpendForever(int out, unsigned seed) const {
    Ledger ledger = Open();
    std::mt19937_64 random(seed);
    while (true) {
      Cost cost = CostForSlots(5000);
      cost.plan_digest = std::string(64, static_cast<char>('a' + random() % 26));
      Result<Reservation> paid = ledger.Reserve(cost);
      if (!paid.ok()) ::_exit(0);
      const std::int64_t id = paid->id();
      const auto number = static_cast<std::int64_t>(random() >> 2U);
      if (!ledger.Store(std::move(paid).value(), SmallAnswer(number)).ok()) ::_exit(1);
      const Released released{.reservation = id, .number = number};
      if (::write(out, &released, sizeof(released)) != sizeof(released)) ::_exit(1);
    }
  }

  pid_t Spawn(int out, unsigned seed) const {
    const pid_t child = ::fork();
    if (child != 0) return child;
    SpendForever(out, seed);
    ::_exit(0);
  }

  // Reads all reports and adds them up; a reservation must not report two numbers.
  void Collect(int in) {
    Released released{};
    while (::read(in, &released, sizeof(released)) == sizeof(released)) {
      const auto [entry, fresh] = released_.emplace(released.reservation, released.number);
      EXPECT_TRUE(fresh) << "reservation " << entry->first << " was released twice";
    }
  }

  std::map<std::int64_t, std::int64_t> released_;
};

TEST_F(KillTest, RandomDeathsOfTwoProcessesNeverLoseACharge) {
  std::mt19937 random(7);  // only the moments of death; the schedule is random anyway
  for (unsigned round = 0; round < 60; ++round) {
    int pipe_ends[2];
    ASSERT_EQ(::pipe(pipe_ends), 0);
    const pid_t first = Spawn(pipe_ends[1], 2 * round);
    const pid_t second = Spawn(pipe_ends[1], 2 * round + 1);
    ASSERT_TRUE(first > 0 && second > 0);
    ::close(pipe_ends[1]);
    for (const pid_t child : {first, second}) {
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000) * Patience());
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
    Collect(pipe_ends[0]);
    ::close(pipe_ends[0]);
  }
  Ledger ledger = Open();
  ASSERT_TRUE(ledger.Verify().ok());
  const BudgetState state = *ledger.State();
  const UInt128 released = CostForSlots(5000).by_mechanism.mu_squared * released_.size();
  EXPECT_TRUE(state.spent.mu_squared >= released);
  EXPECT_TRUE(state.spent.mu_squared <= state.caps.mu_squared);
  EXPECT_GE(state.releases, static_cast<std::int64_t>(released_.size()));
  EXPECT_GT(released_.size(), 0U);
}

}  // namespace
}  // namespace dpsql
