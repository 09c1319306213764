#pragma once

#include <string>

#include "account/budget_terms.h"
#include "catalog/policy.h"
#include "dpsql/result.h"

// Which ledger belongs to a policy, and on what terms.
namespace dpsql {

// The file of the ledger: as the URL says (a path, or sqlite:PATH), else beside the policy, which
// is the file itself where the name is a link.
// Refuses (L603) a URL of another kind of store, and (L604) a link that could begin a second
// budget.
Result<std::string> LedgerPath(const std::string& url, const std::string& policy_file);

BudgetTerms TermsOf(const Policy& policy);

}  // namespace dpsql
