// Random expressions over the registry, two to four calls deep, through the parser, the binder and
// the lowering into DuckDB over a table of hostile values. DuckDB must never fail, the type must be
// the bound one, NaN must not come out, NULL only where the binder allows it, a row's value must
// not depend on the rows beside it, and a result must lie in its bounds where it has some.
// The same expressions every time; for more:
// DPSQL_EXPRESSIONS=20000 DPSQL_SEED=7 dpsql_unit_tests --gtest_filter=FunctionFuzz.*
#include <duckdb.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>

#include "backend/lower_expr.h"
#include "sql/printer.h"
#include "support/function_grid.h"
#include "support/reference_duckdb.h"
#include "support/temp_folder.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

using Words = std::vector<std::string>;

// A column: its name, the letter of its kind, its type and its values. NULL is added.
struct Column {
  const char* name;
  char kind;
  const char* type;
  const char* values;
};

constexpr Column kHostile[] = {
    {"i1", 'i', "BIGINT",
     "0, 1, -1, 2, 7, 31, 64, 2024, 55296, 65536, 2147483648, 9007199254740993, "
     "9223372036854775807, (-9223372036854775808)"},
    {"i2", 'i', "SMALLINT", "0, 1, -1, 12, 29, 32767, -32768"},
    {"i3", 'i', "UINTEGER", "0, 1, 4294967295"},
    {"r1", 'r', "DOUBLE",
     "0, '-0', 1, -1, 0.5, -2.5, 5e-324, 1e15, 4503599627370497.5, 1e19, -1e19, 1e154, "
     "1.7976931348623157e308, -1.7976931348623157e308, 'inf', '-inf', 'nan', 710, 1e22, "
     "59.9999999"},
    {"r2", 'r', "FLOAT", "0, '-0', 1.5, 3.4028235e38, 'inf', '-inf', 'nan', 1e-45"},
    {"x1", 'x', "DECIMAL(38,10)",
     "0, 1.5, -1.5, 0.0000000001, 9999999999999999999999999999.9999999999, "
     "-9999999999999999999999999999.9999999999"},
    {"x2", 'x', "DECIMAL(9,4)", "0, 0.5, -0.5, 99999.9999, -99999.9999"},
    {"x3", 'x', "HUGEINT",
     "0, 1, 170141183460469231731687303715884105727, -170141183460469231731687303715884105728"},
    {"x4", 'x', "UBIGINT", "0, 1, 18446744073709551615"},
    {"b1", 'b', "BOOLEAN", "true, false"},
    {"t1", 't', "VARCHAR",
     "'', ' ', 'a', 'abc', 'a,b,c', '%', '_', '!', chr(92), 'é', chr(128512), 'e' || chr(769), "
     "repeat('x', 3000), repeat(chr(128512), 300), 'İ', 'ß', chr(10) || 'x', chr(1), 'a(b'"},
    {"t2", 't', "VARCHAR",
     "'1', ' +12 ', '-0', '1.5', '1e400', '1e-400', '99999999999999999999', 'nan', 'Infinity', "
     "'t', 'oFF', '2024-02-29', '2023-02-29 10:00:00', '2024-01-01 24:00', '0000-01-01', '0x1', "
     "'1_000', '2024-01-01 00:00:00+02', 'infinity', 'epoch'"},
    {"u1", 'u', "UUID",
     "'00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'"},
    {"d1", 'd', "DATE",
     "'1970-01-01', '2024-02-29', '0001-01-01', '0001-01-01 (BC)', '5877642-06-25 (BC)', "
     "'5881580-07-10', '9999-12-31', '290000-01-01', 'infinity', '-infinity'"},
    {"z1", 'z', "TIMESTAMP",
     "'1970-01-01', '2024-02-29 23:59:59.999999', '0001-01-01', '0044-03-15 (BC)', "
     "'290309-12-22 (BC) 00:00:00', '294247-01-10 04:00:54.775806', 'infinity', '-infinity'"},
    {"v1", 'v', "INTERVAL",
     "'0 days', '1 month', '30 days', '-1 year', '2147483647 months', '-2147483648 months', "
     "'2147483647 days', '-2147483648 days', '2562047788 hours', '-2562047788 hours', "
     "'23:59:59.999999'"},
};

