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

// One letter can become three.
TEST(PostgreSqlFunctions, A33NoTextGrowsWithoutEnd) {
  for (const char* function : {"upper", "lower"}) {
    std::string text(PostgreSqlDialect().FindFunction(function, 1));
    text.replace(text.find("$1"), 2, "repeat(chr(912), 60000)");
    EXPECT_EQ(SharedServer().Sql("SELECT length(" + text + ") <= 65536"), "t\n") << function;
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
  EXPECT_EQ(joined("joined texts"), "151\n");
}

// From 64 KiB on, in varchar(n) and char(n) as well.
TEST(PostgreSqlFunctions, HugeTextsAreReadInPart) {
  const auto relation = [](const std::string& sql) { return SharedServer().Sql(sql); };
  relation(
      "CREATE TABLE vast (id int PRIMARY KEY, t text NOT NULL, v varchar(99999), c char(99999)); "
      "INSERT INTO vast SELECT id, t, t, t FROM (VALUES "
      "(1, repeat('a', 65535)), (2, repeat('a', 65536)), (3, repeat('a', 65536) || 'b'), "
      "(4, repeat(U&'\\+01F600', 20000)), (5, repeat('a', 65472) || "
      "encode(sha256(convert_to(repeat('a', 65536), 'UTF8')), 'hex')), "
      "(6, repeat(U&'\\+01F600', 70000))) AS w (id, t); "
      "GRANT SELECT ON vast TO reader");
  KeptIncidents incidents;
  const auto engine = MakePostgreSqlEngine(SharedServer().Url("reader"), incidents).value();
  const auto schema = engine->ReadSchema(PolicyOf({"vast"}));
  ASSERT_TRUE(schema.ok()) << schema.error().message;
  StopSign sign;
  auto connection = engine->Connect(sign);
  ASSERT_TRUE(connection.ok());
  const std::string read = engine->ReadTable(schema->tables[0]);
  EXPECT_THAT(
      RowsOf(**connection, "SELECT id, length(t), v = t, c = t, octet_length(t) <= 262144 FROM (" +
                               read + ") q ORDER BY id"),
      testing::ElementsAre("1|65535|true|true|true", "2|65536|true|true|true",
                           "3|65536|true|true|true", "4|20064|true|true|true",
                           "5|65536|true|true|true", "6|65536|true|true|true"));
  EXPECT_THAT(RowsOf(**connection, "SELECT count(DISTINCT t) FROM (" + read + ") q"),
              testing::ElementsAre("6"))
      << "no two texts, which may be those of two units, become one";
}

}  // namespace
}  // namespace dpsql
