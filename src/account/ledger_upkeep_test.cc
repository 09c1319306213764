// Copies of a ledger, the full check of its files, and ledgers of an older version.
#include "account/ledger_upkeep.h"

#include <atomic>
#include <thread>
#include <utility>

#include "account/entry_rows.h"
#include "account/head_file.h"
#include "account/ledger_files.h"
#include "account/ledger_owner.h"
#include "account/sqlite_handle.h"
#include "support/ledger_fixture.h"

namespace dpsql {
namespace {

namespace fs = std::filesystem;

class LedgerUpkeepTest : public LedgerTest {
 protected:
  void Ask(int questions, char digest = 'a') {
    Ledger ledger = Open();
    for (int i = 0; i < questions; ++i) {
      Result<Reservation> paid = ledger.Reserve(CostForSlots(100'000, digest, false));
      ASSERT_TRUE(paid.ok()) << paid.error().message;
      ASSERT_TRUE(ledger.Store(std::move(paid).value(), SmallAnswer()).ok());
    }
  }

  // A ledger as the program before revocations wrote it.
  std::string OldLedger() const {
    for (const char* suffix : {"", ".head"}) {
      fs::copy_file(DPSQL_SOURCE_DIR "/tests/databases/version2.ledger" + std::string(suffix),
                    path() + suffix);
    }
    return path();
  }

  std::string copy() const { return directory_ / "copy"; }

  static std::int64_t VersionOf(const std::string& path) {
    auto database = SqliteHandle::Open(path, SqliteHandle::Mode::kOpen);
    return *database->QueryInt("PRAGMA user_version");
  }
};

template <typename T>
std::string CodeOf(const Result<T>& result) {
  return result.ok() ? "ok" : result.error().code;
}

TEST_F(LedgerUpkeepTest, ABackupIsTheSameLedger) {
  Ask(3);
  const auto original = VerifyLedgerFiles(path(), "");
  const auto backup = BackUpLedgerFiles(path(), copy());
  ASSERT_TRUE(backup.ok()) << backup.error().message;
  EXPECT_EQ(backup->last.hash, original->last.hash);
  EXPECT_EQ(backup->last.sequence, 6);
  const auto again = VerifyLedgerFiles(copy(), "");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->last.hash, original->last.hash);
  const auto readable = fs::perms::group_all | fs::perms::others_all;
  EXPECT_EQ(fs::status(copy()).permissions() & readable, fs::perms::none);
  EXPECT_EQ(fs::status(copy() + ".head").permissions() & readable, fs::perms::none);
  EXPECT_FALSE(fs::exists(copy() + ".new"));
  EXPECT_FALSE(fs::exists(copy() + "-wal"));
}

TEST_F(LedgerUpkeepTest, ABackupOverwritesNothing) {
  Ask(1);
  for (const char* suffix : {"", ".head", "-wal"}) {
    std::ofstream(copy() + suffix) << "something";
    EXPECT_EQ(CodeOf(BackUpLedgerFiles(path(), copy())), "L605") << suffix;
    std::string kept;
    std::ifstream(copy() + suffix) >> kept;
    EXPECT_EQ(kept, "something");
    fs::remove(copy() + suffix);
  }
  EXPECT_EQ(CodeOf(BackUpLedgerFiles(path(), path())), "L605") << "nor itself";
  EXPECT_EQ(CodeOf(BackUpLedgerFiles(path(), copy())), "ok");
}

// Whatever the copy is called, also where the ledger itself has a name that a copy might get.
TEST_F(LedgerUpkeepTest, ACopyRemovesNoFileThatItDidNotMake) {
  Ask(1);
  std::ofstream(copy() + ".new") << "precious";
  EXPECT_EQ(CodeOf(BackUpLedgerFiles(path(), copy())), "ok");
  EXPECT_EQ(fs::file_size(copy() + ".new"), 8u);
  fs::rename(path(), copy() + "2.new");
  fs::rename(path() + ".head", copy() + "2.new.head");
  EXPECT_EQ(CodeOf(BackUpLedgerFiles(copy() + "2.new", copy() + "2")), "ok");
  EXPECT_EQ(CodeOf(VerifyLedgerFiles(copy() + "2.new", "")), "ok");
  for (const auto& entry : fs::directory_iterator(directory_)) {
    EXPECT_TRUE(entry.is_regular_file()) << entry.path();
  }
}

TEST_F(LedgerUpkeepTest, ACopyTakesNoNameOfTheLedgersOwnFiles) {
  Ask(1);
  for (const char* suffix : {"", "-journal", "-wal", "-shm", ".head", ".incidents"}) {
    EXPECT_EQ(CodeOf(BackUpLedgerFiles(path(), path() + suffix)), "L605") << suffix;
  }
  EXPECT_EQ(CodeOf(VerifyLedgerFiles(path(), "")), "ok");
}

TEST_F(LedgerUpkeepTest, NothingIsMadeWhereThereIsNoLedger) {
  EXPECT_EQ(CodeOf(VerifyLedgerFiles(path(), "")), "L604");
  EXPECT_EQ(CodeOf(BackUpLedgerFiles(path(), copy())), "L604");
  EXPECT_EQ(CodeOf(UpgradeLedgerFiles(path())), "L604");
  EXPECT_TRUE(fs::is_empty(directory_));
}

// Every backup that is taken while others write is a ledger that was, whole.
TEST_F(LedgerUpkeepTest, BackupsAreConsistentWhileOthersWrite) {
  Ask(1);
  std::atomic<bool> enough = false;
  std::thread writer([&] {
    Ledger ledger = Open();
    for (int i = 0; i < 300 && !enough; ++i) {
      Result<Reservation> paid = ledger.Reserve(CostForSlots(1'000'000, 'a', false));
      ASSERT_TRUE(paid.ok()) << paid.error().message;
      ASSERT_TRUE(ledger.Store(std::move(paid).value(), SmallAnswer()).ok());
    }
  });
  std::int64_t last = 0;
  for (int i = 0; i < 4; ++i) {
    const std::string file = copy() + std::to_string(i);
    const auto backup = BackUpLedgerFiles(path(), file);
    EXPECT_TRUE(backup.ok()) << backup.error().message;
    if (!backup.ok()) break;
    EXPECT_GE(backup->last.sequence, last);
    last = backup->last.sequence;
    EXPECT_EQ(CodeOf(VerifyLedgerFiles(path(), file + ".head")), "ok") << "it went on from there";
  }
  enough = true;
  writer.join();
  EXPECT_EQ(CodeOf(VerifyLedgerFiles(path(), "")), "ok");
}

TEST_F(LedgerUpkeepTest, AnOldCopyPutBackAloneIsDamage) {
  Ask(1);
  ASSERT_TRUE(BackUpLedgerFiles(path(), copy()).ok());
  Ask(1);
  fs::copy_file(copy(), path(), fs::copy_options::overwrite_existing);
  EXPECT_EQ(CodeOf(VerifyLedgerFiles(path(), "")), "L601");
  EXPECT_EQ(OpenFailure(), "L601");
}

// Both files together are a ledger like any other: only a head file kept elsewhere knows better.
TEST_F(LedgerUpkeepTest, AHeadFileKeptElsewhereShowsAnOldCopyOfBoth) {
  Ask(1);
  ASSERT_TRUE(BackUpLedgerFiles(path(), copy()).ok());
  Ask(1);
  const std::string kept = directory_ / "kept";
  fs::copy_file(path() + ".head", kept);
  EXPECT_EQ(CodeOf(VerifyLedgerFiles(path(), kept)), "ok");
  for (const char* suffix : {"", ".head"}) {
    fs::copy_file(copy() + suffix, path() + suffix, fs::copy_options::overwrite_existing);
  }
  EXPECT_EQ(CodeOf(VerifyLedgerFiles(path(), "")), "ok");
  EXPECT_EQ(CodeOf(VerifyLedgerFiles(path(), kept)), "L601");
  Ask(2, 'b');
  EXPECT_EQ(CodeOf(VerifyLedgerFiles(path(), kept)), "L601") << "as long, but another chain";
}

TEST_F(LedgerUpkeepTest, ADamagedLedgerHasNoBackup) {
  Ask(3);
  {
    auto database = SqliteHandle::Open(path(), SqliteHandle::Mode::kOpen);
    ASSERT_TRUE(database->Execute("UPDATE entries SET spent_delta = '0' WHERE sequence = 2").ok());
  }
  EXPECT_EQ(CodeOf(VerifyLedgerFiles(path(), "")), "L601");
  EXPECT_EQ(CodeOf(BackUpLedgerFiles(path(), copy())), "L601");
  EXPECT_EQ(CodeOf(UpgradeLedgerFiles(path())), "L601");
  for (const auto& file : fs::directory_iterator(directory_)) {
    EXPECT_EQ(file.path().filename().string().find("copy"), std::string::npos) << file.path();
  }
}

class LedgerForgeryTest : public LedgerUpkeepTest {
 protected:
  // Two questions that never ended: alice's, then bob's.
  void ReserveTwice() const {
    for (const char* analyst : {"alice", "bob"}) {
      LedgerOptions options = Options();
      options.analyst = analyst;
      ASSERT_TRUE(Ledger::Open(options)->Reserve(CostForSlots(9)).ok());
    }
  }

