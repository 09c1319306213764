#pragma once

#include <mutex>
#include <string>

#include "base/incident_log.h"

namespace dpsql {

// Incidents as lines of a file beside the ledger, readable by its owner only. An incident that
// cannot be written still has a number: an analyst's error never changes with the owner's disk.
class FileIncidentLog : public IncidentLog {
 public:
  explicit FileIncidentLog(std::string path) : path_(std::move(path)) {}

  std::string Record(std::string_view text) override;

 private:
  std::string path_;
  std::mutex mutex_;
};

}  // namespace dpsql