// Values inside the bounds that the policy declares, for the rules of intervals.
constexpr Column kFenced[] = {
    {"i1", 'i', "BIGINT", "-7, -3, -1, 0, 1, 2, 5"},
    {"i2", 'i', "SMALLINT", "1, 2, 3, 8, 9"},
    {"i3", 'i', "BIGINT", "9007199254740991, 9007199254740993, 9007199254740995"},
    {"r1", 'r', "DOUBLE", "-2.5, -1.25, -0.1, 0, 0.1, 0.29, 1, 3.5"},
    {"r2", 'r', "DOUBLE", "0.5, 0.7, 1, 1.1, 4"},
    {"x1", 'x', "DECIMAL(9,4)", "0, 0.0001, 12.3456, 99.9999"},
    {"b1", 'b', "BOOLEAN", "true, false"},
    {"t1", 't', "VARCHAR", "'a', 'bc', ''"},
    {"u1", 'u', "UUID", "'00000000-0000-0000-0000-000000000000'"},
    {"d1", 'd', "DATE", "'1970-01-01', '2024-02-29', '1999-12-31'"},
    {"z1", 'z', "TIMESTAMP", "'1970-01-01', '2024-02-29 23:59:59.999999'"},
    {"v1", 'v', "INTERVAL", "'0 days', '1 month', '-1 year', '23:59:59.999999'"},
};

constexpr const char* kFences =
    "i1 = { lower = -7, upper = 5 }\ni2 = { lower = 1, upper = 9 }\n"
    "i3 = { lower = 9.0e15, upper = 9.1e15 }\n"
    "r1 = { lower = -2.5, upper = 3.5 }\nr2 = { lower = 0.5, upper = 4 }\n"
    "x1 = { lower = 0, upper = 99.9999 }\n";

// What may stand for each letter besides columns and calls; for letters that ask for a literal,
// what must.
const std::map<char, Words>& Literals() {
  static const std::map<char, Words> kLiterals = {
      {'i', {"0", "1", "-1", "3", "9223372036854775807", "(-9223372036854775807 - 1)", "NULL"}},
      {'r', {"0.5", "-0.0", "1e308", "-1e308", "5e-324", "0.30000000000000004", "2", "NULL"}},
      {'x', {"1", "-1", "cast(0.5 as decimal(38,38))", "cast(7 as decimal(38,0))", "NULL"}},
      {'b', {"TRUE", "FALSE", "NULL"}},
      {'t', {"''", "'x'", "'é'", "'2024-01-01'", "'%'", "'a''b'", "NULL"}},
      {'u', {"cast('00000000-0000-0000-0000-00000000000a' as uuid)"}},
      {'d', {"DATE '2024-02-29'", "DATE '0001-01-01'", "DATE '9999-12-31'"}},
      {'z', {"TIMESTAMP '2024-02-29 12:00:00'", "TIMESTAMP '9999-12-31 23:59:59.999999'"}},
      {'v', {"INTERVAL '1 month'", "INTERVAL '-4000 years'", "INTERVAL '1464000 days'"}},
      {'n', {"-30", "-1", "0", "2", "16", "30"}},
      {'k', {"0", "1", "2", "30", "100"}},
      {'m', {"1", "2", "38", "1000", "1000000"}},
      {'c', {"-5", "0", "7.5", "1e308", "-1e308", "5e-324"}},
      {'l', {"''", "'x'", "'é'", "'0123456789012345678901234567890123456789'"}},
      {'q', {"'x'", "' '", "'é'", "'ab'", "'!'"}},
      {'p', {"'%a!_b'", "'_'", "'%'", "'%a%b%c%'", "'\\%_'", "'%a_%a_%a_b'", "'(_.*'"}},
      {'e', {"'^a.*([b-z]|x){1,3}$'", "'.*a..*a..*a.b'", "'[^x]{2,100}x'", "'\\.|é'"}},
  };
  return kLiterals;
}

char KindOf(const Type& type) {
  switch (type.family) {
    case TypeFamily::kInteger:
      return 'i';
    case TypeFamily::kFloat:
      return 'r';
    case TypeFamily::kDecimal:
      return 'x';
    case TypeFamily::kBoolean:
      return 'b';
    case TypeFamily::kText:
      return 't';
    case TypeFamily::kDate:
      return 'd';
    case TypeFamily::kTimestamp:
      return 'z';
    case TypeFamily::kInterval:
      return 'v';
    default:
      return 'u';
  }
}

class Generator {
 public:
  Generator(std::span<const Column> columns, std::uint64_t seed)
      : columns_(columns), random_(seed) {
    for (const ScalarFunction& function : AllScalarFunctions()) {
      if (function.name == "cast decimal") {
        by_kind_['x'].push_back(&function);
      } else if (!function.result.empty()) {
        by_kind_[KindOf(ParseType(function.result))].push_back(&function);
      } else {
        for (const char kind : std::string("irxbtudzv")) by_kind_[kind].push_back(&function);
      }
    }
  }

