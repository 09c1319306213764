#include "catalog/read_budget.h"

#include <charconv>
#include <string>

#include "catalog/policy_ranges.h"
#include "catalog/toml_section.h"

namespace dpsql {
namespace {

constexpr std::int64_t kMaxRenewDays = 36'525;  // a century

// "30 days", "1 day", "4 weeks", in days.
std::optional<std::int64_t> ParsePeriod(const std::string& text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc{} || number < 1 || number > kMaxRenewDays) return std::nullopt;
  const std::string unit(parsed.ptr, end);
  if (unit == " day" || unit == " days") return number;
  const bool weeks = unit == " week" || unit == " weeks";
  if (weeks && 7 * number <= kMaxRenewDays) return 7 * number;
  return std::nullopt;
}

void ReadAccountant(TomlSection& section, BudgetPolicy& budget) {
  budget.accountant = section.Text("accountant").value_or(budget.accountant);
  const std::string& name = budget.accountant;
  if (name == "gdp" || name == "rdp" || name == "basic") return;
  if (name == "pld") {
    section.Fail(section.Node("accountant"),
                 "[budget] accountant = \"pld\" cannot guard a budget: questions are chosen after "
                 "earlier answers, and then its sum is not private",
                 "write  accountant = \"gdp\"");
    return;
  }
  section.Fail(section.Node("accountant"), "[budget] accountant is \"gdp\", \"rdp\" or \"basic\"",
               "write  accountant = \"gdp\"");
}

void ReadRenewal(TomlSection& section, BudgetPolicy& budget) {
  const std::optional<std::string> text = section.Text("renew");
  if (!text) return;
  const std::optional<std::int64_t> days = ParsePeriod(*text);
  budget.renew_days = days.value_or(0);
  if (!days) {
    section.Fail(section.Node("renew"), "[budget] renew is a period such as \"30 days\"",
                 "write  renew = \"30 days\"  or  renew = \"4 weeks\"");
  }
}

void ReadPurePurse(TomlSection& section, BudgetPolicy& budget) {
  budget.pure_epsilon =
      section.Number("pure_epsilon", {.low = 0, .high = kEpsilonRange.high}).value_or(0);
  if (budget.pure_epsilon == 0) return;
  const toml::node* node = section.Node("pure_epsilon");
  if (budget.accountant != "gdp") {
    section.Fail(node, "[budget] pure_epsilon is a purse of the accountant \"gdp\" only",
                 "remove  pure_epsilon , or write  accountant = \"gdp\"");
  } else if (budget.pure_epsilon > budget.epsilon) {
    section.Fail(node, "[budget] pure_epsilon is a part of epsilon, not more",
                 "write a number that is smaller than  epsilon");
  }
}

AnalystPolicy ReadAnalyst(const toml::table& entry, const std::string& name,
                          const BudgetPolicy& budget, PolicyProblems& problems) {
  TomlSection section(entry, "budget.analysts." + name);
  AnalystPolicy analyst{.name = name};
  analyst.epsilon = section.Required(section.Number("epsilon", kEpsilonRange), "epsilon");
  analyst.delta = section.Required(section.Number("delta", kDeltaRange), "delta");
  if (analyst.epsilon > budget.epsilon) {
    section.Fail(section.Node("epsilon"), "an analyst's epsilon is above that of the dataset",
                 "write at most the  epsilon  of [budget]");
  }
  if (analyst.delta > budget.delta) {
    section.Fail(section.Node("delta"), "an analyst's delta is above that of the dataset",
                 "write at most the  delta  of [budget]");
  }
  section.Finish(problems);
  return analyst;
}

}  // namespace

BudgetPolicy ReadBudget(const toml::table& entry, PolicyProblems& problems) {
  TomlSection section(entry, "budget");
  BudgetPolicy budget;
  budget.line = section.line();
  budget.epsilon = section.Required(section.Number("epsilon", kEpsilonRange), "epsilon");
  budget.delta = section.Required(section.Number("delta", kDeltaRange), "delta");
  budget.threshold_share =
      section.Number("threshold_share", kShareRange).value_or(budget.threshold_share);
  ReadAccountant(section, budget);
  ReadRenewal(section, budget);
  ReadPurePurse(section, budget);
  if (const toml::table* analysts = section.Table("analysts")) {
    if (analysts->empty()) {
      section.Fail(analysts, "[budget.analysts] lists nobody, so nobody could ask",
                   "list an analyst, or remove the section: then anybody may ask");
    }
    for (const auto& [key, node] : *analysts) {
      const std::string name(key.str());
      if (const toml::table* analyst = node.as_table()) {
        budget.analysts.push_back(ReadAnalyst(*analyst, name, budget, problems));
      } else {
        section.Fail(&node, "[budget.analysts] " + name + " is a section of its own",
                     "write  [budget.analysts." + name + "]  and its keys below");
      }
    }
  }
  section.Finish(problems);
  return budget;
}

}  // namespace dpsql
