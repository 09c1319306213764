// PostgreSQL raises an error where a double overflows or vanishes, and texts of the dialect keep it
// from that by comparing with bounds. At a bound that is one double off a row makes a query fail.
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <regex>
#include <set>

#include "postgresql/engine_fixture.h"
#include "sql/dialect.h"
#include "support/function_grid.h"
#include "support/reference_duckdb.h"
#include "support/temp_folder.h"

namespace dpsql {
namespace {

// The next doubles on both sides, of both signs.
void AddNeighbours(double value, std::uint64_t count, std::set<double>& values) {
  const auto bits = std::bit_cast<std::uint64_t>(std::abs(value));
  const std::uint64_t first = bits < count ? 0 : bits - count;
  for (std::uint64_t i = first; i <= bits + count; ++i) {
    const auto near = std::bit_cast<double>(i);
    if (std::isnan(near)) continue;
    values.insert(near);
    values.insert(-near);
  }
}

bool TakesDoubles(const ScalarFunction& function) {
  return function.arguments == "r" || function.arguments == "rr" || function.arguments == "rn";
}

// Where doubles end, and every number that a text of the dialect compares a double with.
std::set<double> Edges(std::uint64_t neighbours) {
  std::set<double> edges = {std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity()};
  for (const double value : {0.5, 1.0, 2.0, 10.0, 0x1p52, 0x1p63, 0x1p-1022, 0x1.fffffffffffffp1023,
                             0x1p-537, 0x1p512}) {
    AddNeighbours(value, neighbours, edges);
  }
  static const std::regex kNumber(R"([0-9]+([.][0-9]+)?(e-?[0-9]+)?)");
  for (const ScalarFunction& function : AllScalarFunctions()) {
    if (!TakesDoubles(function)) continue;
    const std::string text(
        PostgreSqlDialect().FindFunction(function.key, function.arguments.size()));
    for (std::sregex_iterator at(text.begin(), text.end(), kNumber), end; at != end; ++at) {
      AddNeighbours(std::strtod(at->str().c_str(), nullptr), neighbours, edges);
    }
  }
  return edges;
}

std::string Spelled(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.17g", value);
  return text.data();
}

// Functions of the mathematical library are not the same to the last digit, and where a power
// passes the largest double or the least one is not the same to the last number.
bool Agree(double ours, double theirs) {
  constexpr double kVast = 1.79e308;
  constexpr double kTiny = 1e-320;
  if (ours == theirs) return true;
  if (std::isinf(ours) || std::isinf(theirs)) {
    return std::abs(ours) > kVast && std::abs(theirs) > kVast &&
           std::signbit(ours) == std::signbit(theirs);
  }
  const double size = std::max(std::abs(ours), std::abs(theirs));
  return std::abs(ours - theirs) <= 1e-13 * size || size < kTiny;
}

class EdgesTest : public testing::Test {
 protected:
  // The same rows in both databases, under the names of the function grid.
  void Fill(const std::set<double>& first, const std::set<double>& second) {
    const auto list = [](const std::set<double>& values) {
      std::string text;
      for (const double value : values) text += (text.empty() ? "'" : ", '") + Spelled(value) + "'";
      return text;
    };
    SharedServer().Sql(
        "CREATE TABLE edges AS SELECT CAST(row_number() OVER () AS int) AS id, r1, r2 FROM "
        "unnest(CAST(ARRAY[" +
        list(first) +
        "] AS float8[])) AS a (r1), "
        "unnest(CAST(ARRAY[" +
        list(second) +
        "] AS float8[])) AS b (r2); "
        "GRANT SELECT ON edges TO reader");
    // Row for row as the server has them, which spells doubles so that they read back the same.
    std::string rows = SharedServer().Sql(
        "SELECT string_agg('(' || id || ',''' || r1 || ''',''' || r2 || ''')', ',') FROM edges");
    MakeDatabaseFromText(database_,
                         "CREATE TABLE grid (id INTEGER, r1 DOUBLE, r2 DOUBLE); INSERT INTO grid "
                         "VALUES " +
                             rows);
    KeptIncidents incidents;
    engine_ = MakePostgreSqlEngine(SharedServer().Url("reader"), incidents).value();
    ASSERT_TRUE(engine_->ReadSchema(PolicyOf({"edges"})).ok());
    connection_ = std::move(engine_->Connect(sign_)).value();
  }

