#include <array>
#include <string>

#include "backend/backend.h"
#include "backend/duckdb.h"
#include "base/error_codes.h"

namespace dpsql {
namespace {

struct BackendInfo {
  std::string_view scheme;  // before the colon of a URL
  Result<std::unique_ptr<Backend>> (*open)(const std::string& rest, IncidentLog& incidents);
};

constexpr auto kBackends = std::to_array<BackendInfo>({
    {"duckdb", OpenDuckDb},
});

}  // namespace

Result<std::unique_ptr<Backend>> OpenBackend(std::string_view url, IncidentLog& incidents) {
  const std::size_t colon = url.find(':');
  if (colon == std::string_view::npos) return OpenDuckDb(std::string(url), incidents);
  for (const BackendInfo& info : kBackends) {
    if (url.substr(0, colon) == info.scheme) {
      return info.open(std::string(url.substr(colon + 1)), incidents);
    }
  }
  return MakeError(ErrorCode::kDatabaseScheme,
                   "no database is known by " + std::string(url.substr(0, colon)) + ":");
}

}  // namespace dpsql