  std::string Next() {
    constexpr std::string_view kKinds = "iiirrrxbbttdzv";
    return Make(Pick(kKinds), 2 + Below(3));
  }

 private:
  std::size_t Below(std::size_t limit) { return random_() % limit; }

  template <typename List>
  typename List::value_type Pick(const List& list) {
    return list[Below(list.size())];
  }

  std::string Leaf(char kind) {
    Words leaves;
    for (const Column& column : columns_) {
      if (column.kind == kind) leaves.insert(leaves.end(), 3, column.name);
    }
    const Words& literals = Literals().at(kind);
    leaves.insert(leaves.end(), literals.begin(), literals.end());
    return Pick(leaves);
  }

  std::string Make(char kind, std::size_t depth) {
    const auto forms = by_kind_.find(kind);
    if (depth == 0 || Below(8) == 0 || forms == by_kind_.end()) return Leaf(kind);
    return Call(*Pick(forms->second), kind, depth);
  }

  std::string Call(const ScalarFunction& function, char kind, std::size_t depth) {
    std::string letters(function.arguments);
    if (letters.ends_with('+')) letters.back() = letters[letters.size() - 2];
    if (function.name == "case") letters = "baa";
    const char any = function.result.empty() ? kind : Pick(std::string("irxbtudzv"));
    Words arguments;
    for (const char letter : letters) arguments.push_back(Argument(letter, any, depth - 1));
    return WriteCall(function.name, arguments);
  }

  std::string Argument(char letter, char any, std::size_t depth) {
    if (letter == 'a') letter = any;
    if (letter == 's' || (letter == 'z' && any == 'd')) letter = Pick(std::string("dz"));
    if (letter == 'r') letter = Pick(std::string("irrx"));
    const bool written = std::string_view("nkmclqpe").find(letter) != std::string_view::npos;
    return written ? Pick(Literals().at(letter)) : Make(letter, depth);
  }

  std::span<const Column> columns_;
  std::mt19937_64 random_;
  std::map<char, std::vector<const ScalarFunction*>> by_kind_;
};

// Values in an order of their own for each column, so that rows hold many pairs.
std::string TableSql(const std::string& name, std::span<const Column> columns) {
  std::string values = "k AS id";
  std::size_t step = 0;
  for (const Column& column : columns) {
    const std::string list =
        "[NULL, " + std::string(column.values) + "]::" + std::string(column.type) + "[]";
    values += ", (" + list + ")[1 + (hash(k * 100 + " + std::to_string(++step) + ") % len(" + list +
              "))::INTEGER] AS " + column.name;
  }
  return "CREATE TABLE " + name + " AS SELECT " + values + " FROM range(0, 256) t(k);";
}

SchemaTable TableSchema(const std::string& name, std::span<const Column> columns) {
  SchemaTable table{.name = name,
                    .columns = {{.name = "id", .type = ParseType("BIGINT"), .nullable = false}}};
  for (const Column& column : columns) {
    table.columns.push_back(
        {.name = column.name, .type = ParseType(column.type), .nullable = true});
  }
  return table;
}

Catalog FuzzCatalog() {
  Schema schema;
  schema.tables = {TableSchema("hostile", kHostile), TableSchema("fenced", kFenced)};
  auto policy =
      ReadPolicy(std::string("[dataset]\nname = \"fuzz\"\n[budget]\nepsilon = 1\ndelta = 1e-6\n"
                             "[query]\nepsilon = 1\nmin_frequency = 1\n"
                             "[tables.hostile]\nunit = \"id\"\nmax_rows_per_unit = 1\n"
                             "[tables.fenced]\nunit = \"id\"\nmax_rows_per_unit = 1\n"
                             "[tables.fenced.columns]\n") +
                     kFences,
                 "fuzz.toml");
  EXPECT_TRUE(policy) << policy.error().message;
  return Catalog::Make(std::move(policy).value(), std::move(schema)).value();
}

