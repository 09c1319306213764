#include "engine/read_schema.h"

#include <string_view>

#include "backend/backend.h"
#include "base/incident_log.h"
#include "base/try.h"

namespace dpsql {
namespace {

// A check keeps no file beside the ledger, so a database's own words are dropped.
class NoIncidentLog : public IncidentLog {
 public:
  std::string Record(std::string_view) override { return "i-000000"; }
};

}  // namespace

Result<Schema> ReadSchemaOf(const std::string& url, const Policy& policy) {
  NoIncidentLog incidents;
  TRY(const std::unique_ptr<Backend> backend, OpenBackend(url, incidents));
  return backend->ReadSchema(policy);
}

}  // namespace dpsql
