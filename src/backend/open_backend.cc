#include <array>
#include <string>
#include <utility>

#include "backend/backend.h"
#include "backend/duckdb.h"
#include "backend/duckdb_list.h"
#include "backend/duckdb_verify.h"
#include "backend/list_tables.h"
#include "backend/postgresql.h"
#include "backend/spark.h"
#include "backend/sql_engine.h"
#include "backend/sqlite.h"
#include "backend/verify_keys.h"
#include "base/error_codes.h"
#include "base/try.h"

namespace dpsql {
namespace {

struct BackendInfo {
  std::string_view scheme;  // before the colon of a URL
  // Absent where there is an engine behind SQL.
  Result<std::unique_ptr<Backend>> (*open)(const std::string& rest,
                                           IncidentLog& incidents) = nullptr;
  // Absent where the database's word on its keys is all that is believed.
  Result<KeyFindings> (*verify)(const std::string& rest, const Policy& policy,
                                IncidentLog& incidents) = nullptr;
  // Absent where a policy must be written without a draft.
  Result<Listing> (*list)(const std::string& rest, IncidentLog& incidents) = nullptr;
  Result<std::unique_ptr<SqlEngine>> (*engine)(const std::string& rest,
                                               IncidentLog& incidents) = nullptr;
  bool takes_url = false;  // the whole of it, and not what follows the colon
};

constexpr auto kBackends = std::to_array<BackendInfo>({
    {"duckdb", OpenDuckDb, VerifyDuckDb, ListDuckDb},
    {.scheme = "postgresql",
     .list = ListPostgreSql,
     .engine = MakePostgreSqlEngine,
     .takes_url = true},
    {.scheme = "postgres",
     .list = ListPostgreSql,
     .engine = MakePostgreSqlEngine,
     .takes_url = true},
    {.scheme = "spark", .engine = MakeSparkEngine},
    {"sqlite", OpenSqlite, nullptr, ListSqlite},
});

struct Place {
  const BackendInfo* backend;
  std::string rest;
};

// A bare path is a DuckDB file. Without a file all tables are files of their own.
Result<Place> FindBackend(std::string_view url) {
  const std::size_t colon = url.find(':');
  if (url == ":memory:") return Place{kBackends.data(), ""};
  if (colon == std::string_view::npos) return Place{kBackends.data(), std::string(url)};
  for (const BackendInfo& info : kBackends) {
    if (url.substr(0, colon) == info.scheme) {
      return Place{&info, std::string(info.takes_url ? url : url.substr(colon + 1))};
    }
  }
  return MakeError(ErrorCode::kDatabaseScheme,
                   "no database is known by " + std::string(url.substr(0, colon)) + ":");
}

}  // namespace

Result<std::unique_ptr<Backend>> OpenBackend(std::string_view url, IncidentLog& incidents) {
  TRY(const Place place, FindBackend(url));
  if (place.backend->open != nullptr) return place.backend->open(place.rest, incidents);
  TRY(std::unique_ptr<SqlEngine> engine, place.backend->engine(place.rest, incidents));
  return MakeSqlBackend(std::move(engine), incidents);
}

Result<std::unique_ptr<SqlEngine>> OpenSqlEngine(std::string_view url, IncidentLog& incidents) {
  TRY(const Place place, FindBackend(url));
  if (place.backend->engine == nullptr) return std::unique_ptr<SqlEngine>();
  return place.backend->engine(place.rest, incidents);
}

Result<KeyFindings> VerifyKeys(std::string_view url, const Policy& policy, IncidentLog& incidents) {
  TRY(const Place place, FindBackend(url));
  if (place.backend->verify == nullptr) {
    return MakeError(ErrorCode::kPolicyUnavailable, "the keys of this database cannot be verified",
                     {}, "declare them PRIMARY KEY or UNIQUE there");
  }
  return place.backend->verify(place.rest, policy, incidents);
}

Result<Listing> ListTables(std::string_view url, IncidentLog& incidents) {
  TRY(const Place place, FindBackend(url));
  if (place.backend->list == nullptr) {
    return MakeError(ErrorCode::kPolicyUnavailable, "the tables of this database cannot be listed",
                     {}, "write the policy by hand");
  }
  return place.backend->list(place.rest, incidents);
}

}  // namespace dpsql
