#include "backend/postgresql.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "backend/postgresql_connection.h"
#include "backend/postgresql_locks.h"
#include "backend/postgresql_read.h"
#include "backend/postgresql_relations.h"
#include "backend/postgresql_settings.h"
#include "backend/query_watch.h"
#include "backend/sql_snapshot.h"
#include "base/check.h"
#include "base/error_codes.h"
#include "base/names.h"
#include "base/try.h"

namespace dpsql {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Before anything is paid: for metadata and settings, behind libpq's own limit for connecting.
constexpr milliseconds kSchemaLimit{10'000};

// Of a question that is paid: for connecting, settings and locks together. With what a program
// needs to end it is gone within five seconds.
constexpr milliseconds kConnectLimit{4'000};

constexpr int kOldestServer = 140000;

Error OpenError(const std::string& words, IncidentLog& incidents) {
  return MakeError(
      ErrorCode::kDatabaseOpen,
      "the PostgreSQL server cannot be opened (incident " + incidents.Record(words) + ")", {},
      "does  psql  with the same URL and the same environment work?");
}

Result<const LibPq*> FindLibrary() {
  if (const LibPq* const library = LoadLibPq()) return library;
  return MakeError(ErrorCode::kDatabaseOpen, "this machine has no client library of PostgreSQL", {},
                   "install libpq.so.5, which is in Debian's package libpq5");
}

Status RefuseServer(const PostgreSqlConnection& connection) {
  if (connection.server_version() < kOldestServer) {
    return MakeError(ErrorCode::kDatabaseOpen, "the PostgreSQL server is older than version 14", {},
                     "move the data to a newer one");
  }
  if (connection.server_encoding() != "UTF8") {
    return MakeError(ErrorCode::kDatabaseOpen, "the database does not keep its texts as UTF-8", {},
                     "copy it to one that was made with  ENCODING 'UTF8'");
  }
  return Done{};
}

// Reads metadata, in a transaction and a connection of its own.
class SchemaConnection {
 public:
  static Result<SchemaConnection> Open(const std::string& url, IncidentLog& incidents) {
    TRY(const LibPq* const library, FindLibrary());
    StopSign nobody;
    auto opening = PostgreSqlConnection::Open(*library, url, {.sign = nobody, .end = {}});
    if (!opening.connection) return OpenError(opening.failure.text, incidents);
    TRY_DONE(RefuseServer(*opening.connection));
    SchemaConnection opened(std::move(opening.connection), incidents);
    TRY_DONE(opened.Prepare());
    return opened;
  }

  // Of the account's search path.
  const std::string& schema() const { return schema_; }

  // Runs `read` over the relations of these names, or over all.
  template <typename Read>
  Status With(std::optional<std::vector<std::string>> names, Read read) {
    PostgreSqlRelations relations(*connection_, {.schema = schema_, .names = std::move(names)});
    if (const auto failure = read(relations)) return OpenError(failure->text, incidents_);
    return Done{};
  }

 private:
  SchemaConnection(std::unique_ptr<PostgreSqlConnection> connection, IncidentLog& incidents)
      : connection_(std::move(connection)), incidents_(incidents) {
    connection_->LimitTo(steady_clock::now() + kSchemaLimit);
  }

  // The account's own search path holds until its first schema is known.
  Status Prepare() {
    auto failure = connection_->RunScript(BeginSnapshot());
    if (!failure) {
      failure = connection_->Run("SELECT pg_catalog.current_schema()",
                                 [&](SqlConnection::Row row) { schema_ = row[0].value_or(""); });
    }
    if (!failure) failure = connection_->RunScript(FixSettings(connection_->server_version(), {}));
    if (failure) return OpenError(failure->text, incidents_);
    if (schema_.empty() || schema_.starts_with("pg_") || schema_ == "information_schema") {
      return MakeError(ErrorCode::kDatabaseOpen,
                       "the account's search path leads to no schema with tables", {},
                       "GRANT USAGE on one, or add  ?options=-csearch_path%3DNAME  to the URL");
    }
    return Done{};
  }

  std::unique_ptr<PostgreSqlConnection> connection_;
  IncidentLog& incidents_;
  std::string schema_;
};

std::vector<std::string> TablesOf(const Policy& policy) {
  std::vector<std::string> names;
  for (const TablePolicy& table : policy.tables) names.push_back(table.name);
  return names;
}

// What the catalog could not say of the policy's tables.
Status CheckRelations(const Policy& policy, const std::vector<PostgreSqlRelation>& relations) {
  for (const TablePolicy& table : policy.tables) {
    PolicyProblem problem{.code = ErrorCode::kPolicyTable, .line = table.line};
    if (table.source) {
      problem.message = table.name + " is a file, and a PostgreSQL server reads none";
      problem.hint = "load it into a table there";
      return ToError(problem, policy.file);
    }
    const PostgreSqlRelation* found = nullptr;
    for (const PostgreSqlRelation& relation : relations) {
      if (!SameName(relation.name, table.name)) continue;
      if (found != nullptr) {
        problem.message = "two tables are named " + table.name + " in different cases";
        problem.hint = "rename one of them; letter case does not matter here";
        return ToError(problem, policy.file);
      }
      found = &relation;
    }
    if (found == nullptr) continue;
    if (const auto flaw = FindFlaw(*found)) {
      problem.message = flaw->message;
      problem.hint = flaw->fix;
      return ToError(problem, policy.file);
    }
  }
  return Done{};
}

class PostgreSqlEngine : public SqlEngine {
 public:
  PostgreSqlEngine(std::string url, IncidentLog& incidents)
      : url_(std::move(url)), incidents_(incidents) {}

  const Dialect& dialect() const override { return PostgreSqlDialect(); }

  // Functions, operators and types that users define stand in schemas that no statement of ours
  // searches, so there are no macros.
  Result<Schema> ReadSchema(const Policy& policy) override {
    TRY(SchemaConnection connection, SchemaConnection::Open(url_, incidents_));
    scope_ = {.schema = connection.schema(), .names = TablesOf(policy)};
    timeout_ = policy.query.timeout;
    Schema schema;
    relations_.clear();
    TRY_DONE(connection.With(scope_.names, [&](PostgreSqlRelations& named) {
      auto failure = named.Read(relations_);
      return failure ? failure : named.ReadWarnings(schema.warnings);
    }));
    TRY_DONE(CheckRelations(policy, relations_));
    for (const PostgreSqlRelation& relation : relations_) {
      schema.tables.push_back(ToSchemaTable(relation));
    }
    return schema;
  }

  // Tables are locked before the snapshot is taken: an ALTER TABLE or TRUNCATE that rewrites one
  // later waits for us, and one that came before is seen by comparing. What unique indexes promise
  // holds for the rows of the snapshot in which they are read. Tables that are attached later show
  // in that snapshot: see postgresql_locks.h.
  Result<std::unique_ptr<SqlConnection>> Connect(StopSign& sign) override {
    TRY(const LibPq* const library, FindLibrary());
    const auto end = steady_clock::now() + kConnectLimit;
    auto [connection, failure] =
        PostgreSqlConnection::Open(*library, url_, {.sign = sign, .end = end});
    if (!connection) return RunError(failure, incidents_);
    TRY_DONE(RefuseServer(*connection));
    connection->LimitTo(end);
    std::vector<std::string> locked;
    TRY_DONE(SetUp(*connection, sign, locked));
    connection->LimitTo({});
    if (!ReadsHeirs()) return std::unique_ptr<SqlConnection>(std::move(connection));
    return KeepToLocks(std::move(connection), std::move(locked));
  }

  std::string ReadTable(const SchemaTable& table) const override {
    const auto found = std::find_if(
        relations_.begin(), relations_.end(),
        [&](const PostgreSqlRelation& relation) { return relation.name == table.name; });
    Check(found != relations_.end(), "a table that is read is one of the schema");
    return PrintRead(scope_.schema, *found);
  }

  // A table that is named twice is read where it stands, with the conditions of each place.
  std::string_view as_in_with() const override { return "AS NOT MATERIALIZED"; }

  std::string InlineTable(const PublicTable& table) const override { return PrintInline(table); }

 private:
  bool ReadsHeirs() const {
    return std::any_of(relations_.begin(), relations_.end(), dpsql::ReadsHeirs);
  }

  Status SetUp(PostgreSqlConnection& connection, StopSign& sign, std::vector<std::string>& locked) {
    const StopSign::Listener listener(sign, [&] { connection.Stop(); });
    auto failure =
        connection.RunScript(BeginSnapshot() + FixSettings(connection.server_version(), timeout_) +
                             LockTables(scope_.schema, relations_));
    if (!failure && ReadsHeirs()) failure = ReadLocks(connection, locked);
    std::vector<PostgreSqlRelation> now;
    if (!failure) failure = PostgreSqlRelations(connection, scope_).Read(now);
    if (failure) return RunError(*failure, incidents_);
    if (now != relations_) return DataChanged();
    return Done{};
  }

  std::string url_;
  IncidentLog& incidents_;
  PostgreSqlRelations::Scope scope_;
  std::optional<milliseconds> timeout_;
  std::vector<PostgreSqlRelation> relations_;
};

}  // namespace

Result<std::unique_ptr<SqlEngine>> MakePostgreSqlEngine(const std::string& url,
                                                        IncidentLog& incidents) {
  return std::unique_ptr<SqlEngine>(std::make_unique<PostgreSqlEngine>(url, incidents));
}

Result<Listing> ListPostgreSql(const std::string& url, IncidentLog& incidents) {
  TRY(SchemaConnection connection, SchemaConnection::Open(url, incidents));
  std::vector<PostgreSqlRelation> relations;
  Listing listing;
  TRY_DONE(connection.With(std::nullopt, [&](PostgreSqlRelations& all) {
    auto failure = all.Read(relations);
    return failure ? failure : all.ReadForeignKeys(listing.foreign_keys);
  }));
  for (const PostgreSqlRelation& relation : relations) {
    if (!FindFlaw(relation)) listing.schema.tables.push_back(ToSchemaTable(relation));
  }
  return listing;
}

}  // namespace dpsql
