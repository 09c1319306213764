#include "catalog/column_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dpsql {
namespace {

using ::testing::ElementsAre;

TEST(ColumnWordsTest, SplitsNames) {
  EXPECT_THAT(WordsOf("customer_id"), ElementsAre("customer", "id"));
  EXPECT_THAT(WordsOf("CustomerId"), ElementsAre("customer", "id"));
  EXPECT_THAT(WordsOf("Customer ID"), ElementsAre("customer", "id"));
  EXPECT_THAT(WordsOf("größe"), ElementsAre("größe"));
  EXPECT_THAT(WordsOf("__"), ElementsAre());
}

TEST(ColumnWordsTest, KnowsPeople) {
  EXPECT_EQ(PeopleOf("customers"), "customer");
  EXPECT_EQ(PeopleOf("dim_Customer"), "customer");
  EXPECT_EQ(PeopleOf("people"), "person");
  EXPECT_EQ(PeopleOf("customer_address"), "");
  EXPECT_EQ(PeopleOf("address"), "");
  EXPECT_EQ(PersonNamedBy("user_id"), "user");
  EXPECT_EQ(PersonNamedBy("userid"), "user");
  EXPECT_EQ(PersonNamedBy("c_custkey"), "cust");
  EXPECT_EQ(PersonNamedBy("id_patient"), "patient");
  EXPECT_EQ(PersonNamedBy("to_user_id"), "user");
  EXPECT_EQ(PersonNamedBy("user"), "user");
  EXPECT_EQ(PersonNamedBy("name"), "");
  EXPECT_EQ(PersonNamedBy("order_id"), "");
  EXPECT_EQ(PersonNamedBy(""), "");
}

TEST(ColumnWordsTest, KnowsPersonalColumns) {
  EXPECT_TRUE(LooksPersonal("first_name"));
  EXPECT_TRUE(LooksPersonal("homePhone"));
  EXPECT_FALSE(LooksPersonal("renamed"));
  EXPECT_TRUE(LooksLikeIdentifier("shopUUID"));
  EXPECT_FALSE(LooksLikeIdentifier("paid"));
}

}  // namespace
}  // namespace dpsql
