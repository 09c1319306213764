#include "backend/sqlite.h"

#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "backend/lower.h"
#include "backend/lower_answer.h"
#include "backend/query_watch.h"
#include "backend/sqlite_connection.h"
#include "backend/sqlite_door.h"
#include "backend/sqlite_schema.h"
#include "backend/sqlite_snapshot.h"
#include "backend/sqlite_tables.h"
#include "base/check.h"
#include "base/error_codes.h"
#include "base/names.h"
#include "base/try.h"
#include "sql/dialect.h"
#include "sql/printable.h"
#include "sql/printer.h"

namespace dpsql {
namespace {

// What a query may have: a quarter of it for the cells, the rest for SQLite's own joins.
std::size_t MemoryOf(const DatabasePolicy& policy) {
  if (policy.memory_bytes) return *policy.memory_bytes;
  const auto pages = static_cast<std::size_t>(std::max(1L, sysconf(_SC_PHYS_PAGES)));
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// A query's connection, opened while it is paid for. No row is read before.
class SqlitePreparation : public Preparation {
 public:
  explicit SqlitePreparation(Result<std::shared_ptr<SqliteConnection>> connection)
      : connection_(std::move(connection)) {}

  const Result<std::shared_ptr<SqliteConnection>>& connection() const { return connection_; }
  const std::shared_ptr<StopSign>& sign() const { return sign_; }

 private:
  Result<std::shared_ptr<SqliteConnection>> connection_;
  std::shared_ptr<StopSign> sign_ = std::make_shared<StopSign>();
};

class SqliteBackend : public Backend {
 public:
  SqliteBackend(std::string path, IncidentLog& incidents)
      : path_(std::move(path)), incidents_(incidents) {}

  // What is remembered of the data comes before the first read: what changes behind it is noticed.
  // The log of a database in WAL mode has no stamp: whoever opens it may change its time.
  Result<Schema> ReadSchema(const Policy& policy) override {
    policy_ = policy;
    TRY_DONE(RefuseSources());
    if (const auto stamp = StampOf(path_)) stamps_.push_back(*stamp);
    TRY(first_, SqliteConnection::Open(path_, incidents_));
    if (const auto failure = first_->DataVersion(data_version_)) {
      return SqliteRunError(*failure, incidents_);
    }
    TRY(const std::shared_ptr<SqliteConnection> reader, SqliteConnection::Open(path_, incidents_));
    if (const auto failure = reader->Freeze(schema_version_)) {
      return SqliteRunError(*failure, incidents_);
    }
    Listing listing;
    if (const auto failure = ReadSqliteSchema(*reader, listing)) {
      return SqliteRunError(*failure, incidents_);
    }
    schema_ = listing.schema;
    std::erase_if(schema_.tables, [&](const SchemaTable& table) { return !IsDeclared(table); });
    TRY_DONE(RefuseLostNames());
    return std::move(listing.schema);
  }

  // SQLite gives no column of a subquery these names, even in quotes, and then gives the ones that
  // it invents instead of them: another column would be read in place of the one that is named.
  Status RefuseLostNames() const {
    for (const SchemaTable& table : schema_.tables) {
      for (const SchemaColumn& column : table.columns) {
        const bool lost =
            column.name.empty() || SameName(column.name, "true") || SameName(column.name, "false");
        if (!lost) continue;
        return MakeError(
            ErrorCode::kPolicyTable,
            "SQLite does not keep the name of the column \"" + column.name + "\" of " + table.name,
            {}, "give it another name, or leave the table out of the policy");
      }
    }
    return Done{};
  }

  Status CanRun(const DpPlan& plan) const override {
    for (const Door& door : plan.doors()) TRY_DONE(RefuseWideKeys(door));
    const SqliteStatements statements = LowerForSqlite(plan);
    const std::shared_ptr<SqliteConnection> empty = SqliteConnection::OpenEmpty(schema_.tables);
    for (std::size_t i = 0; i < plan.doors().size(); ++i) {
      Check(!empty->Add(ReleaseTable(plan.doors()[i], i)), "SQLite takes a release");
    }
    empty->Restrict(Names());
    for (const auto* list : {&statements.run, &statements.instead}) {
      for (const ast::Select& select : *list) TRY_DONE(CanRun(select, *empty));
    }
    return Done{};
  }

  std::unique_ptr<Preparation> Prepare(const DpPlan&) override {
    auto ready = std::make_unique<SqlitePreparation>(SqliteConnection::Open(path_, incidents_));
    const std::lock_guard<std::mutex> lock(mutex_);
    running_ = ready->sign();
    return ready;
  }

  Result<Snapshot> Open(const DpPlan& plan, const Reservation& paid,
                        std::unique_ptr<Preparation> ready) override {
    Check(paid.cost().plan_digest == plan.cost().plan_digest, "the plan is the one paid for");
    if (!ready) ready = Prepare(plan);
    const auto* own = dynamic_cast<const SqlitePreparation*>(ready.get());
    Check(own != nullptr, "what is ready was prepared here");
    TRY(const std::shared_ptr<SqliteConnection> connection, own->connection());
    const std::size_t memory = MemoryOf(policy_.database);
    connection->LimitMemory(memory);
    std::int64_t version = 0;
    if (const auto failure = connection->Freeze(version)) {
      return SqliteRunError(*failure, incidents_);
    }
    std::int64_t data_version = 0;
    if (const auto failure = first_->DataVersion(data_version)) {
      return SqliteRunError(*failure, incidents_);
    }
    // What is believed of keys and types is of this state of the schema alone.
    const bool same = version == schema_version_ && data_version == data_version_;
    if (!same || !Unchanged(stamps_)) return DataChanged();
    connection->Restrict(Names());
    return Snapshot(Watched(
        MakeSqliteSnapshot(connection, schema_, incidents_, memory / 4, paid.priority_key()),
        {.timeout = policy_.query.timeout,
         .stamps = stamps_,
         .sign = own->sign(),
         .stop = [connection] { connection->Interrupt(); }}));
  }

  std::vector<std::string> PrintSql(const DpPlan& plan) const override {
    std::vector<std::string> run;
    for (const ast::Select& select : LowerForSqlite(plan).run) {
      run.push_back(PrintForSqlite(select, schema_) + ";");
    }
    if (!plan.PlainOutputs()) run.push_back(PrintSelect(LowerAnswer(plan), DuckDbDialect()) + ";");
    return run;
  }

  void Interrupt() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto running = running_.lock()) running->Stop();
  }

