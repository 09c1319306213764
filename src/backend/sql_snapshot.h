#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/priority.h"
#include "backend/sql_engine.h"

namespace dpsql {

// The error of a statement that failed. The database's own words go to the owner's log.
Error RunError(const SqlFailure& failure, IncidentLog& incidents);

// A statement with all tables it names: those of the policy, releases, a list of keys.
class SqlStatements {
 public:
  SqlStatements(const SqlEngine& engine, const Schema& schema) : engine_(engine), schema_(schema) {}

  // From now on this table can be named, in the place of one of the same name before it.
  void Define(const PublicTable& table);

  std::string Print(const ast::Select& select) const;

 private:
  struct Table {
    std::string name;
    std::string query;
  };
  void AddTable(const Table& table, const std::string& statement, std::string& with) const;

  const SqlEngine& engine_;
  const Schema& schema_;
  std::vector<Table> defined_;
};

// Both stages of a query on one connection, see lower_groups.h.
// Requires: the engine and the schema outlive it.
std::unique_ptr<SnapshotReader> MakeSqlSnapshot(std::shared_ptr<SqlConnection> connection,
                                                SqlStatements statements, PriorityKey key,
                                                IncidentLog& incidents);

// The statements that both stages of a door run, of all groups where keys are selected: for
// EXPLAIN, and to see whether a database has all that they need.
std::vector<ast::Select> StagesOf(const Door& door);

}  // namespace dpsql
