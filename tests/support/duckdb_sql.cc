#include "support/duckdb_sql.h"

#include <optional>
#include <utility>
#include <vector>

#include "backend/duckdb_open.h"
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

class OwnersDuckDbSql : public DuckDbSql {
 public:
  OwnersDuckDbSql(const std::string& path, IncidentLog& incidents)
      : data_(path == ":memory:" ? "" : path, incidents) {}

  Result<Schema> ReadSchema(const Policy& policy) override {
    TRY_DONE(data_.Open(policy));
    return data_.ReadSchema();
  }

  Result<std::unique_ptr<SqlConnection>> Connect(StopSign&) override {
    return ConnectTo(data_.database());
  }

 private:
  DuckDbData data_;
};

}  // namespace

std::unique_ptr<SqlConnection> DuckDbSql::ConnectTo(const DuckDbDatabase& database) {
  return std::make_unique<DuckDbSqlConnection>(database);
}

std::string DuckDbSql::ReadTable(const SchemaTable& table) const {
  return "SELECT * FROM \"main\"." + dialect().QuoteIdentifier(table.name);
}

std::string DuckDbSql::InlineTable(const PublicTable& table) const {
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
  if (rows.empty()) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) rows += i == 0 ? "(NULL" : ", NULL";
    rows += ")";
    names += ") WHERE FALSE AND (TRUE";
  }
  return "SELECT " + columns + " FROM (VALUES " + rows + ") v (" + names + ")";
}

std::unique_ptr<SqlEngine> OpenDuckDbSql(const std::string& path, IncidentLog& incidents) {
  return std::make_unique<OwnersDuckDbSql>(path, incidents);
}

}  // namespace dpsql
