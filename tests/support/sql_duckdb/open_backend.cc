// DuckDB as a database that is reached by SQL alone, in the place of the product's list of
// databases: the statements of backend/lower_groups.h run on the very data on which the cells do,
// and both must give the same integers.
#include <memory>
#include <utility>

#include "backend/backend.h"
#include "backend/duckdb_open.h"
#include "backend/list_tables.h"
#include "backend/sql_engine.h"
#include "backend/verify_keys.h"
#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"

namespace dpsql {
namespace {

class DuckDbSqlConnection : public SqlConnection {
 public:
  explicit DuckDbSqlConnection(const DuckDbDatabase& database) : connection_(database) {}

  std::optional<SqlFailure> Run(const std::string& sql,
                                const std::function<void(Row)>& consume) override {
    const auto failure = connection_.Run(
        "SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (" + sql + ")", [&](const DuckDbChunk& chunk) {
          std::vector<std::optional<std::string>> row(chunk.columns());
          for (std::size_t i = 0; i < chunk.size(); ++i) {
            for (std::size_t c = 0; c < row.size(); ++c) {
              row[c] = chunk.IsNull(c, i) ? std::nullopt : std::optional(chunk.Text(c, i));
            }
            consume(row);
          }
        });
    if (!failure) return std::nullopt;
    return SqlFailure{.interrupted = failure->interrupted, .text = failure->text};
  }

  void Stop() override { connection_.Interrupt(); }

 private:
  DuckDbConnection connection_;
};

class DuckDbSqlEngine : public SqlEngine {
 public:
  DuckDbSqlEngine(const std::string& path, IncidentLog& incidents)
      : data_(path == ":memory:" ? "" : path, incidents) {}

  const Dialect& dialect() const override { return DuckDbDialect(); }

  Result<Schema> ReadSchema(const Policy& policy) override {
    TRY_DONE(data_.Open(policy));
    return data_.ReadSchema();
  }

  Result<std::unique_ptr<SqlConnection>> Connect() override {
    auto connection = std::make_unique<DuckDbSqlConnection>(data_.database());
    const auto failure = connection->Run("SELECT 1", [](SqlConnection::Row) {});
    Check(!failure, "DuckDB answers");
    return std::unique_ptr<SqlConnection>(std::move(connection));
  }

  std::string ReadTable(const SchemaTable& table) const override {
    return "SELECT * FROM \"main\"." + dialect().QuoteIdentifier(table.name);
  }

  std::string InlineTable(const PublicTable& table) const override {
    std::string columns;
    std::string names;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::string name = dialect().QuoteIdentifier(table.columns[i].name);
      const std::string type = table.columns[i].type.name;
      columns += (i == 0 ? "" : ", ") + ("CAST(" + name + " AS " + type + ") AS " + name);
      names += (i == 0 ? "" : ", ") + name;
    }
    std::string rows;
    for (const std::vector<Value>& row : table.rows) {
      rows += rows.empty() ? "(" : ", (";
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const std::string text = dialect().QuoteString(ToText(row[i]));
        rows += (i == 0 ? "" : ", ") + (IsNull(row[i]) ? std::string("NULL") : text);
      }
      rows += ")";
    }
    return "SELECT " + columns + " FROM (VALUES " + rows + ") v (" + names + ")";
  }

 private:
  DuckDbData data_;
};

}  // namespace

Result<std::unique_ptr<Backend>> OpenBackend(std::string_view url, IncidentLog& incidents) {
  return MakeSqlBackend(std::make_unique<DuckDbSqlEngine>(std::string(url), incidents), incidents);
}

Result<KeyFindings> VerifyKeys(std::string_view, const Policy&, IncidentLog&) {
  return MakeError(ErrorCode::kPolicyUnavailable, "keys are not verified here");
}

Result<Listing> ListTables(std::string_view, IncidentLog&) {
  return MakeError(ErrorCode::kPolicyUnavailable, "tables are not listed here");
}

}  // namespace dpsql
