#include "base/type.h"

#include <gtest/gtest.h>

#include <string>

namespace dpsql {
namespace {

TEST(ParseTypeTest, KnowsWholeNamesOnly) {
  EXPECT_EQ(ParseType("decimal(15,2)").family, TypeFamily::kDecimal);
  EXPECT_EQ(ParseType("DECIMAL(15,2)").name, "DECIMAL(15,2)");
  EXPECT_EQ(ParseType("bigint").family, TypeFamily::kInteger);
  EXPECT_EQ(ParseType("UBIGINT").family, TypeFamily::kDecimal);
}

// What is taken for a number must be one: a cast that fails on a row would be an exact bit.
TEST(ParseTypeTest, ListsAndOthersAreNeverNumbers) {
  for (const std::string element : {"DECIMAL(3,1)", "INTEGER", "DOUBLE", "VARCHAR", "DATE"}) {
    for (const std::string suffix : {"[]", "[2]", "[][]", " ", "(3)", ")"}) {
      EXPECT_EQ(ParseType(element + suffix).family, TypeFamily::kOther) << element + suffix;
    }
  }
  for (const std::string name :
       {"STRUCT(a INTEGER)", "MAP(INTEGER, INTEGER)", "ENUM('a')", "TIMESTAMP WITH TIME ZONE",
        "TIMESTAMP_NS", "TIME", "INTERVAL DAY", "BLOB", "BIT", "DECIMAL(", "DECIMAL)",
        "DECIMAL(3;1)", "UNION(a DECIMAL(3,1))", "BIGNUM", "VARIANT", ""}) {
    EXPECT_EQ(ParseType(name).family, TypeFamily::kOther) << name;
  }
}

// An ENUM that was made of a column holds its values.
TEST(ParseTypeTest, LabelsAndFieldsAreNotPartOfAName) {
  EXPECT_EQ(ParseType("ENUM('Alice', 'Bob')").name, "ENUM");
  EXPECT_EQ(ParseType("ENUM('Alice')[]").name, "ENUM");
  EXPECT_EQ(ParseType("STRUCT(alice INTEGER)").name, "STRUCT");
  EXPECT_EQ(ParseType("DECIMAL(3,1)[]").name, "DECIMAL(3,1)[]");
}

}  // namespace
}  // namespace dpsql
