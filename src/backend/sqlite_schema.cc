#include "backend/sqlite_schema.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/names.h"
#include "sql/dialect.h"

namespace dpsql {
namespace {

struct DeclaredType {
  std::string_view declared;
  std::string_view type;
};

constexpr auto kTypes = std::to_array<DeclaredType>({
    {"INT", "BIGINT"},
    {"INTEGER", "BIGINT"},
    {"TINYINT", "BIGINT"},
    {"SMALLINT", "BIGINT"},
    {"MEDIUMINT", "BIGINT"},
    {"BIGINT", "BIGINT"},
    {"UNSIGNED BIG INT", "BIGINT"},
    {"INT2", "BIGINT"},
    {"INT4", "BIGINT"},
    {"INT8", "BIGINT"},
    {"BOOLEAN", "BOOLEAN"},
    {"BOOL", "BOOLEAN"},
    {"TEXT", "VARCHAR"},
    {"CLOB", "VARCHAR"},
    {"CHAR", "VARCHAR"},
    {"CHARACTER", "VARCHAR"},
    {"VARCHAR", "VARCHAR"},
    {"VARYING CHARACTER", "VARCHAR"},
    {"NCHAR", "VARCHAR"},
    {"NATIVE CHARACTER", "VARCHAR"},
    {"NVARCHAR", "VARCHAR"},
    {"UUID", "VARCHAR"},
    {"REAL", "DOUBLE"},
    {"FLOAT", "DOUBLE"},
    {"DOUBLE", "DOUBLE"},
    {"DOUBLE PRECISION", "DOUBLE"},
    {"NUMERIC", "DOUBLE"},
    {"DECIMAL", "DOUBLE"},
    {"DATE", "DATE"},
    {"DATETIME", "TIMESTAMP"},
    {"TIMESTAMP", "TIMESTAMP"},
});

// Whether different values of SQLite's stay different values of the type, or become NULL.
bool StaysApart(const Type& type) {
  return type.family == TypeFamily::kInteger || type.family == TypeFamily::kText ||
         type.family == TypeFamily::kBoolean || type.family == TypeFamily::kDate;
}

class SchemaReader {
 public:
  SchemaReader(SqliteConnection& connection, Listing& listing)
      : connection_(connection), listing_(listing) {}

  std::optional<SqliteFailure> Read() {
    if (auto failure = ReadTables()) return failure;
    for (SchemaTable& table : listing_.schema.tables) {
      if (table.is_view) continue;
      if (auto failure = ReadColumns(table)) return failure;
      if (auto failure = ReadKeys(table)) return failure;
      if (auto failure = ReadForeignKeys(table)) return failure;
    }
    FillParents();
    return std::nullopt;
  }

 private:
  template <typename Visit>
  std::optional<SqliteFailure> ForEach(const std::string& pragma, const std::string& name,
                                       Visit visit) {
    return connection_.Run(
        "PRAGMA main." + pragma + "(" + SqliteDialect().QuoteIdentifier(name) + ")", visit);
  }

  // What has no root page is computed by a module. Views are not looked into: they may be broken.
  std::optional<SqliteFailure> ReadTables() {
    return connection_.Run(
        "SELECT name, type = 'view' OR rootpage = 0 FROM sqlite_schema "
        "WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
        [&](const SqliteRow& row) {
          listing_.schema.tables.push_back({.name = row.Text(0), .is_view = row.Whole(1) != 0});
        });
  }

  // Columns: cid, name, type, notnull, dflt_value, pk, hidden.
  std::optional<SqliteFailure> ReadColumns(SchemaTable& table) {
    primary_.clear();
    std::string declared_key;
    auto failure = ForEach("table_xinfo", table.name, [&](const SqliteRow& row) {
      if (row.Whole(6) != 0) table.has_generated_column = true;
      table.columns.push_back({.name = row.Text(1), .type = SqliteType(row.Text(2))});
      const std::int64_t place = row.Whole(5);
      if (place == 0) return;
      declared_key = ToUpper(row.Text(2));
      primary_.push_back({place, table.columns.size() - 1});
    });
    for (SchemaColumn& column : table.columns) {
      column.has_collation = column.type.family == TypeFamily::kText &&
                             !connection_.ComparesByBytes(table.name, column.name);
    }
    std::sort(primary_.begin(), primary_.end());
    for (const auto& [place, column] : primary_) {
      primary_keys_[table.name].push_back(table.columns[column].name);
    }
    is_row_number_ = primary_.size() == 1 && declared_key == "INTEGER";
    return failure;
  }

