#include "backend/spark.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "backend/spark_settings.h"
#include "backend/spark_tables.h"
#include "backend/spark_url.h"

namespace dpsql {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string UriOf(const std::string& rest) { return ReadSparkUrl(rest)->options.at(0).second; }

TEST(SparkUrlTest, ServerDatabaseAndParameters) {
  const SparkAddress plain = *ReadSparkUrl("//host:15002");
  EXPECT_EQ(plain.server, "host:15002");
  EXPECT_THAT(plain.database, ElementsAre("spark_catalog", "default"));
  EXPECT_EQ(UriOf("//host:15002"), "sc://host:15002/;");
  EXPECT_THAT(ReadSparkUrl("//host/sales")->database, ElementsAre("spark_catalog", "sales"));
  EXPECT_THAT(ReadSparkUrl("//host/lake.sales/;token=a+b")->database, ElementsAre("lake", "sales"));
  EXPECT_EQ(UriOf("//host:1/lake.sales/;token=a+b;use_ssl=true"),
            "sc://host:1/;token=a+b;use_ssl=true");
  EXPECT_EQ(UriOf("//[::1]:7/;user_id=me"), "sc://[::1]:7/;user_id=me");
}

TEST(SparkUrlTest, Refusals) {
  for (const char* rest :
       {"host:1", "//", "//:1", "///x", "//h/a.b.c", "//h/a//b", "//h/;token", "//h/;session_id=1",
        "//h/;SessionId=1", "//h 1", "//h\n", "//me:sesame@h:1"}) {
    const auto address = ReadSparkUrl(rest);
    ASSERT_FALSE(address.ok()) << rest;
    EXPECT_EQ(address.error().code, "E501");
    EXPECT_THAT(address.error().message, Not(HasSubstr("sesame")));
  }
  EXPECT_THAT(ReadSparkUrl("//h/;token=sesame;broken").error().message, Not(HasSubstr("sesame")));
}

TEST(SparkUrlTest, TheTokenOfTheEnvironment) {
  setenv("SPARK_CONNECT_AUTHENTICATE_TOKEN", "sesame", 1);
  EXPECT_EQ(ReadSparkUrl("//h")->options.back().second, "sesame");
  EXPECT_NE(ReadSparkUrl("//h/;token=own")->options.back().second, "sesame");
  unsetenv("SPARK_CONNECT_AUTHENTICATE_TOKEN");
}

TEST(SparkDriverTest, ADriverThatIsNotThere) {
  setenv("DPSQL_ADBC_SPARK", "/nowhere/driver.so", 1);
  struct : IncidentLog {
    std::string Record(std::string_view) override { return ""; }
  } incidents;
  const auto engine = MakeSparkEngine("//host:1", incidents);
  ASSERT_FALSE(engine.ok());
  EXPECT_EQ(engine.error().code, "E501");
  EXPECT_THAT(engine.error().message, HasSubstr("/nowhere/driver.so"));
  EXPECT_THAT(engine.error().hint, HasSubstr("pip install adbc-driver-spark"));
  setenv("DPSQL_ADBC_SPARK", "/proc/self/exe", 1);
  EXPECT_THAT(MakeSparkEngine("//host:1", incidents).error().message, HasSubstr("not a driver"));
  unsetenv("DPSQL_ADBC_SPARK");
}

TEST(SparkSettingsTest, OnlyWhatIsNeededIsSet) {
  const auto mentions = [](const std::vector<std::string>& statements, const std::string& name) {
    for (const std::string& statement : statements) {
      if (statement.find(name + "=") != std::string::npos) return true;
    }
    return false;
  };
  const std::string ansi = "spark.sql.ansi.enabled";
  EXPECT_FALSE(mentions(NeededSettings({}, true), ansi));
  EXPECT_TRUE(mentions(NeededSettings({}, false), ansi));
  EXPECT_TRUE(mentions(NeededSettings({{ansi, "false"}}, true), ansi));
  EXPECT_FALSE(mentions(NeededSettings({{ansi, "true"}}, false), ansi));
  EXPECT_TRUE(mentions(NeededSettings({}, true), "spark.sql.session.timeZone"));
  EXPECT_EQ(NeededSettings({}, true).front(), "SET spark.sql.variable.substitute=false");
}

TEST(SparkSettingsTest, SettingsThatCouldChangeAMeaningAreRefused) {
  EXPECT_FALSE(UnknownSetting({{"spark.sql.shuffle.partitions", "4"},
                               {"spark.sql.ansi.enabled", "false"},
                               {"spark.master", "local"}}));
  EXPECT_EQ(UnknownSetting({{"spark.sql.legacy.sizeOfNull", "true"}}),
            "spark.sql.legacy.sizeOfNull");
  EXPECT_TRUE(UnknownSetting({{"spark.sql.mapKeyDedupPolicy", "LAST_WIN"}}));
}

TEST(SparkTablesTest, TypesByTheirWholeNames) {
  EXPECT_EQ(SparkType("decimal(10,2)").name, "DECIMAL(10,2)");
  EXPECT_EQ(SparkType("string collate UNICODE_CI").family, TypeFamily::kText);
  EXPECT_EQ(SparkType("int").name, "INTEGER");
  for (const char* other : {"array<int>", "struct<a:int>", "map<string,int>", "binary", "void",
                            "interval day to second", "variant", "decimal(10,2)[]", "integer x"}) {
    EXPECT_EQ(SparkType(other).family, TypeFamily::kOther) << other;
  }
  EXPECT_EQ(SparkType("struct<secret:int>").name, "STRUCT");
}

TEST(SparkTablesTest, SourcesThatAreNotParquet) {
  Policy policy;
  policy.file = "p.toml";
  policy.tables.emplace_back();
  policy.tables[0].name = "t";
  policy.tables[0].source = SourcePolicy{.pattern = "t.csv", .format = SourceFormat::kCsv};
  EXPECT_EQ(FindSparkTables(policy, {"a", "b"}).error().code, "C206");
  policy.tables[0].source = SourcePolicy{.pattern = "s3a://b/*.parquet"};
  const SparkTables found = *FindSparkTables(policy, {"a", "b"});
  EXPECT_EQ(found.tables.at(0).path, "s3a://b/*.parquet");
  policy.tables[0].source.reset();
  const SparkTable catalogued = FindSparkTables(policy, {"a", "b"})->tables.at(0);
  EXPECT_EQ(catalogued.stored, "`a`.`b`.`t`");
  EXPECT_EQ(SparkView(catalogued),
            "CREATE TEMPORARY VIEW `(source) t` AS SELECT * FROM `a`.`b`.`t`");
}

}  // namespace
}  // namespace dpsql
