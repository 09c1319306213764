// The owner stops spending: who is refused what, from when on, and what a crash leaves of it.
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "account/journal.h"
#include "account/ledger.h"
#include "account/ledger_owner.h"
#include "base/error_codes.h"
#include "base/sha256.h"
#include "support/ledger_fixture.h"

namespace dpsql {
namespace {

class LedgerRevokeTest : public LedgerTest {
 protected:
  LedgerOptions OptionsOf(const std::string& analyst) const {
    LedgerOptions options = Options();
    options.terms.analysts = shares_;
    options.analyst = analyst;
    return options;
  }

  Ledger OpenFor(const std::string& analyst) const {
    Result<Ledger> ledger = Ledger::Open(OptionsOf(analyst));
    EXPECT_TRUE(ledger.ok()) << (ledger.ok() ? "" : ledger.error().message);
    return std::move(ledger).value();
  }

  std::string OpenCode(const std::string& analyst) const {
    const Result<Ledger> ledger = Ledger::Open(OptionsOf(analyst));
    return ledger.ok() ? "ok" : ledger.error().code;
  }

  Cost OneOf(unsigned slots, char digest = 'a') const { return CostForSlots(slots, digest, true); }

  // Pays and stores, so that the answer is kept.
  static void Ask(Ledger& ledger, const Cost& cost) {
    Result<Reservation> paid = ledger.Reserve(cost);
    ASSERT_TRUE(paid.ok()) << paid.error().message;
    ASSERT_TRUE(ledger.Store(std::move(paid).value(), SmallAnswer()).ok());
  }

  std::int64_t Entries() const { return ReadLedger(OptionsOf("owner"), 0)->entries; }

  std::map<std::string, EpsilonDelta> shares_;
};

std::string Code(const Status& status) { return status.ok() ? "ok" : status.error().code; }

template <typename T>
std::string CodeOf(const Result<T>& result) {
  return result.ok() ? "ok" : result.error().code;
}

TEST_F(LedgerRevokeTest, WhoIsNamedGetsNothingMoreAndTheOthersGoOn) {
  Ledger alice = OpenFor("alice");
  Ledger bob = OpenFor("bob");
  const Cost cost = OneOf(20);
  Ask(alice, cost);
  Ask(bob, OneOf(20, 'b'));
  ASSERT_EQ(Code(RevokeSpending(OptionsOf("owner"), "alice")), "ok");

  const auto refused = alice.Reserve(OneOf(20, 'c'));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "B409");
  EXPECT_EQ(refused.error().sqlstate, "42501");
  EXPECT_EQ(refused.error().exit_code, 3);
  EXPECT_EQ(CodeOf(alice.Stored(cost)), "B409") << "not even what she paid for herself";
  EXPECT_EQ(CodeOf(alice.Stored(OneOf(20, 'b'))), "B409");
  EXPECT_EQ(OpenCode("alice"), "B409");

