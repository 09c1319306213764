#pragma once

#include <cstdint>
#include <optional>

#include "catalog/policy.h"
#include "dpsql/result.h"
#include "sql/ast.h"

namespace dpsql {

// What an analyst asks of a query beyond its text: the policy's defaults until a SET changes them.
struct Settings {
  double epsilon = 0;
  double delta = 0;
  std::int64_t min_frequency = 0;
  std::optional<std::int64_t> max_groups;          // C0 where it is not inferred
  std::optional<std::int64_t> contribution_bound;  // B in place of the tables' caps
};

Settings DefaultSettings(const Policy& policy);

// Applies SET dp.name = value. A malformed value is P106; one outside the owner's limits is B401:
// an analyst may ask for stricter, never for looser.
Status ApplySetting(const ast::SetStatement& set, const Policy& policy, Settings& settings);

}  // namespace dpsql
