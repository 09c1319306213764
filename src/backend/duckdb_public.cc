#include "backend/duckdb_handles.h"
#include "backend/public_engine.h"
#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "sql/dialect.h"
#include "sql/printer.h"

namespace dpsql {
namespace {

Status Failed(const std::optional<DuckDbFailure>& failure) {
  if (!failure) return Done{};
  if (failure->interrupted) return MakeError(ErrorCode::kInterrupted, "the query was interrupted");
  return MakeError(ErrorCode::kDatabaseRun, "what stands above the releases could not be computed",
                   {}, "a number may be too large for its type; the budget stays spent");
}

}  // namespace

Result<std::vector<std::vector<Value>>> RunPublic(const std::vector<PublicTable>& tables,
                                                  const ast::Select& select) {
  StopSign never;
  return RunPublic(tables, select, never);
}

Result<std::vector<std::vector<Value>>> RunPublic(const std::vector<PublicTable>& tables,
                                                  const ast::Select& select, StopSign& sign) {
  DuckDbDatabase database;
  const std::string words = database.OpenEmpty();
  Check(words.empty(), "an empty database opens");
  DuckDbConnection connection(database);
  // What does not fit into memory ends; given at opening the limit would not be kept.
  TRY_DONE(Failed(connection.Run("SET max_temp_directory_size = '0B'", [](const DuckDbChunk&) {})));
  const StopSign::Listener listener(sign, [&] { connection.Interrupt(); });
  for (const PublicTable& table : tables) TRY_DONE(Failed(connection.Add(table)));
  std::vector<std::vector<Value>> rows;
  TRY_DONE(
      Failed(connection.ReadRows(PrintSelect(select, DuckDbDialect()), select.items.size(), rows)));
  return rows;
}

}  // namespace dpsql
