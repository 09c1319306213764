// Writes what another database must be able to do, as lines of JSON: engine_cases DIALECT FILE.
//
//   {"columns": [["i1", "BIGINT"], …], "rows": [[text or null, …], …]}    the grid
//   {"call": …, "type": …, "sql": …, "expected": [text or null, …]}        one per call
//   {"call": …, "refused": reason}                                         one per refused call
//   {"query": …, "types": […], "sql": …, "expected": [[…], …]}             one per statement
//
// The `sql` of a call is an expression over the grid under the name s0; `expected` has DuckDB's own
// answers in the order of the rows. That of a query is a whole statement, which gives the cells of
// its units, with rows in any order. The grid leaves out values that a column of that database
// cannot hold.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string_view>

#include "backend/lower.h"
#include "catalog/declared_schema.h"
#include "plan/plan.h"
#include "sql/parser.h"
#include "sql/printable.h"
#include "sql/printer.h"
#include "support/function_grid.h"
#include "support/reference_duckdb.h"
#include "support/temp_folder.h"
#include "validate/validate.h"

namespace dpsql {
namespace {

using Json = nlohmann::ordered_json;

// A kind of column that a database cannot hold at all, or the values of it that it can.
struct Limits {
  std::string_view missing;                                     // letters of the grid's columns
  std::vector<std::pair<std::string_view, std::string>> range;  // letter, condition on `$`
};

// A database without a line holds all of them.
const Limits& LimitsOf(std::string_view dialect) {
  static const std::string kCommonEra =
      "isfinite($) AND $ >= '0001-01-01' AND $ <= '9999-12-31 23:59:59.999999'";
  static const std::string kCommonDays = "isfinite($) AND $ >= '0001-01-01' AND $ <= '9999-12-31'";
  static const std::map<std::string_view, Limits> kLimits = {
      {"postgresql",
       {.missing = "",
        .range = {{"d", "NOT isfinite($) OR $ BETWEEN '4713-01-01 (BC)' AND DATE '5874897-12-31'"},
                  {"z", "NOT isfinite($) OR $ >= '4713-01-01 (BC)'"}}}},
      {"sqlite",
       {.missing = "v",
        .range = {{"d", kCommonDays},
                  {"z", kCommonEra},
                  {"x", "abs($) < 1000000"},
                  {"h", "abs($) < 1e15"}}}},
      {"spark",
       {.missing = "v",
        .range = {{"d", kCommonDays}, {"z", kCommonEra}, {"h", "abs($ // 10) < 1e37"}}}},
  };
  static const Limits kNone;
  const auto found = kLimits.find(dialect);
  return found == kLimits.end() ? kNone : found->second;
}

// Calls beside those of the grid: other literals, literals alone, one function inside another.
constexpr std::string_view kMoreCalls[] = {
    R"(t1 like '\%')",
    R"(t1 like '%\\%')",
    R"(t1 <> 'it''s \ "so"')",
    R"(t1 || '\''' < 'b')",
    "round(r1, 2)",
    "round(r1, 0)",
    "round(r1, -2)",
    "round(r1, 30)",
    "trunc(r1, 2)",
    "trunc(r1, 0)",
    "trunc(r1, -2)",
    "trunc(r1, 30)",
    "width_bucket(r1, 0, 100, 4)",
    "width_bucket(i1, -1e18, 1e18, 1000)",
    "t1 like 'a%'",
    "t1 like '_'",
    "t1 like '%b%c'",
    "t1 like 'a!_%' escape '!'",
    "t1 not like '%x'",
    "t1 ilike 'A%'",
    "t1 not ilike '_B%'",
    "t1 ilike '%e%'",
    "t1 ~ '^[0-9]+$'",
    "t1 ~* 'ABC|x$'",
    "t1 !~ 'a.c'",
    "t1 !~* '^$'",
    "regexp_like(t1, '.')",
    "t1 ~ '^$'",
    "t1 ~ '$'",
    "t1 ~ 'x$'",
    "t1 ~ '^x'",
    "t1 ~ '^.$'",
    "t1 ~ '^..$'",
    "t1 ~ '^(.{99}){3}'",
    "t1 ~ '^[^a]$'",
    "t1 ~ '[^x]x'",
    "t1 !~ '^.*$'",
    "t1 ~ '^x+$'",
    "t1 ~ '^ *[+]?[0-9]+ *$'",
    "t1 ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}'",
    "t1 ~ '^-?[0-9]+([.][0-9]{1,3})?$'",
    "t1 ~ '^x.*x$'",
    "t1 ~ ',.*,'",
    "t1 ~ '1.*2.+9'",
    "t1 ~ '(^|,)b(,|$)'",
    "t1 ~ '(a|b|,){3,5}$'",
    "t1 ~ '^(a|,b){2,4}c'",
    "t1 ~ '[-/%]'",
    "t1 ~ 'é|\\\\|_'",
    "t1 ~ '(2|29)?$'",
    "t1 ~ '😀{2}$'",
    "t1 ~ '^😀+$'",
    "t1 ~ '^([^,]*,){2}c$'",
    "t1 ~* '^[a-z]+$'",
    "t1 ~* 'É'",
    "t1 ~* '^INF.*ty$'",
    "t1 !~* '[^A-Z]'",
    "t1 || '\n' ~ '[0-9]$'",
    "t1 ~ '([a-z]+,)+c'",
    "split_part(t1, ',', 2)",
    "split_part(t1, ',', 9)",
    "substring(t1, 2, 3)",
    "substring(t1, 1, 1)",
    "substring(t1, 5000)",
    "lpad(t1, 0)",
    "lpad(t1, 7)",
    "rpad(t1, 7, 'ab')",
    "lpad(t1, 100, 'é')",
    "repeat(t1, 0)",
    "repeat(t1, 3)",
    "left(t1, -2)",
    "left(t1, 2)",
    "right(t1, -2)",
    "right(t1, 2)",
    "translate(t1, 'abc', 'x')",
    "translate(t1, 'aé', 'éa')",
    "replace(t1, 'a', 'bb')",
    "replace(t1, 'b', '')",
    "replace(t1, '', 'z')",
    "btrim(t1, 'ax ')",
    "ltrim(t1, ' a')",
    "rtrim(t1, 'xc')",
    "strpos(t1, 'b')",
    "strpos(t1, '')",
    "starts_with(t1, 'a')",
    "concat(t1, 'x', t2)",
    "concat_ws('-', t1, t2, 'z')",
    "md5(t1 || 'é')",
    "cast(t1 as varchar(3))",
    "cast(x1 as decimal(10, 2))",
    "cast(r1 as decimal(10, 2))",
    "cast(i1 as decimal(18, 0))",
    "cast(r1 as decimal(38, 10))",
    "cast(x1 as decimal(38, 0))",
    "t1 in ('a', 'é', '%')",
    "i1 in (1, -9223372036854775808, 7)",
    "i1 > 2.5",
    "r1 = 0.5",
    "x1 < 1.5",
    "t1 < 'b'",
    "t1 >= 'A'",
    "b1 = true",
    "i1 = -9223372036854775808",
    "d1 > date '2020-01-01'",
    "z1 <= timestamp '2023-12-31 12:30:45.5'",
    "d1 < timestamp '2000-01-01 12:00:00'",
    "case when b1 then 1.5 else i1 end",
    "case when t1 < 'b' then 'low' else t1 end",
    "coalesce(r1, i1, 0)",
    "greatest(t1, 'a', t2)",
    "least(i1, 5, r1)",
    "greatest(i1, 5)",
    "nullif(t1, '')",
    "nullif(i1, 0)",
    "nullif(r1, 0)",
    "z1 + interval '1 month'",
    "z1 - interval '36 hours'",
    "d1 + interval '1 day'",
    "interval '1 year' + z1",
    "d1 + 31",
    "d1 - 1",
    "7 + d1",
    "d1 - date '2000-01-01'",
    "z1 - timestamp '2000-01-01'",
    "extract(year from age(z1, timestamp '2000-01-01'))",
    "extract(epoch from z1)",
    "extract(day from z1 - timestamp '2000-01-01')",
    "date_trunc('month', d1)",
    "make_date(2024, i1, i2)",
    "make_date(2023, 2, i1)",
    "make_timestamp(2024, 2, 29, 23, i1, r1)",
    "abs(i1 - i2) % 7",
    "sqrt(r1 * r1 + r2 * r2)",
    "round(r1 / r2, 2)",
    "-(-r1)",
    "-(i1 + 1)",
    "upper(left(t1, 2)) || 'x'",
    "length(t1 || t2) * 2 + 1",
    "power(r1, 2)",
    "power(2, r1)",
    "r1 ^ 0.5",
    "ln(r1) + exp(r2)",
    "floor(r1 / 3) * 3",
    "ceil(r1 * 10) / 10",
    "mod(i1, 7)",
    "mod(r1, 0.3)",
    "div(i1, -1)",
    "log(2, r1)",
    "cast(cast(i1 as text) as bigint)",
    "cast(substring(t1, 1, 2) as integer)",
    "not (i1 = i2 or t1 = t2 and b1)",
    "i1 & 255 | 1",
    "b1 is not true and i1 is null",
    "cast(b1 as integer) + cast(b2 as integer)",
};

// Questions of every kind of door. A NULL or a limit of a column must not make a sum fail either.
constexpr std::string_view kQueries[] = {
    "SELECT count(*), count(i1), count(r1) FROM grid",
    "SELECT sum(i1, -100, 100), avg(r1, 0, 10) FROM grid WHERE r2 > 0 AND t1 <> 'a'",
    "SELECT b1, sum(x1, -1, 1) FROM grid GROUP BY b1",
    "SELECT i1 % 3 AS k, count(*), avg(i2, -1e6, 1e6) FROM grid WHERE i1 > i2 GROUP BY k",
    "SELECT t1, count(DISTINCT id) FROM grid WHERE t1 < t2 GROUP BY t1",
    "SELECT t1, b1, sum(r1 / r2, 0, 1e6) FROM grid GROUP BY t1, b1",
    "SELECT count(*) FROM grid AS a JOIN grid AS b ON a.id = b.id WHERE a.i1 = b.i2",
    "SELECT count(b.r1) FROM grid AS a LEFT JOIN grid AS b ON a.id = b.id AND b.t1 >= 'a'",
    "SELECT sum(n, 0, 9) FROM (SELECT id, count(*) AS n FROM grid WHERE b1 GROUP BY id) AS q",
    "SELECT sum(m, -9, 9) FROM (SELECT id, max(i1) AS m, min(t1) FROM grid GROUP BY id) AS q",
    "SELECT count(*) FROM (SELECT DISTINCT id, b1, i1 + 1 AS j FROM grid) AS q WHERE j > 0",
    "SELECT sum(CASE WHEN b1 THEN i1 ELSE -1 END, -9, 9) FROM grid WHERE i2 IN (1, 7) OR NOT b2",
    "SELECT d1, count(*) FROM grid WHERE d1 < d2 GROUP BY d1",
    "SELECT extract(year FROM z1) AS y, count(*) FROM grid GROUP BY y",
    "SELECT upper(left(t1, 1)) AS c, avg(length(t2), 0, 50) FROM grid GROUP BY c",
};

bool Mentions(const std::string& call, std::string_view letters) {
  for (const char letter : letters) {
    for (const char* number : {"1", "2"}) {
      std::string name = letter + std::string(number);
      for (std::size_t at = 0; (at = call.find(name, at)) != std::string::npos; ++at) {
        const bool begins = at == 0 || std::isalnum(static_cast<unsigned char>(call[at - 1])) == 0;
        if (begins) return true;
      }
    }
  }
  return false;
}

std::set<std::string> AllCalls(const Limits& limits) {
  std::set<std::string> calls;
  for (const ScalarFunction& function : AllScalarFunctions()) {
    if (function.arguments.empty()) continue;  // a literal by then, and another one each time
    for (const std::string& call : GridCalls(function)) calls.insert(call);
  }
  calls.insert(std::begin(kMoreCalls), std::end(kMoreCalls));
  std::erase_if(calls, [&](const std::string& call) { return Mentions(call, limits.missing); });
  return calls;
}

Json ToJson(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  const auto* real = std::get_if<double>(&value);
  if (real == nullptr) return nullptr;
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.17g", *real);
  return text.data();
}

// Intervals as months, days and microseconds: databases print them differently.
std::string Comparable(const PrintedExpr& printed) {
  if (printed.type.family == TypeFamily::kUuid) return "CAST(" + printed.sql + " AS VARCHAR)";
  if (printed.type.family != TypeFamily::kInterval) return printed.sql;
  return "list_transform([" + printed.sql +
         "], lambda v: concat_ws(' ', datepart('year', v) * 12 + datepart('month', v), "
         "datepart('day', v), (datepart('hour', v) * 60 + datepart('minute', v)) * 60000000 + "
         "datepart('microsecond', v)) || left(CAST(v AS VARCHAR), 0))[1]";
}

template <typename T>
T Must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(result).value();
}

class Writer {
 public:
  Writer(const Dialect& dialect, const std::string& path)
      : dialect_(dialect), limits_(LimitsOf(dialect.name())), out_(path) {
    MakeGridDatabase(database_);
    std::string clear;
    for (const auto& [letter, condition] : limits_.range) {
      for (const char* number : {"1", "2"}) {
        const std::string column = std::string(letter) + number;
        std::string where = condition;
        for (std::size_t at; (at = where.find('$')) != std::string::npos;) {
          where.replace(at, 1, column);
        }
        clear += "UPDATE grid SET " + column + " = NULL WHERE NOT (" + where + ");";
      }
    }
    if (!clear.empty()) MakeDatabaseFromText(database_, clear);
  }

