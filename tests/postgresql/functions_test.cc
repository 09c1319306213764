// What PostgreSQL computes from the extremes of a type, where a row could make it fail.
#include "postgresql/engine_fixture.h"
#include "sql/dialect.h"

namespace dpsql {
namespace {

// A function of two columns as the dialect writes it.
std::string OfColumns(const std::string& function, const std::string& first,
                      const std::string& second) {
  std::string text(PostgreSqlDialect().FindFunction(function, 2));
  for (const auto& [place, column] : {std::pair{"$1", first}, std::pair{"$2", second}}) {
    const std::size_t at = text.find(place);
    EXPECT_NE(at, std::string::npos) << text;
    text.replace(at, 2, column);
  }
  return text;
}

// PostgreSQL adds months, days and time one after the other. Each of these has a small sum.
TEST(PostgreSqlFunctions, IntervalsOfMixedSignsDoNotLeaveTheCalendar) {
  SharedServer().Sql(
      "CREATE TABLE moments AS SELECT CAST(z AS timestamp) AS z, CAST(v AS interval) AS v FROM "
      "unnest(ARRAY['0001-01-01', '2000-02-29', '9999-12-31', '-infinity', NULL]) z, "
      "unnest(ARRAY['-4000 years -1464000 days 35136000 hours', "
      "'4000 years 1464000 days -35136000 hours', '5000000 years -1800000000 days', "
      "'-5000000 years 1800000000 days', '100000000 days -2399999999 hours', "
      "'-100000000 days 2399999999 hours', '1 month', NULL]) v");
  for (const auto& [function, first, second] :
       {std::tuple{"timestamp + interval", "z", "v"}, std::tuple{"interval + timestamp", "v", "z"},
        std::tuple{"timestamp - interval", "z", "v"}}) {
    const std::string text = OfColumns(function, first, second);
    EXPECT_EQ(SharedServer().Sql("SELECT count(" + text + ") FROM moments WHERE v = '1 month'"),
              "4\n")
        << function;
    EXPECT_NO_THROW(SharedServer().Sql("SELECT " + text + " FROM moments")) << function;
  }
}

// A function of PostgreSQL takes a hundred arguments.
TEST(PostgreSqlFunctions, ManyTextsAreJoined) {
  std::string texts = "'-'";
  for (int i = 0; i < 300; ++i) texts += i % 2 == 0 ? ", 'a'" : ", NULL";
  const auto joined = [&](const std::string& function) {
    std::string text(PostgreSqlDialect().FindFunction(function, 301));
    text.replace(text.find("$*"), 2, texts);
    if (const std::size_t at = text.find("$1"); at != std::string::npos) text.replace(at, 2, "'-'");
    return SharedServer().Sql("SELECT length(" + text + ")");
  };
  EXPECT_EQ(joined("concat"), "151\n");
  EXPECT_EQ(joined("concat_ws"), "299\n");
}

// Its functions fail on some hundred million characters.
TEST(PostgreSqlFunctions, HugeTextsAreReadInPart) {
  const auto relation = [](const std::string& sql) { return SharedServer().Sql(sql); };
  relation(
      "CREATE TABLE vast (id int PRIMARY KEY, t text NOT NULL); INSERT INTO vast VALUES "
      "(1, repeat('a', 16777216)), (2, repeat('a', 16777217)), (3, repeat('a', 16777217) || 'b'); "
      "GRANT SELECT ON vast TO reader");
  KeptIncidents incidents;
  const auto engine = MakePostgreSqlEngine(SharedServer().Url("reader"), incidents);
  const auto schema = engine->ReadSchema(PolicyOf({"vast"}));
  ASSERT_TRUE(schema.ok()) << schema.error().message;
  StopSign sign;
  auto connection = engine->Connect(sign);
  ASSERT_TRUE(connection.ok());
  const std::string read = engine->ReadTable(schema->tables[0]);
  EXPECT_THAT(RowsOf(**connection, "SELECT id, length(t) FROM (" + read + ") q ORDER BY id"),
              testing::ElementsAre("1|16777216", "2|4194304", "3|4194304"));
  EXPECT_THAT(RowsOf(**connection, "SELECT count(DISTINCT t) FROM (" + read + ") q"),
              testing::ElementsAre("3"))
      << "no two texts, which may be those of two units, become one";
}

}  // namespace
}  // namespace dpsql
