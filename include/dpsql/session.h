#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "dpsql/answer.h"
#include "dpsql/result.h"

namespace dpsql {

struct SessionOptions {
  std::string url;      // of the database: a path, or duckdb:PATH; empty: all tables are files
  std::string policy;   // the owner's file
  std::string ledger;   // the budget's file, or sqlite:FILE; empty: beside the policy
  std::string analyst;  // who asks
};

// The plan of a query, its price and what is left, for EXPLAIN (DP). Nothing was spent.
struct Explanation {
  std::string text;
};

// SET dp.name = value, or the unit that ALTER PRIVATE_TABLE confirmed.
struct SettingChanged {
  std::string name;
  std::string value;
};

// The explanation as text: plain, or one JSON object {"explain": …}. Ensures: ends with a newline.
std::string FormatExplanation(const Explanation& explanation, Format format);

using Reply = std::variant<Answer, Explanation, SettingChanged>;

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

  // Answers one SELECT.
  Result<Answer> Ask(std::string_view sql);

  // Runs statements one after the other and hands each reply over as it comes; stops at the first
  // error.
  Status Run(std::string_view sql, const std::function<void(const Reply&)>& on_reply);

  // Stops a query that runs in another thread. What it cost stays spent.
  void Cancel();

 private:
  struct Impl;
  explicit Session(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace dpsql
