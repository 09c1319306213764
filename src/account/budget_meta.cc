#include "account/budget_meta.h"

#include <charconv>
#include <cstdio>

#include "base/error_codes.h"

namespace dpsql {
namespace {

std::optional<double> ParseDouble(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return value;
}

std::string Describe(const GdpBudget& budget) {
  return "epsilon " + ExactText(budget.total.epsilon) + ", delta " + ExactText(budget.total.delta) +
         ", threshold_share " + ExactText(budget.threshold_share);
}

std::string HexText(const std::array<std::uint32_t, 4>& id) {
  std::array<char, 33> text{};
  std::snprintf(text.data(), text.size(), "%08x%08x%08x%08x", id[0], id[1], id[2], id[3]);
  return text.data();
}

std::string Find(const LedgerMeta& meta, const char* key) {
  const auto found = meta.find(key);
  return found == meta.end() ? "" : found->second;
}

}  // namespace

BudgetTerms TermsOfPolicy(const std::string& dataset, const GdpBudget& budget) {
  return {.dataset = dataset, .budget = budget, .caps = GdpCaps(budget)};
}

LedgerMeta MetaOfTerms(const BudgetTerms& terms, const std::array<std::uint32_t, 4>& id) {
  return {{"ledger", HexText(id)},
          {"dataset", terms.dataset},
          {"accountant", "gdp"},
          {"epsilon", ExactText(terms.budget.total.epsilon)},
          {"delta", ExactText(terms.budget.total.delta)},
          {"threshold_share", ExactText(terms.budget.threshold_share)},
          {"mu_squared_cap", ToString(terms.caps.mu_squared)},
          {"delta_infinity_cap", ToString(terms.caps.delta_infinity)}};
}

std::optional<BudgetTerms> TermsOfMeta(const LedgerMeta& meta) {
  if (Find(meta, "accountant") != "gdp") return std::nullopt;
  const auto epsilon = ParseDouble(Find(meta, "epsilon"));
  const auto delta = ParseDouble(Find(meta, "delta"));
  const auto share = ParseDouble(Find(meta, "threshold_share"));
  const auto mu_squared = ParseUInt128(Find(meta, "mu_squared_cap"));
  const auto delta_infinity = ParseUInt128(Find(meta, "delta_infinity_cap"));
  if (!epsilon || !delta || !share || !mu_squared || !delta_infinity) return std::nullopt;
  return BudgetTerms{
      .dataset = Find(meta, "dataset"),
      .budget = {.total = {.epsilon = *epsilon, .delta = *delta}, .threshold_share = *share},
      .caps = {.mu_squared = *mu_squared, .delta_infinity = *delta_infinity}};
}

Status CheckSameTerms(const BudgetTerms& recorded, const BudgetTerms& policy) {
  if (recorded.dataset != policy.dataset) {
    return MakeError(
        ErrorCode::kCapsDiffer,
        "the ledger belongs to dataset " + recorded.dataset + ", the policy names dataset " +
            policy.dataset,
        {}, "restore the policy's [dataset] name, or start a new ledger for a new dataset");
  }
  const std::string ours = Describe(recorded.budget);
  const std::string theirs = Describe(policy.budget);
  if (ours == theirs) return Done{};
  return MakeError(ErrorCode::kCapsDiffer,
                   "the policy's budget is not the ledger's: the ledger has " + ours +
                       "; the policy has " + theirs,
                   {}, "restore the policy's [budget], or start a new ledger for a new dataset");
}

}  // namespace dpsql
