#include "backend/postgresql_read.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/names.h"
#include "sql/dialect.h"

namespace dpsql {
namespace {

// How a built-in type is read: $ is the column. `may_be_null` where a value that is no NULL can
// become one; not `injective` where two values can become one, so that no key of such a column is a
// key of ours.
struct Reading {
  std::uint32_t type;
  std::string_view ours;
  std::string_view text;
  bool may_be_null = false;
  bool injective = true;
};

constexpr std::uint32_t kNumeric = 1700;
constexpr std::uint32_t kText = 25;
constexpr std::uint32_t kVarchar = 1043;
constexpr std::uint32_t kChar = 1042;

// A text of 64 KiB or more is read in part, with a digest of the whole. No two texts become one,
// which may be those of two units: what is cut has 64 KiB or more afterwards too, and so is none of
// those that are read as they are; and of two that are cut the digests differ.
constexpr std::string_view kAnyText =
    "(CASE WHEN octet_length(CAST($ AS text)) < 65536 THEN CAST($ AS text) ELSE "
    "left(CAST($ AS text), 65472) || encode(sha256(convert_to(CAST($ AS text), 'UTF8')), 'hex') "
    "END COLLATE \"C\")";
constexpr std::string_view kShortText = "(CAST($ AS text) COLLATE \"C\")";

// A timestamp with a time zone is a point in time; in UTC no two of them are one. NaN among
// numerics and, from PostgreSQL 17 on, an infinite interval have no place in our types. char(n)
// loses the spaces behind it, which PostgreSQL does not count when it compares either.
constexpr auto kReadings = std::to_array<Reading>({
    {16, "BOOLEAN", "CAST($ AS bool)"},
    {21, "SMALLINT", "CAST($ AS int2)"},
    {23, "INTEGER", "CAST($ AS int4)"},
    {20, "BIGINT", "CAST($ AS int8)"},
    {700, "FLOAT", "CAST($ AS float4)"},
    {701, "DOUBLE", "CAST($ AS float8)"},
    {kText, "VARCHAR", kAnyText},
    {kVarchar, "VARCHAR", kAnyText},
    {2950, "UUID", "CAST($ AS uuid)"},
    {1082, "DATE", "CAST($ AS date)"},
    {1114, "TIMESTAMP", "CAST($ AS timestamp)"},
    {1184, "TIMESTAMP", "timezone('UTC', CAST($ AS timestamptz))"},
    {1186, "INTERVAL", "CASE WHEN isfinite(CAST($ AS interval)) THEN CAST($ AS interval) END",
     /*may_be_null=*/true},
});

constexpr std::string_view kDecimal = "nullif(CAST($ AS numeric), CAST('NaN' AS numeric))";

// Numerics without digits hold what no type of ours can. As doubles they can be bounded and summed;
// a cast of one that is too large or too small would fail.
constexpr std::string_view kAnyNumeric =
    "CASE WHEN CAST($ AS numeric) = CAST('NaN' AS numeric) THEN NULL "
    "WHEN abs(CAST($ AS numeric)) = CAST('Infinity' AS numeric) THEN CAST(CAST($ AS numeric) AS "
    "float8) WHEN abs(CAST($ AS numeric)) > CAST('1.7e308' AS numeric) THEN "
    "sign(CAST($ AS numeric)) * CAST('Infinity' AS float8) "
    "WHEN abs(CAST($ AS numeric)) < CAST('1e-300' AS numeric) THEN 0 "
    "ELSE CAST(CAST($ AS numeric) AS float8) END";

// Not a value: user-defined types bring operators of their own, which no SQL of ours shall call.
constexpr std::string_view kUnreadable = "CASE WHEN num_nonnulls($) = 1 THEN '' END";

// The digits of numeric(p,s) where DECIMAL(p,s) holds the same numbers. PostgreSQL also has scales
// below 0 and above the precision.
std::optional<DecimalDigits> DigitsOf(const PostgreSqlColumn& column) {
  constexpr int kHeader = 4;
  constexpr int kMostDigits = 38;
  if (column.type != kNumeric || column.modifier < kHeader) return std::nullopt;
  const int packed = column.modifier - kHeader;
  const int precision = (packed >> 16) & 0xffff;
  const int scale = ((packed & 0x7ff) ^ 1024) - 1024;
  if (precision < 1 || precision > kMostDigits || scale < 0 || scale > precision) {
    return std::nullopt;
  }
  return DecimalDigits{.precision = precision, .scale = scale};
}

// The characters of varchar(n) and char(n), up to ten million. A bpchar without a length, which
// only PostgreSQL has, is of no type of ours: whatever asks for its text copies it without the
// spaces at its end, and fails where it is long.
std::optional<int> LengthOf(const PostgreSqlColumn& column) {
  constexpr int kHeader = 4;
  const bool has_length = column.type == kVarchar || column.type == kChar;
  if (!has_length || column.modifier < kHeader) return std::nullopt;
  return column.modifier - kHeader;
}

struct ReadColumn {
  Type type;
  std::string_view text;
  bool may_be_null = true;
  bool injective = false;
};

ReadColumn ReadingOf(const PostgreSqlColumn& column) {
  if (const auto digits = DigitsOf(column)) {
    const std::string name =
        "DECIMAL(" + std::to_string(digits->precision) + "," + std::to_string(digits->scale) + ")";
    return {.type = ParseType(name), .text = kDecimal, .injective = true};
  }
  if (column.type == kNumeric) return {.type = ParseType("DOUBLE"), .text = kAnyNumeric};
  if (const auto length = LengthOf(column)) {
    constexpr int kMostShort = 16'383;  // below 64 KiB, whatever the characters
    return {.type = ParseType("VARCHAR"),
            .text = *length <= kMostShort ? kShortText : kAnyText,
            .may_be_null = false,
            .injective = true};
  }
  for (const Reading& reading : kReadings) {
    if (reading.type != column.type) continue;
    return {.type = ParseType(reading.ours),
            .text = reading.text,
            .may_be_null = reading.may_be_null,
            .injective = reading.injective};
  }
  return {.type = {.family = TypeFamily::kOther, .name = ToUpper(column.type_name)},
          .text = kUnreadable};
}

std::string Replace(std::string_view text, const std::string& column) {
  std::string out;
  for (const char c : text) {
    if (c == '$') {
      out += column;
    } else {
      out += c;
    }
  }
  return out;
}

bool IsKey(const std::vector<std::string>& key, const PostgreSqlRelation& relation) {
  return std::all_of(key.begin(), key.end(), [&](const std::string& name) {
    const auto column =
        std::find_if(relation.columns.begin(), relation.columns.end(),
                     [&](const PostgreSqlColumn& candidate) { return candidate.name == name; });
    return column != relation.columns.end() && ReadingOf(*column).injective;
  });
}

// Two columns whose names differ by the case of letters only, where ours do not.
const PostgreSqlColumn* FindTwin(const PostgreSqlRelation& relation) {
  for (const PostgreSqlColumn& column : relation.columns) {
    const auto twin = [&](const PostgreSqlColumn& other) {
      return SameName(other.name, column.name) && other.name != column.name;
    };
    if (std::any_of(relation.columns.begin(), relation.columns.end(), twin)) return &column;
  }
  return nullptr;
}

// The type of a column of ours. Whole numbers beyond 64 bits have no other digits than DECIMAL's.
std::string TypeText(const Type& type) {
  switch (type.family) {
    case TypeFamily::kBoolean:
      return "bool";
    case TypeFamily::kInteger:
      return "int8";
    case TypeFamily::kFloat:
      return "float8";
    case TypeFamily::kDecimal:
      return "numeric";
    case TypeFamily::kUuid:
      return "uuid";
    case TypeFamily::kDate:
      return "date";
    case TypeFamily::kTimestamp:
      return "timestamp";
    case TypeFamily::kInterval:
      return "interval";
    default:
      return "text";
  }
}

// Our texts have (BC) behind the day, PostgreSQL reads BC at the end.
std::string SpeltDay(std::string text) {
  constexpr std::string_view kBefore = " (BC)";
  const std::size_t at = text.find(kBefore);
  if (at == std::string::npos) return text;
  return text.erase(at, kBefore.size()) + " BC";
}

std::string CellText(const Value& value, const Type& type) {
  const bool is_day = type.family == TypeFamily::kDate || type.family == TypeFamily::kTimestamp;
  return is_day ? SpeltDay(ToText(value)) : ToText(value);
}

// An array in PostgreSQL's own spelling: one literal is parsed much faster than a list of rows.
std::string ArrayText(const PublicTable& table, std::size_t column) {
  std::string text = "{";
  for (const std::vector<Value>& row : table.rows) {
    if (text.size() > 1) text += ',';
    if (IsNull(row.at(column))) {
      text += "NULL";
      continue;
    }
    text += '"';
    for (const char c : CellText(row[column], table.columns[column].type)) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += '"';
  }
  return text + "}";
}

}  // namespace

SchemaTable ToSchemaTable(const PostgreSqlRelation& relation) {
  SchemaTable table{.name = relation.name,
                    .is_view = relation.kind == RelationKind::kView ||
                               relation.kind == RelationKind::kStoredView};
  for (const PostgreSqlColumn& column : relation.columns) {
    ReadColumn reading = ReadingOf(column);
    const bool nullable = !column.not_null || relation.has_heirs || reading.may_be_null;
    table.columns.push_back({.name = column.name,
                             .type = std::move(reading.type),
                             .nullable = nullable,
                             .has_collation = column.has_collation});
    table.has_generated_column = table.has_generated_column || column.computed_when_read;
  }
  for (const std::vector<std::string>& key : relation.unique_keys) {
    if (!relation.has_heirs && IsKey(key, relation)) table.unique_keys.push_back(key);
  }
  return table;
}

std::optional<SchemaWarning> FindFlaw(const PostgreSqlRelation& relation) {
  if (relation.kind == RelationKind::kView || relation.kind == RelationKind::kStoredView) {
    return std::nullopt;
  }
  if (relation.kind == RelationKind::kForeign || relation.has_foreign_part) {
    return SchemaWarning{relation.name + " lies on another server, wholly or in part",
                         "copy it into a table; rows from elsewhere can change between two passes"};
  }
  if (!relation.readable) {
    return SchemaWarning{"the account may not read " + relation.name,
                         "GRANT SELECT on the whole table to it"};
  }
  if (relation.row_security) {
    return SchemaWarning{
        "row security decides which rows of " + relation.name + " the account sees",
        "use an account with BYPASSRLS; whether one row is seen could depend on another"};
  }
  if (const PostgreSqlColumn* const twin = FindTwin(relation)) {
    return SchemaWarning{
        "two columns of " + relation.name + " are named " + twin->name + " in different cases",
        "rename one of them; letter case does not matter here"};
  }
  return std::nullopt;
}

std::string PrintRead(const std::string& schema, const PostgreSqlRelation& relation) {
  const Dialect& dialect = PostgreSqlDialect();
  std::string items;
  for (const PostgreSqlColumn& column : relation.columns) {
    const std::string name = dialect.QuoteIdentifier(column.name);
    items += (items.empty() ? "" : ", ") + Replace(ReadingOf(column).text, name) + " AS " + name;
  }
  const bool only = relation.kind == RelationKind::kTable && !relation.has_heirs;
  return "SELECT " + items + " FROM " + (only ? "ONLY " : "") + dialect.QuoteIdentifier(schema) +
         "." + dialect.QuoteIdentifier(relation.name);
}

std::string PrintInline(const PublicTable& table) {
  const Dialect& dialect = PostgreSqlDialect();
  if (table.columns.empty()) {
    return "SELECT FROM generate_series(1, " + std::to_string(table.rows.size()) + ")";
  }
  std::string items;
  std::string arrays;
  std::string names;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string type = TypeText(table.columns[i].type);
    const std::string comma = i == 0 ? "" : ", ";
    const std::string place = "c" + std::to_string(i);
    names += comma + place;
    arrays += comma + "CAST(" + dialect.QuoteString(ArrayText(table, i)) + " AS " + type + "[])";
    items += comma + place + (type == "text" ? " COLLATE \"C\"" : "") + " AS " +
             dialect.QuoteIdentifier(table.columns[i].name);
  }
  return "SELECT " + items + " FROM unnest(" + arrays + ") AS t (" + names + ")";
}

}  // namespace dpsql
