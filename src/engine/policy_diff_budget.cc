#include <map>

#include "account/budget_terms.h"
#include "engine/policy_diff.h"

namespace dpsql {
namespace {

std::string Days(std::int64_t days) {
  return days == 0 ? "never" : "every " + std::to_string(days) + " days";
}

class BudgetComparer {
 public:
  BudgetComparer(const Policy& before, const Policy& after, PolicyChanges& changes)
      : before_(before), after_(after), changes_(changes) {}

  void Compare() {
    CompareChosenOnce();
    CompareTotals();
    CompareAnalysts();
    CompareQueries();
  }

 private:
  // A ledger refuses these for good, and a second ledger for the same people adds its own budget.
  void ChosenOnce(const std::string& name, const std::string& before, const std::string& after) {
    if (before == after) return;
    changes_.Add(
        Effect::kWeaker, name + ": " + Arrow(before, after),
        "chosen once: the ledger refuses it, and no grant helps; a new ledger for the same "
        "people spends its budget beside what the old one has spent");
  }

  void CompareChosenOnce() {
    const BudgetPolicy& before = before_.budget;
    const BudgetPolicy& after = after_.budget;
    ChosenOnce("[dataset] name", before_.dataset, after_.dataset);
    ChosenOnce("[budget] accountant", before.accountant, after.accountant);
    ChosenOnce("[budget] renew", Days(before.renew_days), Days(after.renew_days));
    ChosenOnce("[budget] threshold_share", ExactText(before.threshold_share),
               ExactText(after.threshold_share));
    ChosenOnce("[budget] pure_epsilon", ExactText(before.pure_epsilon),
               ExactText(after.pure_epsilon));
  }

  // A part of the budget: more of it promises less.
  void Total(const std::string& name, double before, double after, const std::string& whom) {
    if (before == after) return;
    const bool more = after > before;
    changes_.AddGranted(
        more ? Effect::kWeaker : Effect::kStronger,
        name + ": " + Arrow(ExactText(before), ExactText(after)),
        more ? whom + " may learn more of each person in all"
             : whom + " may learn less from here on; what was promised before stays as it was");
  }

  void CompareTotals() {
    const BudgetPolicy& before = before_.budget;
    const BudgetPolicy& after = after_.budget;
    Total("[budget] epsilon", before.epsilon, after.epsilon, "all analysts together");
    Total("[budget] delta", before.delta, after.delta, "all analysts together");
    const bool crossed = (before.epsilon < after.epsilon && before.delta > after.delta) ||
                         (before.epsilon > after.epsilon && before.delta < after.delta);
    if (!crossed) return;
    changes_.Add(Effect::kWeaker, "[budget] epsilon and delta move in different directions",
                 "no grant allows it: raise both, or lower both");
  }

  static std::map<std::string, AnalystPolicy> ByName(const BudgetPolicy& budget) {
    std::map<std::string, AnalystPolicy> analysts;
    for (const AnalystPolicy& analyst : budget.analysts) analysts[analyst.name] = analyst;
    return analysts;
  }

  void CompareAnalysts() {
    const auto before = ByName(before_.budget);
    const auto after = ByName(after_.budget);
    if (before.empty() && after.empty()) return;
    if (before.empty() || after.empty()) {
      changes_.AddGranted(before.empty() ? Effect::kStronger : Effect::kWeaker,
                          before.empty() ? "[budget.analysts] was absent, now lists who may ask"
                                         : "[budget.analysts] listed who may ask, now is absent",
                          before.empty()
                              ? "only those may ask, each no more than his share"
                              : "anybody may ask, under any name, up to the whole budget");
      return;
    }
    for (const auto& [name, analyst] : before) CompareAnalyst(name, analyst, after);
    for (const auto& [name, analyst] : after) {
      if (before.contains(name)) continue;
      changes_.AddGranted(Effect::kWeaker, Section(name) + " is new",
                          "one more may ask, within the same budget of the dataset");
    }
  }

  static std::string Section(const std::string& name) { return "[budget.analysts." + name + "]"; }

  void CompareAnalyst(const std::string& name, const AnalystPolicy& before,
                      const std::map<std::string, AnalystPolicy>& all) {
    const auto after = all.find(name);
    if (after == all.end()) {
      changes_.AddGranted(Effect::kStronger, Section(name) + " is gone", "he may ask no more");
      return;
    }
    Total(Section(name) + " epsilon", before.epsilon, after->second.epsilon, "this analyst alone");
    Total(Section(name) + " delta", before.delta, after->second.delta, "this analyst alone");
  }

  void CompareQueries() {
    const QueryPolicy& before = before_.query;
    const QueryPolicy& after = after_.query;
    Whole("min_frequency", before.min_frequency, after.min_frequency, Effect::kStronger,
          {"groups must have more people to be shown", "groups of fewer people may be shown"});
    if (before.aborts_allowed != after.aborts_allowed) {
      const bool more = after.aborts_allowed > before.aborts_allowed;
      changes_.AddGranted(more ? Effect::kWeaker : Effect::kStronger,
                          "[query] aborts_allowed: " + Arrow(std::to_string(before.aborts_allowed),
                                                             std::to_string(after.aborts_allowed)),
                          "each abort tells an analyst one bit that no noise covers");
    }
    Default("epsilon", before.epsilon, after.epsilon);
    Default("epsilon_max", before.epsilon_max, after.epsilon_max);
    Default("delta", before.delta, after.delta);
    Default("delta_max", before.delta_max, after.delta_max);
    if (before.max_groups_per_unit != after.max_groups_per_unit) {
      changes_.Add(Effect::kSame,
                   "[query] max_groups_per_unit: " + Arrow(Optional(before.max_groups_per_unit),
                                                           Optional(after.max_groups_per_unit)),
                   "enforced either way: more groups of one person, more noise in each");
    }
    if (before.timeout != after.timeout) {
      changes_.Add(Effect::kSame, "[query] timeout is another",
                   "a question that it ends counts against aborts_allowed, as before");
    }
  }

  struct Meanings {
    const char* if_more;
    const char* if_less;
  };

  void Whole(const std::string& name, std::int64_t before, std::int64_t after, Effect if_more,
             Meanings meanings) {
    if (before == after) return;
    const bool more = after > before;
    const Effect if_less = if_more == Effect::kStronger ? Effect::kWeaker : Effect::kStronger;
    changes_.Add(more ? if_more : if_less,
                 "[query] " + name + ": " + Arrow(std::to_string(before), std::to_string(after)),
                 more ? meanings.if_more : meanings.if_less);
  }

  void Default(const std::string& name, double before, double after) {
    if (before == after) return;
    changes_.Add(Effect::kSame,
                 "[query] " + name + ": " + Arrow(ExactText(before), ExactText(after)),
                 "of one question; all of them together stay within the budget");
  }

  static std::string Optional(const std::optional<std::int64_t>& number) {
    return number ? std::to_string(*number) : "none";
  }

  const Policy& before_;
  const Policy& after_;
  PolicyChanges& changes_;
};

}  // namespace

void CompareBudgets(const Policy& before, const Policy& after, PolicyChanges& changes) {
  BudgetComparer(before, after, changes).Compare();
}

}  // namespace dpsql
