#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/policy.h"
#include "dpsql/result.h"
#include "sql/ast.h"

namespace dpsql {

// Which noise an analyst asks for. By itself, Gaussian noise under an accountant that adds up mu^2,
// and under `basic` whichever has the smaller expected error.
enum class NoiseChoice { kAuto, kGaussian, kLaplace };

// How exact an analyst wants each aggregate: the half width of its 95 % interval, or that as a
// share of the aggregate.
struct TargetError {
  double amount = 0;  // of a share: 0.05 is 5 %
  bool is_share = false;
};

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
  std::optional<TargetError> target;     // then epsilon is the smallest that reaches it
  std::optional<double> expected_count;  // the analyst's guess of a cell's rows, for the target
};

// A setting as the reference shows it.
struct SettingForm {
  std::string name;             // "dp.epsilon"; a clause leaves out dp.
  std::string_view other_name;  // GoogleSQL's, without dp.
  std::string_view values;      // empty where it is known only to be refused
  std::string_view meaning;
};

std::vector<SettingForm> SettingForms();

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
