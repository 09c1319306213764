// Who may spend how much, and when: accountants, analysts' own caps, windows, grants, lock-outs.
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "account/ledger.h"
#include "account/ledger_owner.h"
#include "base/error_codes.h"
#include "privacy/fixed_point.h"
#include "support/ledger_fixture.h"

namespace dpsql {
namespace {

constexpr std::int64_t kDay = 86'400;
constexpr std::int64_t kStart = 1'800'000'000;

class LedgerTermsTest : public LedgerTest {
 protected:
  LedgerOptions OptionsOf(const std::string& analyst) const {
    LedgerOptions options = Options();
    options.terms = terms_;
    options.analyst = analyst;
    options.clock = [this] { return now_; };
    return options;
  }

  Ledger OpenFor(const std::string& analyst) const {
    Result<Ledger> ledger = Ledger::Open(OptionsOf(analyst));
    EXPECT_TRUE(ledger.ok()) << (ledger.ok() ? "" : ledger.error().message);
    return std::move(ledger).value();
  }

  // A cost of which `slots` fit the dataset's budget under its accountant.
  Cost Slot(unsigned slots, char digest = 'a', bool storable = true) const {
    const Purses caps = CapsOf(terms_.budget);
    Cost cost = CostForSlots(slots, digest, storable);
    const Purses part = {.mu_squared = caps.mu_squared / slots,
                         .delta = caps.delta / slots,
                         .epsilon = caps.epsilon / slots};
    (terms_.budget.accountant == Accountant::kBasic ? cost.by_claim : cost.by_mechanism) = part;
    return cost;
  }

  static std::string Code(const Result<Reservation>& reserved) {
    return reserved.ok() ? "ok" : reserved.error().code;
  }

