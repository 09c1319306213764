#include "account/ledger.h"

#include <sqlite3.h>

#include <array>
#include <fstream>
#include <iterator>
#include <random>
#include <utility>
#include <vector>

#include "account/sqlite_handle.h"
#include "base/check.h"
#include "base/error_codes.h"
#include "support/ledger_fixture.h"

namespace dpsql {
namespace {

using std::filesystem::copy_file;
using std::filesystem::copy_options;
using std::filesystem::remove;
using std::filesystem::resize_file;

// Changes the file behind the ledger's back.
void Tamper(const std::string& path, const char* sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
}

TEST_F(LedgerTest, AdmitsToTheExactLastUnitAndRefusesTheNext) {
  Ledger ledger = Open();
  const Cost all = CostForSlots(1);
  EXPECT_EQ(ledger.RemainingFor(all)->queries_like_this, 1);
  ASSERT_TRUE(ledger.Reserve(all).ok());
  Cost least = all;
  least.by_mechanism = {.mu_squared = 1};
  const auto refused = ledger.Reserve(least);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "B402");
  EXPECT_EQ(refused.error().exit_code, 3);
  const BudgetState state = *ledger.State();
  EXPECT_TRUE(state.spent == state.caps);
  EXPECT_EQ(state.releases, 0);
}

TEST_F(LedgerTest, RefusesWhatCouldNeverFitWithoutCharging) {
  Ledger ledger = Open();
  Cost cost = CostForSlots(1);
  cost.by_mechanism.mu_squared += 1;
  EXPECT_EQ(ledger.Reserve(cost).error().code, "B405");
  cost.by_mechanism = {.mu_squared = ~UInt128{0}, .delta = ~UInt128{0}};
  EXPECT_EQ(ledger.Reserve(cost).error().code, "B405");
  EXPECT_TRUE(ledger.State()->spent.mu_squared == 0);
}

// Whoever fails or stops has seen how far he came: it stays paid, for him and for the dataset.
TEST_F(LedgerTest, NoEndingGivesAChargeBack) {
  Ledger ledger = Open();
  for (const Ending ending : {Ending::kFailed, Ending::kCancelled}) {
    Result<Reservation> paid = ledger.Reserve(CostForSlots(50));
    ASSERT_TRUE(paid.ok()) << paid.error().message;
    const BudgetState before = *ledger.State();
    ASSERT_TRUE(ledger.Abandon(std::move(*paid), ending).ok());
    const BudgetState after = *ledger.State();
    EXPECT_TRUE(after.spent == before.spent);
    EXPECT_TRUE(after.analyst_spent == before.analyst_spent);
    EXPECT_GT(after.spent.mu_squared, UInt128{0});
  }
}

TEST_F(LedgerTest, CountsReservationsAndReleases) {
  Ledger ledger = Open();
  const Cost cost = CostForSlots(3);
  Reservation first = std::move(ledger.Reserve(cost)).value();
  Reservation second = std::move(ledger.Reserve(cost)).value();
  EXPECT_EQ(first.id(), 1);
  EXPECT_EQ(second.id(), 2);
  EXPECT_NE(first.priority_key(), second.priority_key());
  const Answer answer = *ledger.Store(std::move(second), SmallAnswer());
  EXPECT_EQ(answer.release, "r-000002");
  EXPECT_EQ(answer.remaining.queries_like_this, 1);
  EXPECT_EQ(ledger.State()->releases, 1);
  EXPECT_TRUE(ledger.Verify().ok());
}

TEST_F(LedgerTest, SpentSurvivesReopening) {
  const Cost cost = CostForSlots(3);
  { ASSERT_TRUE(Open().Reserve(cost).ok()); }
  Ledger again = Open();
  EXPECT_TRUE(again.State()->spent.mu_squared == cost.by_mechanism.mu_squared);
  EXPECT_EQ(again.RemainingFor(cost)->queries_like_this, 2);
}

TEST_F(LedgerTest, HandsOutTheStoredAnswerAgain) {
  const Cost cost = CostForSlots(2);
  {
    Ledger ledger = Open();
    EXPECT_FALSE(ledger.Stored(cost)->has_value());
    Reservation paid = std::move(ledger.Reserve(cost)).value();
    ASSERT_TRUE(ledger.Store(std::move(paid), SmallAnswer()).ok());
    ASSERT_TRUE(ledger.Reserve(CostForSlots(2, 'b')).ok());
  }
  Ledger ledger = Open();
  const std::optional<Answer> stored = *ledger.Stored(cost);
  ASSERT_TRUE(stored.has_value());
  EXPECT_TRUE(stored->stored);
  EXPECT_EQ(stored->release, "r-000001");
  EXPECT_EQ(stored->rows, SmallAnswer().rows);
  EXPECT_EQ(stored->remaining.queries_like_this, 0);
  EXPECT_FALSE(ledger.Stored(CostForSlots(2, 'c'))->has_value());
}

TEST_F(LedgerTest, KeepsNoBytesOfAnswersThatAreNotStorable) {
  Ledger ledger = Open();
  Cost cost = CostForSlots(2, 'a', false);
  ASSERT_TRUE(ledger.Store(std::move(ledger.Reserve(cost)).value(), SmallAnswer()).ok());
  EXPECT_EQ(ledger.State()->releases, 1);
  cost.storable = true;
  EXPECT_FALSE(ledger.Stored(cost)->has_value());
}

TEST_F(LedgerTest, TheFirstStoredAnswerOfAPlanWins) {
  Ledger mine = Open();
  Ledger other = Open();
  const Cost cost = CostForSlots(2);
  Reservation my_paid = std::move(mine.Reserve(cost)).value();
  Reservation other_paid = std::move(other.Reserve(cost)).value();
  ASSERT_TRUE(other.Store(std::move(other_paid), SmallAnswer(2)).ok());
  const Answer mine_stored = *mine.Store(std::move(my_paid), SmallAnswer(1));
  EXPECT_EQ(mine_stored.rows, SmallAnswer(2).rows) << "a plan has one answer";
  EXPECT_FALSE(mine_stored.stored) << "it is paid for";
  const Answer stored = mine.Stored(cost)->value();
  EXPECT_EQ(stored.rows, SmallAnswer(2).rows);
  EXPECT_EQ(stored.release, "r-000002");
  EXPECT_TRUE(mine.Verify().ok());
}

TEST_F(LedgerTest, AReservationOfAnotherLedgerIsABug) {
  Ledger ledger = Open();
  LedgerOptions elsewhere = Options();
  elsewhere.path += "-2";
  Ledger other = std::move(Ledger::Open(elsewhere)).value();
  Reservation paid = std::move(other.Reserve(CostForSlots(2))).value();
  EXPECT_THROW(static_cast<void>(ledger.Store(std::move(paid), SmallAnswer())), Bug);
  EXPECT_TRUE(ledger.Reserve(CostForSlots(2)).ok()) << "a bug leaves no transaction behind";
}

TEST_F(LedgerTest, APlanWithoutCostOrNameIsABug) {
  Ledger ledger = Open();
  Cost free = CostForSlots(2);
  free.by_mechanism = {};
  EXPECT_THROW(static_cast<void>(ledger.Reserve(free)), Bug);
  Cost nameless = CostForSlots(2);
  nameless.plan_digest.clear();
  EXPECT_THROW(static_cast<void>(ledger.Reserve(nameless)), Bug);
}

TEST_F(LedgerTest, APolicyThatDiffersIsRefused) {
  { Open(); }
  LedgerOptions options = Options();
  options.terms.budget.total.epsilon = 2;
  const auto epsilon = Ledger::Open(options);
  ASSERT_FALSE(epsilon.ok());
  EXPECT_EQ(epsilon.error().code, "B404");
  EXPECT_EQ(epsilon.error().exit_code, 3);
  EXPECT_NE(epsilon.error().message.find("epsilon: the ledger has 1, the policy 2"),
            std::string::npos);
  options = Options();
  options.terms.budget.threshold_share = 0.2;
  EXPECT_EQ(Ledger::Open(options).error().code, "B404");
  options = Options();
  options.terms.dataset = "other";
  EXPECT_EQ(Ledger::Open(options).error().code, "B404");
  EXPECT_EQ(OpenFailure(), "no error");
}

TEST_F(LedgerTest, OneMissingFileIsDamage) {
  { ASSERT_TRUE(Open().Reserve(CostForSlots(3)).ok()); }
  copy_file(path() + ".head", path() + ".kept");
  remove(path() + ".head");
  const auto no_head = Ledger::Open(Options());
  ASSERT_FALSE(no_head.ok());
  EXPECT_EQ(no_head.error().code, "L601");
  EXPECT_EQ(no_head.error().exit_code, 5);
  EXPECT_FALSE(std::filesystem::exists(path() + ".head"));
  copy_file(path() + ".kept", path() + ".head");
  EXPECT_EQ(OpenFailure(), "no error");
  remove(path());
  EXPECT_EQ(OpenFailure(), "L601");
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(LedgerTest, AnInterruptedCreationIsFinished) {
  std::ofstream(path() + ".new") << "cut short";
  std::ofstream(path() + ".head.new") << "cut short";
  { Open(); }
  EXPECT_FALSE(std::filesystem::exists(path() + ".new"));
  std::filesystem::rename(path() + ".head", path() + ".head.new");
  EXPECT_TRUE(Open().Verify().ok());
  EXPECT_FALSE(std::filesystem::exists(path() + ".head.new"));
}

TEST_F(LedgerTest, ALogWithoutItsLedgerIsDamage) {
  std::ofstream(path() + "-wal") << "left over";
  EXPECT_EQ(OpenFailure(), "L601");
}

TEST_F(LedgerTest, ARestoredOldCopyIsDamage) {
  { ASSERT_TRUE(Open().Reserve(CostForSlots(3)).ok()); }
  copy_file(path(), path() + ".old");
  { ASSERT_TRUE(Open().Reserve(CostForSlots(3)).ok()); }
  copy_file(path() + ".old", path(), copy_options::overwrite_existing);
  const auto opened = Ledger::Open(Options());
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, "L601");
  EXPECT_NE(opened.error().message.find("old copy"), std::string::npos);
  EXPECT_NE(opened.error().hint.find("put back the newest copies"), std::string::npos);
}

TEST_F(LedgerTest, AnOldOrForeignHeadIsDamage) {
  { ASSERT_TRUE(Open().Reserve(CostForSlots(4)).ok()); }
  const auto one_entry = std::filesystem::file_size(path() + ".head");
  {
    Ledger ledger = Open();
    ASSERT_TRUE(ledger.Reserve(CostForSlots(4)).ok());
    ASSERT_TRUE(ledger.Reserve(CostForSlots(4)).ok());
  }
  resize_file(path() + ".head", one_entry);
  EXPECT_EQ(OpenFailure(), "L601");
  LedgerOptions elsewhere = Options();
  elsewhere.path += "-2";
  std::array<std::uint32_t, 1> skipped{};
  elsewhere.random->Fill(skipped);  // so that its chain is another one from the first hash on
  { ASSERT_TRUE(Ledger::Open(elsewhere)->Reserve(CostForSlots(4)).ok()); }
  copy_file(elsewhere.path + ".head", path() + ".head", copy_options::overwrite_existing);
  EXPECT_EQ(OpenFailure(), "L601");
}

TEST_F(LedgerTest, ATornHeadLineIsCompleted) {
  { ASSERT_TRUE(Open().Reserve(CostForSlots(3)).ok()); }
  const auto whole = std::filesystem::file_size(path() + ".head");
  for (const std::uintmax_t lost : {1U, 40U, 86U}) {
    resize_file(path() + ".head", whole - lost);
    EXPECT_TRUE(Open().Verify().ok()) << lost;
    EXPECT_EQ(std::filesystem::file_size(path() + ".head"), whole);
  }
  std::ofstream(path() + ".head", std::ios::app) << "0000";
  EXPECT_EQ(OpenFailure(), "L601");
}

TEST_F(LedgerTest, AFileReplacedWhileInUseStopsTheLedger) {
  Ledger ledger = Open();
  ASSERT_TRUE(ledger.Reserve(CostForSlots(3)).ok());
  std::filesystem::rename(path(), path() + ".moved");
  EXPECT_EQ(ledger.Reserve(CostForSlots(3)).error().code, "L601");
  EXPECT_EQ(ledger.State().error().code, "L601");
}

// Where the damage shows: when the ledger is opened, when it is verified, or nowhere.
std::string FoundBy(const LedgerOptions& options) {
  Result<Ledger> ledger = Ledger::Open(options);
  if (!ledger.ok()) return "open " + ledger.error().code;
  const Status verified = ledger->Verify();
  return verified.ok() ? "nobody" : "verify " + verified.error().code;
}

TEST_F(LedgerTest, ChangedRowsAreFound) {
  const Cost cost = CostForSlots(9);
  {
    Ledger ledger = Open();
    ASSERT_TRUE(ledger.Store(std::move(ledger.Reserve(cost)).value(), SmallAnswer()).ok());
    ASSERT_TRUE(ledger.Reserve(cost).ok());
    ASSERT_TRUE(ledger.Reserve(cost).ok());
  }
  ASSERT_EQ(FoundBy(Options()), "nobody");
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"UPDATE entries SET analyst = 'bob' WHERE sequence = 1", "open L601"},
      {"UPDATE entries SET charge_mu_squared = '1', spent_mu_squared = '1' WHERE sequence = 1",
       "verify L601"},
      {"UPDATE entries SET spent_mu_squared = '0' WHERE sequence = 4", "open L601"},
      {"UPDATE entries SET spent_mu_squared = 'x' WHERE sequence = 4", "open L601"},
      {"UPDATE entries SET kind = 'gift' WHERE sequence = 4", "open L601"},
      {"DELETE FROM entries WHERE sequence = 4", "open L601"},
      {"DELETE FROM entries WHERE sequence = 2", "open L601"},
      {"DELETE FROM entries", "open L601"},
      {"UPDATE meta SET value = replace(value, 'shop', 'shed') WHERE key = 'terms'", "open L601"},
      {"UPDATE meta SET value = value || '0' WHERE key = 'created'", "open L601"},
      {"UPDATE entries SET analyst_mu_squared = '0' WHERE sequence = 4", "open L601"},
      {"UPDATE entries SET window = 1 WHERE sequence = 2", "verify L601"},
      {"DELETE FROM open_reservations", "verify L601"},
      {"INSERT INTO open_reservations VALUES (1, 'alice')", "verify L601"},
      {"INSERT INTO terms VALUES (3, '{}')", "verify L601"},
      {"UPDATE entries SET kind = 'grant' WHERE sequence = 1", "verify L601"},
      {"UPDATE answers SET bytes = x'7b7d'", "verify L601"},
      {"UPDATE answers SET reservation = 2", "verify L601"},
      {"DELETE FROM answers", "verify L601"},
      {"UPDATE entries SET keeps_answer = 0", "verify L601"},
      {"UPDATE entries SET keeps_answer = 2 WHERE keeps_answer = 1; DELETE FROM answers",
       "verify L601"},
      {"CREATE TRIGGER t AFTER INSERT ON answers BEGIN DELETE FROM answers; END", "open L601"},
      {"DROP INDEX entries_by_reservation", "open L601"},
      {"ANALYZE", "nobody"},
      {"UPDATE entries SET charge_epsilon = '00' WHERE sequence = 1", "verify L601"},
      {"CREATE TEMP TABLE t AS SELECT * FROM entries LIMIT 1; UPDATE t SET sequence = -1, "
       "reservation = 0; INSERT INTO entries SELECT * FROM t",
       "verify L601"},
      {"PRAGMA application_id = 7", "open L601"},
      {"PRAGMA user_version = 1", "open L602"},
      {"DROP TABLE entries", "open L601"},
  };
  copy_file(path(), path() + ".good");
  for (const auto& [change, found_by] : cases) {
    copy_file(path() + ".good", path(), copy_options::overwrite_existing);
    Tamper(path(), change);
    EXPECT_EQ(FoundBy(Options()), found_by) << change;
  }
}

