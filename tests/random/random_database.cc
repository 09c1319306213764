#include "random/random_database.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace dpsql {
namespace {

constexpr int kFewPeople = 12;
constexpr int kManyPeople = 60;  // so that no number of theirs reaches 100
// DuckDB's threads take groups of 122,880 rows: two of them have some here.
constexpr std::size_t kManyActs = 130'000;

std::string Digits(double number) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.17g", number);
  return text.data();
}

std::string Cents(double number) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.2f", number);
  return text.data();
}

// Draws the columns of a table and values for them.
class ColumnMaker {
 public:
  ColumnMaker(Dice& dice, std::string prefix) : dice_(dice), prefix_(std::move(prefix)) {}

  std::vector<RandomColumn> Make() {
    std::vector<RandomColumn> columns = {Whole(), Whole(), Amount(), Score(), Word()};
    if (dice_.In16(10)) columns.push_back(Big());
    if (dice_.In16(8)) columns.push_back(Score());
    if (dice_.In16(12)) columns.push_back(Day());
    if (dice_.In16(12)) columns.push_back(Flag());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      columns[i].name = prefix_ + std::to_string(i) + columns[i].name;
      columns[i].nullable = dice_.In16(9);
    }
    return columns;
  }

 private:
  Range PickRange(const std::vector<Range>& ranges) { return dice_.Pick(ranges); }

  double Inside(Range range) {
    const double place = static_cast<double>(dice_.Below(1'001)) / 1'000;
    return range.low + place * (range.high - range.low);
  }

  RandomColumn Whole() {
    const Range range = PickRange({{0, 10}, {-5, 5}, {1, 2}, {0, 30'000}, {-1'000, -10}});
    RandomColumn column{.name = "whole",
                        .kind = Kind::kWhole,
                        .type = dice_.Pick(std::to_array({"INTEGER", "BIGINT", "SMALLINT"})),
                        .range = range};
    for (const double value : {range.low, range.high, range.low - 1, range.high + 3, 0.0, 1.0}) {
      if (dice_.In16(8)) column.pool.push_back(Cents(value).substr(0, Cents(value).find('.')));
    }
    while (column.pool.size() < 5) {
      column.pool.push_back(std::to_string(std::lround(Inside(range))));
    }
    if (column.type == "BIGINT" && dice_.In16(4)) column.pool.emplace_back("9223372036854775807");
    return column;
  }

  RandomColumn Big() {
    return {
        .name = "big",
        .kind = Kind::kWhole,
        .type = "BIGINT",
        .range = std::nullopt,
        .pool = {"0", "1", "-1", "7", "3037000500", "9223372036854775807", "-9223372036854775808"}};
  }

  RandomColumn Amount() {
    const Range range = PickRange({{-500.5, 1500.25}, {0, 1}, {100, 101}, {0, 99'999}});
    RandomColumn column{.name = "amount",
                        .kind = Kind::kDecimal,
                        .type = "DECIMAL(10, 2)",
                        .range = range,
                        .pool = {Cents(range.low), Cents(range.high + 0.01), "0.00"}};
    if (dice_.In16(4)) column.pool.emplace_back("-99999999.99");
    while (column.pool.size() < 7) column.pool.push_back(Cents(Inside(range)));
    return column;
  }

  RandomColumn Score() {
    const Range range = PickRange({{0, 1}, {-1e9, 1e9}, {-0.5, 0.25}, {1'000, 1'001}});
    RandomColumn column{.name = "score",
                        .kind = Kind::kDouble,
                        .type = "DOUBLE",
                        .range = range,
                        .pool = {Digits(range.low), Digits(range.high)}};
    for (const char* odd : {"'nan'", "'inf'", "'-inf'", "'-0.0'", "1e300", "5e-324", "-7.25"}) {
      if (dice_.In16(4)) column.pool.emplace_back(odd);
    }
    while (column.pool.size() < 8) column.pool.push_back(Digits(Inside(range)));
    return column;
  }

  RandomColumn Word() {
    return {.name = "word",
            .kind = Kind::kText,
            .type = "VARCHAR",
            .range = std::nullopt,
            .pool = {"''", "'a'", "'Ab'", "'rome'", "'oslo'", "'it''s'", "'\u00e9'"}};
  }

  RandomColumn Day() {
    return {.name = "day",
            .kind = Kind::kDate,
            .type = "DATE",
            .range = std::nullopt,
            .pool = {"'2024-02-29'", "'1999-12-31'", "'2000-01-01'", "'1900-03-01'"}};
  }

  RandomColumn Flag() {
    return {.name = "flag",
            .kind = Kind::kTruth,
            .type = "BOOLEAN",
            .range = std::nullopt,
            .pool = {"TRUE", "FALSE"}};
  }

  Dice& dice_;
  std::string prefix_;
};

class DatabaseMaker {
 public:
  explicit DatabaseMaker(Dice& dice) : dice_(dice) {}

  RandomDatabase Make(int people) {
    made_.unit_type = dice_.Pick(std::to_array({"INTEGER", "BIGINT", "VARCHAR"}));
    made_.person = {.name = "person", .keys = "id " + made_.unit_type + " PRIMARY KEY"};
    made_.act = {.name = "act", .keys = "act_id BIGINT PRIMARY KEY, who " + made_.unit_type};
    made_.part = {.name = "part", .keys = "act_id BIGINT"};
    made_.place = {.name = "place", .keys = "name VARCHAR PRIMARY KEY"};
    made_.person.columns = ColumnMaker(dice_, "p").Make();
    made_.act.columns = ColumnMaker(dice_, "a").Make();
    made_.part.columns = ColumnMaker(dice_, "t").Make();
    made_.place.columns = ColumnMaker(dice_, "q").Make();
    for (int unit = 1; unit <= people; ++unit) AddUnit(Unit(unit));
    for (int i = dice_.Between(0, 2); i > 0; --i) AddAct("NULL");
    for (int i = dice_.Between(0, 2); i > 0; --i) AddPart(dice_.In16(8) ? "NULL" : "777777");
    AddPlaces();
    return std::move(made_);
  }

 private:
  std::string Unit(int number) const {
    if (made_.unit_type == "VARCHAR") return "'u" + std::to_string(number) + "'";
    // Too large for a DOUBLE to tell them apart.
    const std::string large = made_.unit_type == "BIGINT" ? "90071992547409" : "";
    return large + std::to_string(number + 10);
  }

  void AddUnit(const std::string& unit) {
    if (dice_.In16(14)) Insert(made_.person, unit);
    for (int i = dice_.Between(0, kMostActs); i > 0; --i) AddAct(unit);
  }

  void AddAct(const std::string& unit) {
    const std::string id = std::to_string(made_.act.rows.size() + 1);
    Insert(made_.act, id + ", " + unit);
    for (int i = dice_.Between(-1, kMostParts); i > 0; --i) AddPart(id);
  }

  void AddPart(const std::string& act) { Insert(made_.part, act); }

  void AddPlaces() {
    constexpr std::array<const char*, kMostPlaces> kNames = {"'rome'", "'a'", "''", "'lima'",
                                                             "'Ab'"};
    for (const char* name : kNames) {
      if (dice_.In16(12)) Insert(made_.place, name);
    }
  }

  void Insert(RandomTable& table, std::string row) {
    for (const RandomColumn& column : table.columns) {
      row += ", " + (column.nullable && dice_.In16(3) ? "NULL" : dice_.Pick(column.pool));
    }
    table.rows.push_back(std::move(row));
  }

  Dice& dice_;
  RandomDatabase made_;
};

std::string CreateTable(const RandomTable& table) {
  std::string sql = "CREATE TABLE " + table.name + " (" + table.keys;
  for (const RandomColumn& column : table.columns) {
    sql += ", " + column.name + " " + column.type + (column.nullable ? "" : " NOT NULL");
  }
  sql += ");\n";
  for (const std::string& row : table.rows) {
    sql += "INSERT INTO " + table.name + " VALUES (" + row + ");\n";
  }
  return sql;
}

std::string ColumnNames(const RandomTable& table) {
  std::string list;
  for (const RandomColumn& column : table.columns) list += ", " + column.name;
  return list + " FROM " + table.name;
}

// The rows of the copies, for units and acts with other names: below these numbers are the first.
std::string Copies(const RandomDatabase& database) {
  if (database.copies == 1) return "";
  const bool text = database.unit_type == "VARCHAR";
  const auto unit = [&](const std::string& name) {
    return text ? name + " || '_' || c" : name + " + 100 * c";
  };
  const std::string act = "act_id + 1000000 * c";
  const std::string times = ", range(1, " + std::to_string(database.copies) + ") times(c);\n";
  return "INSERT INTO person SELECT " + unit("id") + ColumnNames(database.person) + times +
         "INSERT INTO act SELECT " + act + ", " + unit("who") + ColumnNames(database.act) + times +
         "INSERT INTO part SELECT " + act + ColumnNames(database.part) + times;
}

// The columns as a row expression reads them.
std::string ReadColumns(const RandomTable& table) {
  std::string list;
  for (const RandomColumn& column : table.columns) {
    const bool may_be_nan = column.kind == Kind::kDouble;
    list += ", " + (may_be_nan ? "no_nan(t." + column.name + ")" : "t." + column.name) + " AS " +
            column.name;
  }
  return list;
}

// Whole numbers are computed in 128 bits and cut to 64; what leaves those is NULL. A quotient has
// the size of the quotient of both sizes, and a remainder is what a quotient leaves.
constexpr const char* kMeanings = R"(
CREATE MACRO no_nan(x) AS CASE WHEN isnan(x) THEN NULL ELSE x END;
CREATE MACRO wide(x) AS CAST(x AS HUGEINT);
CREATE MACRO cut(x) AS TRY_CAST(x AS BIGINT);
CREATE MACRO whole_add(x, y) AS cut(wide(x) + wide(y));
CREATE MACRO whole_subtract(x, y) AS cut(wide(x) - wide(y));
CREATE MACRO whole_multiply(x, y) AS cut(wide(x) * wide(y));
CREATE MACRO wide_divide(x, y) AS CASE WHEN y <> 0 THEN
  (CASE WHEN (x < 0) <> (y < 0) THEN -1 ELSE 1 END) * (abs(wide(x)) // abs(wide(y))) END;
CREATE MACRO whole_divide(x, y) AS cut(wide_divide(x, y));
CREATE MACRO whole_modulo(x, y) AS CASE WHEN cut(wide_divide(x, y)) IS NOT NULL THEN
  cut(wide(x) - wide(y) * wide_divide(x, y)) END;
CREATE MACRO whole_abs(x) AS cut(abs(wide(x)));
CREATE MACRO number_divide(x, y) AS CASE WHEN y = 0 THEN NULL ELSE no_nan(x / y) END;
CREATE MACRO clamped(x, low, high) AS CASE WHEN x < low THEN low WHEN x > high THEN high ELSE x END;
)";

}  // namespace

std::string RandomDatabase::Sql() const {
  return CreateTable(person) + CreateTable(act) + CreateTable(part) + CreateTable(place) +
         Copies(*this);
}

std::string RandomDatabase::PlainSql() const {
  return Sql() + kMeanings + "CREATE VIEW plain_person AS SELECT t.id AS u" + ReadColumns(person) +
         " FROM person t;\nCREATE VIEW plain_act AS SELECT t.who AS u, t.act_id" +
         ReadColumns(act) + " FROM act t WHERE t.who IS NOT NULL;\n" +
         "CREATE VIEW plain_part AS SELECT o.who AS u, t.act_id" + ReadColumns(part) +
         " FROM part t JOIN act o ON o.act_id = t.act_id WHERE o.who IS NOT NULL;\n" +
         "CREATE VIEW plain_place AS SELECT t.name" + ReadColumns(place) + " FROM place t;\n";
}

std::string RandomDatabase::PolicyText() const {
  const auto columns = [](const RandomTable& table) {
    std::string text = "[tables." + table.name + ".columns]\n";
    for (const auto& column : table.columns) {
      if (!column.range) continue;
      text += column.name + " = { lower = " + Digits(column.range->low) +
              ", upper = " + Digits(column.range->high) + " }\n";
    }
    return text;
  };
  const auto cap = [](int rows) {
    return "max_rows_per_unit = " + std::to_string(rows * kMostPlaces) + "\n";
  };
  return "[dataset]\nname = \"random\"\n[budget]\nepsilon = 100.0\ndelta = 0.1\n"
         "[query]\nepsilon = 2.0\ndelta = 1e-9\nmin_frequency = 1\nmax_groups_per_unit = 1000\n"
         "[tables.person]\nunit = \"id\"\n" +
         columns(person) + "[tables.act]\nunit = \"who\"\n" + cap(kMostActs) + columns(act) +
         "[tables.part]\nunit = { through = \"act_id\", references = \"act.act_id\" }\n" +
         cap(kMostActs * kMostParts) + columns(part) + "[tables.place]\npublic = true\n";
}

RandomDatabase DrawRandomDatabase(Dice& dice) {
  const int people = dice.In16(2) ? kManyPeople : dice.Between(0, kFewPeople);
  RandomDatabase database = DatabaseMaker(dice).Make(people);
  if (dice.In16(1)) dice.Pick(database.tables())->rows.clear();
  return database;
}

RandomDatabase DrawLargeDatabase(Dice& dice) {
  RandomDatabase database = DatabaseMaker(dice).Make(kManyPeople);
  database.copies = static_cast<int>(kManyActs / database.act.rows.size()) + 1;
  return database;
}

}  // namespace dpsql
