#include "backend/postgresql_settings.h"

#include <array>
#include <string_view>

#include "sql/dialect.h"

namespace dpsql {
namespace {

struct Setting {
  std::string_view name;
  std::string_view value;
};

constexpr auto kSettings = std::to_array<Setting>({
    {"search_path", "pg_catalog, pg_temp"},
    {"client_min_messages", "error"},
    {"standard_conforming_strings", "on"},
    {"transform_null_equals", "off"},
    {"array_nulls", "on"},
    {"row_security", "off"},
    {"datestyle", "'ISO, YMD'"},
    {"intervalstyle", "postgres"},
    {"timezone", "'UTC'"},
    {"extra_float_digits", "1"},
    {"bytea_output", "hex"},
    {"synchronize_seqscans", "off"},
    {"gin_fuzzy_search_limit", "0"},
    {"jit", "off"},
    {"lock_timeout", "'2s'"},
    // A statement whose client is gone ends.
    {"client_connection_check_interval", "'1s'"},
});

std::string Set(std::string_view name, std::string_view value) {
  return "SET LOCAL " + std::string(name) + " = " + std::string(value) + "; ";
}

}  // namespace

// Before anything is looked up: the first statement of a fresh connection that does takes
// milliseconds on a busy server.
std::string BeginSnapshot() {
  return "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; " + Set("statement_timeout", "0") +
         Set("idle_in_transaction_session_timeout", "'10min'");
}

std::string FixSettings(int server_version, std::optional<std::chrono::milliseconds> timeout) {
  std::string script;
  for (const Setting& setting : kSettings) script += Set(setting.name, setting.value);
  // Our own clock comes first; the server's is for the case that we are gone.
  constexpr std::chrono::milliseconds kMargin{1000};
  const auto limit = timeout ? (*timeout + kMargin).count() : 0;
  script += Set("statement_timeout", std::to_string(limit));
  constexpr int kHasTransactionTimeout = 170000;
  if (server_version >= kHasTransactionTimeout) script += Set("transaction_timeout", "0");
  return script;
}

std::string LockTables(const std::string& schema,
                       const std::vector<PostgreSqlRelation>& relations) {
  const Dialect& dialect = PostgreSqlDialect();
  std::string list;
  for (const PostgreSqlRelation& relation : relations) {
    if (relation.kind != RelationKind::kTable && relation.kind != RelationKind::kPartitioned) {
      continue;
    }
    list += (list.empty() ? "" : ", ") + dialect.QuoteIdentifier(schema) + "." +
            dialect.QuoteIdentifier(relation.name);
  }
  return list.empty() ? "" : "LOCK TABLE " + list + " IN ACCESS SHARE MODE; ";
}

}  // namespace dpsql
