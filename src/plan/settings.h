#pragma once

#include <cstdint>
#include <optional>

#include "catalog/policy.h"
#include "dpsql/result.h"
#include "sql/ast.h"

namespace dpsql {

// Which noise an analyst asks for. By itself, Gaussian noise under an accountant that adds up mu^2,
// and under `basic` whichever has the smaller expected error.
enum class NoiseChoice { kAuto, kGaussian, kLaplace };

// What an analyst asks of a query beyond its text: the policy's defaults until a SET or a privacy
// clause changes them.
struct Settings {
  double epsilon = 0;
  double delta = 0;
  bool epsilon_per_door = false;  // a clause's is per door; a session's is split over all doors
  bool delta_per_door = false;
  std::int64_t min_frequency = 0;
  std::optional<std::int64_t> max_groups;          // C0 where it is not inferred
  std::optional<std::int64_t> contribution_bound;  // B in place of the tables' caps
  NoiseChoice noise = NoiseChoice::kAuto;
};

Settings DefaultSettings(const Policy& policy);

// Applies SET dp.name = value. A malformed value is P106; one outside the owner's limits is B401:
// an analyst may ask for stricter, never for looser. Every name that a clause knows can be set.
Status ApplySetting(const ast::SetStatement& set, const Policy& policy, Settings& settings);

// Applies the options of a privacy clause, in GoogleSQL's names or ours, each once.
// Answers what the clause says of the privacy unit, if it does: whoever knows the tables compares
// it with the policy, for an analyst cannot choose it.
Result<std::optional<ast::PrivacyOption>> ApplyOptions(const ast::PrivacyOptions& clause,
                                                       const Policy& policy, Settings& settings);

// Reads OPTIONS (PRIVACY_UNIT_COLUMN = c), the one thing that a private table can be told.
Result<ast::PrivacyOption> ReadTableOption(const ast::PrivacyOptions& clause);

}  // namespace dpsql
