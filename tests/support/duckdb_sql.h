#pragma once

#include <memory>
#include <string>

#include "backend/duckdb_handles.h"
#include "backend/sql_engine.h"
#include "base/incident_log.h"

namespace dpsql {

// DuckDB as a database that is reached by SQL alone: the statements of backend/lower_groups.h run
// on the very data on which the cells do.
class DuckDbSql : public SqlEngine {
 public:
  const Dialect& dialect() const override { return DuckDbDialect(); }
  std::string ReadTable(const SchemaTable& table) const override;
  std::string InlineTable(const PublicTable& table) const override;

 protected:
  static std::unique_ptr<SqlConnection> ConnectTo(const DuckDbDatabase& database);
};

// A file of the owner's, or ":memory:", so.
// Requires: the log outlives the engine.
std::unique_ptr<SqlEngine> OpenDuckDbSql(const std::string& path, IncidentLog& incidents);

}  // namespace dpsql
