#include "fuzz/ledger_model.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>

#include "base/check.h"

namespace dpsql {
namespace {

constexpr std::int64_t kSecondsPerDay = 86'400;
constexpr UInt128 kTop = ~UInt128{0};

using Wide = boost::multiprecision::cpp_int;

Wide Widen(UInt128 value) {
  Wide wide = static_cast<std::uint64_t>(value >> 64);
  return (wide << 64) + static_cast<std::uint64_t>(value);
}

// With numbers that cannot overflow. A charge at the top may stand for any larger one.
bool StaysWithin(UInt128 cap, UInt128 spent, UInt128 charge) {
  return charge != kTop && Widen(spent) + Widen(charge) <= Widen(cap);
}

bool StaysWithin(const Purses& caps, const Purses& spent, const Purses& charge) {
  return StaysWithin(caps.mu_squared, spent.mu_squared, charge.mu_squared) &&
         StaysWithin(caps.delta, spent.delta, charge.delta) &&
         StaysWithin(caps.epsilon, spent.epsilon, charge.epsilon);
}

void Add(Purses& sum, const Purses& amount) {
  sum.mu_squared += amount.mu_squared;
  sum.delta += amount.delta;
  sum.epsilon += amount.epsilon;
}

}  // namespace

std::int64_t LedgerModel::Window(std::int64_t now) const {
  const std::int64_t renew = terms_.terms.renew_days * kSecondsPerDay;
  return renew == 0 ? 0 : (std::max(now, mark_) - created_) / renew;
}

Purses LedgerModel::Spent(std::int64_t window) const {
  Purses sum;
  for (const Charge& charge : charges_) {
    if (charge.of_dataset && charge.window == window) Add(sum, charge.amount);
  }
  return sum;
}

Purses LedgerModel::AnalystSpent(const std::string& analyst, std::int64_t window) const {
  Purses sum;
  for (const Charge& charge : charges_) {
    if (charge.analyst == analyst && charge.window == window) Add(sum, charge.amount);
  }
  return sum;
}

void LedgerModel::Note(const std::string& analyst, std::int64_t now) {
  mark_ = std::max(mark_, now);
  people_[analyst].in_chain = true;
}

std::string LedgerModel::CheckCaps(const Purses& caps, const Purses& spent,
                                   const Purses& charge) const {
  if (StaysWithin(caps, spent, charge)) return "";
  return StaysWithin(caps, {}, charge) ? "B402" : "B405";
}

std::string LedgerModel::CheckAborts(const std::string& analyst) const {
  const auto known = people_.find(analyst);
  if (known == people_.end()) return "";
  const Person& person = known->second;
  const std::int64_t allowed = terms_.terms.aborts_allowed;
  if (person.aborts + person.open < allowed) return "";
  return person.aborts + person.lost < allowed ? "B408" : "B407";
}

std::string LedgerModel::Reserve(const std::string& analyst, const Cost& cost, std::int64_t now) {
  if (terms_.revoked.OfSpending(analyst)) return "B409";
  if (std::string refused = CheckAborts(analyst); !refused.empty()) return refused;
  const Purses charge = ChargeOf(terms_.terms.budget.accountant, cost);
  const std::int64_t window = Window(now);
  std::string refused = CheckCaps(terms_.caps.dataset, Spent(window), charge);
  const auto own = terms_.caps.analysts.find(analyst);
  if (refused.empty() && own != terms_.caps.analysts.end()) {
    refused = CheckCaps(own->second, AnalystSpent(analyst, window), charge);
  }
  if (!refused.empty()) return refused;
  Note(analyst, now);
  charges_.push_back({.analyst = analyst, .window = window, .of_dataset = true, .amount = charge});
  ++people_[analyst].open;
  return "";
}

LedgerModel::Outcome LedgerModel::Stored(const std::string& analyst, const Cost& cost,
                                         std::int64_t now) {
  if (!cost.storable) return {};
  if (terms_.revoked.analysts.contains(analyst)) return {.code = "B409"};
  const auto kept = kept_.find(cost.plan_digest);
  if (kept == kept_.end()) return {};
  const auto own = terms_.caps.analysts.find(analyst);
  const bool owes = own != terms_.caps.analysts.end() && kept->second != analyst &&
                    !buyers_.contains({cost.plan_digest, analyst});
  if (!owes) return {.code = "", .answered = true};
  if (terms_.revoked.everybody) return {.code = "B409"};
  const Purses charge = ChargeOf(terms_.terms.budget.accountant, cost);
  const std::int64_t window = Window(now);
  std::string refused = CheckCaps(own->second, AnalystSpent(analyst, window), charge);
  if (!refused.empty()) return {.code = refused};
  Note(analyst, now);
  charges_.push_back({.analyst = analyst, .window = window, .of_dataset = false, .amount = charge});
  buyers_.insert({cost.plan_digest, analyst});
  return {.code = "", .answered = true, .charged = true};
}

void LedgerModel::Store(const std::string& analyst, const Cost& cost, std::int64_t now) {
  Note(analyst, now);
  --people_[analyst].open;
  ++releases_;
  if (!cost.storable) return;
  const bool first = kept_.emplace(cost.plan_digest, analyst).second;
  if (!first) buyers_.insert({cost.plan_digest, analyst});
}

void LedgerModel::Abandon(const std::string& analyst, bool failed, std::int64_t now) {
  Note(analyst, now);
  --people_[analyst].open;
  if (failed) ++people_[analyst].aborts;
}

bool LedgerModel::Pardon(const std::string& analyst, std::int64_t now) {
  const auto known = people_.find(analyst);
  if (known == people_.end() || !known->second.in_chain) return false;
  Note(analyst, now);
  known->second.open -= known->second.lost;
  known->second.lost = 0;
  known->second.aborts = 0;
  return true;
}

void LedgerModel::Granted(FixedTerms terms, const std::string& owner, std::int64_t now) {
  terms_ = std::move(terms);
  Note(owner, now);
}

bool LedgerModel::Knows(const std::string& analyst) const {
  if (terms_.terms.analysts.contains(analyst) || terms_.revoked.analysts.contains(analyst)) {
    return true;
  }
  const auto known = people_.find(analyst);
  return known != people_.end() && known->second.in_chain;
}

void LedgerModel::Revoke(const std::string& analyst, std::int64_t now) {
  const FixedTerms after = RevokedTerms(terms_, analyst);
  if (after.revoked == terms_.revoked) return;
  terms_ = after;
  Note(analyst, now);
}

void LedgerModel::Admit(const std::string& analyst, std::int64_t now) {
  const FixedTerms after = AdmittedTerms(terms_, analyst);
  if (after.revoked == terms_.revoked) return;
  terms_ = after;
  Note(analyst, now);
}

}  // namespace dpsql
