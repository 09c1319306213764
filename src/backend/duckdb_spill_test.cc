#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "backend/duckdb_open.h"
#include "support/reference_duckdb.h"
#include "support/temp_folder.h"

namespace dpsql {
namespace {

using ::testing::HasSubstr;

class QuietLog : public IncidentLog {
 public:
  std::string Record(std::string_view) override { return "i-000000"; }
};

class DuckDbSpillTest : public ::testing::Test {
 protected:
  DuckDbSpillTest() {
    MakeDatabaseFromText(folder_ / "t.duckdb",
                         "CREATE TABLE t AS SELECT i AS id, 'a rather long name of ' || i AS name "
                         "FROM range(3000000) t(i)");
  }

  std::unique_ptr<DuckDbData> Open(const std::string& database) {
    const auto policy = ReadPolicy(
        "[dataset]\nname = \"d\"\n[budget]\nepsilon = 4.0\ndelta = 1e-6\n[database]\n"
        "memory = \"128 MB\"\n" +
            database + "[tables.t]\nunit = \"id\"\n",
        folder_ / "p.toml");
    auto data = std::make_unique<DuckDbData>(folder_ / "t.duckdb", log_);
    if (!policy || !data->Open(*policy)) throw std::runtime_error("the database does not open");
    return data;
  }

  // The only value of a query as text, or DuckDB's words.
  static std::string Answer(const DuckDbData& data, const std::string& expr) {
    DuckDbConnection connection(data.database());
    std::vector<std::vector<Value>> rows;
    const auto failure = connection.ReadRows("SELECT CAST((" + expr + ") AS VARCHAR)", 1, rows);
    return failure ? failure->text : std::get<std::string>(rows.at(0).at(0));
  }

  // What DuckDB says that it may spill, in bytes: "37.2 GiB".
  double Limit(const std::string& database) {
    const std::map<std::string, double> units = {
        {"bytes", 1.0}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}};
    std::istringstream text(
        Answer(*Open(database), "SELECT current_setting('max_temp_directory_size')"));
    double number = 0;
    std::string unit;
    text >> number >> unit;
    return number * units.at(unit);
  }

  TempFolder folder_;
  QuietLog log_;
};

// DuckDB shows a limit that is given at opening and does not keep it; only a query that passes it
// tells.
TEST_F(DuckDbSpillTest, A25AQueryThatPassesTheLimitEnds) {
  const std::string many = "SELECT count(*) FROM (SELECT DISTINCT name, id FROM main.t)";
  EXPECT_EQ(Answer(*Open(""), many), "3000000");
  const auto data = Open("spill = \"1 MB\"\n");
  EXPECT_THAT(Answer(*data, many), HasSubstr("max_temp_directory_size"));
  EXPECT_EQ(Answer(*data, "SELECT count(*) FROM main.t"), "3000000");
}

// Others may write meanwhile: that moves it by less than a fifth.
TEST_F(DuckDbSpillTest, A25HalfOfWhatIsFreeStaysFree) {
  const auto space = std::filesystem::space(std::filesystem::temp_directory_path());
  const double half = static_cast<double>(space.available) / 2;
  EXPECT_NEAR(Limit(""), half, half / 5);
  EXPECT_NEAR(Limit("spill = \"1000 TB\"\n"), half, half / 5);
  EXPECT_NEAR(Limit("spill = \"10 MB\"\n"), 1e7, 1e5);
}

}  // namespace
}  // namespace dpsql
