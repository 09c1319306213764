#include "engine/corridor.h"

#include <gtest/gtest.h>

#include <variant>

#include "account/ledger_owner.h"
#include "base/error_codes.h"
#include "plan/settings.h"
#include "sql/parser.h"
#include "support/fake_noise.h"
#include "support/ledger_fixture.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

// Notes what it is asked for, and has no data.
class ClosedBackend : public Backend {
 public:
  Result<Schema> ReadSchema(const Policy&) override { return ShopSchema(); }
  std::unique_ptr<Preparation> Prepare(const DpPlan&) override {
    ++prepared;
    return nullptr;
  }
  Result<Snapshot> Open(const DpPlan&, const Reservation&, std::unique_ptr<Preparation>) override {
    ++opened;
    return MakeError(ErrorCode::kDatabaseRun, "closed");
  }
  std::vector<std::string> PrintSql(const DpPlan&) const override { return {}; }
  void Interrupt() override { ++interrupted; }

  int prepared = 0;
  int opened = 0;
  int interrupted = 0;
};

class CorridorTest : public LedgerTest {
 protected:
  std::string AskFor(const std::string& sql, Ledger& ledger) {
    const auto statements = Parse(sql);
    const auto& select = std::get<ast::SelectStatement>(statements->at(0).node).select;
    FakeNoise noise([](std::size_t) { return 0; });
    const Result<Answer> answer = Ask(select, {catalog_, settings_, ledger, backend_, noise,
                                               options_, still_stands_, cancelled_});
    return answer ? "answered" : answer.error().code;
  }

  Catalog catalog_ = MakeShopCatalog();
  RunOptions options_;
  std::function<Status()> still_stands_ = [] { return Done{}; };
  std::atomic<bool> cancelled_ = false;
  Settings settings_ = DefaultSettings(catalog_.policy());
  ClosedBackend backend_;
};

// A database plans by what it knows of the columns: the time that it takes must not be seen by
// those who do not pay.
TEST_F(CorridorTest, ARefusedQueryNeverReachesTheDatabase) {
  Ledger ledger = Open();
  EXPECT_NE(AskFor("SELECT age FROM customer", ledger), "answered");
  settings_.epsilon = 2;  // of the ledger's 1
  EXPECT_EQ(AskFor("SELECT count(*) FROM customer WHERE age > 90", ledger), "B405");
  EXPECT_EQ(backend_.prepared, 0);
  settings_.epsilon = 0.01;
  EXPECT_EQ(AskFor("SELECT count(*) FROM customer WHERE age > 90", ledger), "E503");
  EXPECT_EQ(backend_.prepared, 1);
  EXPECT_EQ(backend_.opened, 1);
}

// Withdrawn at its price: neither the ledger nor the database hears of it.
TEST_F(CorridorTest, AWithdrawnQueryCostsNothing) {
  Ledger ledger = Open();
  settings_.epsilon = 0.01;
  std::vector<Stage> stages;
  options_.on_progress = [&](const Progress& progress) { stages.push_back(progress.stage); };
  options_.before_spending = [](const Explanation& price) {
    EXPECT_EQ(price.price.epsilon, 0.01);
    return false;
  };
  const std::string sql = "SELECT count(*) FROM customer";
  EXPECT_EQ(AskFor(sql, ledger), "B410");
  EXPECT_EQ(backend_.prepared, 0);
  EXPECT_TRUE(stages.empty());
  EXPECT_EQ(ReadLedger(Options(), 0)->reservations, 0);
  options_.before_spending = [](const Explanation&) { return true; };
  EXPECT_EQ(AskFor(sql, ledger), "E503");
  EXPECT_EQ(stages, (std::vector<Stage>{Stage::kPaying, Stage::kOpening}));
}

// It may have waited for the ledger for long: the last look is behind that.
TEST_F(CorridorTest, AQuestionThatStandsNoMoreCostsNothing) {
  Ledger ledger = Open();
  settings_.epsilon = 0.01;
  const std::string sql = "SELECT count(*) FROM customer";
  still_stands_ = []() -> Status { return MakeError(ErrorCode::kInterrupted, "interrupted"); };
  EXPECT_EQ(AskFor(sql, ledger), CodeOf(ErrorCode::kInterrupted));
  EXPECT_EQ(backend_.prepared, 0);
  EXPECT_EQ(ReadLedger(Options(), 0)->reservations, 0);
}

// How long the database takes to get ready may depend on the rows: who has seen that, pays.
TEST_F(CorridorTest, ACancellationWhileTheDatabaseGetsReadyIsPaidAndStopsIt) {
  Ledger ledger = Open();
  settings_.epsilon = 0.01;
  cancelled_ = true;  // behind the last look
  EXPECT_EQ(AskFor("SELECT count(*) FROM customer", ledger), "E503");
  EXPECT_EQ(backend_.prepared, 1);
  EXPECT_EQ(backend_.interrupted, 1);
  EXPECT_EQ(ReadLedger(Options(), 0)->reservations, 1);
}

}  // namespace
}  // namespace dpsql
