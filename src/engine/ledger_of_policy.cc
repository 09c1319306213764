#include "engine/ledger_of_policy.h"

#include <filesystem>

#include "account/ledger_files.h"
#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"

namespace dpsql {
namespace {

namespace fs = std::filesystem;

std::string Beside(fs::path policy_file) {
  return policy_file.replace_extension(".ledger").string();
}

// A policy of two names has one budget, that of the file itself. None begins through a link, of the
// file or of a folder on the way: it could lead to another file tomorrow, whose budget would be
// full again. Beside what is no file, a pipe, the next one may be another, and nothing there lasts.
Result<std::string> LedgerBeside(const std::string& policy_file) {
  std::error_code failed;
  if (!fs::exists(policy_file, failed)) return Beside(policy_file);  // reading it tells why
  if (!fs::is_regular_file(policy_file, failed)) {
    return MakeError(ErrorCode::kNoLedger, "the policy is no file, beside which a ledger could be",
                     {}, "say where it is: --ledger FILE");
  }
  const fs::path real = fs::canonical(policy_file, failed);
  const bool linked = failed || fs::absolute(policy_file).lexically_normal() != real;
  if (!linked) return Beside(policy_file);
  const std::string of_file = Beside(real);
  const std::string of_link = Beside(policy_file);
  TRY(const bool begun, LedgerExists(of_file));
  TRY(const bool other, LedgerExists(of_link));
  if (begun && (!other || fs::equivalent(of_file, of_link, failed))) return of_file;
  if (other) {
    return MakeError(ErrorCode::kNoLedger,
                     "a link leads to the policy, and there is a ledger beside it, " + of_link +
                         (begun ? ", and another" : ", and none") + " beside its file, " +
                         real.string(),
                     {}, "say which one: --ledger FILE");
  }
  return MakeError(
      ErrorCode::kNoLedger,
      "a link leads to the policy, and there is no ledger yet beside its file, " + real.string(),
      {}, "a link begins no ledger: give the file itself, or --ledger FILE");
}

}  // namespace

Result<std::string> LedgerPath(const std::string& url, const std::string& policy_file) {
  constexpr std::string_view kSqlite = "sqlite:";
  if (url.empty()) return LedgerBeside(policy_file);
  if (url.starts_with(kSqlite)) return url.substr(kSqlite.size());
  if (url.find("://") == std::string::npos) return url;
  return MakeError(ErrorCode::kLedgerUrl, "a ledger is a file on a local disk, not " + url, {},
                   "give a path, or  sqlite:PATH");
}

BudgetTerms TermsOf(const Policy& policy) {
  const BudgetPolicy& budget = policy.budget;
  const std::optional<Accountant> accountant = ParseAccountant(budget.accountant);
  Check(accountant.has_value(), "a policy names an accountant");
  BudgetTerms terms{.dataset = policy.dataset,
                    .budget = {.total = {.epsilon = budget.epsilon, .delta = budget.delta},
                               .accountant = *accountant,
                               .threshold_share = budget.threshold_share,
                               .pure_epsilon = budget.pure_epsilon},
                    .analysts = {},
                    .renew_days = budget.renew_days,
                    .aborts_allowed = policy.query.aborts_allowed};
  for (const AnalystPolicy& analyst : budget.analysts) {
    terms.analysts[analyst.name] = {.epsilon = analyst.epsilon, .delta = analyst.delta};
  }
  return terms;
}

}  // namespace dpsql