  // Columns: seq, name, unique, origin, partial. INTEGER PRIMARY KEY is the number of the row and
  // has no index, unless it is written DESC or stands in a table WITHOUT ROWID.
  std::optional<SqliteFailure> ReadKeys(SchemaTable& table) {
    std::vector<std::string> indexes;
    bool has_primary_index = false;
    auto failure = ForEach("index_list", table.name, [&](const SqliteRow& row) {
      if (row.Text(3) == "pk") has_primary_index = true;
      if (row.Whole(2) == 1 && row.Whole(4) == 0) indexes.push_back(row.Text(1));
    });
    if (failure) return failure;
    if (is_row_number_ && !has_primary_index) {
      SchemaColumn& column = table.columns[primary_[0].second];
      column.nullable = false;
      table.unique_keys.push_back({column.name});
    }
    for (const std::string& index : indexes) {
      if (auto wrong = ReadIndex(index, table)) return wrong;
    }
    return std::nullopt;
  }

  // Columns: seqno, cid, name, desc, coll, key.
  std::optional<SqliteFailure> ReadIndex(const std::string& index, SchemaTable& table) {
    std::vector<std::string> key;
    bool plain = true;
    auto failure = ForEach("index_xinfo", index, [&](const SqliteRow& row) {
      if (row.Whole(5) == 0) return;
      const std::int64_t column = row.Whole(1);
      const bool own = column >= 0 && static_cast<std::size_t>(column) < table.columns.size();
      plain = plain && own && ToUpper(row.Text(4)) == "BINARY" &&
              StaysApart(table.columns[static_cast<std::size_t>(column)].type);
      if (own) key.push_back(table.columns[static_cast<std::size_t>(column)].name);
    });
    if (plain && !key.empty()) table.unique_keys.push_back(std::move(key));
    return failure;
  }

  // Columns: id, seq, table, from, to, and actions.
  std::optional<SqliteFailure> ReadForeignKeys(const SchemaTable& table) {
    return ForEach("foreign_key_list", table.name, [&](const SqliteRow& row) {
      if (row.Whole(1) == 0) {
        listing_.foreign_keys.push_back({.table = table.name,
                                         .columns = {},
                                         .parent_table = row.Text(2),
                                         .parent_columns = {}});
      }
      ForeignKey& key = listing_.foreign_keys.back();
      key.columns.push_back(row.Text(3));
      if (!row.IsNull(4)) key.parent_columns.push_back(row.Text(4));
    });
  }

  // A reference without columns is to the parent's primary key, and a name may differ in case.
  void FillParents() {
    std::erase_if(listing_.foreign_keys, [&](ForeignKey& key) {
      for (const SchemaTable& table : listing_.schema.tables) {
        if (!SameName(table.name, key.parent_table)) continue;
        key.parent_table = table.name;
        if (key.parent_columns.empty()) key.parent_columns = primary_keys_[table.name];
        return key.parent_columns.size() != key.columns.size();
      }
      return true;
    });
  }

  SqliteConnection& connection_;
  Listing& listing_;
  std::vector<std::pair<std::int64_t, std::size_t>> primary_;  // place in the key, column
  bool is_row_number_ = false;
  std::map<std::string, std::vector<std::string>> primary_keys_;
};

}  // namespace

Type SqliteType(std::string_view declared) {
  std::string name = ToUpper(declared.substr(0, declared.find('(')));
  name.erase(name.find_last_not_of(' ') + 1);
  for (const DeclaredType& known : kTypes) {
    if (known.declared == name) return ParseType(known.type);
  }
  return {.family = TypeFamily::kOther, .name = name.empty() ? "ANY" : name};
}

std::optional<SqliteFailure> ReadSqliteSchema(SqliteConnection& connection, Listing& listing) {
  return SchemaReader(connection, listing).Read();
}

}  // namespace dpsql
