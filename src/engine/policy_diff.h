#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "catalog/policy.h"
#include "dpsql/policy_diff.h"

namespace dpsql {

// Collects what differs between two policies.
class PolicyChanges {
 public:
  void Add(Effect effect, std::string what, std::string meaning) {
    changes_.push_back({.effect = effect, .what = std::move(what), .meaning = std::move(meaning)});
  }

  // A change of the budget's terms, which the ledger keeps.
  void AddGranted(Effect effect, std::string what, std::string meaning) {
    Add(effect, std::move(what), std::move(meaning));
    changes_.back().needs_grant = true;
  }

  std::vector<PolicyChange> Sorted() && {
    std::stable_sort(changes_.begin(), changes_.end(),
                     [](const auto& a, const auto& b) { return a.effect < b.effect; });
    return std::move(changes_);
  }

 private:
  std::vector<PolicyChange> changes_;
};

void CompareBudgets(const Policy& before, const Policy& after, PolicyChanges& changes);
void CompareTables(const Policy& before, const Policy& after, PolicyChanges& changes);

// "4 -> 8"
std::string Arrow(const std::string& before, const std::string& after);

}  // namespace dpsql
