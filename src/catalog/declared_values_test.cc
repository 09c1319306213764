#include "catalog/declared_values.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace dpsql {
namespace {

// The message and the hint, or nothing.
std::string Flaw(const std::string& type, const std::vector<Value>& values) {
  const auto flaw = FindValuesFlaw("c", ParseType(type), values);
  return flaw ? flaw->message + " | " + flaw->hint : "";
}

struct Whole {
  std::string type;
  std::int64_t low;
  std::int64_t high;
};

// The ends as the documentation of DuckDB has them.
const std::vector<Whole> kWholes = {
    {"TINYINT", -128, 127}, {"SMALLINT", -32768, 32767}, {"INTEGER", -2147483648, 2147483647},
    {"UTINYINT", 0, 255},   {"USMALLINT", 0, 65535},     {"UINTEGER", 0, 4294967295},
};

TEST(DeclaredValuesTest, WholeNumbersEndWhereTheirTypeDoes) {
  for (const Whole& whole : kWholes) {
    EXPECT_EQ(Flaw(whole.type, {whole.low, whole.high}), "") << whole.type;
    const std::string hint = whole.type + " holds whole numbers from " + std::to_string(whole.low) +
                             " to " + std::to_string(whole.high);
    for (const std::int64_t outside : {whole.low - 1, whole.high + 1}) {
      EXPECT_EQ(
          Flaw(whole.type, {whole.low, outside}),
          "no c can be " + std::to_string(outside) + ": its type is " + whole.type + " | " + hint);
    }
  }
  EXPECT_EQ(Flaw("BIGINT", {INT64_MIN, INT64_MAX}), "");
}

TEST(DeclaredValuesTest, ValuesAreOfTheColumnsType) {
  const std::vector<Value> samples = {std::string("x"), std::int64_t{1}, true};
  const std::vector<std::string> types = {"VARCHAR", "INTEGER", "BOOLEAN"};
  for (std::size_t i = 0; i < types.size(); ++i) {
    for (std::size_t j = 0; j < samples.size(); ++j) {
      EXPECT_EQ(Flaw(types[i], {samples[j]}).empty(), i == j) << types[i] << " " << j;
    }
  }
  for (const char* other : {"DOUBLE", "DECIMAL(4,2)", "HUGEINT", "UBIGINT", "DATE", "UUID"}) {
    for (const Value& sample : samples) EXPECT_NE(Flaw(other, {sample}), "") << other;
  }
}

TEST(DeclaredValuesTest, ATextThatNoStatementCanHoldIsRefused) {
  EXPECT_EQ(Flaw("VARCHAR", {std::string("a\0b", 3)}),
            "a value of c holds a NUL byte | leave it out");
}

}  // namespace
}  // namespace dpsql
