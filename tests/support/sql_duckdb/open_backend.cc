// Databases are reached by SQL alone here, in the place of the product's list: the statements of
// backend/lower_groups.h must give the integers that the cells give.
#include <memory>

#include "backend/backend.h"
#include "backend/list_tables.h"
#include "backend/sql_engine.h"
#include "backend/verify_keys.h"
#include "base/error_codes.h"
#include "random/reference_greedy.h"
#include "support/duckdb_sql.h"

namespace dpsql {

bool UnitsTakeTurns() { return false; }

Result<std::unique_ptr<Backend>> OpenBackend(std::string_view url, IncidentLog& incidents) {
  return MakeSqlBackend(OpenDuckDbSql(std::string(url), incidents), incidents);
}

Result<KeyFindings> VerifyKeys(std::string_view, const Policy&, IncidentLog&) {
  return MakeError(ErrorCode::kPolicyUnavailable, "keys are not verified here");
}

Result<Listing> ListTables(std::string_view, IncidentLog&) {
  return MakeError(ErrorCode::kPolicyUnavailable, "tables are not listed here");
}

}  // namespace dpsql
