#include <gtest/gtest.h>

#include "support/temp_folder.h"
#include "support/test_session.h"

namespace dpsql {
namespace {

// The same question, whether a value is bound or written: what was released once is free.
TEST(ParametersSession, AStoredAnswerIsFoundWithEither) {
  const TempFolder folder;
  MakeCustomers(folder / "shop.duckdb", {.customers = 300});
  const TestHouse house(folder / "shop.duckdb", {.labelled = true});
  Session session = house.Open();
  const auto written = session.Ask(
      "SELECT segment, sum(age, 0, 50) FROM customer WHERE age > -5 AND segment <> 'it''s' "
      "GROUP BY segment ORDER BY 1 LIMIT 2");
  ASSERT_TRUE(written.ok()) << written.error().message;
  EXPECT_FALSE(written->stored);
  const Parameters parameters = {{"low", Parameter::Integer(0)},
                                 {"high", Parameter::Integer(50)},
                                 {"five", Parameter::Integer(5)},
                                 {"other", Parameter::Text("it's")},
                                 {"rows", Parameter::Integer(2)}};
  const auto bound = session.Ask(
      "SELECT segment, sum(age, $low, $high) FROM customer WHERE age > -$five AND "
      "segment <> $other GROUP BY segment ORDER BY 1 LIMIT $rows",
      parameters);
  ASSERT_TRUE(bound.ok()) << bound.error().message;
  EXPECT_TRUE(bound->stored);
  EXPECT_EQ(bound->rows, written->rows);
  EXPECT_EQ(bound->release, written->release);
  // Another value is another question.
  Parameters other = parameters;
  other["high"] = Parameter::Integer(40);
  const auto fresh = session.Ask(
      "SELECT segment, sum(age, $low, $high) FROM customer WHERE age > -$five AND "
      "segment <> $other GROUP BY segment ORDER BY 1 LIMIT $rows",
      other);
  ASSERT_TRUE(fresh.ok()) << fresh.error().message;
  EXPECT_FALSE(fresh->stored);
}

}  // namespace
}  // namespace dpsql