  EXPECT_EQ(CodeOf(bob.Reserve(OneOf(20, 'd'))), "ok") << "opened before, and not concerned";
  EXPECT_TRUE(bob.Stored(cost)->has_value());
  EXPECT_TRUE(bob.Verify().ok());
}

// Behind the wait for the ledger, as a question of his own.
TEST_F(LedgerRevokeTest, AShareIsNotChargedForAnAnswerThatIsWithdrawnAtTheLastMoment) {
  shares_ = {{"alice", {.epsilon = 0.9, .delta = 9e-7}}, {"bob", {.epsilon = 0.9, .delta = 9e-7}}};
  Ledger alice = OpenFor("alice");
  const Cost cost = OneOf(40);
  Ask(alice, cost);
  Ledger bob = OpenFor("bob");
  const std::int64_t before = Entries();
  const auto withdrawn = []() -> Status { return MakeError(ErrorCode::kWithdrawn, "withdrawn"); };
  EXPECT_EQ(CodeOf(bob.Stored(cost, nullptr, withdrawn)), "B410");
  EXPECT_EQ(Entries(), before);
  EXPECT_TRUE(bob.Stored(cost)->has_value());
  EXPECT_TRUE(bob.Stored(cost, nullptr, withdrawn)->has_value()) << "it is paid for";
}

TEST_F(LedgerRevokeTest, WhenAllAreStoppedWhatIsPaidForStaysFree) {
  shares_ = {{"alice", {.epsilon = 0.9, .delta = 9e-7}}, {"bob", {.epsilon = 0.9, .delta = 9e-7}}};
  Ledger alice = OpenFor("alice");
  const Cost cost = OneOf(40);
  Ask(alice, cost);
  ASSERT_EQ(Code(RevokeSpending(OptionsOf("owner"), "")), "ok");

  EXPECT_EQ(CodeOf(alice.Reserve(OneOf(40, 'b'))), "B409");
  EXPECT_TRUE(alice.Stored(cost)->has_value());
  EXPECT_TRUE(OpenFor("alice").Stored(cost)->has_value());
  EXPECT_EQ(CodeOf(OpenFor("bob").Stored(cost)), "B409") << "his share would have to pay";
  EXPECT_TRUE(alice.State()->analyst_spent == cost.by_mechanism);

  ASSERT_EQ(Code(GrantTerms(OptionsOf("owner"))), "ok");
  EXPECT_TRUE(OpenFor("bob").Stored(cost)->has_value());
  EXPECT_EQ(CodeOf(alice.Reserve(OneOf(40, 'b'))), "ok") << "with the ledger she had open";
  EXPECT_TRUE(alice.Verify().ok());
}

TEST_F(LedgerRevokeTest, AGrantForAllDoesNotAdmitWhoIsNamed) {
  Ledger alice = OpenFor("alice");
  Ask(alice, OneOf(20));
  ASSERT_TRUE(RevokeSpending(OptionsOf("owner"), "alice").ok());
  ASSERT_TRUE(RevokeSpending(OptionsOf("owner"), "").ok());
  ASSERT_TRUE(GrantTerms(OptionsOf("owner")).ok());
  EXPECT_EQ(OpenCode("alice"), "B409");
  EXPECT_EQ(OpenCode("bob"), "ok");
  ASSERT_TRUE(AdmitAnalyst(OptionsOf("owner"), "alice").ok());
  EXPECT_EQ(CodeOf(alice.Reserve(OneOf(20, 'b'))), "ok");
  EXPECT_TRUE(alice.Verify().ok());
}

TEST_F(LedgerRevokeTest, AdmittingOneDoesNotStartTheOthers) {
  Ledger alice = OpenFor("alice");
  Ask(alice, OneOf(20));
  ASSERT_TRUE(RevokeSpending(OptionsOf("owner"), "alice").ok());
  ASSERT_TRUE(RevokeSpending(OptionsOf("owner"), "").ok());
  ASSERT_TRUE(AdmitAnalyst(OptionsOf("owner"), "alice").ok());
  EXPECT_EQ(CodeOf(OpenFor("alice").Reserve(OneOf(20, 'b'))), "B409");
}

// The pen slips: a name that nobody bears must not look as if it had been stopped.
TEST_F(LedgerRevokeTest, AnUnknownNameIsToldAndNothingIsWritten) {
  Ledger alice = OpenFor("alice");
  Ask(alice, OneOf(20));
  const std::int64_t before = Entries();
  EXPECT_EQ(Code(RevokeSpending(OptionsOf("owner"), "alic")), "B403");
  EXPECT_EQ(Code(AdmitAnalyst(OptionsOf("owner"), "alic")), "B403");
  EXPECT_EQ(Code(AdmitAnalyst(OptionsOf("owner"), "alice")), "ok") << "nothing to lift";
  EXPECT_EQ(Entries(), before);
  ASSERT_TRUE(RevokeSpending(OptionsOf("owner"), "alice").ok());
  ASSERT_TRUE(RevokeSpending(OptionsOf("owner"), "alice").ok());
  EXPECT_EQ(Entries(), before + 1) << "once is enough";
}

TEST_F(LedgerRevokeTest, WhoIsListedCanBeRevokedBeforeHeAsks) {
  shares_ = {{"alice", {.epsilon = 0.5, .delta = 5e-7}}, {"bob", {.epsilon = 0.5, .delta = 5e-7}}};
  OpenFor("alice");
  ASSERT_TRUE(RevokeSpending(OptionsOf("owner"), "bob").ok());
  EXPECT_EQ(OpenCode("bob"), "B409");
  EXPECT_EQ(OpenCode("carol"), "B403");
}

TEST_F(LedgerRevokeTest, AnUnlistedNameGetsNoStoredAnswer) {
  Ledger alice = OpenFor("alice");
  const Cost cost = OneOf(40);
  Ask(alice, cost);
  Ledger carol = OpenFor("carol");
  EXPECT_TRUE(carol.Stored(cost)->has_value()) << "as long as nobody is listed";
  shares_ = {{"alice", {.epsilon = 0.9, .delta = 9e-7}}};
  ASSERT_TRUE(GrantTerms(OptionsOf("owner")).ok());
  EXPECT_EQ(CodeOf(carol.Stored(cost)), "B404");
  EXPECT_EQ(OpenCode("carol"), "B403");
}

TEST_F(LedgerRevokeTest, AQueryThatRunsEndsNormally) {
  Ledger alice = OpenFor("alice");
  Result<Reservation> answered = alice.Reserve(OneOf(20, 'a'));
  Result<Reservation> cancelled = alice.Reserve(OneOf(20, 'b'));
  ASSERT_TRUE(RevokeSpending(OptionsOf("owner"), "alice").ok());
  const auto answer = alice.Store(std::move(answered).value(), SmallAnswer());
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->rows, SmallAnswer().rows);
  EXPECT_TRUE(alice.Abandon(std::move(cancelled).value(), Ending::kCancelled).ok());
  const auto report = ReadLedger(OptionsOf("owner"), 0);
  EXPECT_EQ(report->releases, 1);
  EXPECT_EQ(report->reservations, 2);
  EXPECT_TRUE(alice.Verify().ok());
}

