#include "neighbours/engine_side.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "backend/sql_engine.h"
#include "backend/sql_snapshot.h"
#include "backend/sqlite_connection.h"
#include "backend/sqlite_snapshot.h"
#include "base/names.h"
#include "base/try.h"

namespace dpsql {
namespace {

constexpr std::string_view kSqlite = "sqlite:";

template <typename T>
T Must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().code + " " + result.error().message);
  return std::move(result).value();
}

class StatementSide : public EngineSide {
 public:
  StatementSide(std::unique_ptr<SqlEngine> engine, const Policy& policy, IncidentLog& incidents)
      : EngineSide(incidents), engine_(std::move(engine)) {
    schema_ = Must(engine_->ReadSchema(policy));
  }

  Result<Snapshot> Begin(PriorityKey key) override {
    StopSign nobody;
    TRY(std::unique_ptr<SqlConnection> connection, engine_->Connect(nobody));
    return Snapshot(
        MakeSqlSnapshot(std::move(connection), SqlStatements(*engine_, schema_), key, incidents_));
  }

 private:
  std::unique_ptr<SqlEngine> engine_;
};

class SqliteSide : public EngineSide {
 public:
  SqliteSide(std::string path, IncidentLog& incidents)
      : EngineSide(incidents), path_(std::move(path)) {}

  void Take(Schema schema, const Policy& policy) {
    std::erase_if(schema.tables, [&](const SchemaTable& table) {
      return std::none_of(policy.tables.begin(), policy.tables.end(),
                          [&](const TablePolicy& own) { return SameName(own.name, table.name); });
    });
    schema_ = std::move(schema);
  }

  Result<Snapshot> Begin(PriorityKey key) override {
    constexpr std::size_t kMuch = std::size_t{1} << 28;
    TRY(std::shared_ptr<SqliteConnection> connection, SqliteConnection::Open(path_, incidents_));
    std::int64_t version = 0;
    if (const auto failure = connection->Freeze(version)) {
      return SqliteRunError(*failure, incidents_);
    }
    std::set<std::string> names;
    for (const SchemaTable& table : schema_.tables) names.insert(table.name);
    connection->Restrict(names);
    return Snapshot(MakeSqliteSnapshot(std::move(connection), schema_, incidents_, kMuch, key));
  }

 private:
  std::string path_;
};

}  // namespace

std::unique_ptr<EngineSide> EngineSide::Open(const std::string& url, const Policy& policy,
                                             IncidentLog& incidents) {
  std::unique_ptr<Backend> backend = Must(OpenBackend(url, incidents));
  Schema schema = Must(backend->ReadSchema(policy));
  std::unique_ptr<SqlEngine> engine = Must(OpenSqlEngine(url, incidents));
  std::unique_ptr<EngineSide> side;
  if (engine) {
    side = std::make_unique<StatementSide>(std::move(engine), policy, incidents);
  } else if (url.starts_with(kSqlite)) {
    auto own = std::make_unique<SqliteSide>(url.substr(kSqlite.size()), incidents);
    own->Take(std::move(schema), policy);
    side = std::move(own);
  } else {
    throw std::runtime_error("the tests have no reader of this database");
  }
  side->backend_ = std::move(backend);
  return side;
}

}  // namespace dpsql