std::string BytesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST_F(LedgerTest, AFlippedByteInTheFileIsFound) {
  {
    Ledger ledger = Open();
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(ledger.Reserve(CostForSlots(9)).ok());
  }
  std::string bytes = BytesOf(path());
  const std::size_t place = bytes.find("alice");
  ASSERT_NE(place, std::string::npos);
  bytes[place] = 'A';
  std::ofstream(path(), std::ios::binary) << bytes;
  EXPECT_NE(FoundBy(Options()), "nobody");
}

// What somebody has spent is found through an index. Whatever bit of it flips: the ledger stops, or
// he has spent what he has.
TEST_F(LedgerTest, ADamagedIndexHidesNoAnalystsSpending) {
  LedgerOptions bob = Options();
  bob.analyst = "bob";
  Purses spent;
  std::int64_t page = 0;
  {
    Ledger ledger = Ledger::Open(bob).value();
    for (int i = 0; i < 6; ++i) ASSERT_TRUE(ledger.Reserve(CostForSlots(30)).ok());
    spent = ledger.State()->analyst_spent;
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(Open().Reserve(CostForSlots(30)).ok());
  }
  {
    SqliteHandle file = SqliteHandle::Open(path(), SqliteHandle::Mode::kOpen).value();
    page = file.QueryInt("SELECT rootpage FROM sqlite_master WHERE name = 'entries_by_analyst'")
               .value();
  }
  constexpr std::size_t kPageSize = 4096;
  const std::string good = BytesOf(path());
  const std::size_t begin = static_cast<std::size_t>(page - 1) * kPageSize;
  std::mt19937 random(3);
  int stopped = 0;
  for (std::size_t place = begin; place < begin + kPageSize; ++place) {
    if (good[place] == 0) continue;  // nearly all of it is empty
    std::string flipped = good;
    flipped[place] = static_cast<char>(flipped[place] ^ (1 << random() % 8));
    std::ofstream(path(), std::ios::binary) << flipped;
    Result<Ledger> ledger = Ledger::Open(bob);
    const Result<BudgetState> state = ledger.ok() ? ledger->State() : ledger.error();
    if (state.ok()) {
      EXPECT_TRUE(state->analyst_spent == spent) << place - begin;
    } else {
      EXPECT_EQ(state.error().code, "L601") << place - begin;
      ++stopped;
    }
  }
  EXPECT_GT(stopped, 50);
}

