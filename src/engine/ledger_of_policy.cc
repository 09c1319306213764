#include "engine/ledger_of_policy.h"

#include <filesystem>

#include "base/check.h"
#include "base/error_codes.h"

namespace dpsql {

Result<std::string> LedgerPath(const std::string& url, const std::string& policy_file) {
  constexpr std::string_view kSqlite = "sqlite:";
  if (url.empty()) return std::filesystem::path(policy_file).replace_extension(".ledger").string();
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
