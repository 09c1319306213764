#include "backend/postgresql_relations.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "base/names.h"
#include "sql/dialect.h"

namespace dpsql {
namespace {

// Each query follows a table `scope (oid, relname, relkind)`. Numbers from 16384 on are of objects
// that somebody made.

constexpr const char* kRelations =
    ", heir (root, oid) AS (SELECT inhparent, inhrelid FROM pg_inherits JOIN scope ON inhparent = "
    "oid UNION SELECT heir.root, inhrelid FROM heir JOIN pg_inherits ON inhparent = heir.oid) "
    "SELECT c.relname, c.relkind, c.relrowsecurity AND row_security_active(c.oid), "
    "has_table_privilege(c.oid, 'SELECT'), "
    "c.relkind <> 'p' AND EXISTS (SELECT FROM heir WHERE root = c.oid), "
    "EXISTS (SELECT FROM heir JOIN pg_class AS h ON h.oid = heir.oid WHERE heir.root = c.oid AND "
    "h.relkind = 'f') "
    "FROM scope JOIN pg_class AS c ON c.oid = scope.oid ORDER BY c.relname COLLATE \"C\"";

// A domain stands for its base type; the digits of a numeric are those of the innermost domain.
// PostgreSQL 18 can mark a column NOT NULL and leave the rows that it has unexamined.
constexpr const char* kColumns =
    ", typed (relation, number, type, modifier) AS (SELECT attrelid, attnum, atttypid, atttypmod "
    "FROM pg_attribute JOIN scope ON attrelid = oid WHERE attnum > 0 AND NOT attisdropped UNION "
    "ALL SELECT relation, number, typbasetype, typtypmod FROM typed JOIN pg_type ON pg_type.oid = "
    "type WHERE typtype = 'd') "
    "SELECT scope.relname, a.attname, typed.type, pg_type.typname, typed.modifier, "
    "a.attnotnull AND NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = a.attrelid AND "
    "contype = 'n' AND NOT convalidated), "
    "a.attgenerated NOT IN ('', 's'), "
    "EXISTS (SELECT FROM pg_collation WHERE oid = a.attcollation AND NOT collisdeterministic) "
    "FROM typed JOIN pg_type ON pg_type.oid = typed.type AND pg_type.typtype <> 'd' "
    "JOIN scope ON scope.oid = typed.relation "
    "JOIN pg_attribute AS a ON a.attrelid = typed.relation AND a.attnum = typed.number "
    "ORDER BY scope.relname COLLATE \"C\", a.attnum";

// Deferred, partial, broken and half-built indexes promise nothing; nor do operators of others. A
// collation under which different texts are equal promises more than we need.
constexpr const char* kUniqueKeys =
    "SELECT scope.relname, i.indexrelid, i.indnkeyatts, a.attname FROM pg_index AS i "
    "JOIN scope ON scope.oid = i.indrelid "
    "JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_am ON pg_am.oid = c.relam "
    "CROSS JOIN generate_series(0, 31) AS place "
    "JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[place] "
    "WHERE place < i.indnkeyatts AND i.indisunique AND i.indimmediate AND i.indisvalid AND "
    "i.indisready AND i.indislive AND i.indpred IS NULL AND i.indexprs IS NULL AND pg_am.amname = "
    "'btree' AND NOT EXISTS (SELECT FROM unnest(CAST(i.indclass AS oid[])) AS made WHERE made >= "
    "16384) ORDER BY scope.relname COLLATE \"C\", i.indexrelid, place";

// Some columns are enough to change what is counted.
constexpr const char* kWritable =
    "SELECT relname FROM scope WHERE has_table_privilege(oid, 'DELETE, TRUNCATE') OR "
    "has_any_column_privilege(oid, 'INSERT, UPDATE') ORDER BY relname COLLATE \"C\"";

constexpr const char* kCreatable =
    "SELECT DISTINCT nspname FROM scope JOIN pg_class ON pg_class.oid = scope.oid JOIN "
    "pg_namespace ON pg_namespace.oid = relnamespace WHERE "
    "has_schema_privilege(pg_namespace.oid, 'CREATE')";

constexpr const char* kAccount =
    "SELECT rolname, rolsuper, rolbypassrls OR rolcreaterole OR rolreplication FROM pg_roles "
    "WHERE rolname = current_user";

constexpr const char* kForeignKeys =
    "SELECT scope.relname, k.oid, parent.relname, a.attname, b.attname FROM pg_constraint AS k "
    "JOIN scope ON scope.oid = k.conrelid JOIN scope AS parent ON parent.oid = k.confrelid "
    "CROSS JOIN generate_series(1, 32) AS place "
    "JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[place] "
    "JOIN pg_attribute AS b ON b.attrelid = k.confrelid AND b.attnum = k.confkey[place] "
    "WHERE k.contype = 'f' ORDER BY scope.relname COLLATE \"C\", k.oid, place";

std::string ScopeOf(const PostgreSqlRelations::Scope& scope) {
  const Dialect& dialect = PostgreSqlDialect();
  std::string condition = "relkind IN ('r', 'p', 'v', 'm', 'f')";
  if (scope.names) {
    std::string list = "NULL";
    for (const std::string& name : *scope.names) list += ", " + dialect.QuoteString(ToLower(name));
    condition += " AND lower(CAST(relname AS text) COLLATE \"C\") IN (" + list + ")";
  }
  return "WITH RECURSIVE scope (oid, relname, relkind) AS (SELECT pg_class.oid, relname, relkind "
         "FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = " +
         dialect.QuoteString(scope.schema) + " AND " + condition + ") ";
}

using Row = SqlConnection::Row;

const std::string& Text(Row row, std::size_t column) { return row[column].value(); }
bool Flag(Row row, std::size_t column) { return row[column] == "true"; }

RelationKind KindOf(const std::string& letter) {
  if (letter == "v") return RelationKind::kView;
  if (letter == "m") return RelationKind::kStoredView;
  if (letter == "p") return RelationKind::kPartitioned;
  return letter == "f" ? RelationKind::kForeign : RelationKind::kTable;
}

PostgreSqlRelation* Find(std::vector<PostgreSqlRelation>& relations, const std::string& name) {
  const auto found =
      std::find_if(relations.begin(), relations.end(),
                   [&](const PostgreSqlRelation& relation) { return relation.name == name; });
  return found == relations.end() ? nullptr : &*found;
}

PostgreSqlColumn ColumnOf(Row row) {
  return {.name = Text(row, 1),
          .type = static_cast<std::uint32_t>(std::strtoul(Text(row, 2).c_str(), nullptr, 10)),
          .type_name = Text(row, 3),
          .modifier = std::atoi(Text(row, 4).c_str()),
          .not_null = Flag(row, 5),
          .computed_when_read = Flag(row, 6),
          .has_collation = Flag(row, 7)};
}

}  // namespace

PostgreSqlRelations::PostgreSqlRelations(SqlConnection& connection, const Scope& scope)
    : connection_(connection), scope_(ScopeOf(scope)) {}

template <typename Visit>
std::optional<SqlFailure> PostgreSqlRelations::ForEachRow(const char* query, Visit visit) {
  return connection_.Run(scope_ + query, visit);
}

std::optional<SqlFailure> PostgreSqlRelations::Read(std::vector<PostgreSqlRelation>& relations) {
  auto failure = ForEachRow(kRelations, [&](Row row) {
    relations.push_back({.name = Text(row, 0),
                         .kind = KindOf(Text(row, 1)),
                         .row_security = Flag(row, 2),
                         .readable = Flag(row, 3),
                         .has_heirs = Flag(row, 4),
                         .has_foreign_part = Flag(row, 5)});
  });
  if (failure) return failure;
  failure = ForEachRow(kColumns, [&](Row row) {
    if (PostgreSqlRelation* const relation = Find(relations, Text(row, 0))) {
      relation->columns.push_back(ColumnOf(row));
    }
  });
  if (failure) return failure;
  struct Index {
    std::string relation;
    std::size_t width = 0;
    std::vector<std::string> columns;
  };
  std::map<std::string, Index> indexes;
  failure = ForEachRow(kUniqueKeys, [&](Row row) {
    Index& index = indexes[Text(row, 1)];
    index.relation = Text(row, 0);
    index.width = static_cast<std::size_t>(std::atoi(Text(row, 2).c_str()));
    index.columns.push_back(Text(row, 3));
  });
  for (auto& [number, index] : indexes) {
    PostgreSqlRelation* const relation = Find(relations, index.relation);
    if (relation != nullptr && index.columns.size() == index.width) {
      relation->unique_keys.push_back(std::move(index.columns));
    }
  }
  for (PostgreSqlRelation& relation : relations) {
    std::sort(relation.unique_keys.begin(), relation.unique_keys.end());
  }
  return failure;
}

std::optional<SqlFailure> PostgreSqlRelations::ReadWarnings(std::vector<SchemaWarning>& warnings) {
  auto failure = ForEachRow(kAccount, [&](Row row) {
    if (Flag(row, 1)) {
      warnings.push_back({"the account " + Text(row, 0) + " is a superuser of the server",
                          "make one that may do nothing but SELECT on these tables"});
    } else if (Flag(row, 2)) {
      warnings.push_back(
          {"the account " + Text(row, 0) + " may pass row security, make roles or replicate",
           "make one that may do nothing but SELECT on these tables"});
    }
  });
  if (failure || !warnings.empty()) return failure;
  std::string tables;
  failure = ForEachRow(kWritable,
                       [&](Row row) { tables += (tables.empty() ? "" : ", ") + Text(row, 0); });
  if (!tables.empty()) {
    warnings.push_back({"the account may change what is in " + tables,
                        "REVOKE all but SELECT, or use an account that has no more"});
  }
  if (failure) return failure;
  return ForEachRow(kCreatable, [&](Row row) {
    warnings.push_back({"the account may make tables in the schema " + Text(row, 0),
                        "REVOKE CREATE ON SCHEMA " +
                            PostgreSqlDialect().QuoteIdentifier(Text(row, 0)) +
                            " FROM PUBLIC, or from the account"});
  });
}

std::optional<SqlFailure> PostgreSqlRelations::ReadForeignKeys(std::vector<ForeignKey>& keys) {
  std::string last;
  return ForEachRow(kForeignKeys, [&](Row row) {
    if (last != Text(row, 1)) {
      keys.push_back({.table = Text(row, 0), .parent_table = Text(row, 2)});
    }
    last = Text(row, 1);
    keys.back().columns.push_back(Text(row, 3));
    keys.back().parent_columns.push_back(Text(row, 4));
  });
}

}  // namespace dpsql
