#include "dpsql/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/reference_duckdb.h"
#include "support/temp_folder.h"

namespace dpsql {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

const std::string kDatabases = DPSQL_SOURCE_DIR "/tests/databases/";

class CheckTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TempFolder;
    MakeDatabase(database(), kDatabases + "shop.sql");
  }
  static void TearDownTestSuite() { delete folder_; }

  static std::string database() { return *folder_ / "shop.duckdb"; }

  // Each finding as "line severity code".
  static std::vector<std::string> Findings(const std::string& policy, const std::string& url) {
    const auto findings = CheckPolicy({.policy = policy, .url = url});
    if (!findings) return {findings.error().code};
    std::vector<std::string> lines;
    for (const Finding& finding : *findings) {
      const char* const names[] = {"error", "warning", "info"};
      lines.push_back(std::to_string(finding.line) + " " +
                      names[static_cast<int>(finding.severity)] + " " + finding.code);
    }
    return lines;
  }

  // What is wrong comes with what to write.
  static void ExpectFixes(const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) {
      EXPECT_NE(finding.fix, "") << finding.file << ":" << finding.line << ": " << finding.message;
    }
  }

  static TempFolder* folder_;
};
TempFolder* CheckTest::folder_ = nullptr;

TEST_F(CheckTest, FindsEverythingAtOnce) {
  const std::vector<std::string> found = Findings(kDatabases + "bad/many.toml", database());
  EXPECT_THAT(found, IsSupersetOf({
                         "4 error C202",
                         "5 error C203",
                         "6 warning small-k",
                         "8 error C204",
                         "11 error C203",
                         "12 error C202",
                         "12 error C204",
                         "13 error C205",
                         "15 error C205",
                         "8 warning personal-column",
                         "15 warning no-row-cap",
                         "15 info no-bounds",
                         "17 info nullable-unit",
                         "20 warning public-unit-column",
                         "22 error C204",
                         "24 error C204",
                         "26 error C203",
                         "27 error C203",
                         "1 info undeclared-table",
                         "1 info no-version",
                         "8 warning identifier-column",
                     }));
}

TEST_F(CheckTest, EveryBadPolicyHasAnError) {
  int policies = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kDatabases + "bad")) {
    const auto findings = CheckPolicy({.policy = entry.path(), .url = database()});
    ASSERT_TRUE(findings.ok()) << entry.path();
    EXPECT_TRUE(HasErrors(*findings)) << entry.path();
    ExpectFixes(*findings);
    ++policies;
  }
  EXPECT_GT(policies, 25);
}

TEST_F(CheckTest, AGoodPolicyHasNoErrors) {
  for (const char* name : {"shop.toml", "strict.toml", "small_budget.toml"}) {
    const auto findings = CheckPolicy({.policy = kDatabases + name, .url = database()});
    ASSERT_TRUE(findings.ok()) << name;
    EXPECT_FALSE(HasErrors(*findings)) << name << FormatFindings(*findings, Format::kBox);
    ExpectFixes(*findings);
  }
}

TEST_F(CheckTest, EveryFindingHasAFixWithoutADatabaseToo) {
  int findings_seen = 0;
  for (const std::string& folder : {kDatabases, kDatabases + "bad"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".toml") continue;
      const auto findings = CheckPolicy({.policy = entry.path()});
      ASSERT_TRUE(findings.ok()) << entry.path();
      ExpectFixes(*findings);
      findings_seen += static_cast<int>(findings->size());
    }
  }
  EXPECT_GT(findings_seen, 100);
}

TEST_F(CheckTest, LooksAtNumbers) {
  const std::string policy = *folder_ / "loose.toml";
  std::ofstream(policy) << "[dataset]\nname = \"shop\"\n[budget]\nepsilon = 20.0\ndelta = 0.01\n"
                           "[tables.city]\npublic = true\n";
  EXPECT_THAT(Findings(policy, database()),
              IsSupersetOf({"3 warning large-epsilon", "3 warning large-delta",
                            "1 warning no-private-table"}));
}

TEST_F(CheckTest, SaysWhatTheDatabaseDoesNotKeep) {
  EXPECT_THAT(Findings(kDatabases + "typed.toml", database()),
              IsSupersetOf({"26 warning unenforced-key"}));
  EXPECT_THAT(Findings(kDatabases + "typed.toml", ""), IsSupersetOf({"43 info unchecked-table"}));
  EXPECT_THAT(Findings(kDatabases + "bad/declared_key.toml", database()),
              IsSupersetOf({"9 error C205", "6 warning unenforced-key"}));
}

