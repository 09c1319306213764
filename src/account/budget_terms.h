#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
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

// Whose spending the owner has stopped. Both kinds are lifted by themselves alone: who was stopped
// by name stays so when everybody else goes on.
struct Revocations {
  bool everybody = false;
  std::set<std::string> analysts;

  bool OfSpending(const std::string& analyst) const {
    return everybody || analysts.contains(analyst);
  }
  friend bool operator==(const Revocations&, const Revocations&) = default;
};

// Terms with their caps, fixed in advance: what the filter's proof rests on.
//
// Revocations are part of them. Each row of the chain names the row that set the terms in force, so
// who decides on a question sees a revocation by reading the last row. The argument:
//   - Order. A revocation is a row like a reservation, decided under the head file's lock, in the
//     order of arrival also within one commit. A reservation before it was admitted under the terms
//     of then, is charged, and ends as any other; one behind it reads the new terms and is refused.
//     There is no third case, in this process or another.
//   - Crash. Row, terms and head line are those of one commit (account/journal.h): after a crash
//     the revocation is whole or absent, and where the owner was told of it, it is there.
//   - Budget. It admits less than the terms did without it, and refunds nothing: the charges
//     admitted under a filter that also stops at the owner's word are some that the filter admits.
//   - Older programs. They cannot read the row that set the terms, and stop.
struct FixedTerms {
  BudgetTerms terms;
  BudgetCaps caps;
  BudgetCaps largest;  // the largest that ever were in force, of analysts no longer listed too
  Revocations revoked;
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
// the largest says. Lifts the revocation for everybody, not those by name.
Result<FixedTerms> GrantedTerms(const FixedTerms& recorded, const BudgetTerms& policy);

// The terms after a revocation, and after it is lifted. Of an empty name: for everybody.
FixedTerms RevokedTerms(FixedTerms recorded, const std::string& analyst);
FixedTerms AdmittedTerms(FixedTerms recorded, const std::string& analyst);

// Whether they differ in nothing but revocations.
bool SameButRevocations(const FixedTerms& a, const FixedTerms& b);

// The shortest text that reads back as the same double.
std::string ExactText(double value);

}  // namespace dpsql
