#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "account/chain.h"
#include "dpsql/result.h"
#include "privacy/accountant.h"

namespace dpsql {

// What the owner promises about a dataset, as the policy says it.
struct BudgetTerms {
  std::string dataset;
  Budget budget;
  // Caps of their own, under the same accountant. If there is any, only these may ask.
  std::map<std::string, EpsilonDelta> analysts;
  std::int64_t renew_days = 0;  // 0: the budget is for the dataset's life
  std::int64_t aborts_allowed = 3;
};

// The caps that follow from the terms. They are recorded, not recomputed: they hold even where a
// later version would round otherwise.
struct BudgetCaps {
  Purses dataset;
  std::map<std::string, Purses> analysts;
};

// Terms with their caps, fixed in advance: what the filter's proof rests on.
struct FixedTerms {
  BudgetTerms terms;
  BudgetCaps caps;
};

FixedTerms FixTerms(const BudgetTerms& terms);

// The budget of one analyst: his own epsilon and delta, the rest as for the dataset.
Budget BudgetOfAnalyst(const BudgetTerms& terms, EpsilonDelta total);

// The terms as they are recorded: one line of JSON, the same bytes for the same terms.
std::string ToText(const FixedTerms& fixed);
std::optional<FixedTerms> ParseTerms(const std::string& text);

// Refuses (B404) a policy whose terms are not the recorded ones, and says what differs.
Status CheckSameTerms(const BudgetTerms& recorded, const BudgetTerms& policy);

// Refuses (B404) terms that no grant can bring: the dataset, its accountant and its windows are
// chosen once.
Status CheckGrant(const BudgetTerms& recorded, const BudgetTerms& policy);

// The shortest text that reads back as the same double.
std::string ExactText(double value);

}  // namespace dpsql
