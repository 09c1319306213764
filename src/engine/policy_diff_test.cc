#include "dpsql/policy_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/temp_folder.h"

namespace dpsql {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kBase =
    "[dataset]\nname = \"shop\"\n[data]\nversion = \"1\"\n"
    "[budget]\nepsilon = 4.0\ndelta = 1e-6\n[budget.analysts.alice]\nepsilon = 1.0\ndelta = 1e-7\n"
    "[query]\nmin_frequency = 10\nmax_groups_per_unit = 3\n"
    "[tables.customer]\nunit = \"customer_id\"\n[tables.customer.columns]\n"
    "name = { hidden = true }\nage = { lower = 0, upper = 100 }\nsegment = { values = [\"a\"] }\n"
    "[tables.orders]\nunit = \"customer_id\"\nmax_rows_per_unit = 20\n"
    "[tables.city]\npublic = true\n";

class PolicyDiffTest : public ::testing::Test {
 protected:
  // What differs when `from` of the base policy becomes `to`, as "mark what".
  std::vector<std::string> Changes(const std::string& from, const std::string& to) const {
    std::string text = kBase;
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error("not in the policy: " + from);
    text.replace(at, from.size(), to);
    return Compare(kBase, text);
  }

  std::vector<std::string> Compare(const std::string& before, const std::string& after) const {
    std::ofstream(folder_ / "old.toml") << before;
    std::ofstream(folder_ / "new.toml") << after;
    const auto changes = ComparePolicies(folder_ / "old.toml", folder_ / "new.toml");
    if (!changes) return {changes.error().message};
    std::vector<std::string> lines;
    for (const PolicyChange& change : *changes) {
      const char* const names[] = {"weaker", "stronger", "same"};
      EXPECT_NE(change.meaning, "") << change.what;
      lines.push_back(std::string(names[static_cast<int>(change.effect)]) +
                      (change.needs_grant ? "+grant " : " ") + change.what);
    }
    return lines;
  }

