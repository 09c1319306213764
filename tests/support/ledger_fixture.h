#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "account/ledger.h"
#include "base/random_source.h"
#include "privacy/basic_accountant.h"

// What the ledger's tests share: a directory of their own, costs that fill the budget to the last
// unit, and children that die where they are told to.
namespace dpsql {

class LedgerTestRandom : public RandomSource {
 public:
  void Fill(std::span<std::uint32_t> words) override {
    for (std::uint32_t& word : words) word = next_++;
  }

 private:
  std::atomic<std::uint32_t> next_{1};
};

class LedgerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "dpsql-ledger-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string path() const { return directory_ / "ledger"; }

  LedgerOptions Options() const {
    return {.path = path(),
            .terms = {.dataset = "shop",
                      .budget = {.total = {.epsilon = 1.0, .delta = 1e-6}},
                      .aborts_allowed = 1'000'000},
            .analyst = "alice",
            .random = std::make_shared<LedgerTestRandom>()};
  }

  Ledger Open() const {
    Result<Ledger> ledger = Ledger::Open(Options());
    EXPECT_TRUE(ledger.ok()) << (ledger.ok() ? "" : ledger.error().message);
    return std::move(ledger).value();
  }

  std::string OpenFailure() const {
    const Result<Ledger> ledger = Ledger::Open(Options());
    return ledger.ok() ? "no error" : ledger.error().code;
  }

  // A cost of which exactly `slots` fit the whole budget.
  Cost CostForSlots(unsigned slots, char digest = 'a', bool storable = true) const {
    const Purses caps = CapsOf(Options().terms.budget);
    return {.by_mechanism = {.mu_squared = caps.mu_squared / slots, .delta = caps.delta / slots},
            .by_claim = BasicCharge({.epsilon = 1.0 / slots, .delta = 1e-6 / slots}),
            .asked = {.epsilon = 0.1, .delta = 1e-7},
            .doors = 1,
            .plan_digest = std::string(64, digest),
            .storable = storable};
  }

  static Answer SmallAnswer(std::int64_t number = 30012) {
    Answer answer;
    answer.columns = {
        {.name = "seg", .type = "VARCHAR", .role = ColumnRole::kKey, .mechanism = ""},
        {.name = "n", .type = "BIGINT", .role = ColumnRole::kEstimate, .mechanism = "gaussian"}};
    answer.rows = {{std::string("BUILDING"), number}};
    answer.intervals = {{std::nullopt, NoiseInterval{.low = 29990, .high = 30034}}};
    answer.price = {.epsilon = 0.1, .delta = 1e-7, .mu = 0.0242, .doors = 1};
    return answer;
  }

  std::filesystem::path directory_;
};

// Runs `body` in a child process. Returns its exit code, or -1 when it was killed.
inline int InChild(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace dpsql
