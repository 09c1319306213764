#include <map>
#include <memory>

#include "sql/dialect.h"
#include "support/conformance_engines.h"
#include "support/postgresql_server.h"

namespace dpsql {
namespace {

std::string TypeOf(const std::string& type) {
  static const std::map<std::string, std::string> kTypes = {
      {"BOOLEAN", "boolean"},
      {"TINYINT", "int2"},
      {"SMALLINT", "int2"},
      {"INTEGER", "int4"},
      {"BIGINT", "int8"},
      {"UBIGINT", "numeric(20,0)"},
      {"HUGEINT", "numeric(39,0)"},
      {"UHUGEINT", "numeric(39,0)"},
      {"FLOAT", "float4"},
      {"DOUBLE", "float8"},
      {"VARCHAR", "text"},
      {"UUID", "uuid"},
      {"DATE", "date"},
      {"TIMESTAMP", "timestamp"},
      {"INTERVAL", "interval"},
      {"TIMESTAMP WITH TIME ZONE", "timestamptz"}};
  if (type.starts_with("DECIMAL(") && type.ends_with(')')) return type;
  const auto found = kTypes.find(type);
  return found == kTypes.end() ? "json" : found->second;
}

// PostgreSQL reads BC at the end, and knows no day before its first.
std::string DayText(const std::string& text) {
  const std::size_t at = text.find(" (BC)");
  if (at == std::string::npos) return text;
  if (text.find('-') > 4) return "4713-01-01 BC";
  return text.substr(0, at) + text.substr(at + 5) + " BC";
}

std::string CellOf(const Value& value, const std::string& type) {
  if (IsNull(value)) return "NULL";
  const std::string text = ToText(value);
  if (type == "json") return "'{}'";
  return PostgreSqlDialect().QuoteString(type == "date" || type == "timestamp" ? DayText(text)
                                                                               : text);
}

std::string Script(const CopiedTable& table) {
  const Dialect& dialect = PostgreSqlDialect();
  std::string columns;
  for (const CopiedTable::Column& column : table.columns) {
    columns += (columns.empty() ? "" : ", ") + dialect.QuoteIdentifier(column.name) + " " +
               TypeOf(column.type) + (IsCollatedInCopies(table, column) ? " COLLATE loose" : "") +
               (column.nullable ? "" : " NOT NULL");
  }
  for (const std::vector<std::string>& key : table.keys) {
    std::string names;
    for (const std::string& name : key) {
      names += (names.empty() ? "" : ", ") + dialect.QuoteIdentifier(name);
    }
    columns += ", UNIQUE (" + names + ")";
  }
  const std::string name = dialect.QuoteIdentifier(table.name);
  std::string rows;
  for (const std::vector<Value>& row : table.rows) {
    rows += rows.empty() ? "(" : ",\n(";
    for (std::size_t i = 0; i < row.size(); ++i) {
      rows += (i == 0 ? "" : ", ") + CellOf(row[i], TypeOf(table.columns[i].type));
    }
    rows += ")";
  }
  return "CREATE TABLE " + name + " (" + columns + ");\n" +
         (rows.empty() ? "" : "INSERT INTO " + name + " VALUES\n" + rows + ";\n");
}

// Neither case nor accents nor blanks tell two texts apart.
constexpr const char* kLooseCollation =
    "CREATE COLLATION loose (provider = icu, locale = 'und-u-ka-shifted-ks-level1', "
    "deterministic = false);\n";

}  // namespace

// A database of one server for each call, read by an account that can do nothing else.
std::optional<std::string> FillPostgreSql(const CopiedDatabase& database, const std::string&) {
  if (!PostgreSqlServer::WhyNot().empty()) return std::nullopt;
  static const std::unique_ptr<PostgreSqlServer> kServer = std::make_unique<PostgreSqlServer>();
  static int copies = 0;
  const std::string name = "copy" + std::to_string(++copies);
  std::string script = "CREATE ROLE " + name + " LOGIN; CREATE SCHEMA " + name +
                       "; SET search_path = " + name + ";\n" + kLooseCollation;
  for (const CopiedTable& table : database.tables) script += Script(table);
  kServer->Sql(script + "GRANT USAGE ON SCHEMA " + name + " TO " + name +
               "; GRANT SELECT ON ALL TABLES IN SCHEMA " + name + " TO " + name);
  return kServer->Url(name, "options=-csearch_path%3D" + name);
}

}  // namespace dpsql