  void TearDown() override {
    connection_ = nullptr;
    SharedServer().Sql("DROP TABLE edges");
  }

  // Both databases' answers to a call, row for row.
  void Compare(const std::string& call) {
    const auto printed = PrintFor(call, PostgreSqlDialect());
    if (!printed) return;  // refused before a row is read
    std::vector<std::optional<double>> theirs;
    const auto failure = connection_->Run(
        "SELECT CAST(" + *printed + " AS float8) FROM public.edges AS s0 ORDER BY id",
        [&](SqlConnection::Row row) {
          theirs.push_back(row[0] ? std::optional(std::strtod(row[0]->c_str(), nullptr))
                                  : std::nullopt);
        });
    ASSERT_FALSE(failure) << call << ": " << failure->text;
    const auto rows =
        QueryReference(database_, "SELECT CAST(" + PrintOver("grid", call, GridCatalog()).sql +
                                      " AS DOUBLE), r1, r2 FROM main.grid AS s0 ORDER BY id");
    ASSERT_EQ(rows.size(), theirs.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto* const ours = std::get_if<double>(&rows[i][0]);
      EXPECT_TRUE((ours == nullptr && !theirs[i]) ||
                  (ours != nullptr && theirs[i] && Agree(*ours, *theirs[i])))
          << call << " of " << Spelled(std::get<double>(rows[i][1])) << ", "
          << Spelled(std::get<double>(rows[i][2])) << ": " << (ours ? Spelled(*ours) : "NULL")
          << ", PostgreSQL: " << (theirs[i] ? Spelled(*theirs[i]) : "NULL");
    }
  }

  TempFolder folder_;
  const std::string database_ = folder_ / "edges.duckdb";
  StopSign sign_;
  std::unique_ptr<SqlEngine> engine_;
  std::unique_ptr<SqlConnection> connection_;
};

TEST_F(EdgesTest, A30NoDoubleBesideABoundFails) {
  std::set<double> values = Edges(30);
  AddNeighbours(0, 100, values);
  Fill(values, {1.0});
  for (const ScalarFunction& function : AllScalarFunctions()) {
    if (function.arguments == "r") Compare(WriteCall(function.name, {"r1"}));
    if (function.arguments != "rn") continue;
    for (const char* digits : {"-30", "-1", "0", "1", "30"}) {
      Compare(WriteCall(function.name, {"r1", digits}));
    }
  }
}

TEST_F(EdgesTest, A30NoPairOfDoublesBesideABoundFails) {
  const std::set<double> values = Edges(1);
  Fill(values, values);
  for (const ScalarFunction& function : AllScalarFunctions()) {
    if (function.arguments == "rr") Compare(WriteCall(function.name, {"r1", "r2"}));
  }
}

// The question that told whether a person is there.
TEST_F(EdgesTest, A30RadiansOfTheLeastNumbersAreThoseOfDuckDb) {
  std::set<double> values;
  AddNeighbours(0, 100, values);
  Fill(values, {1.0});
  const std::string sql = *PrintFor("radians(r1)", PostgreSqlDialect());
  std::vector<double> theirs;
  const auto failure = connection_->Run(
      "SELECT " + sql + " FROM public.edges AS s0 ORDER BY id",
      [&](SqlConnection::Row row) { theirs.push_back(std::strtod(row[0]->c_str(), nullptr)); });
  ASSERT_FALSE(failure) << failure->text;
  const auto rows =
      QueryReference(database_, "SELECT " + PrintOver("grid", "radians(r1)", GridCatalog()).sql +
                                    " FROM main.grid AS s0 ORDER BY id");
  ASSERT_EQ(rows.size(), 201U);  // 0 and -0 are one
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(std::get<double>(rows[i][0]), theirs.at(i)) << i;
  }
}

}  // namespace
}  // namespace dpsql
