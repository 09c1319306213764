#pragma once

#include <memory>
#include <string>

#include "backend/backend.h"
#include "backend/priority.h"
#include "base/incident_log.h"
#include "catalog/policy.h"
#include "catalog/schema.h"

namespace dpsql {

// A database of another engine behind the product's own reader of it, with a key of priorities that
// the test chooses: a backend takes that of a payment.
class EngineSide {
 public:
  // Opens URLs of SQLite and of all engines behind SQL. Throws std::runtime_error where that fails.
  static std::unique_ptr<EngineSide> Open(const std::string& url, const Policy& policy,
                                          IncidentLog& incidents);
  virtual ~EngineSide() = default;

  const Schema& schema() const { return schema_; }

  // As the engine's backend has it.
  Status CanRun(const DpPlan& plan) const { return backend_->CanRun(plan); }

  virtual Result<Snapshot> Begin(PriorityKey key) = 0;

 protected:
  explicit EngineSide(IncidentLog& incidents) : incidents_(incidents) {}

  IncidentLog& incidents_;
  Schema schema_;

 private:
  std::unique_ptr<Backend> backend_;
};

}  // namespace dpsql
