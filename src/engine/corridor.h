#pragma once

#include <atomic>
#include <functional>
#include <optional>

#include "account/ledger.h"
#include "backend/backend.h"
#include "catalog/catalog.h"
#include "dpsql/answer.h"
#include "dpsql/result.h"
#include "dpsql/session.h"
#include "noise/noise.h"
#include "plan/settings.h"
#include "sql/ast.h"

namespace dpsql {

// What the rooms need of a session.
struct House {
  const Catalog& catalog;
  const Settings& settings;
  Ledger& ledger;
  Backend& backend;
  Noise& noise;
  const RunOptions& options;
  // Refuses a question that nobody waits for any more, or whose policy has changed since.
  const std::function<Status()>& still_stands;
  const std::atomic<bool>& cancelled;
};

// Walks one query through the rooms, from text that is parsed to numbers that are noisy.
Result<Answer> Ask(const ast::Select& statement, House house);

// The first two rooms only: no budget, no data.
Result<DpPlan> MakePlan(const ast::Select& statement, const House& house);

}  // namespace dpsql