TEST_F(LedgerTest, AChangedStoredAnswerIsNotHandedOut) {
  const Cost cost = CostForSlots(2);
  {
    Ledger ledger = Open();
    ASSERT_TRUE(ledger.Store(std::move(ledger.Reserve(cost)).value(), SmallAnswer()).ok());
  }
  Tamper(path(),
         "UPDATE answers SET bytes = CAST(replace(CAST(bytes AS TEXT), '30012', '9') AS BLOB)");
  EXPECT_EQ(Open().Stored(cost).error().code, "L601");
}

// Without its bytes the plan would be drawn again, with other noise.
TEST_F(LedgerTest, AMissingStoredAnswerIsDamage) {
  const Cost cost = CostForSlots(2);
  {
    Ledger ledger = Open();
    ASSERT_TRUE(ledger.Store(std::move(ledger.Reserve(cost)).value(), SmallAnswer()).ok());
  }
  Tamper(path(), "DELETE FROM answers");
  EXPECT_EQ(Open().Stored(cost).error().code, "L601");
}

// What stands in the middle of the chain is believed only as far as the head bears it out.
TEST_F(LedgerTest, AnEditedLastRowOfAnAnalystIsDamage) {
  LedgerOptions bob = Options();
  bob.analyst = "bob";
  { ASSERT_TRUE(Ledger::Open(bob)->Reserve(CostForSlots(9)).ok()); }
  {
    Ledger ledger = Open();
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(ledger.Reserve(CostForSlots(9)).ok());
  }
  Tamper(path(), "UPDATE entries SET analyst_mu_squared = '0' WHERE analyst = 'bob'");
  EXPECT_EQ(FoundBy(bob), "open L601");
}

