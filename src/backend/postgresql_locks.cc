#include "backend/postgresql_locks.h"

#include <algorithm>
#include <string>
#include <utility>

namespace dpsql {
namespace {

// Numbers from 16384 on are of objects that somebody made. What our snapshot does not know was made
// later: pg_get_indexdef, which has no snapshot either, tells whether it is an index.
constexpr const char* kLocked =
    "SELECT DISTINCT CAST(relation AS text) COLLATE \"C\" AS number FROM pg_locks LEFT JOIN "
    "pg_class ON pg_class.oid = relation WHERE locktype = 'relation' AND pid = pg_backend_pid() "
    "AND relation >= 16384 AND CASE WHEN relkind IS NULL THEN pg_get_indexdef(relation) IS NULL "
    "ELSE relkind NOT IN ('i', 'I', 't') END ORDER BY number";

class LockedConnection : public SqlConnection {
 public:
  LockedConnection(std::unique_ptr<SqlConnection> connection, std::vector<std::string> tables)
      : connection_(std::move(connection)), tables_(std::move(tables)) {}

  std::optional<SqlFailure> Run(const std::string& sql,
                                const std::function<void(Row)>& consume) override {
    if (auto failure = connection_->Run(sql, consume)) return failure;
    std::vector<std::string> now;
    if (auto failure = ReadLocks(*connection_, now)) return failure;
    if (std::includes(tables_.begin(), tables_.end(), now.begin(), now.end())) return std::nullopt;
    return SqlFailure{.changed = true, .text = "a table was attached to one of the policy's"};
  }

  void Stop() override { connection_->Stop(); }

 private:
  std::unique_ptr<SqlConnection> connection_;
  std::vector<std::string> tables_;
};

}  // namespace

bool ReadsHeirs(const PostgreSqlRelation& relation) {
  return relation.kind == RelationKind::kPartitioned || relation.has_heirs;
}

std::optional<SqlFailure> ReadLocks(SqlConnection& connection, std::vector<std::string>& tables) {
  return connection.Run(kLocked, [&](SqlConnection::Row row) { tables.push_back(row[0].value()); });
}

std::unique_ptr<SqlConnection> KeepToLocks(std::unique_ptr<SqlConnection> connection,
                                           std::vector<std::string> tables) {
  return std::make_unique<LockedConnection>(std::move(connection), std::move(tables));
}

}  // namespace dpsql
