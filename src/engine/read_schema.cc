#include "engine/read_schema.h"

#include "backend/backend.h"
#include "base/try.h"
#include "engine/no_incident_log.h"

namespace dpsql {

Result<Schema> ReadSchemaOf(const std::string& url, const Policy& policy) {
  NoIncidentLog incidents;
  TRY(const std::unique_ptr<Backend> backend, OpenBackend(url, incidents));
  return backend->ReadSchema(policy);
}

}  // namespace dpsql
