#include "neighbours/draw_columns.h"

#include <array>

namespace dpsql {
namespace {

// What a column may be. `list` are values for the policy in TOML; the pool has others too, which
// are then dropped.
struct Sort {
  const char* name;
  const char* type;
  std::vector<std::string> pool;
  std::vector<const char*> bounds;
  std::vector<const char*> lists;
};

const std::vector<Sort>& Sorts() {
  static const std::vector<Sort> kSorts = {
      {"whole",
       "INTEGER",
       {"0", "1", "2", "3", "10", "-3", "55", "2147483647", "-2147483648"},
       {"lower = 0, upper = 10", "lower = -5, upper = 5", "lower = 1, upper = 2"},
       {"[0, 1, 2, 3, 10, -3, 55]", "[0, 1, 2, 3]", "[-3, 3, 77]"}},
      {"small",
       "SMALLINT",
       {"0", "1", "2", "-1", "32767", "-32768"},
       {"lower = -1, upper = 2", "lower = 0, upper = 30000"},
       {"[0, 1]"}},
      {"big",
       "BIGINT",
       {"0", "1", "3", "-1", "10", "3037000500", "9007199254740993", "9223372036854775807",
        "-9223372036854775808"},
       {"lower = 0, upper = 10", "lower = -1e18, upper = 1e18"},
       {"[0, 3, 9007199254740993]"}},
      {"huge",
       "HUGEINT",
       {"0", "1", "-1", "170141183460469231731687303715884105727", "18446744073709551616"},
       {"lower = 0, upper = 1e20"},
       {}},
      {"amount",
       "DECIMAL(10, 2)",
       {"0", "0.01", "1.25", "-500.25", "1500.5", "99999999.99"},
       {"lower = -500, upper = 1500", "lower = 0, upper = 1"},
       {}},
      {"fine",
       "DECIMAL(38, 20)",
       {"0", "3", "3.00000000000000000001", "-1", "100000000000000000"},
       {"lower = -1, upper = 4"},
       {}},
      {"score",
       "DOUBLE",
       {"0", "'-0.0'", "0.5", "1", "33.5", "-7.25", "'nan'", "'inf'", "'-inf'", "1e300", "5e-324"},
       {"lower = 0, upper = 1", "lower = -0.5, upper = 0.25", "lower = 1000, upper = 1001"},
       {}},
      {"ratio",
       "FLOAT",
       {"0", "0.1", "1", "'nan'", "'inf'", "3e38", "-2"},
       {"lower = -1, upper = 1"},
       {}},
      {"word",
       "VARCHAR",
       {"''", "'a'", "'Paris'", "'home'", "'Ab'", "'ab '", "'it''s'", "'\u00e9'"},
       {},
       {"[\"a\", \"Paris\", \"home\", \"\", \"Ab\"]", "[\"Paris\", \"home\", \"a\"]",
        "[\"\", \"nobody\"]"}},
      {"day",
       "DATE",
       {"'2024-02-29'", "'1999-12-01'", "'2020-01-31'", "'1900-03-01'", "'infinity'"},
       {},
       {}},
      {"moment",
       "TIMESTAMP",
       {"'2024-02-29 23:59:59'", "'1999-12-01 00:00:00'", "'-infinity'"},
       {},
       {}},
      {"flag", "BOOLEAN", {"TRUE", "FALSE"}, {}, {"[true, false]", "[true]"}},
      {"code",
       "UUID",
       {"'00000000-0000-0000-0000-000000000001'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"},
       {},
       {}},
      {"unsigned", "UBIGINT", {"0", "1", "18446744073709551615"}, {"lower = 0, upper = 2"}, {}},
  };
  return kSorts;
}

// Pairs of types that are none of ours, where a value of the first is no value of the second. Only
// whether there is one may be asked.
using Pair = std::array<Sort, 2>;

const std::vector<Pair>& PairsOfDuckDb() {
  static const std::vector<Pair> kPairs = {
      {{{"mood", "ENUM ('x', 'y')", {"'x'", "'y'"}, {}, {}},
        {"tags", "ENUM ('p', 'q')[]", {"['p']", "['q', 'p']", "[]"}, {}, {}}}},
      {{{"box", "STRUCT(a DATE)", {"{'a': DATE '5000000-01-01'}", "{'a': NULL}"}, {}, {}},
        {"span", "STRUCT(a TIMESTAMP)", {"{'a': TIMESTAMP '2024-02-29 10:00:00'}"}, {}, {}}}},
      {{{"clock", "TIME", {"'10:00:00'", "'24:00:00'"}, {}, {}},
        {"list", "TIMESTAMP[]", {"[TIMESTAMP '294247-01-10 04:00:54']", "[NULL]"}, {}, {}}}},
  };
  return kPairs;
}

// Is called, with its fields, as the variables in the texts of DuckDB's functions are.
const Sort& Namesake() {
  static const Sort kNamesake = {"p",
                                 "STRUCT(a VARCHAR, b VARCHAR)",
                                 {"{'a': '7', 'b': '3'}", "{'a': 'x', 'b': NULL}"},
                                 {},
                                 {}};
  return kNamesake;
}

std::string PolicyOf(const Sort& sort, const std::string& name, Dice& dice) {
  std::string words;
  const auto add = [&](const std::string& more) { words += (words.empty() ? "" : ", ") + more; };
  if (!sort.bounds.empty() && dice.In16(11)) add(dice.Pick(sort.bounds));
  if (!sort.lists.empty() && dice.In16(4)) add(std::string("values = ") + dice.Pick(sort.lists));
  if (dice.In16(1)) add("hidden = true");
  if (dice.In16(2)) add("nullable = false");
  return words.empty() ? "" : name + " = { " + words + " }\n";
}

DrawnColumn DrawColumn(const Sort& sort, const std::string& name, Dice& dice) {
  DrawnColumn column{.name = name, .sql = name + " " + sort.type, .policy = "", .pool = {}};
  column.nullable = dice.In16(10);
  if (!column.nullable) column.sql += " NOT NULL";
  column.policy = PolicyOf(sort, name, dice);
  // A few of its values, now and then one alone, so that they meet again in other rows.
  const std::size_t most = dice.Pick(std::to_array<std::size_t>({1, 2, 3, 3, 4, 6}));
  for (std::size_t i = 0; i < most; ++i) column.pool.push_back(dice.Pick(sort.pool));
  return column;
}

}  // namespace

std::string DrawnColumn::DrawValue(Dice& dice) const {
  return nullable && dice.In16(3) ? "NULL" : dice.Pick(pool);
}

std::vector<DrawnColumn> DrawColumns(Dice& dice, const std::string& prefix, bool on_duckdb) {
  std::vector<DrawnColumn> columns;
  const int count = dice.Between(2, 5);
  for (int i = 0; i < count; ++i) {
    // One number and one word, and then whatever comes.
    const std::size_t word = 8;
    const std::size_t which = i == 0   ? dice.Below(word)
                              : i == 1 ? word
                                       : dice.Below(Sorts().size());
    const Sort& sort = Sorts()[which];
    columns.push_back(DrawColumn(sort, prefix + std::to_string(i) + sort.name, dice));
  }
  if (!on_duckdb) return columns;
  if (dice.In16(3)) columns.push_back(DrawColumn(Namesake(), Namesake().name, dice));
  if (!dice.In16(5)) return columns;
  for (const Sort& sort : dice.Pick(PairsOfDuckDb())) {
    columns.push_back(DrawColumn(sort, prefix + sort.name, dice));
  }
  return columns;
}

}  // namespace dpsql
