#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "account/chain.h"
#include "dpsql/result.h"
#include "privacy/gdp_filter.h"

namespace dpsql {

// What a ledger promises, fixed when it is created: the dataset, its budget, and the caps of the
// filter. Caps fixed in advance are what the filter's proof rests on.
struct BudgetTerms {
  std::string dataset;
  GdpBudget budget;
  GdpState caps;
};

BudgetTerms TermsOfPolicy(const std::string& dataset, const GdpBudget& budget);

// Terms as they are recorded. `id` makes the chains of two ledgers differ from the first hash on.
LedgerMeta MetaOfTerms(const BudgetTerms& terms, const std::array<std::uint32_t, 4>& id);
std::optional<BudgetTerms> TermsOfMeta(const LedgerMeta& meta);

// Refuses (B404) a policy that names another dataset or budget. The recorded caps are not
// recomputed: they hold even where a later version would round otherwise.
Status CheckSameTerms(const BudgetTerms& recorded, const BudgetTerms& policy);

}  // namespace dpsql