  void WriteGrid() {
    Json columns = Json::array();
    std::string list;
    for (const auto& row : QueryReference(database_,
                                          "SELECT column_name, data_type FROM duckdb_columns() "
                                          "WHERE table_name = 'grid' ORDER BY column_index")) {
      const std::string name = std::get<std::string>(row[0]);
      if (Mentions(name, limits_.missing)) continue;
      columns.push_back({name, std::get<std::string>(row[1])});
      list += (list.empty() ? "CAST(" : ", CAST(") + name + " AS VARCHAR)";
    }
    Json rows = Json::array();
    for (const auto& row : QueryReference(database_, "SELECT " + list + " FROM grid ORDER BY id")) {
      Json cells = Json::array();
      for (const Value& cell : row) cells.push_back(ToJson(cell));
      rows.push_back(std::move(cells));
    }
    Write({{"columns", std::move(columns)}, {"rows", std::move(rows)}});
  }

  void WriteCalls() {
    for (const std::string& call : AllCalls(limits_)) {
      const Result<std::string> sql = PrintFor(call, dialect_);
      if (!sql) {
        Write({{"call", call}, {"refused", sql.error().message}});
        continue;
      }
      const PrintedExpr printed = PrintOver("grid", call, GridCatalog());
      Json expected = Json::array();
      for (const auto& row : QueryReference(
               database_, "SELECT " + Comparable(printed) + " FROM main.grid AS s0 ORDER BY id")) {
        expected.push_back(ToJson(row[0]));
      }
      Write({{"call", call},
             {"type", printed.type.name},
             {"sql", *sql},
             {"expected", std::move(expected)}});
    }
  }

