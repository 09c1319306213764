#include "completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dpsql::cli {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

ColumnInfo Column(const std::string& name) {
  ColumnInfo column;
  column.name = name;
  return column;
}

Vocabulary Shop() {
  TableInfo customer;
  customer.name = "customer";
  customer.columns = {Column("customer_id"), Column("city"), Column("age")};
  TableInfo orders;
  orders.name = "orders";
  orders.columns = {Column("order_id"), Column("amount"), Column("Odd name"), Column("order")};
  return {.tables = {customer, orders},
          .functions = {"avg", "count", "abs"},
          .settings = {"dp.delta", "dp.epsilon"},
          .commands = {".schema", ".tables", "\\d"},
          .formats = {"box", "csv"}};
}

std::vector<std::string> Candidates(std::string_view before, std::string_view after = "") {
  return Complete(before, after, Shop()).candidates;
}

TEST(CompletionTest, TablesFollowFromAndJoin) {
  EXPECT_THAT(Candidates("SELECT count(*) FROM "), ElementsAre("customer", "orders"));
  EXPECT_THAT(Candidates("SELECT count(*) FROM customer JOIN or"), ElementsAre("orders"));
  EXPECT_THAT(Candidates("SELECT count(*) FROM CUS"), ElementsAre("customer"));
}

TEST(CompletionTest, ColumnsFollowAnAlias) {
  EXPECT_THAT(Candidates("SELECT o.am", " FROM orders o"), ElementsAre("amount"));
  EXPECT_THAT(Candidates("SELECT 1 FROM customer AS c WHERE c."),
              ElementsAre("age", "city", "customer_id"));
  EXPECT_THAT(Candidates("SELECT 1 FROM customer c WHERE x."), IsEmpty());
}

TEST(CompletionTest, ColumnsAreThoseOfTheTablesNamed) {
  EXPECT_THAT(
      Candidates("SELECT a", " FROM customer"),
      testing::AllOf(IsSupersetOf({"age", "avg(", "abs(", "and"}), Not(Contains("amount"))));
  EXPECT_THAT(Candidates("SELECT a"), IsSupersetOf({"age", "amount"}));
}

TEST(CompletionTest, NamesAreQuotedWhereTheyMustBe) {
  EXPECT_THAT(Candidates("SELECT o.od", " FROM orders o"), ElementsAre("\"Odd name\""));
  EXPECT_THAT(Candidates("SELECT o.\"O", " FROM orders o"),
              ElementsAre("\"Odd name\"", "\"order\"", "order_id"));
}

TEST(CompletionTest, KeywordsKeepTheirCase) {
  EXPECT_THAT(Candidates("SELECT 1 FROM orders WHE"), ElementsAre("WHEN", "WHERE"));
  EXPECT_THAT(Candidates("select 1 from orders whe"), ElementsAre("when", "where"));
}

TEST(CompletionTest, SettingsFollowSet) {
  EXPECT_THAT(Candidates("SET "), ElementsAre("dp.delta", "dp.epsilon"));
  EXPECT_THAT(Candidates("SET dp.e"), ElementsAre("epsilon"));
  EXPECT_EQ(Complete("SET dp.e", "", Shop()).replaced, 1U);
}

TEST(CompletionTest, NothingWithinStringsAndComments) {
  EXPECT_THAT(Candidates("SELECT 'cust"), IsEmpty());
  EXPECT_THAT(Candidates("SELECT 1 -- cust"), IsEmpty());
  EXPECT_THAT(Candidates("SELECT "), IsEmpty());
}

TEST(CompletionTest, Commands) {
  EXPECT_THAT(Candidates(".s"), ElementsAre(".schema"));
  EXPECT_THAT(Candidates(".schema o"), ElementsAre("orders"));
  EXPECT_THAT(Candidates("\\d c"), ElementsAre("customer"));
  EXPECT_THAT(Candidates(".mode "), ElementsAre("box", "csv"));
  EXPECT_THAT(Candidates(".explain SELECT count(*) FROM cus"), ElementsAre("customer"));
}

}  // namespace
}  // namespace dpsql::cli