TEST_F(CheckTest, FormatsFindings) {
  const auto findings = CheckPolicy({.policy = kDatabases + "bad/unknown_key.toml"});
  ASSERT_TRUE(findings.ok());
  EXPECT_THAT(FormatFindings(*findings, Format::kBox),
              HasSubstr("unknown_key.toml:4: error: [budget] has no key epsilom [C202]\n"
                        "    did you mean  epsilon ?\n"));
  EXPECT_THAT(FormatFindings(*findings, Format::kBox), HasSubstr("\n1 error, 0 warnings\n"));
  EXPECT_THAT(FormatFindings(*findings, Format::kJson),
              HasSubstr("\"line\":4,\"message\":\"[budget] has no key epsilom\","
                        "\"fix\":\"did you mean  epsilon ?\"}"));
  EXPECT_THAT(FormatFindings(*findings, Format::kJson),
              HasSubstr("\"errors\":1,\"warnings\":0}\n"));
}

TEST_F(CheckTest, WhatCannotBeOpenedIsAnError) {
  const auto code = [](const CheckOptions& options) {
    const auto findings = CheckPolicy(options);
    return findings ? "no error" : findings.error().code;
  };
  EXPECT_EQ(code({.policy = kDatabases + "no-such.toml"}), "C201");
  EXPECT_EQ(code({.policy = kDatabases + "shop.toml", .url = *folder_ / "no-such.duckdb"}), "E501");
  EXPECT_EQ(code({.policy = kDatabases + "shop.toml", .url = "oracle:x"}), "E504");
}

std::string Refusal(const Result<std::vector<CheckedQuery>>& checked) {
  return checked ? "accepted" : checked.error().code;
}

TEST_F(CheckTest, AQueryNeedsNoDatabase) {
  auto checker = QueryChecker::Open({.policy = kDatabases + "typed.toml", .dialect = "duckdb"});
  ASSERT_TRUE(checker.ok()) << checker.error().message;
  EXPECT_EQ(checker->notices().size(), 3u);
  const auto checked = checker->Check(
      "SET dp.epsilon = 0.5; SELECT segment, sum(quantity) FROM item i "
      "JOIN orders o ON i.order_id = o.order_id JOIN customer c ON c.customer_id = o.customer_id "
      "GROUP BY segment; EXPLAIN (DP) SELECT PRIVATE_QUERY OPTIONS (EPSILON=2) count(*) FROM item");
  ASSERT_TRUE(checked.ok()) << checked.error().message;
  ASSERT_EQ(checked->size(), 2u);
  EXPECT_THAT((*checked)[0].plan, HasSubstr("price   epsilon 0.5,"));
  EXPECT_THAT((*checked)[0].sql, Contains(HasSubstr("\"main\".\"item\"")));
  EXPECT_THAT((*checked)[1].plan, HasSubstr("price   epsilon 2,"));
  EXPECT_EQ(Refusal(checker->Check("SELECT quantity FROM item")), "V312");
  EXPECT_EQ(Refusal(checker->Check("SELECT count(*) FROM visit")), "V301");
  EXPECT_EQ(Refusal(checker->Check("SET dp.epsilon = 3")), "B401");
  EXPECT_EQ(Refusal(checker->Check("DROP TABLE item")), "P104");
  EXPECT_EQ(Refusal(checker->Check(
                "ALTER PRIVATE_TABLE orders OPTIONS (PRIVACY_UNIT_COLUMN = customer_id)")),
            "accepted");
}

TEST_F(CheckTest, APlanIsTheSameWithADatabase) {
  auto with = QueryChecker::Open({.policy = kDatabases + "shop.toml", .url = database()});
  ASSERT_TRUE(with.ok()) << with.error().message;
  EXPECT_TRUE(with->notices().empty());
  const auto checked = with->Check("SELECT count(*) FROM customer");
  ASSERT_TRUE(checked.ok());
  EXPECT_THAT((*checked)[0].plan, HasSubstr("columns  count\n"));
  EXPECT_TRUE((*checked)[0].sql.empty());
  EXPECT_EQ(FormatCheckedQuery({.plan = "p\n", .sql = {"s"}}, Format::kBox), "p\nruns\ns\n");
  EXPECT_EQ(FormatCheckedQuery({.plan = "p\n", .sql = {"s"}}, Format::kJson),
            "{\"accepted\":true,\"plan\":\"p\\n\",\"sql\":\"s\\n\"}\n");
}

TEST_F(CheckTest, AQueryWithoutTypesOrDialectIsRefused) {
  const auto code = [](const CheckOptions& options) {
    const auto checker = QueryChecker::Open(options);
    return checker ? "no error" : checker.error().code;
  };
  EXPECT_EQ(code({.policy = kDatabases + "shop.toml"}), "C206");
  EXPECT_EQ(code({.policy = kDatabases + "typed.toml", .dialect = "oracle"}), "E504");
  EXPECT_EQ(code({.policy = kDatabases + "bad/many.toml"}), "C203");
}

}  // namespace
}  // namespace dpsql
