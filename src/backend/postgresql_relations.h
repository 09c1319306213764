#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/list_tables.h"
#include "backend/sql_engine.h"
#include "catalog/schema.h"

// What pg_catalog says of tables. All of it is read in the snapshot of the connection, under a
// search path on which pg_catalog comes first.
namespace dpsql {

struct PostgreSqlColumn {
  std::string name;
  std::uint32_t type = 0;  // the number of a built-in type, below domains
  std::string type_name;
  int modifier = -1;  // digits of a numeric, as pg_attribute has them
  bool not_null = false;
  bool computed_when_read = false;
  bool has_collation = false;  // under which unequal texts are equal

  friend bool operator==(const PostgreSqlColumn&, const PostgreSqlColumn&) = default;
};

enum class RelationKind { kTable, kPartitioned, kView, kStoredView, kForeign };

struct PostgreSqlRelation {
  std::string name;
  RelationKind kind = RelationKind::kTable;
  bool row_security = false;  // policies of the server choose which rows this account sees
  bool readable = false;
  bool has_heirs = false;         // tables that inherit from it, under rules of their own
  bool has_foreign_part = false;  // a partition or an heir lies on another server
  std::vector<PostgreSqlColumn> columns;
  // Column sets that an index keeps unique, at the end of each statement.
  std::vector<std::vector<std::string>> unique_keys;

  friend bool operator==(const PostgreSqlRelation&, const PostgreSqlRelation&) = default;
};

// Reads pg_catalog for one schema.
class PostgreSqlRelations {
 public:
  // The relations with these names in any letter case, or all where there is no list, by name.
  struct Scope {
    std::string schema;
    std::optional<std::vector<std::string>> names;
  };

  PostgreSqlRelations(SqlConnection& connection, const Scope& scope);

  std::optional<SqlFailure> Read(std::vector<PostgreSqlRelation>& relations);

  // What the account may do beyond reading these tables, for their owner.
  std::optional<SqlFailure> ReadWarnings(std::vector<SchemaWarning>& warnings);

  // Between tables of the schema.
  std::optional<SqlFailure> ReadForeignKeys(std::vector<ForeignKey>& keys);

 private:
  template <typename Visit>
  std::optional<SqlFailure> ForEachRow(const char* query, Visit visit);

  SqlConnection& connection_;
  std::string scope_;  // WITH …, the relations that are asked for as `scope (oid, relname)`
};

}  // namespace dpsql
