#include "statistical/gdp_pairs.h"

#include <cmath>

namespace dpsql {
namespace {

// The units of one table: every even block has one.
struct UnitShape {
  std::string table;
  std::int64_t block = 4;   // groups
  std::int64_t groups = 4;  // of the block that it is in
  std::int64_t rows = 0;    // in each of them
  std::string x;
};

std::string InsertUnits(const UnitShape& shape) {
  const auto text = [](std::int64_t number) { return std::to_string(number); };
  return "INSERT INTO " + shape.table + " SELECT b, b * " + text(shape.block) + " + j, " + shape.x +
         ", (b * 64 + j) * 1000 + r FROM range(0, " + text(kGroups / shape.block) +
         ", 2) t(b), range(" + text(shape.groups) + ") u(j), range(" + text(shape.rows) + ") w(r);";
}

std::string CreateTable(const std::string& name) {
  return "CREATE TABLE " + name +
         " (id BIGINT NOT NULL, g BIGINT NOT NULL, x DOUBLE NOT NULL, v BIGINT NOT NULL);";
}

std::string ColumnsToml(const std::string& name, const std::string& keys) {
  return TableToml(name, "max_rows_per_unit = " + std::to_string(kRowCap) + "\n[tables." + name +
                             ".columns]\nx = { lower = " + std::to_string(kLower) +
                             ", upper = " + std::to_string(kUpper) + " }\n" + keys);
}

const std::string kMoments = "sum(x), count(x), avg(x)";

std::string Sql(const std::string& columns, const std::string& table) {
  return "SELECT g, " + columns + " FROM " + table + " GROUP BY g";
}

const double kRoot = std::sqrt(static_cast<double>(kGroupCap));
constexpr auto kRows = static_cast<double>(kRowCap);

std::vector<GdpPair> PairsOfRows() {
  const double wide = kRows / std::sqrt(8.0);
  return {
      {.name = "count, all rows in one group",
       .sql = Sql("count(*)", "one"),
       .scored = 1,
       .sensitivity = kRows,
       .shift = kRows},
      {.name = "count, more rows than the cap",
       .sql = Sql("count(*)", "over"),
       .sensitivity = kRows,
       .shift = kRows / 2,
       .uncapped = kRows * 5 / 4},
      {.name = "count, twice the groups",
       .sql = Sql("count(*)", "wide"),
       .block = 8,
       .scored = 8,
       .sensitivity = kRows,
       .shift = wide,
       .uncapped = kRows},
      {.name = "sum, at the end of the bounds",
       .sql = Sql("sum(x)", "spread"),
       .score = CellScore::kSum,
       .sensitivity = kRows,
       .shift = kRows / 2},
      {.name = "sum, rows and values beyond",
       .sql = Sql("sum(x)", "over"),
       .score = CellScore::kSum,
       .sensitivity = kRows,
       .shift = kRows / 2,
       .uncapped = kRows * 5 / 4},
      {.name = "avg, upper end beyond",
       .sql = Sql(kMoments, "over"),
       .score = CellScore::kUpper,
       .sensitivity = kRows,
       .shift = kRows / 2,
       .uncapped = kRows * 5 / 4},
      {.name = "avg, lower end beyond",
       .sql = Sql(kMoments, "low"),
       .score = CellScore::kLower,
       .sensitivity = kRows,
       .shift = kRows / 2,
       .uncapped = kRows * 5 / 4},
  };
}

std::vector<GdpPair> PairsOfUnits() {
  return {
      {.name = "units, in as many groups as may be",
       .sql = Sql("count(DISTINCT id)", "spread"),
       .sensitivity = kRoot,
       .shift = 1,
       .whole = true,
       .uncapped = kRows / 2},
      {.name = "units, in twice as many",
       .sql = Sql("count(DISTINCT id)", "wide"),
       .block = 8,
       .scored = 8,
       .sensitivity = kRoot,
       .shift = 0.5,
       .whole = true,
       .uncapped = 1},
      {.name = "distinct values, many of each unit",
       .sql = Sql("count(DISTINCT v)", "over"),
       .sensitivity = kRoot,
       .shift = 1,
       .whole = true,
       .uncapped = kRows * 5 / 4},
      {.name = "distinct values, twice the groups",
       .sql = Sql("count(DISTINCT v)", "wide"),
       .block = 8,
       .scored = 8,
       .sensitivity = kRoot,
       .shift = 0.5,
       .whole = true,
       .uncapped = 1},
  };
}

}  // namespace

// one: as many rows as the cap allows, all in one group; spread: over four groups, as long a
// vector; over: two and a half times as many rows, and values far beyond the bounds; low: the same
// on the other side; wide: in twice as many groups as the cap allows, with the cap's rows in each.
std::string KnownKeyData() {
  std::string sql;
  for (const char* name : {"one", "spread", "over", "low", "wide", "solo", "nobody"}) {
    sql += CreateTable(name);
  }
  sql += InsertUnits({.table = "one", .groups = 1, .rows = kRowCap, .x = "3"});
  sql += InsertUnits({.table = "spread", .rows = kRowCap / 2, .x = "3"});
  sql += InsertUnits({.table = "over", .rows = kRowCap * 5 / 4, .x = "1e6"});
  sql += InsertUnits({.table = "low", .rows = kRowCap * 5 / 4, .x = "-1e6"});
  sql += InsertUnits({.table = "wide", .block = 8, .groups = 8, .rows = kRowCap, .x = "1e6"});
  return sql + "INSERT INTO solo SELECT 0, 0, 1e6, r FROM range(" + std::to_string(10 * kRowCap) +
         ") t(r);";
}

std::string KnownKeyTables() {
  std::string toml;
  for (const char* name : {"one", "spread", "over", "low", "wide", "solo", "nobody"}) {
    toml += ColumnsToml(name, "g = " + KnownKeysToml(kGroups) + "\n");
  }
  return toml;
}

std::vector<GdpPair> KnownKeyPairs() {
  std::vector<GdpPair> pairs = PairsOfRows();
  const std::vector<GdpPair> of_units = PairsOfUnits();
  pairs.insert(pairs.end(), of_units.begin(), of_units.end());
  return pairs;
}

std::string DiscoveredData() {
  const std::string others = std::to_string(kOthers);
  return CreateTable("found") +
         InsertUnits({.table = "found", .rows = kRowCap * 5 / 4, .x = "1e6"}) +
         "INSERT INTO found SELECT -1 - g * " + others + " - i, g, 1, -1 - g * " + others +
         " - i FROM range(" + std::to_string(kGroups) + ") t(g), range(" + others + ") u(i);";
}

std::string DiscoveredTables() { return ColumnsToml("found", ""); }

// Of the others each has one row with x = 1: half way between the bounds.
std::vector<GdpPair> DiscoveredPairs() {
  constexpr auto kOf = static_cast<double>(kOthers);
  return {
      {.name = "discovered keys, count",
       .sql = Sql("count(*)", "found"),
       .sensitivity = kRows,
       .shift = kRows / 2,
       .base = kOf,
       .uncapped = kRows * 5 / 4},
      {.name = "discovered keys, sum",
       .sql = Sql("sum(x)", "found"),
       .score = CellScore::kSum,
       .sensitivity = kRows,
       .shift = kRows / 2,
       .base = kOf / kUpper,
       .uncapped = kRows * 5 / 4},
      {.name = "discovered keys, avg",
       .sql = Sql(kMoments, "found"),
       .score = CellScore::kUpper,
       .sensitivity = kRows,
       .shift = kRows / 2,
       .base = kOf / 2,
       .uncapped = kRows * 5 / 4},
      {.name = "discovered keys, units",
       .sql = Sql("count(DISTINCT id)", "found"),
       .sensitivity = kRoot,
       .shift = 1,
       .base = kOf,
       .whole = true,
       .uncapped = kRows * 5 / 4},
      {.name = "discovered keys, distinct values",
       .sql = Sql("count(DISTINCT v)", "found"),
       .sensitivity = kRoot,
       .shift = 1,
       .base = kOf,
       .whole = true,
       .uncapped = kRows * 5 / 4},
  };
}

double ScoreOf(const GdpPair& pair, const NoisyRow& row) {
  const auto upper = [&] {
    return (row.at(0).value() - kLower * row.at(1).value()) / (kUpper - kLower);
  };
  switch (pair.score) {
    case CellScore::kCount:
      return row.at(0).value();
    case CellScore::kSum:
      return row.at(0).value() / kUpper;
    case CellScore::kUpper:
      return upper();
    case CellScore::kLower:
      return row.at(1).value() - upper();
  }
  return 0;
}

}  // namespace dpsql
