#include "account/budget_terms.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"

namespace dpsql {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMostDays = 1'000'000;  // more than any policy may say

// One term, as two policies are compared and as a message shows it.
using NamedTerms = std::vector<std::pair<std::string, std::string>>;

Json JsonOf(const Purses& purses) {
  return {{"mu_squared", ToString(purses.mu_squared)},
          {"delta", ToString(purses.delta)},
          {"epsilon", ToString(purses.epsilon)}};
}

// Throws where the text is no number; ParseTerms catches.
UInt128 UnitsOf(const Json& text) {
  const auto value = ParseUInt128(text.get<std::string>());
  if (!value) throw std::invalid_argument("no number");
  return *value;
}

Purses PursesOf(const Json& json) {
  return {.mu_squared = UnitsOf(json.at("mu_squared")),
          .delta = UnitsOf(json.at("delta")),
          .epsilon = UnitsOf(json.at("epsilon"))};
}

double DoubleOf(const Json& json) {
  const auto text = json.get<std::string>();
  double value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc{} || parsed.ptr != end) throw std::invalid_argument("no number");
  return value;
}

FixedTerms TermsOf(const Json& json) {
  FixedTerms fixed;
  BudgetTerms& terms = fixed.terms;
  terms.dataset = json.at("dataset").get<std::string>();
  const auto accountant = ParseAccountant(json.at("accountant").get<std::string>());
  if (!accountant) throw std::invalid_argument("no accountant");
  terms.budget = {
      .total = {.epsilon = DoubleOf(json.at("epsilon")), .delta = DoubleOf(json.at("delta"))},
      .accountant = *accountant,
      .threshold_share = DoubleOf(json.at("threshold_share")),
      .pure_epsilon = DoubleOf(json.at("pure_epsilon"))};
  terms.renew_days = json.at("renew_days").get<std::int64_t>();
  terms.aborts_allowed = json.at("aborts_allowed").get<std::int64_t>();
  if (terms.renew_days < 0 || terms.renew_days > kMostDays || terms.aborts_allowed < 0) {
    throw std::invalid_argument("no terms");
  }
  fixed.caps.dataset = PursesOf(json.at("caps"));
  fixed.largest.dataset = PursesOf(json.at("largest"));
  for (const auto& [name, caps] : json.at("largest_of_analysts").items()) {
    fixed.largest.analysts[name] = PursesOf(caps);
  }
  for (const auto& [name, analyst] : json.at("analysts").items()) {
    terms.analysts[name] = {.epsilon = DoubleOf(analyst.at("epsilon")),
                            .delta = DoubleOf(analyst.at("delta"))};
    fixed.caps.analysts[name] = PursesOf(analyst.at("caps"));
  }
  if (json.contains("revoked")) {
    const Json& revoked = json.at("revoked");
    fixed.revoked.everybody = revoked.at("everybody").get<bool>();
    fixed.revoked.analysts = revoked.at("analysts").get<std::set<std::string>>();
  }
  return fixed;
}

NamedTerms ChosenOnce(const BudgetTerms& terms) {
  return {{"dataset", terms.dataset},
          {"accountant", std::string(ToText(terms.budget.accountant))},
          {"renew_days", std::to_string(terms.renew_days)},
          {"threshold_share", ExactText(terms.budget.threshold_share)},
          {"pure_epsilon", ExactText(terms.budget.pure_epsilon)}};
}

NamedTerms Grantable(const BudgetTerms& terms) {
  NamedTerms list = {{"epsilon", ExactText(terms.budget.total.epsilon)},
                     {"delta", ExactText(terms.budget.total.delta)},
                     {"aborts_allowed", std::to_string(terms.aborts_allowed)}};
  for (const auto& [name, total] : terms.analysts) {
    list.emplace_back("analysts." + name,
                      "epsilon " + ExactText(total.epsilon) + ", delta " + ExactText(total.delta));
  }
  return list;
}

std::string Find(const NamedTerms& list, const std::string& name) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const auto& term) { return term.first == name; });
  return found == list.end() ? "nothing" : found->second;
}

// "epsilon: the ledger has 1, the policy 2" for each term that differs.
std::string Differences(const NamedTerms& ledger, const NamedTerms& policy) {
  std::string text;
  const auto add = [&](const std::string& name) {
    const std::string ours = Find(ledger, name);
    const std::string theirs = Find(policy, name);
    if (ours == theirs) return;
    text += text.empty() ? "" : "; ";
    text += name + ": the ledger has " + ours + ", the policy " + theirs;
  };
  for (const auto& [name, value] : ledger) add(name);
  for (const auto& [name, value] : policy) {
    if (Find(ledger, name) == "nothing") add(name);
  }
  return text;
}

// The larger of two caps, where one is in every purse.
Result<Purses> LargerOf(const Purses& before, const Purses& now) {
  if (Fits(now, before, {})) return now;
  if (Fits(before, now, {})) return before;
  return MakeError(ErrorCode::kCapsDiffer, "a grant raises one part of a budget and lowers another",
                   {}, "raise epsilon and delta together, or lower both");
}