// Those who reserve and the one who revokes are decided in one order: behind the revocation there
// is no reservation of that analyst, before it each is charged.
TEST_F(LedgerRevokeTest, NothingIsReservedBehindARevocation) {
  Ledger alice = OpenFor("alice");
  Ledger bob = OpenFor("bob");
  Ask(alice, OneOf(100'000, 'x'));
  std::atomic<int> admitted{0};
  const auto ask = [&](Ledger& ledger, char digest) {
    for (int i = 0; i < 40; ++i) {
      const auto paid = ledger.Reserve(OneOf(100'000, digest));
      const std::string code = CodeOf(paid);
      EXPECT_TRUE(code == "ok" || code == "B409") << code;
      if (paid.ok()) ++admitted;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { ask(alice, 'a'); });
  threads.emplace_back([&] { ask(bob, 'b'); });
  while (admitted < 10) std::this_thread::yield();
  EXPECT_TRUE(RevokeSpending(OptionsOf("owner"), "alice").ok());
  for (std::thread& thread : threads) thread.join();

  std::int64_t reserved = 0;
  bool revoked = false;
  ASSERT_TRUE(VisitHistory(OptionsOf("owner"), {}, [&](const std::vector<Entry>& page) {
                for (const Entry& entry : page) {
                  if (entry.event.kind == EntryKind::kRevoke) revoked = true;
                  const bool reserve = entry.event.kind == EntryKind::kReserve;
                  // Newest first: what comes before the revocation here was written behind it.
                  EXPECT_TRUE(revoked || !reserve || entry.event.analyst == "bob");
                  reserved += reserve ? 1 : 0;
                }
              }).ok());
  EXPECT_TRUE(revoked);
  EXPECT_EQ(reserved, admitted + 1) << "and the first one";
  EXPECT_TRUE(alice.Verify().ok());
}

// At each point of the write a revocation is whole or absent, and what is committed is in force.
TEST_F(LedgerRevokeTest, ACrashLeavesAWholeRevocationOrNone) {
  for (const std::string point : {"locked", "inserted", "committed", "appended", "done"}) {
    {
      Ledger alice = OpenFor("alice");
      Ask(alice, OneOf(1000, 'x'));
    }
    const int code = InChild([&] {
      LedgerOptions options = OptionsOf("owner");
      options.at_point = [&](std::string_view reached) {
        if (reached == point) ::_exit(42);
      };
      static_cast<void>(RevokeSpending(options, "alice"));
      return 0;
    });
    ASSERT_EQ(code, 42) << point;
    const bool committed = point != "locked" && point != "inserted";
    EXPECT_EQ(OpenCode("alice"), committed ? "B409" : "ok") << point;
    Ledger bob = OpenFor("bob");
    EXPECT_TRUE(bob.Verify().ok()) << point;
    ASSERT_TRUE(committed ? AdmitAnalyst(OptionsOf("owner"), "alice").ok() : true);
  }
}

// What a revocation says is part of the chain: lifted by hand it is damage.
TEST_F(LedgerRevokeTest, ARevocationThatIsEditedAwayIsFound) {
  {
    Ledger alice = OpenFor("alice");
    Ask(alice, OneOf(20));
  }
  const std::string bare = ToText(ReadLedger(OptionsOf("owner"), 0)->fixed);
  ASSERT_TRUE(RevokeSpending(OptionsOf("owner"), "alice").ok());
  {
    auto database = SqliteHandle::Open(path(), SqliteHandle::Mode::kOpen);
    auto edit = database->Prepare("UPDATE terms SET text = ?");
    ASSERT_TRUE(edit->Bind(bare).Run().ok());
  }
  EXPECT_EQ(OpenCode("alice"), "L601");
  EXPECT_EQ(OpenCode("bob"), "L601");
}

// A chain whose hashes all hold, but whose revocation revokes nobody, or more than it says.
TEST_F(LedgerRevokeTest, TheFullCheckRepeatsWhatARevocationDoes) {
  for (const std::string text_of : {"nobody", "somebody else"}) {
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directory(directory_);
    {
      Ledger alice = OpenFor("alice");
      Ask(alice, OneOf(20));
    }
    auto journal = Journal::OpenExisting(path());
    ASSERT_TRUE(journal.ok());
    const FixedTerms before = (*journal)->ReadTerms()->fixed;
    const auto forge = [&](JournalView&) -> Result<std::optional<Draft>> {
      Draft draft;
      draft.event.kind = EntryKind::kRevoke;
      draft.event.analyst = "alice";
      draft.terms = ToText(text_of == "nobody" ? before : RevokedTerms(before, "bob"));
      draft.event.payload_digest = Sha256Hex(*draft.terms);
      return std::optional(std::move(draft));
    };
    ASSERT_TRUE((*journal)->Append(forge).ok());
    EXPECT_EQ(CodeOf((*journal)->Verify()), "L601") << text_of;
  }
}

TEST_F(LedgerRevokeTest, TheReportNamesWhoIsRevoked) {
  Ledger alice = OpenFor("alice");
  Ask(alice, OneOf(20));
  ASSERT_TRUE(RevokeSpending(OptionsOf("owner"), "alice").ok());
  const auto report = ReadLedger(OptionsOf("owner"), 10);
  EXPECT_TRUE(report->fixed.revoked.analysts.contains("alice"));
  EXPECT_FALSE(report->fixed.revoked.everybody);
  EXPECT_EQ(report->history.front().event.kind, EntryKind::kRevoke);
  EXPECT_EQ(report->history.front().event.analyst, "alice");
}

TEST_F(LedgerRevokeTest, TheHistoryComesNewestFirstInPartsAndByAnalyst) {
  Ledger alice = OpenFor("alice");
  Ledger bob = OpenFor("bob");
  Ask(alice, OneOf(20, 'a'));
  Ask(bob, OneOf(20, 'b'));
  Ask(alice, OneOf(20, 'c'));
  const auto numbers = [&](const HistoryPart& part) {
    std::vector<std::int64_t> found;
    EXPECT_TRUE(VisitHistory(OptionsOf("owner"), part, [&](const std::vector<Entry>& page) {
                  for (const Entry& entry : page) found.push_back(entry.sequence);
                }).ok());
    return found;
  };
  using Numbers = std::vector<std::int64_t>;
  EXPECT_EQ(numbers({}), (Numbers{6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(numbers({.analyst = "alice"}), (Numbers{6, 5, 2, 1}));
  EXPECT_EQ(numbers({.limit = 2}), (Numbers{6, 5}));
  EXPECT_EQ(numbers({.before = 5, .limit = 3}), (Numbers{4, 3, 2}));
  EXPECT_EQ(numbers({.analyst = "alice", .before = 5}), (Numbers{2, 1}));
  EXPECT_EQ(numbers({.analyst = "carol"}), Numbers{});
}

}  // namespace
}  // namespace dpsql