  // An end of bob's reservation by alice, as the product never writes it, with hashes that hold.
  void ForgeAnEnd(EntryKind kind) const {
    auto database = SqliteHandle::Open(path(), SqliteHandle::Mode::kOpen);
    EntryRows rows(*database, path());
    const Standing standing{.last = rows.At(2)->value(), .analyst_last = rows.At(1)->value()};
    Event event{.kind = kind};
    event.reservation = 2;
    event.analyst = "alice";
    event.plan_digest = standing.last.event.plan_digest;
    const Entry forged = NextEntry(standing, {}, event, 3);
    ASSERT_TRUE(rows.Insert(forged).ok());
    ASSERT_TRUE(database->Execute("DELETE FROM open_reservations WHERE reservation = 2").ok());
    HeadFile head = std::move(HeadFile::Open(path() + ".head")).value();
    const HeadLine line{.sequence = 3, .hash = forged.hash};
    ASSERT_TRUE(head.Append({&line, 1}).ok());
  }

  std::int64_t Entries() const { return ReadLedger(Options(), 0)->entries; }
};

TEST_F(LedgerForgeryTest, TheFullCheckFindsAnEndByAnotherAnalyst) {
  for (const EntryKind kind : {EntryKind::kStore, EntryKind::kAbort, EntryKind::kCancel}) {
    fs::remove_all(directory_);
    fs::create_directory(directory_);
    ReserveTwice();
    EXPECT_EQ(CodeOf(VerifyLedgerFiles(path(), "")), "ok");
    ForgeAnEnd(kind);
    EXPECT_EQ(CodeOf(VerifyLedgerFiles(path(), "")), "L601") << ToText(kind);
  }
}

// The end of alice's own would leave her less than none. A row that says so could not be read
// again, and with it the whole ledger.
TEST_F(LedgerForgeryTest, NothingIsWrittenThatCannotBeReadAgain) {
  ReserveTwice();
  ForgeAnEnd(EntryKind::kAbort);
  const Status pardoned = PardonAnalyst(Options(), "alice");
  ASSERT_FALSE(pardoned.ok());
  EXPECT_EQ(pardoned.error().code, "L601");
  EXPECT_EQ(OpenFailure(), "no error");
  EXPECT_EQ(Entries(), 3);
}

TEST_F(LedgerForgeryTest, ARowHoldsNoCountThatNobodyReads) {
  ReserveTwice();
  auto database = SqliteHandle::Open(path(), SqliteHandle::Mode::kOpen);
  EntryRows rows(*database, path());
  Entry next = rows.At(2)->value();
  next.sequence = 3;
  next.event.reservation = 3;
  const std::int64_t last = next.analyst_aborts;
  for (const std::int64_t count : {std::int64_t{-1}, kMostCount + 1}) {
    next.analyst_aborts = count;
    const Status written = rows.Insert(next);
    EXPECT_EQ(written.ok() ? "ok" : written.error().code, "L601") << count;
  }
  next.analyst_aborts = last;
  EXPECT_TRUE(rows.Insert(next).ok());
  EXPECT_TRUE(rows.At(3)->has_value());
}

TEST_F(LedgerUpkeepTest, AnOlderLedgerIsUsedAsItIsAndUpgradedOnce) {
  const std::string old = OldLedger();
  const auto before = VerifyLedgerFiles(old, "");
  ASSERT_TRUE(before.ok()) << before.error().message;
  EXPECT_EQ(before->version, 2);
  EXPECT_EQ(before->last.sequence, 9);
  EXPECT_EQ(*UpgradeLedgerFiles(old), 2);
  const auto after = VerifyLedgerFiles(old, "");
  EXPECT_EQ(after->version, kLedgerSchemaVersion);
  EXPECT_EQ(after->last.hash, before->last.hash) << "no entry is touched";
  EXPECT_EQ(*UpgradeLedgerFiles(old), kLedgerSchemaVersion);
}

TEST_F(LedgerUpkeepTest, ARevocationUpgradesAnOlderLedger) {
  LedgerOptions options = Options();
  options.path = OldLedger();
  ASSERT_TRUE(PardonAnalyst(options, "alice").ok());
  EXPECT_EQ(VersionOf(path()), 2) << "of what was there before nothing asks for it";
  ASSERT_TRUE(RevokeSpending(options, "alice").ok());
  EXPECT_EQ(VersionOf(path()), 3);
  EXPECT_EQ(CodeOf(VerifyLedgerFiles(path(), "")), "ok");
  {
    auto database = SqliteHandle::Open(path(), SqliteHandle::Mode::kOpen);
    ASSERT_TRUE(database->Execute("PRAGMA user_version = 2").ok());
  }
  EXPECT_EQ(CodeOf(VerifyLedgerFiles(path(), "")), "L601") << "older than its entries";
}

TEST_F(LedgerUpkeepTest, AVersionThatNobodyKnowsIsRefused) {
  Ask(1);
  for (const char* version : {"PRAGMA user_version = 1", "PRAGMA user_version = 4"}) {
    {
      auto database = SqliteHandle::Open(path(), SqliteHandle::Mode::kOpen);
      ASSERT_TRUE(database->Execute(version).ok());
    }
    EXPECT_EQ(OpenFailure(), "L602") << version;
    EXPECT_EQ(CodeOf(UpgradeLedgerFiles(path())), "L602") << version;
  }
}

}  // namespace
}  // namespace dpsql