Status CheckChosenOnce(const BudgetTerms& recorded, const BudgetTerms& policy) {
  const std::string differences = Differences(ChosenOnce(recorded), ChosenOnce(policy));
  if (differences.empty()) return Done{};
  return MakeError(ErrorCode::kCapsDiffer,
                   "the policy's budget is not the ledger's: " + differences, {},
                   "this is chosen once: restore the policy, or start a new ledger for a new "
                   "dataset");
}

}  // namespace

Budget BudgetOfAnalyst(const BudgetTerms& terms, EpsilonDelta total) {
  Budget budget = terms.budget;
  const double share = std::min(total.epsilon / budget.total.epsilon, 1.0);
  budget.pure_epsilon = std::min(share * budget.pure_epsilon, total.epsilon);
  budget.total = total;
  return budget;
}

FixedTerms FixTerms(const BudgetTerms& terms) {
  FixedTerms fixed{.terms = terms,
                   .caps = {.dataset = CapsOf(terms.budget), .analysts = {}},
                   .largest = {},
                   .revoked = {}};
  for (const auto& [name, total] : terms.analysts) {
    fixed.caps.analysts[name] = CapsOf(BudgetOfAnalyst(terms, total));
  }
  fixed.largest = fixed.caps;
  return fixed;
}

std::string ToText(const FixedTerms& fixed) {
  const BudgetTerms& terms = fixed.terms;
  Json analysts = Json::object();
  for (const auto& [name, total] : terms.analysts) {
    analysts[name] = {{"epsilon", ExactText(total.epsilon)},
                      {"delta", ExactText(total.delta)},
                      {"caps", JsonOf(fixed.caps.analysts.at(name))}};
  }
  Json largest = Json::object();
  for (const auto& [name, caps] : fixed.largest.analysts) largest[name] = JsonOf(caps);
  Json json = {{"dataset", terms.dataset},
               {"accountant", ToText(terms.budget.accountant)},
               {"epsilon", ExactText(terms.budget.total.epsilon)},
               {"delta", ExactText(terms.budget.total.delta)},
               {"threshold_share", ExactText(terms.budget.threshold_share)},
               {"pure_epsilon", ExactText(terms.budget.pure_epsilon)},
               {"renew_days", terms.renew_days},
               {"aborts_allowed", terms.aborts_allowed},
               {"caps", JsonOf(fixed.caps.dataset)},
               {"largest", JsonOf(fixed.largest.dataset)},
               {"largest_of_analysts", largest},
               {"analysts", analysts}};
  // Nothing where there is none: terms without it have the bytes they always had.
  if (!(fixed.revoked == Revocations{})) {
    json["revoked"] = {{"everybody", fixed.revoked.everybody},
                       {"analysts", fixed.revoked.analysts}};
  }
  return json.dump();
}

std::optional<FixedTerms> ParseTerms(const std::string& text) {
  try {
    return TermsOf(Json::parse(text));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

Status CheckSameTerms(const BudgetTerms& recorded, const BudgetTerms& policy) {
  TRY_DONE(CheckChosenOnce(recorded, policy));
  const std::string differences = Differences(Grantable(recorded), Grantable(policy));
  if (differences.empty()) return Done{};
  return MakeError(ErrorCode::kCapsDiffer,
                   "the policy's budget is not the ledger's: " + differences, {},
                   "restore the policy, or let the owner run  dpsql budget grant");
}

Result<FixedTerms> GrantedTerms(const FixedTerms& recorded, const BudgetTerms& policy) {
  TRY_DONE(CheckChosenOnce(recorded.terms, policy));
  FixedTerms granted = FixTerms(policy);
  TRY(granted.largest.dataset, LargerOf(recorded.largest.dataset, granted.caps.dataset));
  for (const auto& [name, before] : recorded.largest.analysts) {
    const auto now = granted.caps.analysts.find(name);
    if (now == granted.caps.analysts.end()) {
      granted.largest.analysts[name] = before;
    } else {
      TRY(granted.largest.analysts[name], LargerOf(before, now->second));
    }
  }
  granted.revoked.analysts = recorded.revoked.analysts;
  return granted;
}

FixedTerms RevokedTerms(FixedTerms recorded, const std::string& analyst) {
  if (analyst.empty()) {
    recorded.revoked.everybody = true;
  } else {
    recorded.revoked.analysts.insert(analyst);
  }
  return recorded;
}

FixedTerms AdmittedTerms(FixedTerms recorded, const std::string& analyst) {
  if (analyst.empty()) {
    recorded.revoked.everybody = false;
  } else {
    recorded.revoked.analysts.erase(analyst);
  }
  return recorded;
}

bool SameButRevocations(const FixedTerms& a, const FixedTerms& b) {
  const auto bare = [](FixedTerms fixed) {
    fixed.revoked = {};
    return ToText(fixed);
  };
  return bare(a) == bare(b);
}

std::string ExactText(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  Check(end.ec == std::errc{}, "a double fits 32 characters");
  return {text.data(), end.ptr};
}

}  // namespace dpsql
