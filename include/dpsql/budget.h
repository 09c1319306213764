#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dpsql/answer.h"
#include "dpsql/result.h"

// What has been spent of a dataset's budget, by whom and when, and what the owner can do about it.
// Reads the policy and the ledger, never the data.
namespace dpsql {

struct BudgetOptions {
  std::string policy;        // the owner's file
  std::string ledger;        // a path or sqlite:PATH; empty: beside the policy
  std::string user;          // who runs the program, for the history
  std::size_t history = 10;  // how many entries of it
};

// One budget, in the present window. Under gdp and rdp epsilon is what the sum of the noise is
// worth, and the delta that is spent and left is that of key selection.
struct BudgetGauge {
  double epsilon = 0;
  double delta = 0;
  double epsilon_spent = 0;
  double delta_spent = 0;
  double epsilon_left = 0;
  double delta_left = 0;
  std::optional<double> pure_epsilon_left;  // where the owner set a pure purse
  double used = 0;                          // 0 to 1, of the purse that is emptiest
};

struct AnalystBudget {
  std::string name;
  std::optional<BudgetGauge> own;  // where he has a share of his own
  double epsilon_spent = 0;
  std::int64_t queries = 0;
  std::int64_t unanswered = 0;  // paid queries that ended without an answer
  bool locked_out = false;
  bool revoked = false;  // by name
};

struct BudgetEvent {
  std::int64_t sequence = 0;
  std::string time;
  std::string analyst;  // who asked, or whom it concerns; empty: everybody
  std::string what;     // reserve, store, receipt, abort, cancel, pardon, grant, revoke, admit
  std::string release;
  std::string epsilon;
  std::string delta;
};

struct BudgetReport {
  std::string dataset;
  std::string accountant;
  bool started = false;  // a ledger is there
  BudgetGauge gauge;
  std::int64_t renew_days = 0;  // 0: for the dataset's life
  std::string renews_at;        // UTC, where it renews
  double query_epsilon = 0;     // the policy's default question
  double query_delta = 0;
  std::int64_t queries_left = 0;  // about how many of them
  std::int64_t reservations = 0;
  std::int64_t releases = 0;
  std::vector<AnalystBudget> analysts;
  std::vector<BudgetEvent> history;  // newest first
  std::int64_t entries = 0;
  bool stopped = false;        // nobody may spend: the owner revoked it
  std::string policy_differs;  // how the policy's budget differs from the one in force
};

Result<BudgetReport> ReadBudget(const BudgetOptions& options);

// Text with a gauge, or one JSON object. Ensures: ends with a newline.
std::string FormatBudget(const BudgetReport& report, Format format);

// A table by RFC 4180: the dataset in the first row, where `analyst` is empty, then each analyst.
std::string BudgetToCsv(const BudgetReport& report);

// Which entries of the history, newest first.
struct HistoryOptions {
  std::optional<std::string> analyst;  // of this one alone
  std::int64_t before = std::numeric_limits<std::int64_t>::max();
  std::int64_t limit = std::numeric_limits<std::int64_t>::max();
};

// Calls `page` with some of them at a time, so that a long history needs little memory. There are
// none where there is no ledger yet.
Status ReadHistory(const BudgetOptions& options, const HistoryOptions& which,
                   const std::function<void(const std::vector<BudgetEvent>&)>& page);

// Prints pages of the history as they come.
class HistoryPrinter {
 public:
  enum class Form {
    kText,  // columns
    kJson,  // one array, a line for each entry
    kCsv,   // RFC 4180, with a line of names
  };
  explicit HistoryPrinter(Form form) : form_(form) {}

  std::string Page(const std::vector<BudgetEvent>& page);
  // What is to be printed behind the last page.
  std::string End();

 private:
  std::string Begin();

  Form form_;
  bool begun_ = false;
};

// Puts the policy's budget in force in place of the ledger's, and lets everybody spend again but
// those who are revoked by name.
Status GrantBudget(const BudgetOptions& options);

// From now on nothing more may be spent by an analyst, or by anybody (an empty name). Who is named
// is not handed stored answers either; when all are stopped, what was paid for stays free to
// repeat. Queries that are paid for end normally. On disk when it returns.
Status RevokeSpending(const BudgetOptions& options, const std::string& analyst);

// Lifts the revocation of one analyst.
Status AdmitAnalyst(const BudgetOptions& options, const std::string& analyst);

// Lets an analyst ask again who was locked out.
Status PardonAnalyst(const BudgetOptions& options, const std::string& analyst);

// Verifies the ledger from its first entry on, then hands over one JSON object for what it began
// with and one for each entry, without newlines. Answers are not part of it, only their digests.
Status ExportAudit(const BudgetOptions& options, const std::function<void(std::string_view)>& line);

}  // namespace dpsql
