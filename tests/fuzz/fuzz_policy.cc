// Bytes as the owner's policy file, on the ways that `dpsql check`, `dpsql policy diff` and a
// session take it. A finding is an exception, a message that cannot be shown, a policy that one
// reader takes and another refuses, or an accepted policy that no ledger can begin with.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "account/budget_terms.h"
#include "base/check.h"
#include "base/utf8.h"
#include "catalog/catalog.h"
#include "catalog/lint_policy.h"
#include "dpsql/check.h"
#include "dpsql/policy_diff.h"
#include "engine/ledger_of_policy.h"
#include "fuzz/finding.h"
#include "fuzz/target.h"
#include "plan/plan.h"
#include "support/memory_folder.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

// What an accepted policy must be able to answer or to refuse, over the shop of test_catalog.h and
// over the tables that it declares itself.
constexpr auto kQuestions = std::to_array<const char*>({
    "SELECT count(*) FROM customer",
    "SELECT segment, sum(age), avg(balance) FROM customer GROUP BY segment",
    "SELECT city, count(DISTINCT age) FROM customer WHERE active GROUP BY city",
    "SELECT sum(quantity) FROM item JOIN orders USING (order_id)",
    "SELECT count(*) FROM visit",
    "SELECT c.country, var_pop(k.score) FROM customer k JOIN city c ON c.name = k.city "
    "GROUP BY c.country",
});

class PolicyTarget {
 public:
  PolicyTarget() { folder_.Write("shop.toml", PolicyText()); }

  void Run(std::string_view text) {
    ++runs_;
    folder_.Write("policy.toml", text);
    CheckCommand();
    PolicyProblems problems;
    const Policy read = ReadPolicy(text, file_, problems);
    CheckProblems(problems, text);
    Result<Policy> strict = ReadPolicy(text, file_);
    Check(strict.ok() == problems.empty(), "a session takes what a check has no error for");
    if (!strict) {
      Check(strict.error().message == ToError(problems.front(), file_).message,
            "a session stops at the first problem");
      return;
    }
    ++read_;
    CheckTerms(*strict);
    CheckCatalog(std::move(strict).value());
    CheckQuestions();
    CheckChanges();
  }

  std::string Summary() const {
    return std::to_string(runs_) + " policies, " + std::to_string(read_) + " read, " +
           std::to_string(opened_) + " fit the shop, " + std::to_string(planned_) + " plans\n";
  }

 private:
  void CheckCommand() const {
    const auto findings = CheckPolicy({.policy = file_, .url = "", .dialect = ""});
    if (!findings) return NoBug(findings.error());
    for (const Format format : {Format::kBox, Format::kJson}) {
      Check(FormatFindings(*findings, format).ends_with("\n"), "findings can be shown");
    }
    for (const Finding& finding : *findings) {
      Check(finding.line >= 1 && !finding.message.empty(), "a finding has a place and words");
    }
  }

  static void NoBug(const Error& error) {
    Check(error.code != "X901", "no policy makes the program break a promise");
    Check(IsValidUtf8(error.message), "a message is UTF-8");
  }

  void CheckProblems(const PolicyProblems& problems, std::string_view text) const {
    const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
    for (const PolicyProblem& problem : problems) {
      Check(problem.line >= 0 && problem.line <= lines, "a problem stands in the file");
      Check(IsValidUtf8(problem.message) && IsValidUtf8(problem.hint), "a problem is UTF-8");
      Check(ToError(problem, file_).code.starts_with('C'), "a problem of a policy is one");
    }
  }

  // The ledger that this policy would begin: its caps exist, are written down, and are read again.
  static void CheckTerms(const Policy& policy) {
    const BudgetPolicy& budget = policy.budget;
    Check(std::isfinite(budget.epsilon) && budget.epsilon >= kSmallestEpsilon, "epsilon is one");
    Check(budget.delta >= kSmallestDelta && budget.delta < 1, "delta is one");
    Check(policy.query.epsilon <= policy.query.epsilon_max, "the default epsilon is allowed");
    Check(policy.query.delta <= policy.query.delta_max, "the default delta is allowed");
    const BudgetTerms terms = TermsOf(policy);
    const FixedTerms fixed = FixTerms(terms);
    const auto again = ParseTerms(ToText(fixed));
    Check(again && ToText(*again) == ToText(fixed), "recorded terms are read as they were");
    Check(CheckSameTerms(again->terms, terms).ok(), "a policy agrees with its own ledger");
    for (const auto& [name, caps] : fixed.caps.analysts) {
      const EpsilonDelta share = terms.analysts.at(name);
      Check(share.epsilon <= budget.epsilon && share.delta <= budget.delta, "a share is a part");
    }
  }

  void CheckCatalog(Policy policy) {
    PolicyProblems problems;
    const Schema schema = ShopSchema();
    Catalog::FindProblems(policy, schema, problems);
    static_cast<void>(LintPolicy(policy, schema));
    const auto catalog = Catalog::Make(std::move(policy), schema);
    Check(catalog.ok() == problems.empty(), "a catalog is made where no problem is found");
    if (!catalog) return;
    ++opened_;
    const Settings settings = DefaultSettings(catalog->policy());
    for (const char* question : kQuestions) {
      const auto plan = TryPlan(question, *catalog, settings);
      if (!plan) {
        NoBug(plan.error());
        continue;
      }
      ++planned_;
      Check(!plan->Print().empty(), "a plan can be shown");
      // A policy may call the tables of a question public.
      const bool is_free = plan->cost().by_mechanism == Purses{};
      Check(is_free == plan->doors().empty(), "a plan has a price where it has a door");
    }
  }

  // Without a database: over the tables as the policy itself declares them.
  void CheckQuestions() const {
    auto checker = QueryChecker::Open({.policy = file_, .url = "", .dialect = "duckdb"});
    if (!checker) return NoBug(checker.error());
    for (const char* question : kQuestions) {
      const auto checked = checker->Check(question);
      if (!checked) NoBug(checked.error());
    }
  }

  void CheckChanges() const {
    const std::string shop = folder_ / "shop.toml";
    for (const auto& [before, after] : {std::pair(shop, file_), std::pair(file_, shop)}) {
      const auto changes = ComparePolicies(before, after);
      Check(changes.ok(), "two policies can be compared");
      Check(FormatPolicyChanges(*changes, Format::kJson).ends_with("\n"), "changes can be shown");
    }
    const auto none = ComparePolicies(file_, file_);
    Check(none.ok() && none->empty(), "a policy does not differ from itself");
  }

  MemoryFolder folder_;
  std::string file_ = folder_ / "policy.toml";
  std::size_t runs_ = 0;
  std::size_t read_ = 0;
  std::size_t opened_ = 0;
  std::size_t planned_ = 0;
};

}  // namespace
}  // namespace dpsql

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  return dpsql::SummarizeAtExit<dpsql::PolicyTarget>();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  dpsql::OrAbort([&] { dpsql::TheTarget<dpsql::PolicyTarget>().Run(text); }, text);
  return 0;
}
