#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dpsql/answer.h"
#include "dpsql/budget.h"
#include "dpsql/parameters.h"
#include "dpsql/result.h"
#include "dpsql/table_info.h"

namespace dpsql {

struct SessionOptions {
  std::string url;      // of the database: a path, or scheme:…; empty: all tables are files
  std::string policy;   // the owner's file
  std::string ledger;   // the budget's file, or sqlite:FILE; empty: beside the policy
  std::string analyst;  // who asks
};

// The plan of a query, its price and what is left, for EXPLAIN (DP). Nothing was spent.
struct Explanation {
  std::string text;
  std::string json;  // the same as one object
  Price price;
  Remaining remaining;
  bool solved = false;  // dp.target_error chose the epsilon
};

// SET dp.name = value, or the unit that ALTER PRIVATE_TABLE confirmed.
struct SettingChanged {
  std::string name;
  std::string value;
};

// The explanation as text, or as one JSON object. Ensures: ends with a newline.
std::string FormatExplanation(const Explanation& explanation, Format format);

using Reply = std::variant<Answer, Explanation, SettingChanged>;

// Where a paid question is. Which stages there are follows from its plan, and nothing else.
// Opening is the wait for a connection and its snapshot, which on a server can take seconds.
enum class Stage { kPaying, kOpening, kCounting, kSumming, kPublishing };

struct Progress {
  Stage stage = Stage::kPaying;
  int door = 0;  // of counting and summing: from 1 on
  int doors = 0;
};

// How statements are run. What is not given is not done. Callbacks neither throw nor ask.
struct RunOptions {
  Parameters parameters;  // what the $names of the statements stand for
  bool dry_run = false;   // each SELECT is explained, as if EXPLAIN (DP) stood before it
  std::function<void(const Progress&)> on_progress;
  // Told the price before it is spent; on false the question is withdrawn, and nothing is spent.
  // Not called where nothing is to be spent: an answer that is stored and paid for, a query of
  // public tables.
  std::function<bool(const Explanation&)> before_spending;
};

// A conversation of one analyst with one dataset. Every answer is paid for before data is read,
// and the payment survives a crash.
//
//   auto session = dpsql::Session::Open({.url = "shop.duckdb", .policy = "shop.toml"});
//   if (!session) return Fail(session.error());
//   auto answer = session->Ask("SELECT count(*) FROM customer");
//
// One thread at a time may ask; Cancel may be called from any.
class Session {
 public:
  static Result<Session> Open(const SessionOptions& options);

  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  // Answers one SELECT. A $name in it stands for the parameter of that name, as one value.
  Result<Answer> Ask(std::string_view sql, const Parameters& parameters = {});

  // Runs statements one after the other and hands each reply over as it comes; stops at the first
  // error.
  Status Run(std::string_view sql, const std::function<void(const Reply&)>& on_reply,
             const RunOptions& options = {});

  // What can be asked: the policy's tables with the columns that are not hidden.
  const std::vector<TableInfo>& tables() const;

  // What is spent and left, and the last `history` entries of the ledger.
  Result<BudgetReport> Budget(std::size_t history = 0) const;

  // Stops what another thread asks, the rest of its statements too. A question that is not paid yet
  // costs nothing; what was paid stays spent.
  void Cancel();

 private:
  struct Impl;
  explicit Session(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Removes from the disk the rows that databases of open sessions have put there for want of memory.
// For a process that is about to end without closing them, as by a signal. From any thread.
void RemoveSpills();

}  // namespace dpsql