 private:
  bool IsDeclared(const SchemaTable& table) const {
    return std::any_of(
        policy_.tables.begin(), policy_.tables.end(),
        [&](const TablePolicy& declared) { return SameName(declared.name, table.name); });
  }

  std::set<std::string> Names() const {
    std::set<std::string> names;
    for (const SchemaTable& table : schema_.tables) names.insert(table.name);
    return names;
  }

  Status RefuseSources() const {
    for (const TablePolicy& table : policy_.tables) {
      if (!table.source) continue;
      return MakeError(ErrorCode::kPolicyUnavailable,
                       policy_.file + ":" + std::to_string(table.line) + ": table " + table.name +
                           " is a file, which SQLite cannot read",
                       {}, "ask DuckDB for tables that are files");
    }
    return Done{};
  }

  // A sum beyond 64 bits is a REAL in SQLite: two of them may be one there.
  static Status RefuseWideKeys(const Door& door) {
    const auto refuse_wide = [](const BoundExpr& value) -> Status {
      if (value.type.family != TypeFamily::kDecimal) return Done{};
      return MakeError(ErrorCode::kInexactKey,
                       "values of type " + value.type.name + " are not exact in SQLite", value.span,
                       "cast it:  CAST(… AS bigint)");
    };
    for (const BoundKey& key : door.query->keys) TRY_DONE(refuse_wide(*key.expr));
    for (const Statistic& statistic : door.statistics) {
      if (statistic.shape.kind != StatisticKind::kDistinct) continue;
      TRY_DONE(refuse_wide(*statistic.arguments.at(0).expr));
    }
    return Done{};
  }

  // SQLite's word on a statement, from a database without a row.
  Status CanRun(const ast::Select& select, SqliteConnection& empty) const {
    TRY_DONE(RefuseUnprintable(select, SqliteDialect()));
    const std::string words = empty.Compile(PrintForSqlite(select, schema_));
    if (words.empty()) return Done{};
    Check(words.find("too ") != std::string::npos || words.find("overflow") != std::string::npos,
          "SQLite understands what is printed for it");
    return MakeError(ErrorCode::kTooLarge, "the question is too large for SQLite when written out");
  }

  std::string path_;
  IncidentLog& incidents_;
  Policy policy_;
  Schema schema_;  // of the policy's tables
  std::int64_t schema_version_ = 0;
  std::vector<FileStamp> stamps_;
  std::shared_ptr<SqliteConnection> first_;  // which sees that others write, and reads no row
  std::int64_t data_version_ = 0;            // as it saw it first
  std::mutex mutex_;
  std::weak_ptr<StopSign> running_;
};

}  // namespace

Result<std::unique_ptr<Backend>> OpenSqlite(const std::string& path, IncidentLog& incidents) {
  return std::unique_ptr<Backend>(std::make_unique<SqliteBackend>(path, incidents));
}

Result<Listing> ListSqlite(const std::string& path, IncidentLog& incidents) {
  TRY(const std::shared_ptr<SqliteConnection> connection, SqliteConnection::Open(path, incidents));
  Listing listing;
  if (const auto failure = ReadSqliteSchema(*connection, listing)) {
    return SqliteRunError(*failure, incidents);
  }
  return listing;
}

}  // namespace dpsql
