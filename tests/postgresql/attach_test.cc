// Tables that join those of the policy in the middle of a question.
#include "postgresql/engine_fixture.h"

namespace dpsql {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A table with a row of its own for the person 1, as old as everything else.
std::string Twin(const std::string& name) {
  return "CREATE TABLE " + name + " (id int NOT NULL); INSERT INTO " + name + " VALUES (1);";
}

class AttachTest : public EngineFixture {
 protected:
  // Attaches a table between two statements of a question: the second one fails. `detach` waits
  // for us, so that no table can be read and be gone again when we look.
  void AttachBetween(const std::string& attach, const std::string& detach) {
    const auto connection = Connect();
    const auto nothing = [](SqlConnection::Row) {};
    const std::string count = "SELECT count(*) FROM (" + Read("trunk") + ") AS t";
    EXPECT_THAT(RowsOf(*connection, count), ElementsAre("2"));
    SharedServer().Sql(attach);
    const auto failure = connection->Run(count, nothing);
    ASSERT_TRUE(failure);
    EXPECT_TRUE(failure->changed) << failure->text;
    EXPECT_FALSE(failure->interrupted);
    EXPECT_ANY_THROW(SharedServer().Sql("SET lock_timeout = '200ms'; " + detach));
  }

  void TearDown() override { SharedServer().Sql("DROP TABLE IF EXISTS trunk, twig CASCADE"); }
};

// ALTER TABLE … INHERIT needs no lock that ours hinder, and shows in snapshots that are older.
TEST_F(AttachTest, A31WhatIsAttachedToAPlainTableIsNotRead) {
  SharedServer().Sql("CREATE TABLE alone (id int PRIMARY KEY); INSERT INTO alone VALUES (1), (2);" +
                     Twin("stranger"));
  Open({"alone"});
  const auto connection = Connect();
  EXPECT_THAT(Read("alone"), HasSubstr(" FROM ONLY "));
  const std::string count = "SELECT count(*), count(DISTINCT id) FROM (" + Read("alone") + ") AS a";
  EXPECT_THAT(RowsOf(*connection, count), ElementsAre("2|2"));
  SharedServer().Sql("ALTER TABLE stranger INHERIT alone");
  EXPECT_THAT(RowsOf(*connection, count), ElementsAre("2|2"));
  EXPECT_EQ(SharedServer().Sql("SELECT count(*) FROM alone"), "3\n");
}

TEST_F(AttachTest, A31AnHeirThatComesEndsTheQuestion) {
  SharedServer().Sql(
      "CREATE TABLE trunk (id int); CREATE TABLE branch () INHERITS (trunk);"
      "INSERT INTO trunk VALUES (1); INSERT INTO branch VALUES (2);" +
      Twin("twig"));
  Open({"trunk"});
  AttachBetween("ALTER TABLE twig INHERIT trunk", "ALTER TABLE twig NO INHERIT trunk");
  // The next question reads it from the beginning.
  EXPECT_THAT(RowsOf(*Connect(), "SELECT count(*) FROM (" + Read("trunk") + ") AS t"),
              ElementsAre("3"));
}

TEST_F(AttachTest, A31APartitionThatComesEndsTheQuestion) {
  SharedServer().Sql(
      "CREATE TABLE trunk (id int PRIMARY KEY) PARTITION BY LIST (id);"
      "CREATE TABLE branch PARTITION OF trunk FOR VALUES IN (1, 2);"
      "INSERT INTO trunk VALUES (1), (2);"
      "CREATE TABLE twig (id int PRIMARY KEY); INSERT INTO twig VALUES (1), (3)");
  Open({"trunk"});
  // The row with 1 is gone for whoever attaches, and is there for us: a key stands twice.
  AttachBetween(
      "DELETE FROM twig WHERE id = 1; ALTER TABLE trunk ATTACH PARTITION twig FOR VALUES IN (3)",
      "ALTER TABLE trunk DETACH PARTITION twig");
}

// What is attached below an heir counts as well.
TEST_F(AttachTest, A31APartitionOfAPartitionThatComesEndsTheQuestion) {
  SharedServer().Sql(
      "CREATE TABLE trunk (id int PRIMARY KEY) PARTITION BY RANGE (id);"
      "CREATE TABLE branch PARTITION OF trunk FOR VALUES FROM (0) TO (9) PARTITION BY LIST (id);"
      "CREATE TABLE leaf PARTITION OF branch FOR VALUES IN (1, 2);"
      "INSERT INTO trunk VALUES (1), (2); CREATE TABLE twig (id int PRIMARY KEY);");
  Open({"trunk"});
  AttachBetween("ALTER TABLE branch ATTACH PARTITION twig FOR VALUES IN (3)",
                "ALTER TABLE branch DETACH PARTITION twig");
}

TEST_F(AttachTest, WhatConcernsNoRowOfOursEndsNoQuestion) {
  SharedServer().Sql(
      "CREATE TABLE trunk (id int PRIMARY KEY, t text) PARTITION BY LIST (id);"
      "CREATE TABLE branch PARTITION OF trunk FOR VALUES IN (1);"
      "CREATE TABLE twig PARTITION OF trunk FOR VALUES IN (2);"
      "INSERT INTO trunk VALUES (1, NULL), (2, (SELECT string_agg(md5(CAST(n AS text)), '') "
      "FROM generate_series(1, 2000) AS n))");
  Open({"trunk"});
  const auto connection = Connect();
  const std::string count = "SELECT count(*), max(length(t)) FROM (" + Read("trunk") + ") AS t";
  EXPECT_THAT(RowsOf(*connection, count), ElementsAre("2|64000"));
  SharedServer().Sql(
      "CREATE INDEX ON branch (t); INSERT INTO trunk VALUES (1, 'x') ON CONFLICT (id) "
      "DO NOTHING");
  EXPECT_THAT(RowsOf(*connection, count), ElementsAre("2|64000"));
  // A partition that goes stays ours until we end.
  EXPECT_ANY_THROW(SharedServer().Sql(
      "SET lock_timeout = '200ms';\n ALTER TABLE trunk DETACH PARTITION twig CONCURRENTLY"));
  EXPECT_EQ(SharedServer().Sql("SELECT count(*) FROM trunk"), "1\n");
  EXPECT_THAT(RowsOf(*connection, count), ElementsAre("2|64000"));
}

}  // namespace
}  // namespace dpsql
