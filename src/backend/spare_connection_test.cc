#include "backend/spare_connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>

namespace dpsql {
namespace {

using ::testing::ElementsAre;

using std::chrono_literals::operator""min;
using std::chrono_literals::operator""ms;

constexpr SpareConnection::Limits kLimits{.age = 1min, .loss = 1min};

// What a connection does with a statement: some rows, and an end.
struct Script {
  int rows = 1;
  std::optional<SqlFailure> failure;
};

class SpareConnectionTest : public ::testing::Test {
 protected:
  class Scripted : public SqlConnection {
   public:
    Scripted(SpareConnectionTest& test, int number) : test_(test), number_(number) {}
    ~Scripted() override { test_.ended_.push_back(number_); }
    Scripted(const Scripted&) = delete;
    Scripted& operator=(const Scripted&) = delete;

    std::optional<SqlFailure> Run(const std::string&,
                                  const std::function<void(Row)>& consume) override {
      test_.ran_.push_back(number_);
      if (test_.before_end_) test_.before_end_();
      const std::array<std::optional<std::string>, 1> row = {std::to_string(number_)};
      const Script script = test_.failing_ == number_ ? test_.script_ : Script{};
      for (int i = 0; i < script.rows; ++i) consume(row);
      return script.failure;
    }
    void Stop() override { test_.stopped_.push_back(number_); }

   private:
    SpareConnectionTest& test_;
    int number_;
  };

  std::unique_ptr<SqlConnection> Lend() {
    return LendConnection(spare_, [this] { return std::make_unique<Scripted>(*this, ++opened_); });
  }

  // The rows of a statement, each the number of the connection that gave it; "FAILED …".
  std::vector<std::string> Ask(SqlConnection& connection) {
    std::vector<std::string> rows;
    const auto failure =
        connection.Run("SELECT 1", [&](SqlConnection::Row row) { rows.push_back(row[0].value()); });
    if (failure) rows.push_back("FAILED " + failure->text);
    return rows;
  }

  // A question that ends well leaves connection 1, which then ends its next statement like this.
  std::vector<std::string> AskAfter(Script script) {
    EXPECT_THAT(Ask(*Lend()), ElementsAre("1"));
    failing_ = 1;
    script_ = std::move(script);
    ran_.clear();
    return Ask(*Lend());
  }