  TempFolder folder_;
};

TEST_F(PolicyDiffTest, CommentsAndOrderAreNoDifference) {
  EXPECT_THAT(Changes("[dataset]", "# words\n[dataset]"), IsEmpty());
  EXPECT_EQ(FormatPolicyChanges({}, Format::kBox), "no difference\n");
}

TEST_F(PolicyDiffTest, TheBudget) {
  EXPECT_THAT(Changes("epsilon = 4.0", "epsilon = 8.0"),
              ElementsAre("weaker+grant [budget] epsilon: 4 -> 8",
                          "same [query] epsilon: 0.1 -> 0.2", "same [query] epsilon_max: 4 -> 8"));
  EXPECT_THAT(Changes("epsilon = 4.0", "epsilon = 2.0"),
              ElementsAre("stronger+grant [budget] epsilon: 4 -> 2",
                          "same [query] epsilon: 0.1 -> 0.05", "same [query] epsilon_max: 4 -> 2"));
  EXPECT_THAT(Changes("delta = 1e-6", "delta = 1e-6\naccountant = \"basic\""),
              ElementsAre("weaker [budget] accountant: gdp -> basic"));
  EXPECT_THAT(Changes("delta = 1e-6", "delta = 1e-6\nrenew = \"30 days\""),
              ElementsAre("weaker [budget] renew: never -> every 30 days"));
}

TEST_F(PolicyDiffTest, EpsilonAndDeltaMoveTogether) {
  EXPECT_THAT(
      Changes("epsilon = 4.0\ndelta = 1e-6", "epsilon = 8.0\ndelta = 5e-7"),
      ::testing::IsSupersetOf({"weaker+grant [budget] epsilon: 4 -> 8",
                               "stronger+grant [budget] delta: 1e-06 -> 5e-07",
                               "weaker [budget] epsilon and delta move in different directions"}));
}

TEST_F(PolicyDiffTest, Analysts) {
  EXPECT_THAT(Changes("epsilon = 1.0", "epsilon = 2.0"),
              ElementsAre("weaker+grant [budget.analysts.alice] epsilon: 1 -> 2"));
  EXPECT_THAT(Changes("analysts.alice]", "analysts.bob]"),
              ElementsAre("weaker+grant [budget.analysts.bob] is new",
                          "stronger+grant [budget.analysts.alice] is gone"));
  EXPECT_THAT(Changes("[budget.analysts.alice]\nepsilon = 1.0\ndelta = 1e-7\n", ""),
              ElementsAre("weaker+grant [budget.analysts] listed who may ask, now is absent"));
}

TEST_F(PolicyDiffTest, Questions) {
  EXPECT_THAT(Changes("min_frequency = 10", "min_frequency = 5"),
              ElementsAre("weaker [query] min_frequency: 10 -> 5"));
  EXPECT_THAT(Changes("min_frequency = 10", "min_frequency = 20"),
              ElementsAre("stronger [query] min_frequency: 10 -> 20"));
  EXPECT_THAT(Changes("min_frequency = 10", "min_frequency = 10\naborts_allowed = 9"),
              ElementsAre("weaker+grant [query] aborts_allowed: 3 -> 9"));
  EXPECT_THAT(Changes("max_groups_per_unit = 3", ""),
              ElementsAre("same [query] max_groups_per_unit: 3 -> none"));
  EXPECT_THAT(Changes("version = \"1\"", "version = \"2\""),
              ElementsAre("same [data] version: 1 -> 2"));
}

TEST_F(PolicyDiffTest, Tables) {
  EXPECT_THAT(
      Changes("[tables.customer]\nunit = \"customer_id\"", "[tables.customer]\nunit = \"id\""),
      ElementsAre("weaker [tables.customer] unit: customer_id -> id"));
  EXPECT_THAT(Changes("unit = \"customer_id\"\nmax_rows_per_unit = 20", "public = true"),
              ElementsAre("weaker [tables.orders] was private, now is public"));
  EXPECT_THAT(Changes("public = true", "unit = \"x\""),
              ElementsAre("stronger [tables.city] was public, now is private"));
  EXPECT_THAT(Changes("max_rows_per_unit = 20", "max_rows_per_unit = 30"),
              ElementsAre("same [tables.orders] max_rows_per_unit: 20 -> 30"));
  EXPECT_THAT(
      Changes("[tables.city]\npublic = true", "[tables.visit]\npublic = true"),
      ElementsAre("weaker [tables.visit] is new, and public", "stronger [tables.city] is gone"));
}

TEST_F(PolicyDiffTest, Columns) {
  EXPECT_THAT(Changes("name = { hidden = true }", ""),
              ElementsAre("weaker [tables.customer] name could not be asked, now can"));
  EXPECT_THAT(Changes("upper = 100", "upper = 120"),
              ElementsAre("same [tables.customer] age bounds: 0 to 100 -> 0 to 120"));
  EXPECT_THAT(Changes("values = [\"a\"]", "values = [\"a\", \"b\"]"),
              ElementsAre("same [tables.customer] segment has another list of values"));
  EXPECT_THAT(Changes("age = { lower = 0, upper = 100 }", "age = { hidden = true }"),
              ElementsAre("stronger [tables.customer] age could be asked, now cannot",
                          "same [tables.customer] age bounds: 0 to 100 -> none"));
}

TEST_F(PolicyDiffTest, ReadsNoBrokenPolicy) {
  EXPECT_THAT(Compare(kBase, "[dataset"), ElementsAre(HasSubstr("new.toml:1: ")));
}

TEST_F(PolicyDiffTest, Formats) {
  const std::vector<PolicyChange> changes = {{.effect = Effect::kWeaker,
                                              .needs_grant = true,
                                              .what = "[budget] epsilon: 4 -> 8",
                                              .meaning = "more"}};
  EXPECT_TRUE(HasWeaker(changes));
  EXPECT_EQ(FormatPolicyChanges(changes, Format::kBox),
            "weaker          [budget] epsilon: 4 -> 8\n"
            "                more; needs grant\n"
            "1 weaker, 0 stronger, 0 with the same guarantee\n");
  EXPECT_EQ(
      FormatPolicyChanges(changes, Format::kJson),
      "{\"changes\":[{\"effect\":\"weaker\",\"needs_grant\":true,\"what\":\"[budget] epsilon: 4 "
      "-> 8\",\"meaning\":\"more\"}],\"weaker\":1,\"stronger\":0,\"same\":0}\n");
}

}  // namespace
}  // namespace dpsql