// The last entry says what all have spent, whoever wrote it. A ledger that is open looks, too.
TEST_F(LedgerTest, AnEditedLastEntryIsDamageAtOnce) {
  LedgerOptions bob = Options();
  bob.analyst = "bob";
  Ledger ledger = Open();
  ASSERT_TRUE(ledger.Reserve(CostForSlots(9)).ok());
  ASSERT_TRUE(Ledger::Open(bob)->Reserve(CostForSlots(9)).ok());
  Tamper(path(), "UPDATE entries SET spent_mu_squared = '0' WHERE analyst = 'bob'");
  const auto state = ledger.State();
  ASSERT_FALSE(state.ok());
  EXPECT_EQ(state.error().code, "L601");
  const auto later = ledger.Reserve(CostForSlots(9));
  ASSERT_FALSE(later.ok());
  EXPECT_EQ(later.error().code, "L601");
}

TEST_F(LedgerTest, OnlyItsOwnerCanReadTheFiles) {
  { Open(); }
  using std::filesystem::perms;
  for (const char* suffix : {"", ".head"}) {
    const auto status = std::filesystem::status(path() + suffix);
    EXPECT_EQ(status.permissions(), perms::owner_read | perms::owner_write) << suffix;
  }
}

TEST_F(LedgerTest, AFileThatIsNoDatabaseIsDamage) {
  { Open(); }
  std::ofstream(path()) << std::string(8192, 'x');
  EXPECT_EQ(OpenFailure(), "L601");
}