  BudgetTerms terms_ = {.dataset = "shop",
                        .budget = {.total = {.epsilon = 1.0, .delta = 1e-6}},
                        .aborts_allowed = 1000};
  std::int64_t now_ = kStart;
};

TEST_F(LedgerTermsTest, EveryAccountantAdmitsExactlyWhatFits) {
  for (const Accountant accountant : {Accountant::kGdp, Accountant::kRdp, Accountant::kBasic}) {
    terms_.budget.accountant = accountant;
    terms_.dataset = ToText(accountant);
    LedgerOptions options = OptionsOf("alice");
    options.path += std::string(ToText(accountant));
    Ledger ledger = std::move(Ledger::Open(options)).value();
    std::vector<Reservation> paid;
    for (int i = 0; i < 5; ++i) {
      EXPECT_EQ(ledger.RemainingFor(Slot(5))->queries_like_this, 5 - i) << ToText(accountant);
      paid.push_back(std::move(ledger.Reserve(Slot(5))).value());
    }
    EXPECT_EQ(Code(ledger.Reserve(Slot(5))), "B402") << ToText(accountant);
    EXPECT_TRUE(ledger.Verify().ok());
  }
}

TEST_F(LedgerTermsTest, AnAnalystStopsAtHisOwnCapAndTheOthersGoOn) {
  terms_.analysts = {{"alice", {.epsilon = 0.5, .delta = 5e-7}},
                     {"bob", {.epsilon = 1, .delta = 1e-6}}};
  Ledger alice = OpenFor("alice");
  Ledger bob = OpenFor("bob");
  const Cost cost = Slot(40, 'a', false);
  std::vector<Reservation> paid;
  const std::int64_t fits = alice.RemainingFor(cost)->queries_like_this;
  EXPECT_GT(fits, 5);
  EXPECT_LT(fits, 20) << "mu^2 falls with the square of epsilon";
  for (std::int64_t i = 0; i < fits; ++i) paid.push_back(std::move(alice.Reserve(cost)).value());
  const auto refused = alice.Reserve(cost);
  EXPECT_EQ(Code(refused), "B402");
  EXPECT_NE(refused.error().message.find("analyst alice"), std::string::npos);
  EXPECT_EQ(bob.RemainingFor(cost)->queries_like_this, 40 - fits);
  EXPECT_TRUE(bob.Reserve(cost).ok());
  EXPECT_TRUE(bob.Verify().ok());
}

TEST_F(LedgerTermsTest, WhoIsNotListedGetsNothing) {
  terms_.analysts = {{"alice", {.epsilon = 0.5, .delta = 5e-7}}};
  const auto carol = Ledger::Open(OptionsOf("carol"));
  ASSERT_FALSE(carol.ok());
  EXPECT_EQ(carol.error().code, "B403");
  EXPECT_EQ(carol.error().exit_code, 3);
}

TEST_F(LedgerTermsTest, AStoredAnswerIsPaidOnceByEachCapAndNeverAgainByTheDataset) {
  terms_.analysts = {{"alice", {.epsilon = 0.9, .delta = 9e-7}},
                     {"bob", {.epsilon = 0.9, .delta = 9e-7}}};
  Ledger alice = OpenFor("alice");
  Ledger bob = OpenFor("bob");
  const Cost cost = Slot(20);
  Reservation paid = std::move(alice.Reserve(cost)).value();
  ASSERT_TRUE(alice.Store(std::move(paid), SmallAnswer()).ok());
  const Purses dataset = alice.State()->spent;

  EXPECT_TRUE(alice.Stored(cost)->has_value());
  EXPECT_TRUE(alice.State()->analyst_spent == cost.by_mechanism) << "she has paid already";
  const auto withdraw = [] { return Status(MakeError(ErrorCode::kWithdrawn, "no")); };
  EXPECT_TRUE(alice.Stored(cost, withdraw).ok()) << "nothing is to be spent";
  EXPECT_EQ(bob.Stored(cost, withdraw).error().code, "B410");
  EXPECT_TRUE(bob.State()->analyst_spent == Purses{}) << "asked first";
  for (int i = 0; i < 3; ++i) {
    const std::optional<Answer> stored = *bob.Stored(cost);
    ASSERT_TRUE(stored.has_value());
    EXPECT_EQ(stored->share_charged, i == 0);
    EXPECT_EQ(stored->rows, SmallAnswer().rows);
    EXPECT_TRUE(bob.State()->analyst_spent == cost.by_mechanism) << i;
  }
  EXPECT_TRUE(bob.State()->spent == dataset);
  EXPECT_TRUE(bob.Verify().ok());
}

TEST_F(LedgerTermsTest, AStoredAnswerThatDoesNotFitACapIsRefused) {
  terms_.analysts = {{"alice", {.epsilon = 1, .delta = 1e-6}},
                     {"bob", {.epsilon = 0.1, .delta = 1e-8}}};
  Ledger alice = OpenFor("alice");
  Ledger bob = OpenFor("bob");
  const Cost cost = Slot(2);
  ASSERT_TRUE(alice.Store(std::move(alice.Reserve(cost)).value(), SmallAnswer()).ok());
  const auto refused = bob.Stored(cost);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "B405");
  EXPECT_TRUE(bob.State()->analyst_spent == Purses{});
}

// Her own answer came second and was thrown away; the first one is handed out.
TEST_F(LedgerTermsTest, WhoseAnswerCameSecondGetsTheFirst) {
  terms_.analysts = {{"alice", {.epsilon = 1, .delta = 1e-6}},
                     {"bob", {.epsilon = 1, .delta = 1e-6}}};
  Ledger alice = OpenFor("alice");
  Ledger bob = OpenFor("bob");
  const Cost cost = Slot(10);
  Reservation hers = std::move(alice.Reserve(cost)).value();
  ASSERT_TRUE(bob.Store(std::move(bob.Reserve(cost)).value(), SmallAnswer(7)).ok());
  const Answer answer = alice.Store(std::move(hers), SmallAnswer(8)).value();
  EXPECT_EQ(answer.rows, SmallAnswer(7).rows);
  EXPECT_FALSE(answer.stored) << "she has paid for it";
  EXPECT_EQ(alice.Stored(cost).value().value().rows, SmallAnswer(7).rows);
  EXPECT_TRUE(alice.State()->analyst_spent == cost.by_mechanism) << "and does not pay again";
  EXPECT_TRUE(alice.Verify().ok());
}

TEST_F(LedgerTermsTest, AWindowBeginsAfreshAndOnlyOnce) {
  terms_.renew_days = 7;
  Ledger ledger = OpenFor("alice");
  const Cost all = Slot(1, 'a', false);
  const auto ask = [&] {
    Result<Reservation> paid = ledger.Reserve(all);
    return paid.ok() ? ledger.Store(std::move(paid).value(), SmallAnswer()).ok() ? "ok" : "store"
                     : paid.error().code;
  };
  EXPECT_EQ(ask(), "ok");
  EXPECT_EQ(ask(), "B402");
  now_ = kStart + 7 * kDay - 1;
  EXPECT_EQ(ask(), "B402");
  now_ = kStart + 7 * kDay;
  EXPECT_EQ(ask(), "ok");
  now_ = kStart;  // set back: neither the old window nor a new one
  EXPECT_EQ(ask(), "B402");
  now_ = kStart - 1000 * kDay;
  EXPECT_EQ(ask(), "B402");
  now_ = kStart + 70 * kDay;  // set forward: the window it jumps into, once
  EXPECT_EQ(ask(), "ok");
  EXPECT_EQ(ask(), "B402");
  now_ = kStart + 20 * kDay;  // right again: the windows jumped over are gone
  EXPECT_EQ(ask(), "B402");
  now_ = kStart + 77 * kDay;
  EXPECT_EQ(ask(), "ok");
  EXPECT_TRUE(ledger.Verify().ok());
  EXPECT_TRUE(OpenFor("alice").Verify().ok());
}

// Whatever the clock shows, and whoever opens the ledger anew: what each window admitted fits its
// caps, and no window comes back.
TEST_F(LedgerTermsTest, RandomClockJumpsNeverPassACapAndNeverRepeatAWindow) {
  terms_.renew_days = 1;
  terms_.aborts_allowed = 1'000'000;
  std::mt19937_64 random(11);
  const Cost third = Slot(3, 'a', false);
  std::int64_t right = kStart;
  for (int i = 0; i < 60; ++i) {
    Ledger ledger = OpenFor(random() % 2 == 0 ? "alice" : "bob");
    for (int n = 0; n < 3; ++n) {
      const auto jump = static_cast<std::int64_t>(random() % (5 * kDay)) - 2 * kDay;
      now_ = random() % 8 == 0 ? static_cast<std::int64_t>(random() % kStart) : right += jump;
      static_cast<void>(ledger.Reserve(third));
    }
  }
  std::map<std::int64_t, int> admitted;
  std::int64_t window = 0;
  ASSERT_TRUE(ExportLedger(OptionsOf("owner"), {.meta = [](const LedgerMeta&) {},
                                                .entry =
                                                    [&](const Entry& entry, const std::string&) {
                                                      EXPECT_GE(entry.window, window);
                                                      window = entry.window;
                                                      ++admitted[window];
                                                    }})
                  .ok());
  EXPECT_GT(admitted.size(), 5U);
  for (const auto& [each, count] : admitted) EXPECT_LE(count, 3) << each;
}

TEST_F(LedgerTermsTest, AnAnalystsOwnCapRenewsWithTheWindow) {
  terms_.renew_days = 1;
  terms_.analysts = {{"alice", {.epsilon = 0.5, .delta = 5e-7}}};
  Ledger ledger = OpenFor("alice");
  const Cost cost = Slot(40, 'a', false);
  const std::int64_t fits = ledger.RemainingFor(cost)->queries_like_this;
  std::vector<Reservation> paid;
  for (std::int64_t i = 0; i < fits; ++i) paid.push_back(std::move(ledger.Reserve(cost)).value());
  EXPECT_EQ(Code(ledger.Reserve(cost)), "B402");
  now_ += kDay;
  EXPECT_EQ(ledger.RemainingFor(cost)->queries_like_this, fits);
  EXPECT_TRUE(ledger.Reserve(cost).ok());
}

// How long a database takes to get ready may depend on the data; a refusal must not.
TEST_F(LedgerTermsTest, NothingBeginsForWhatIsRefused) {
  terms_.aborts_allowed = 1;
  Ledger ledger = OpenFor("alice");
  int begun = 0;
  const auto admitted = [&]() -> Status {
    ++begun;
    return Done{};
  };
  const auto reserve = [&](const Cost& cost) { return ledger.Reserve(cost, admitted); };
  Cost never = Slot(1);
  never.by_mechanism.mu_squared *= 2;
  EXPECT_EQ(Code(reserve(never)), "B405");
  EXPECT_EQ(begun, 0);
  Result<Reservation> paid = reserve(Slot(2));
  ASSERT_EQ(Code(paid), "ok");
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(Code(reserve(Slot(3))), "B408");
  ASSERT_TRUE(ledger.Abandon(std::move(paid).value(), Ending::kFailed).ok());
  EXPECT_EQ(Code(reserve(Slot(3))), "B407");
  ASSERT_TRUE(PardonAnalyst(OptionsOf("owner"), "alice").ok());
  EXPECT_EQ(Code(reserve(Slot(1, 'b'))), "B402");
  EXPECT_EQ(begun, 1);
}

TEST_F(LedgerTermsTest, AbortsLockOutAfterTheAllowedNumberUntilAPardon) {
  terms_.aborts_allowed = 2;
  Ledger ledger = OpenFor("alice");
  const Cost cost = Slot(50, 'a', false);
  const auto end = [&](Ending ending) {
    return ledger.Abandon(std::move(ledger.Reserve(cost)).value(), ending).ok();
  };
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(end(Ending::kCancelled)) << "no strike";
  EXPECT_TRUE(end(Ending::kFailed));
  EXPECT_TRUE(end(Ending::kFailed));
  const auto refused = ledger.Reserve(cost);
  EXPECT_EQ(Code(refused), "B407");
  EXPECT_NE(refused.error().hint.find("dpsql budget pardon alice"), std::string::npos);
  EXPECT_EQ(Code(OpenFor("bob").Reserve(cost)), "ok") << "others are not locked out";
  ASSERT_TRUE(PardonAnalyst(OptionsOf("owner"), "alice").ok());
  EXPECT_EQ(Code(ledger.Reserve(cost)), "ok");
  EXPECT_TRUE(ledger.Verify().ok());
  EXPECT_EQ(PardonAnalyst(OptionsOf("owner"), "nobody").error().code, "B403");
}

// A reservation that is dropped, or whose process died, told as much as an abort.
TEST_F(LedgerTermsTest, LostReservationsCountAsAborts) {
  terms_.aborts_allowed = 2;
  const Cost cost = Slot(50, 'a', false);
  EXPECT_EQ(InChild([&] { return OpenFor("alice").Reserve(cost).ok() ? 0 : 1; }), 0);
  Ledger ledger = OpenFor("alice");
  { EXPECT_EQ(Code(ledger.Reserve(cost)), "ok") << "and dropped"; }
  EXPECT_EQ(Code(ledger.Reserve(cost)), "B407");
  EXPECT_EQ(Code(OpenFor("alice").Reserve(cost)), "B407") << "another handle sees the same";
  const LedgerReport report = *ReadLedger(OptionsOf("owner"), 5);
  ASSERT_EQ(report.analysts.size(), 1U);
  EXPECT_EQ(report.analysts[0].aborts, 2);
  EXPECT_EQ(report.analysts[0].queries, 2);
}

// Any that run may still be lost: no more of them at once than may fail.
TEST_F(LedgerTermsTest, NoMoreRunAtOnceThanMayFail) {
  terms_.aborts_allowed = 3;
  Ledger ledger = OpenFor("alice");
  const Cost cost = Slot(50, 'a', false);
  Reservation first = std::move(ledger.Reserve(cost)).value();
  Reservation second = std::move(ledger.Reserve(cost)).value();
  Reservation third = std::move(ledger.Reserve(cost)).value();
  EXPECT_EQ(Code(ledger.Reserve(cost)), "B408");
  EXPECT_TRUE(ledger.Store(std::move(first), SmallAnswer()).ok());
  Reservation fourth = std::move(ledger.Reserve(cost)).value();
  EXPECT_TRUE(ledger.Abandon(std::move(second), Ending::kFailed).ok());
  EXPECT_EQ(Code(ledger.Reserve(cost)), "B408") << "one abort, two at work";
  EXPECT_TRUE(ledger.Store(std::move(third), SmallAnswer()).ok());
  EXPECT_TRUE(ledger.Store(std::move(fourth), SmallAnswer()).ok());
  EXPECT_EQ(Code(ledger.Reserve(cost)), "ok");
}

// What runs while the owner pardons is not forgiven in advance.
TEST_F(LedgerTermsTest, APardonForgivesWhatIsLostAndNothingElse) {
  terms_.aborts_allowed = 2;
  Ledger ledger = OpenFor("alice");
  const Cost cost = Slot(50, 'a', false);
  { ASSERT_TRUE(ledger.Reserve(cost).ok()); }
  std::optional<Reservation> at_work = std::move(ledger.Reserve(cost)).value();
  ASSERT_TRUE(PardonAnalyst(OptionsOf("owner"), "alice").ok());
  EXPECT_TRUE(ledger.Verify().ok());
  at_work.reset();  // lost after the pardon
  { EXPECT_EQ(Code(ledger.Reserve(cost)), "ok"); }
  EXPECT_EQ(Code(ledger.Reserve(cost)), "B407");
}

TEST_F(LedgerTermsTest, AGrantPutsNewTermsInForceAndStopsWhoHasTheOldOnes) {
  Ledger before = OpenFor("alice");
  ASSERT_TRUE(before.Reserve(Slot(1, 'a', false)).ok());
  terms_.budget.total = {.epsilon = 2, .delta = 2e-6};
  EXPECT_EQ(Ledger::Open(OptionsOf("alice")).error().code, "B404");
  ASSERT_TRUE(GrantTerms(OptionsOf("owner")).ok());
  Ledger after = OpenFor("alice");
  EXPECT_EQ(Code(after.Reserve(Slot(4, 'b', false))), "ok");
  EXPECT_EQ(Code(before.Reserve(Slot(4, 'c', false))), "B404");
  ASSERT_TRUE(GrantTerms(OptionsOf("owner")).ok()) << "the same terms again change nothing";
  EXPECT_EQ(ReadLedger(OptionsOf("owner"), 10)->entries, 3);
  EXPECT_TRUE(after.Verify().ok());
}

// Moving delta between the purses after answers were seen is worth up to twice the delta.
TEST_F(LedgerTermsTest, AGrantIsLargerOrSmallerInEveryPurse) {
  { OpenFor("alice"); }
  const BudgetTerms first = terms_;
  const auto grant = [&](double epsilon, double delta) {
    terms_.budget.total = {.epsilon = epsilon, .delta = delta};
    const Status granted = GrantTerms(OptionsOf("owner"));
    return granted.ok() ? "ok" : granted.error().code;
  };
  EXPECT_EQ(grant(2, 1e-7), "B404");
  EXPECT_EQ(grant(2, 2e-6), "ok");
  EXPECT_EQ(grant(0.5, 1e-6), "ok");
  EXPECT_EQ(grant(0.6, 3e-6), "B404") << "more delta than the largest, less of the rest";
  EXPECT_EQ(grant(3, 3e-6), "ok");
  terms_.analysts = {{"alice", {.epsilon = 0.5, .delta = 1e-7}}};
  EXPECT_EQ(grant(3, 3e-6), "ok");
  terms_.analysts = {{"alice", {.epsilon = 0.9, .delta = 1e-9}}};
  EXPECT_EQ(grant(3, 3e-6), "B404") << "an analyst's split is a split";
  terms_ = first;
  terms_.budget.threshold_share = 0.6;
  EXPECT_EQ(GrantTerms(OptionsOf("owner")).error().code, "B404");
  terms_ = first;
  terms_.budget.pure_epsilon = 0.5;
  EXPECT_EQ(GrantTerms(OptionsOf("owner")).error().code, "B404");
}

// A clock that is set back between two readings, as a leap or a correction may do.
TEST_F(LedgerTermsTest, AReceiptNeverPassesACapWhateverTheClockDoes) {
  terms_.renew_days = 1;
  terms_.analysts = {{"alice", {.epsilon = 1, .delta = 1e-6}},
                     {"bob", {.epsilon = 0.5, .delta = 5e-7}}};
  Ledger alice = OpenFor("alice");
  LedgerOptions options = OptionsOf("bob");
  std::int64_t readings = 0;
  options.clock = [&] { return kStart + (++readings % 2) * kDay; };
  Ledger bob = std::move(Ledger::Open(options)).value();
  const Purses cap = *bob.State()->analyst_caps;
  for (char digest = 'a'; digest < 'h'; ++digest) {
    const Cost cost = Slot(8, digest);
    ASSERT_TRUE(alice.Store(std::move(alice.Reserve(cost)).value(), SmallAnswer()).ok());
    static_cast<void>(bob.Stored(cost));
  }
  std::map<std::int64_t, Purses> spent;
  ASSERT_TRUE(ExportLedger(OptionsOf("owner"), {.meta = [](const LedgerMeta&) {},
                                                .entry =
                                                    [&](const Entry& entry, const std::string&) {
                                                      if (entry.event.analyst != "bob") return;
                                                      spent[entry.window] = entry.analyst_spent;
                                                    }})
                  .ok());
  EXPECT_FALSE(spent.empty());
  for (const auto& [window, purses] : spent) EXPECT_TRUE(Fits(cap, purses, {})) << window;
}

// Terms that name who may ask bind those who opened the ledger before, for stored answers too.
TEST_F(LedgerTermsTest, AStoredAnswerIsNotHandedOutOnOldTerms) {
  Ledger eve = OpenFor("eve");
  Ledger alice = OpenFor("alice");
  const Cost cost = Slot(8);
  ASSERT_TRUE(alice.Store(std::move(alice.Reserve(cost)).value(), SmallAnswer()).ok());
  EXPECT_TRUE(eve.Stored(cost)->has_value());
  terms_.analysts = {{"alice", {.epsilon = 1, .delta = 1e-6}}};
  ASSERT_TRUE(GrantTerms(OptionsOf("owner")).ok());
  EXPECT_EQ(eve.Stored(cost).error().code, "B404");
}

// Rows that are added while a slow reader takes an export are part of it, and no damage.
TEST_F(LedgerTermsTest, AnExportFollowsALedgerThatGrows) {
  Ledger ledger = OpenFor("alice");
  ASSERT_TRUE(
      ledger.Abandon(std::move(ledger.Reserve(Slot(99, 'a', false))).value(), Ending::kCancelled)
          .ok());
  int entries = 0;
  const Status exported = ExportLedger(
      OptionsOf("owner"),
      {.meta = [](const LedgerMeta&) {},
       .entry =
           [&](const Entry&, const std::string&) {
             if (++entries > 5) return;
             Result<Reservation> paid = ledger.Reserve(Slot(99, 'b', false));
             ASSERT_TRUE(paid.ok());
             EXPECT_TRUE(ledger.Abandon(std::move(paid).value(), Ending::kCancelled).ok());
           }});
  EXPECT_TRUE(exported.ok());
  EXPECT_GE(entries, 6);
}

// Less than is spent already: nothing more is admitted, and nothing breaks.
TEST_F(LedgerTermsTest, TermsCanBeLoweredBelowWhatIsSpent) {
  { ASSERT_TRUE(OpenFor("alice").Reserve(Slot(1, 'a', false)).ok()); }
  terms_.budget.total.epsilon = 0.5;
  ASSERT_TRUE(GrantTerms(OptionsOf("owner")).ok());
  Ledger ledger = OpenFor("bob");
  EXPECT_EQ(Code(ledger.Reserve(Slot(1000, 'b', false))), "B402");
  EXPECT_EQ(ledger.RemainingFor(Slot(1000))->epsilon, 0);
}

TEST_F(LedgerTermsTest, WhatIsChosenOnceCannotBeGranted) {
  { OpenFor("alice"); }
  const BudgetTerms first = terms_;
  terms_.budget.accountant = Accountant::kBasic;
  EXPECT_EQ(GrantTerms(OptionsOf("owner")).error().code, "B404");
  terms_ = first;
  terms_.renew_days = 30;
  EXPECT_EQ(GrantTerms(OptionsOf("owner")).error().code, "B404");
  terms_ = first;
  terms_.dataset = "other";
  EXPECT_EQ(GrantTerms(OptionsOf("owner")).error().code, "B404");
}

TEST_F(LedgerTermsTest, TheOwnersToolsCreateNoLedger) {
  EXPECT_EQ(GrantTerms(OptionsOf("owner")).error().code, "L604");
  EXPECT_EQ(PardonAnalyst(OptionsOf("owner"), "alice").error().code, "L604");
  EXPECT_EQ(ReadLedger(OptionsOf("owner"), 10)->entries, 0);
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(LedgerTermsTest, TheExportHoldsEveryEntryAndTheGrantedTerms) {
  {
    Ledger ledger = OpenFor("alice");
    ASSERT_TRUE(ledger.Store(std::move(ledger.Reserve(Slot(9))).value(), SmallAnswer()).ok());
  }
  terms_.aborts_allowed = 7;
  ASSERT_TRUE(GrantTerms(OptionsOf("owner")).ok());
  std::vector<Entry> entries;
  std::vector<std::string> granted;
  LedgerMeta meta;
  ASSERT_TRUE(
      ExportLedger(OptionsOf("owner"), {.meta = [&](const LedgerMeta& read) { meta = read; },
                                        .entry =
                                            [&](const Entry& entry, const std::string& terms) {
                                              entries.push_back(entry);
                                              granted.push_back(terms);
                                            }})
          .ok());
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[2].event.kind, EntryKind::kGrant);
  EXPECT_TRUE(granted[0].empty());
  EXPECT_NE(granted[2].find("\"aborts_allowed\":7"), std::string::npos);
  EXPECT_EQ(entries[0].previous, GenesisEntry(meta, 0).hash);
}

// Terms are compared as text; what is read back must be what was written.
TEST_F(LedgerTermsTest, TermsReadBack) {
  terms_.budget.pure_epsilon = 0.25;
  terms_.renew_days = 30;
  terms_.analysts = {{"alice", {.epsilon = 0.3, .delta = 1e-7}},
                     {"b \"o\" b", {.epsilon = 1e-3, .delta = 1e-9}}};
  const std::string text = ToText(FixTerms(terms_));
  const std::optional<FixedTerms> read = ParseTerms(text);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(ToText(*read), text);
  EXPECT_TRUE(CheckSameTerms(read->terms, terms_).ok());
  EXPECT_FALSE(ParseTerms("{}").has_value());
  EXPECT_FALSE(ParseTerms(text.substr(1)).has_value());
}

}  // namespace
}  // namespace dpsql
