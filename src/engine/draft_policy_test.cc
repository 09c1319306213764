#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "dpsql/check.h"
#include "dpsql/draft.h"
#include "dpsql/session.h"
#include "engine/draft_policy_text.h"
#include "support/reference_duckdb.h"
#include "support/temp_folder.h"

namespace dpsql {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class DraftTest : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_ / name; }

  // Writes the draft beside its sources and returns it.
  PolicyDraft Draft(const std::vector<std::string>& sources, const std::string& unit = "") const {
    std::vector<std::string> paths;
    for (const std::string& source : sources) paths.push_back(path(source));
    auto draft = DraftPolicy({.sources = paths, .dataset = "", .unit = unit, .policy = policy()});
    if (!draft) throw std::runtime_error(draft.error().message + ": " + draft.error().hint);
    std::ofstream(policy()) << draft->text;
    return std::move(draft).value();
  }

  std::string Refusal(const std::string& source, const std::string& unit = "") const {
    const auto draft =
        DraftPolicy({.sources = {path(source)}, .dataset = "", .unit = unit, .policy = policy()});
    return draft ? "no error" : draft.error().code + ": " + draft.error().message;
  }

  std::string policy() const { return path("draft.toml"); }

  // The errors of `dpsql check` on the draft; empty where there are none.
  std::string Errors(const PolicyDraft& draft) const {
    const auto findings = CheckPolicy({.policy = policy(), .url = draft.url});
    if (!findings) return findings.error().message;
    return HasErrors(*findings) ? FormatFindings(*findings, Format::kBox) : "";
  }

  void Database(const std::string& sql) const { MakeDatabaseFromText(path("d.duckdb"), sql); }
  void File(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }

 private:
  TempFolder folder_;
};

TEST_F(DraftTest, DraftsOfTheTestDatabasesAreGoodPolicies) {
  for (const std::string name : {"shop", "link", "odd"}) {
    const std::string sql = DPSQL_SOURCE_DIR "/tests/databases/" + name + ".sql";
    MakeDatabase(path(name + ".duckdb"), sql);
    EXPECT_EQ(Errors(Draft({name + ".duckdb"})), "") << name;
  }
}

TEST_F(DraftTest, FollowsNamesAndMarksThemAsGuesses) {
  MakeDatabase(path("shop.duckdb"), DPSQL_SOURCE_DIR "/tests/databases/shop.sql");
  const PolicyDraft draft = Draft({"shop.duckdb"});
  EXPECT_EQ(draft.unit, "customer.customer_id");
  EXPECT_THAT(draft.text, HasSubstr("[tables.customer]\nunit = \"customer_id\"  # GUESS"));
  EXPECT_THAT(draft.text, HasSubstr("unit = { through = \"order_id\", references = "
                                    "\"orders.order_id\" }  # GUESS"));
  EXPECT_THAT(draft.text, HasSubstr("\nname = { hidden = true }"));
  EXPECT_THAT(draft.text, HasSubstr("\n# age = { lower = ?, upper = ? }"));
  EXPECT_THAT(draft.text, HasSubstr("# [tables.customer_view]\n# left out: a view"));
  EXPECT_THAT(draft.text, HasSubstr("# [tables.folded]\n# left out: a column has a collation"));
  EXPECT_THAT(draft.text, HasSubstr("# [tables.city]\n# unit = \"?\""));
}

TEST_F(DraftTest, ForeignKeysAreNoGuesses) {
  Database(
      "CREATE TABLE patient (nr INTEGER PRIMARY KEY, born DATE);"
      "CREATE TABLE stay (stay INTEGER PRIMARY KEY, whom INTEGER REFERENCES patient (nr));"
      "CREATE TABLE drug (stay INTEGER REFERENCES stay (stay), patient_id INTEGER, dose DOUBLE);"
      "CREATE TABLE dose (a INTEGER REFERENCES stay (stay));");
  const PolicyDraft draft = Draft({"d.duckdb"});
  EXPECT_EQ(draft.unit, "patient.nr");
  EXPECT_EQ(Errors(draft), "");
  EXPECT_THAT(draft.text, HasSubstr("[tables.stay]\nunit = \"whom\"           # whose row it is\n"
                                    "max_rows_per_unit = 20"));
  EXPECT_THAT(draft.text,
              HasSubstr("unit = { through = \"a\", references = \"stay.stay\" }  # a foreign key"));
  EXPECT_THAT(draft.text, HasSubstr("[tables.drug]\nunit = \"patient_id\"     # GUESS"));
}

// Whoever is named by the other column would not be protected, so nobody is chosen silently.
TEST_F(DraftTest, TwoWaysToTheUnitAreLeftToTheOwner) {
  Database(
      "CREATE TABLE users (id INTEGER PRIMARY KEY);"
      "CREATE TABLE message (sender INTEGER REFERENCES users (id), receiver INTEGER REFERENCES "
      "users (id));");
  const PolicyDraft draft = Draft({"d.duckdb"});
  EXPECT_EQ(Errors(draft), "");
  EXPECT_THAT(draft.text,
              HasSubstr("# [tables.message]\n# DECIDE more than one column leads to the "
                        "unit: sender, receiver."));
}