  // The statements that give cells of units, of which all others are made.
  void WriteQueries() {
    for (const std::string_view query : kQueries) {
      for (const ast::Select& select : CellsOf(query)) {
        if (const Status printable = RefuseUnprintable(select, dialect_); !printable) {
          Write({{"query", query}, {"refused", printable.error().message}});
          break;
        }
        WriteStatement(query, PrintSelect(select, DuckDbDialect()), PrintSelect(select, dialect_));
      }
    }
  }

 private:
  std::vector<ast::Select> CellsOf(std::string_view query) const {
    const Policy policy = Must(ReadPolicy(PolicyText(), "grid.toml"));
    const Catalog catalog = Must(Catalog::Make(policy, DeclareSchema(policy).schema));
    Settings settings = DefaultSettings(policy);
    settings.max_groups = 1;
    const std::vector<ast::Statement> parsed = Must(Parse(query));
    const auto& select = std::get<ast::SelectStatement>(parsed.front().node).select;
    const DpPlan plan = Must(Plan(Must(Validate(select, catalog)), settings));
    std::vector<ast::Select> statements;
    for (const Door& door : plan.doors()) statements.push_back(LowerCells(door));
    if (!plan.PlainOutputs()) statements.push_back(LowerAnswer(plan));
    return statements;
  }

