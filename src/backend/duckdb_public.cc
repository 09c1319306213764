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
  return MakeError(ErrorCode::kDatabaseRun, "what stands above the releases could not be computed",
                   {}, "a number may be too large for its type; the budget stays spent");
}

}  // namespace

Result<std::vector<std::vector<Value>>> RunPublic(const std::vector<PublicTable>& tables,
                                                  const ast::Select& select) {
  DuckDbDatabase database;
  const std::string words = database.OpenEmpty();
  Check(words.empty(), "an empty database opens");
  DuckDbConnection connection(database);
  for (const PublicTable& table : tables) TRY_DONE(Failed(connection.Add(table)));
  std::vector<std::vector<Value>> rows;
  TRY_DONE(
      Failed(connection.Run(PrintSelect(select, DuckDbDialect()), [&](const DuckDbChunk& chunk) {
        for (std::size_t row = 0; row < chunk.size(); ++row) {
          std::vector<Value> values;
          for (std::size_t i = 0; i < select.items.size(); ++i) {
            values.push_back(chunk.Read(i, row));
          }
          rows.push_back(std::move(values));
        }
      })));
  return rows;
}

}  // namespace dpsql
