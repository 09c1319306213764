#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/public_table.h"
#include "backend/stop_sign.h"
#include "base/incident_log.h"
#include "catalog/policy.h"
#include "catalog/schema.h"
#include "dpsql/result.h"
#include "sql/dialect.h"

// A database that is reached by SQL alone, over a network or a driver. Both stages of a door run
// inside of it, and what comes back is one row per group. An engine is one file that implements
// these two classes, a dialect, and a line in open_backend.cc; CONTRIBUTING.md walks through one.
namespace dpsql {

// Why a statement ended without an answer. The words are the database's own, for the owner's log.
struct SqlFailure {
  bool interrupted = false;  // by Stop
  bool changed = false;      // what was read is not what the schema was read from
  std::string text;
};

// One connection with one frozen view of the data, which all its statements read. It ends with the
// object, and so does, within seconds, all that the server still does for it.
class SqlConnection {
 public:
  virtual ~SqlConnection() = default;

  // A row, each value as text: booleans "true" or "false", whole numbers as decimal digits with a
  // sign before negative ones, however wide, doubles so that they read back the same.
  using Row = std::span<const std::optional<std::string>>;

  // Runs one statement. Returns when it is done, failed or stopped, and within 5 seconds after
  // Stop, also where the server answers no more; then the connection is of no use.
  virtual std::optional<SqlFailure> Run(const std::string& sql,
                                        const std::function<void(Row)>& consume) = 0;

  // Ends a statement that runs, and all that follow. From any thread, does not wait. It must end on
  // the server too.
  virtual void Stop() = 0;
};

class SqlEngine {
 public:
  virtual ~SqlEngine() = default;

  virtual const Dialect& dialect() const = 0;

  // Tables that the policy names, with types as ParseType (base/type.h) knows them: metadata only.
  // A column whose values the engine cannot give as their type says has the family kOther. Called
  // once, before Connect.
  virtual Result<Schema> ReadSchema(const Policy& policy) = 0;

  // Opens a connection and its snapshot: read-only, with settings under which our SQL means the
  // same whatever the server's and the account's defaults are. A question that is paid waits for
  // this: it returns within 5 seconds, also where the server does not answer, and soon after the
  // sign. Failures have the texts of RunError (sql_snapshot.h).
  virtual Result<std::unique_ptr<SqlConnection>> Connect(StopSign& sign) = 0;

  // SELECT … FROM the table of the policy, schema-qualified: every column under its own name, and
  // each value as its type in the schema says. A value that is outside of that, such as a decimal
  // NaN or a text in a column of whole numbers, is NULL. Texts compare by their bytes.
  virtual std::string ReadTable(const SchemaTable& table) const = 0;

  // What stands before the query of a table in WITH: words that keep a table that is read twice
  // from being written out, where the database has some.
  virtual std::string_view as_in_with() const { return "AS"; }

  // A query whose rows are these, for releases and lists of keys: they may be a million. Each
  // column has the type of the table's; a value that has no machine form is a text, which becomes a
  // value of that type.
  virtual std::string InlineTable(const PublicTable& table) const = 0;
};

// The engine of a URL's scheme, as OpenBackend finds it; null where that database is reached
// otherwise. Nothing is asked yet.
Result<std::unique_ptr<SqlEngine>> OpenSqlEngine(std::string_view url, IncidentLog& incidents);

// A backend on such an engine.
std::unique_ptr<Backend> MakeSqlBackend(std::unique_ptr<SqlEngine> engine, IncidentLog& incidents);

}  // namespace dpsql