  void WriteStatement(std::string_view query, const std::string& ours, const std::string& theirs) {
    Json types = Json::array();
    for (const auto& row : QueryReference(database_, "DESCRIBE " + ours)) {
      types.push_back(std::get<std::string>(row[1]));
    }
    Json rows = Json::array();
    for (const auto& row : QueryReference(database_, ours)) {
      Json cells = Json::array();
      for (const Value& cell : row) cells.push_back(ToJson(cell));
      rows.push_back(std::move(cells));
    }
    Write({{"query", query},
           {"types", std::move(types)},
           {"sql", theirs},
           {"expected", std::move(rows)}});
  }

  std::string PolicyText() const {
    std::string text =
        "[dataset]\nname = \"grid\"\n[budget]\nepsilon = 1\ndelta = 1e-6\n"
        "[query]\nepsilon = 1\nmin_frequency = 10\n"
        "[tables.grid]\nunit = \"id\"\nmax_rows_per_unit = 1\nprimary_key = \"id\"\n"
        "[tables.grid.columns]\n";
    for (const auto& row : QueryReference(database_,
                                          "SELECT column_name, data_type FROM duckdb_columns() "
                                          "WHERE table_name = 'grid'")) {
      text += std::get<std::string>(row[0]) + " = { type = \"" + std::get<std::string>(row[1]) +
              "\" }\n";
    }
    return text;
  }

  void Write(const Json& line) { out_ << line.dump() << "\n"; }

  const Dialect& dialect_;
  const Limits& limits_;
  std::ofstream out_;
  TempFolder folder_;
  const std::string database_ = folder_ / "grid.duckdb";
};

}  // namespace
}  // namespace dpsql

int main(int argc, char** argv) {
  for (const dpsql::Dialect* dialect : dpsql::AllDialects()) {
    if (argc != 3 || dialect->name() != argv[1]) continue;
    dpsql::Writer writer(*dialect, argv[2]);
    writer.WriteGrid();
    writer.WriteCalls();
    writer.WriteQueries();
    return 0;
  }
  std::cerr << "usage: engine_cases DIALECT FILE\n";
  return 2;
}