TEST_F(LedgerTest, UnusablePathsAreStorageErrors) {
  LedgerOptions options = Options();
  options.path = directory_ / "missing" / "ledger";
  EXPECT_EQ(Ledger::Open(options).error().code, "L602");
  options.path = directory_;
  EXPECT_EQ(Ledger::Open(options).error().code, "L602");
  options.path = "";
  EXPECT_EQ(Ledger::Open(options).error().code, "L602");
}

TEST_F(LedgerTest, AReadOnlyLedgerIsAStorageError) {
  { Open(); }
  using std::filesystem::perms;
  for (const char* suffix : {"", ".head"}) {
    std::filesystem::permissions(path() + suffix, perms::owner_read | perms::others_read);
  }
  std::filesystem::permissions(directory_,
                               perms::owner_all | perms::others_read | perms::others_exec);
  const int code = InChild([&] {
    if (::geteuid() == 0 && ::setuid(65534) != 0) return 1;
    return OpenFailure() == "L602" ? 0 : 2;
  });
  EXPECT_EQ(code, 0);
}

// Behind the wait for the lock: nothing is left that has not ended.
TEST_F(LedgerTest, WhatIsWithdrawnAtTheLastMomentCostsNothing) {
  LedgerOptions options = Options();
  options.terms.aborts_allowed = 1;
  Ledger ledger = std::move(Ledger::Open(options)).value();
  const Cost cost = CostForSlots(1);
  const auto withdrawn = []() -> Status { return MakeError(ErrorCode::kWithdrawn, "withdrawn"); };
  EXPECT_EQ(ledger.Reserve(cost, withdrawn).error().code, CodeOf(ErrorCode::kWithdrawn));
  EXPECT_EQ(ledger.State()->spent, Purses{});
  EXPECT_TRUE(ledger.Reserve(cost).ok()) << "it does not count as running";
}

}  // namespace
}  // namespace dpsql
