#include "sql_tokens.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "history_file.h"

namespace dpsql::cli {
namespace {

// The first statement of a text, or all of it with a mark where it is not complete.
std::string First(const std::string& text) {
  const std::size_t end = StatementEnd(text);
  return end == std::string::npos ? text + "…" : text.substr(0, end);
}

TEST(SqlTokensTest, AStatementEndsWithASemicolonOfItsOwn) {
  EXPECT_EQ(First("SELECT 1; SELECT 2;"), "SELECT 1;");
  EXPECT_EQ(First("SELECT 1"), "SELECT 1…");
  EXPECT_EQ(First("SELECT ';'; x"), "SELECT ';';");
  EXPECT_EQ(First("SELECT 'it''s;'; x"), "SELECT 'it''s;';");
  EXPECT_EQ(First(R"(SELECT ";"; x)"), R"(SELECT ";";)");
  EXPECT_EQ(First("SELECT 1 -- no; end\n; x"), "SELECT 1 -- no; end\n;");
  EXPECT_EQ(First("SELECT /* ; /* ; */ ; */ 1; x"), "SELECT /* ; /* ; */ ; */ 1;");
  EXPECT_EQ(First("SELECT $$;$$; x"), "SELECT $$;$$;");
  EXPECT_EQ(First("SELECT $a$;$b$;$a$; x"), "SELECT $a$;$b$;$a$;");
}

TEST(SqlTokensTest, BackslashesCountInEscapeStringsOnly) {
  EXPECT_EQ(First(R"(SELECT E'\';'; x)"), R"(SELECT E'\';';)");
  EXPECT_EQ(First(R"(SELECT '\'; x)"), R"(SELECT '\';)");
}

TEST(SqlTokensTest, ADollarBeforeANameBeginsNoString) {
  EXPECT_EQ(First("SELECT $low; SELECT $low;"), "SELECT $low;");
  EXPECT_EQ(First("SELECT a$b$; x"), "SELECT a$b$;");
}

TEST(SqlTokensTest, WhatIsOpenGoesOn) {
  for (const char* text : {"SELECT 'a;", "SELECT \"a;", "SELECT /* ;", "SELECT $x$ ; $x",
                           "SELECT E'a\\';", "SELECT 1 -- ;"}) {
    EXPECT_EQ(First(text), std::string(text) + "…");
  }
}

TEST(SqlTokensTest, CommentsAndSpacesAreNothingToRun) {
  EXPECT_TRUE(IsBlank(""));
  EXPECT_TRUE(IsBlank(" \n; -- only words\n /* more */ ;"));
  EXPECT_FALSE(IsBlank("/* it goes on"));
  EXPECT_FALSE(IsBlank("1"));
}

TEST(SqlTokensTest, CommandsStandOnLinesBetweenStatements) {
  const std::string text =
      ".mode csv\n"
      "SELECT 1;\n"
      "SELECT 2\n"
      "  .5;\n"
      "-- a note\n"
      "  \\x\n"
      "SELECT '\n.no';\n";
  std::vector<std::string> parts;
  for (const ScriptPart& part : SplitScript(text)) {
    EXPECT_EQ(text.substr(part.begin, part.text.size()), part.text);
    parts.push_back((part.is_command ? "command " : "sql ") + std::string(part.text));
  }
  const std::vector<std::string> expected = {"command .mode csv",
                                             "sql \nSELECT 1;\nSELECT 2\n  .5;\n-- a note\n  ",
                                             "command \\x", "sql \nSELECT '\n.no';\n"};
  EXPECT_EQ(parts, expected);
}

TEST(HistoryEntriesTest, LineEndsBecomeSpacesWhereTheyMeanNoMore) {
  using Entries = std::vector<std::string>;
  EXPECT_EQ(HistoryEntries("SELECT 1\n  FROM t;"), (Entries{"SELECT 1   FROM t;"}));
  EXPECT_EQ(HistoryEntries("SELECT 'a\nb';"), (Entries{"SELECT 'a", "b';"}));
  EXPECT_EQ(HistoryEntries("SELECT 1 -- one\nFROM t;"), (Entries{"SELECT 1 -- one", "FROM t;"}));
}

}  // namespace
}  // namespace dpsql::cli