// One connection for all expressions; the words of a failure are kept.
class Engine {
 public:
  explicit Engine(const std::string& path) {
    const bool open = duckdb_open(path.c_str(), &database_) == DuckDBSuccess &&
                      duckdb_connect(database_, &connection_) == DuckDBSuccess;
    EXPECT_TRUE(open);
  }
  ~Engine() {
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // The texts of the first row, or what DuckDB said.
  Words Row(const std::string& sql, std::size_t columns) {
    duckdb_result result;
    Words row;
    if (duckdb_query(connection_, sql.c_str(), &result) != DuckDBSuccess) {
      row = {std::string("failed: ") + duckdb_result_error(&result)};
      columns = 0;
    }
    for (std::size_t i = 0; i < columns; ++i) {
      char* text = duckdb_value_varchar(&result, i, 0);
      row.emplace_back(text == nullptr ? "" : text);
      duckdb_free(text);
    }
    duckdb_destroy_result(&result);
    return row;
  }

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

class FunctionFuzz : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TempFolder();
    MakeDatabaseFromText(*folder_ / "fuzz.duckdb",
                         TableSql("hostile", kHostile) + TableSql("fenced", kFenced));
  }
  static void TearDownTestSuite() { delete folder_; }

  static std::size_t Number(const char* name, std::size_t otherwise) {
    const char* const text = std::getenv(name);
    return text == nullptr ? otherwise : std::stoul(text);
  }

  // Whether the binder took the expression; what it takes DuckDB must evaluate.
  static bool Check(Engine& engine, const Catalog& catalog, const std::string& table,
                    const std::string& text) {
    const auto query = TryBind("SELECT count(" + text + ") FROM " + table, catalog);
    if (!query) return false;
    const std::shared_ptr<const BoundDoor> door = DoorsOf(query->root()).front();
    const BoundExpr& bound = *door->aggregates[0].argument();
    if (bound.kind != BoundKind::kCall) return true;
    const std::string sql =
        PrintExpr(*LowerExpr(bound, {door->relation, *door->catalog, {}}), DuckDbDialect());
    const std::string from = " FROM main." + table + " AS s0";
    const bool is_float = bound.type.family == TypeFamily::kFloat;
    const std::string value = bound.type.is_numeric() ? "CAST(x AS DOUBLE)" : "NULL";
    const Words row = engine.Row(
        "SELECT count(*) - count(x), count(*) FILTER (WHERE " +
            std::string(is_float ? "isnan(x)" : "FALSE") +
            "), max(length(CAST(x AS VARCHAR))), "
            "any_value(typeof(x)), min(" +
            value + "), max(" + value +
            "), bit_xor(hash(x)), "
            "(SELECT bit_xor(h) FROM (SELECT hash(" +
            sql + ") AS h" + from + " WHERE s0.id % 3 = 0 UNION ALL SELECT hash(" + sql + ")" +
            from + " WHERE s0.id % 3 <> 0)) FROM (SELECT " + sql + " AS x" + from + ")",
        8);
    if (row.size() == 1) {
      ADD_FAILURE() << text << "\n" << row[0] << "\n" << sql;
      return true;
    }
    if (!bound.nullable) {
      EXPECT_EQ(row[0], "0") << "NULL from " << text;
    }
    EXPECT_EQ(row[1], "0") << "NaN from " << text;
    if (!row[2].empty()) {
      EXPECT_LE(std::stoul(row[2]), 100'000U) << text;
    }
    EXPECT_EQ(ParseType(row[3]).family, bound.type.family) << text << " is " << row[3];
    if (bound.type.family == TypeFamily::kDecimal) {
      EXPECT_EQ(row[3], bound.type.name) << text;
    }
    if (bound.interval && table == "fenced" && !row[4].empty()) {
      EXPECT_GE(std::strtod(row[4].c_str(), nullptr), bound.interval->low) << text;
      EXPECT_LE(std::strtod(row[5].c_str(), nullptr), bound.interval->high) << text;
    }
    EXPECT_EQ(row[6], row[7]) << text << " depends on other rows\n" << sql;
    return true;
  }

  static void Run(const std::string& table, std::span<const Column> columns) {
    const Catalog catalog = FuzzCatalog();
    Engine engine(*folder_ / "fuzz.duckdb");
    Generator generator(columns, Number("DPSQL_SEED", 1));
    const std::size_t count = Number("DPSQL_EXPRESSIONS", 600);
    std::size_t taken = 0;
    for (std::size_t i = 0; i < count; ++i) {
      taken += Check(engine, catalog, table, generator.Next()) ? 1 : 0;
    }
    EXPECT_GE(taken, count / 2) << "the binder takes too few for this to be a test";
  }

  static inline TempFolder* folder_ = nullptr;
};

TEST_F(FunctionFuzz, NoNestingOfHostileValuesMakesDuckDbFail) { Run("hostile", kHostile); }

TEST_F(FunctionFuzz, BoundsHoldForNestedExpressions) { Run("fenced", kFenced); }

}  // namespace
}  // namespace dpsql