  std::vector<int> ended_;  // before the spare one, which ends last
  std::shared_ptr<SpareConnection> spare_ = std::make_shared<SpareConnection>(kLimits);
  int opened_ = 0;
  int failing_ = 0;
  Script script_;
  std::function<void()> before_end_;
  std::vector<int> ran_;
  std::vector<int> stopped_;
};

// What a connection says that has lost its session. That it says so and does not answer from
// another one is its duty: spark_connection_test.cc.
const SqlFailure kGone{.text = "gone"};

TEST_F(SpareConnectionTest, ServesTheNextQuestion) {
  EXPECT_THAT(Ask(*Lend()), ElementsAre("1"));
  EXPECT_THAT(Ask(*Lend()), ElementsAre("1"));
  const auto first = Lend();
  EXPECT_THAT(Ask(*Lend()), ElementsAre("2")) << "two have one each";
}

TEST_F(SpareConnectionTest, IsTooOldAtSomeTime) {
  spare_ = std::make_shared<SpareConnection>(SpareConnection::Limits{.age = -1ms, .loss = 1min});
  EXPECT_THAT(Ask(*Lend()), ElementsAre("1"));
  {
    const auto lent = Lend();
    EXPECT_THAT(stopped_, ElementsAre(1)) << "it is released at once";
    EXPECT_THAT(Ask(*lent), ElementsAre("2"));
    EXPECT_THAT(ended_, ElementsAre()) << "and nobody waits for it";
  }
  EXPECT_THAT(ended_, ElementsAre(1));
}

TEST_F(SpareConnectionTest, OneThatIsGoneIsReplacedOnce) {
  EXPECT_THAT(AskAfter({.rows = 0, .failure = kGone}), ElementsAre("2"));
  EXPECT_THAT(ran_, ElementsAre(1, 2));
  EXPECT_THAT(stopped_, ElementsAre(1)) << "it is released beside the new one";
  EXPECT_THAT(Ask(*Lend()), ElementsAre("2")) << "the new one is the spare one from then on";
}

TEST_F(SpareConnectionTest, TheSecondFailureIsTheQuestions) {
  EXPECT_THAT(Ask(*Lend()), ElementsAre("1"));
  const auto lent = Lend();
  script_ = {.rows = 0, .failure = kGone};
  before_end_ = [this] { failing_ = ran_.back(); };
  ran_.clear();
  EXPECT_THAT(Ask(*lent), ElementsAre("FAILED gone"));
  EXPECT_THAT(ran_, ElementsAre(1, 2));
}

// Rows of two connections would be mixed.
TEST_F(SpareConnectionTest, NothingIsRunAgainAfterARow) {
  EXPECT_THAT(AskAfter({.rows = 1, .failure = kGone}), ElementsAre("1", "FAILED gone"));
  EXPECT_THAT(ran_, ElementsAre(1));
}

TEST_F(SpareConnectionTest, NothingIsRunAgainWhereTheDataChanged) {
  const SqlFailure changed{.changed = true, .text = "changed"};
  EXPECT_THAT(AskAfter({.rows = 0, .failure = changed}), ElementsAre("FAILED changed"));
  EXPECT_THAT(ran_, ElementsAre(1));
}

TEST_F(SpareConnectionTest, NothingIsRunAgainThatFailedLate) {
  spare_ = std::make_shared<SpareConnection>(SpareConnection::Limits{.age = 1min, .loss = -1ms});
  EXPECT_THAT(AskAfter({.rows = 0, .failure = kGone}), ElementsAre("FAILED gone"));
  EXPECT_THAT(ran_, ElementsAre(1));
}

TEST_F(SpareConnectionTest, NothingIsRunAgainBehindTheFirstStatement) {
  EXPECT_THAT(Ask(*Lend()), ElementsAre("1"));
  const auto lent = Lend();
  EXPECT_THAT(Ask(*lent), ElementsAre("1"));
  failing_ = 1;
  script_ = {.rows = 0, .failure = kGone};
  EXPECT_THAT(Ask(*lent), ElementsAre("FAILED gone"));
  EXPECT_EQ(opened_, 1);
}

TEST_F(SpareConnectionTest, ANewOneIsNotReplaced) {
  failing_ = 1;
  script_ = {.rows = 0, .failure = kGone};
  EXPECT_THAT(Ask(*Lend()), ElementsAre("FAILED gone"));
  EXPECT_THAT(ran_, ElementsAre(1));
}

TEST_F(SpareConnectionTest, WhoWasStoppedRunsNothingAgain) {
  EXPECT_THAT(Ask(*Lend()), ElementsAre("1"));
  {
    const auto lent = Lend();
    failing_ = 1;
    script_ = {.rows = 0, .failure = kGone};
    before_end_ = [&] { lent->Stop(); };
    ran_.clear();
    EXPECT_THAT(Ask(*lent), ElementsAre("FAILED gone"));
    EXPECT_THAT(ran_, ElementsAre(1));
    EXPECT_THAT(stopped_, ElementsAre(1));
  }
  before_end_ = nullptr;
  failing_ = 0;
  ran_.clear();
  Ask(*Lend());
  EXPECT_THAT(ran_, ElementsAre(testing::Ne(1))) << "it is not the spare one either";
}

TEST_F(SpareConnectionTest, StopReachesTheNewOne) {
  EXPECT_THAT(Ask(*Lend()), ElementsAre("1"));
  const auto lent = Lend();
  failing_ = 1;
  script_ = {.rows = 0, .failure = kGone};
  EXPECT_THAT(Ask(*lent), ElementsAre("2"));
  lent->Stop();
  EXPECT_THAT(stopped_, ElementsAre(1, 2));
}

}  // namespace
}  // namespace dpsql