TEST_F(DraftTest, NamesCannotBreakTheFile) {
  Database(
      "CREATE TABLE \"a \"\"user\" (\"user id\" INTEGER PRIMARY KEY, \"x]\n[budget]\nepsilon = 9\" "
      "INTEGER, \"größe\" DOUBLE, \"tab\ta\\b\" VARCHAR, \"e.mail\" VARCHAR);"
      "CREATE TABLE \"x\n[tables.y]\" (n INTEGER);");
  const PolicyDraft draft = Draft({"d.duckdb"});
  EXPECT_EQ(draft.unit, "a \"user.user id");
  EXPECT_EQ(draft.table, "\"a \"\"user\"");
  EXPECT_EQ(Errors(draft), "");
  EXPECT_THAT(draft.text, HasSubstr("[tables.\"a \\\"user\"]\nunit = \"user id\""));
  EXPECT_THAT(draft.text, Not(HasSubstr("\nepsilon = 9")));
  EXPECT_THAT(draft.text, HasSubstr("# [tables.\"x\\u000A[tables.y]\"]\n"));
  EXPECT_EQ(TomlKey(""), "\"\"");
  EXPECT_EQ(TomlText("\x7f\x01"), "\"\\u007F\\u0001\"");
}

// The newcomer's way: a file, a draft, an answer.
TEST_F(DraftTest, ACsvFileCanBeAskedAtOnce) {
  std::string rows = "id,name,\"home town\"\n";
  for (int i = 0; i < 3000; ++i) rows += std::to_string(i) + ",Secret Person,Lyon\n";
  File("people.csv", rows);
  const PolicyDraft draft = Draft({"people.csv"});
  EXPECT_EQ(draft.unit, "people.id");
  EXPECT_EQ(Errors(draft), "");
  EXPECT_THAT(draft.text, Not(HasSubstr("Secret")));
  EXPECT_THAT(draft.text, Not(HasSubstr("Lyon")));
  auto session = Session::Open({.url = "", .policy = policy(), .ledger = "", .analyst = "a"});
  ASSERT_TRUE(session.ok()) << session.error().message;
  for (const char* sql :
       {"SELECT count(*) FROM people", "SELECT \"home town\", count(*) FROM people GROUP BY 1"}) {
    const auto answer = session->Ask(sql);
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ(answer->rows.size(), 1u) << sql;
  }
}

TEST_F(DraftTest, OtherFilesToo) {
  Database(
      "COPY (SELECT i AS order_no, i % 9 AS user_id, i * 1.5 AS amount FROM range(9) t(i)) TO '" +
      path("orders.parquet") + "'; COPY (SELECT i AS user_id, i AS n FROM range(9) t(i)) TO '" +
      path("visit.jsonl") + "';");
  const PolicyDraft parquet = Draft({"orders.parquet"});
  EXPECT_EQ(Errors(parquet), "");
  EXPECT_EQ(parquet.unit, "orders.user_id");
  EXPECT_THAT(parquet.text, HasSubstr("# amount = { lower = ?, upper = ? }    # DECIMAL("));
  const PolicyDraft both = Draft({"orders.parquet", "visit.jsonl"});
  EXPECT_EQ(Errors(both), "");
  EXPECT_THAT(both.text, HasSubstr("user_id = { type = \"VARCHAR\" }  # the unit"));
}

TEST_F(DraftTest, WithoutAUnitItIsNoPolicyYet) {
  Database("CREATE TABLE weather (day DATE, rain DOUBLE); CREATE TABLE place (x INTEGER);");
  const PolicyDraft draft = Draft({"d.duckdb"});
  EXPECT_EQ(draft.unit, "");
  EXPECT_THAT(draft.text, HasSubstr("DECIDE no column looks like a person."));
  EXPECT_THAT(Errors(draft), HasSubstr("[C204]"));
  EXPECT_EQ(Errors(Draft({"d.duckdb"}, "place.x")), "");
  EXPECT_EQ(Refusal("d.duckdb", "weather.rain"), "C204: weather.rain cannot be the privacy unit");
  EXPECT_EQ(Refusal("d.duckdb", "plaice.x"), "C204: there is no column plaice.x");
}

// A row in the place of the names would put a person into the draft.
TEST_F(DraftTest, AFirstLineThatIsARowIsRefused) {
  File("bare.csv", "7,Anna Muster,34\n8,Bob,35\n");
  EXPECT_THAT(Refusal("bare.csv"), HasSubstr("its first line looks like a row"));
  EXPECT_THAT(Refusal("bare.csv"), Not(HasSubstr("Anna")));
  File("mail.csv", "anna@example.org,x\n");
  EXPECT_THAT(Refusal("mail.csv"), HasSubstr("its first line looks like a row"));
  File("semi.csv", "id;name\n1;x\n");
  EXPECT_THAT(Refusal("semi.csv"), HasSubstr("not separated by commas"));
  File("list.json", "[{\"id\": 1}]\n");
  EXPECT_THAT(Refusal("list.json"), HasSubstr("its first line is no JSON object"));
  File("years.csv", "id,2019,2020\n1,2,3\n");
  EXPECT_EQ(Errors(Draft({"years.csv"})), "");
  EXPECT_THAT(Refusal("none.csv"), HasSubstr("C204: the source of none matches no file"));
  EXPECT_THAT(Refusal("none.duckdb"), HasSubstr("E501"));
}

}  // namespace
}  // namespace dpsql
