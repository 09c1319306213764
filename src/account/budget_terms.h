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
  BudgetCaps largest;  // the largest that ever were in force, of analysts no longer listed too
};

FixedTerms FixTerms(const BudgetTerms& terms);

// The budget of one analyst: his own epsilon and delta, the rest as for the dataset.
Budget BudgetOfAnalyst(const BudgetTerms& terms, EpsilonDelta total);

// The terms as they are recorded: one line of JSON, the same bytes for the same terms.
std::string ToText(const FixedTerms& fixed);
std::optional<FixedTerms> ParseTerms(const std::string& text);

// Refuses (B404) a policy whose terms are not the recorded ones, and says what differs.
Status CheckSameTerms(const BudgetTerms& recorded, const BudgetTerms& policy);

// The terms after a grant, or B404 where none can bring them. The dataset, its accountant, its
// windows and how delta and epsilon are split into purses are chosen once: a split that is moved
// after answers were seen is worth up to twice the delta. For the same reason the new caps are, in
// every purse, at least or at most the largest that ever were; then the session is as private as
// the largest says.
Result<FixedTerms> GrantedTerms(const FixedTerms& recorded, const BudgetTerms& policy);

// The shortest text that reads back as the same double.
std::string ExactText(double value);

}  // namespace dpsql
