#include "backend/run_error.h"

#include <string>

#include "base/error_codes.h"

namespace dpsql {

Error RunError(bool interrupted, std::string_view words, IncidentLog& incidents) {
  const std::string incident = incidents.Record(words);
  if (interrupted) return MakeError(ErrorCode::kInterrupted, "the query was interrupted");
  return MakeError(ErrorCode::kDatabaseRun,
                   "the database could not run the query (incident " + incident + ")");
}

}  // namespace dpsql
