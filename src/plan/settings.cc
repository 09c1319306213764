#include "plan/settings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/error_codes.h"
#include "base/suggest.h"
#include "base/try.h"

namespace dpsql {
namespace {

using Option = ast::PrivacyOption;

constexpr std::int64_t kMaxCap = 1'000'000;
constexpr std::int64_t kMaxMinFrequency = 1'000'000'000;
constexpr std::string_view kSessionPrefix = "dp.";
constexpr std::string_view kUnitOption = "privacy_unit_column";

struct Limits {
  double low = 0;
  double high = 0;
};

std::string Text(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

Error Malformed(const Option& option, const std::string& what, const std::string& hint) {
  return MakeError(ErrorCode::kBadSetting, option.name + " " + what, option.value_span, hint);
}

std::string Allowed(const Option& option, Limits limits) {
  return "allowed here: " + Text(limits.low) + " <= " + option.name + " <= " + Text(limits.high);
}

std::optional<double> ReadNumber(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

Result<double> ReadWithin(const Option& option, Limits limits) {
  const std::string allowed = Allowed(option, limits);
  const auto number = ReadNumber(option.value);
  if (!number) return Malformed(option, "is a number", allowed);
  if (*number <= 0) return Malformed(option, "is above zero", allowed);
  if (*number >= limits.low && *number <= limits.high) return *number;
  return MakeError(ErrorCode::kOptionOutsidePolicy, "the policy does not allow this " + option.name,
                   option.value_span, allowed);
}

Result<std::int64_t> ReadWholeWithin(const Option& option, std::int64_t low, std::int64_t high) {
  const Limits limits{.low = static_cast<double>(low), .high = static_cast<double>(high)};
  TRY(const double number, ReadWithin(option, limits));
  if (number == std::floor(number)) return static_cast<std::int64_t>(number);
  return Malformed(option, "is a whole number", Allowed(option, limits));
}

// GoogleSQL reads NULL as no limit; here there always is one.
Result<std::int64_t> ReadCap(const Option& option, std::int64_t most) {
  if (option.value == "null") {
    return Malformed(option, "cannot be NULL: one person could weigh any amount",
                     Allowed(option, {.low = 1, .high = static_cast<double>(most)}));
  }
  return ReadWholeWithin(option, 1, most);
}

// An epsilon that is given is taken, whatever the target was.
Status SetEpsilon(const Option& option, const Policy& policy, Settings& settings) {
  TRY(settings.epsilon,
      ReadWithin(option, {.low = kSmallestEpsilon, .high = policy.query.epsilon_max}));
  settings.target.reset();
  return Done{};
}

// 50, or '5%', or none.
Status SetTarget(const Option& option, const Policy&, Settings& settings) {
  const std::string hint = "write the half width of the 95 % interval, as  50  or  '5%' , or  none";
  settings.target.reset();
  if (option.value == "none" || option.value == "null") return Done{};
  const bool is_share = option.value.ends_with('%');
  Option amount = option;
  if (is_share) amount.value.pop_back();
  while (amount.value.ends_with(' ')) amount.value.pop_back();
  const auto number = ReadNumber(amount.value);
  if (!number) return Malformed(option, "is a number or a share", hint);
  if (*number <= 0) return Malformed(option, "is above zero", hint);
  settings.target = TargetError{.amount = is_share ? *number / 100 : *number, .is_share = is_share};
  return Done{};
}

Status SetExpectedCount(const Option& option, const Policy&, Settings& settings) {
  settings.expected_count.reset();
  if (option.value == "none" || option.value == "null") return Done{};
  TRY(settings.expected_count, ReadWithin(option, {.low = 1, .high = 1e15}));
  return Done{};
}

Status SetDelta(const Option& option, const Policy& policy, Settings& settings) {
  TRY(settings.delta, ReadWithin(option, {.low = kSmallestDelta, .high = policy.query.delta_max}));
  return Done{};
}

Status SetMinFrequency(const Option& option, const Policy& policy, Settings& settings) {
  TRY(settings.min_frequency,
      ReadWholeWithin(option, policy.query.min_frequency, kMaxMinFrequency));
  return Done{};
}

Status SetMaxGroups(const Option& option, const Policy& policy, Settings& settings) {
  TRY(settings.max_groups, ReadCap(option, policy.query.max_groups_per_unit.value_or(kMaxCap)));
  return Done{};
}

Status SetContributionBound(const Option& option, const Policy&, Settings& settings) {
  TRY(settings.contribution_bound, ReadCap(option, kMaxCap));
  return Done{};
}

// Laplace noise is charged to epsilon itself: to the claim under `basic`, to the purse of pure
// epsilon under gdp, if the owner filled one.
Status SetNoise(const Option& option, const Policy& policy, Settings& settings) {
  if (option.value == "auto") {
    settings.noise = NoiseChoice::kAuto;
  } else if (option.value == "gaussian") {
    settings.noise = NoiseChoice::kGaussian;
  } else if (option.value == "laplace") {
    const BudgetPolicy& budget = policy.budget;
    const bool payable = budget.accountant == "basic" || budget.pure_epsilon > 0;
    if (!payable) {
      return MakeError(ErrorCode::kOptionOutsidePolicy,
                       "this budget has no purse for Laplace noise", option.value_span,
                       "the owner may set  pure_epsilon = …  under [budget], or choose the "
                       "accountant basic");
    }
    settings.noise = NoiseChoice::kLaplace;
  } else {
    return Malformed(option, "is a kind of noise", "auto, gaussian or laplace");
  }
  return Done{};
}

// There is one way to select groups, and the policy rules it.
Status RefuseStrategy(const Option& option, const Policy&, Settings&) {
  if (option.value == "public_groups") {
    return MakeError(ErrorCode::kUnsupportedSyntax,
                     "syntax is not supported: group_selection_strategy = PUBLIC_GROUPS",
                     option.value_span,
                     "leave it out; groups are public where the owner lists them:  columns.x = { "
                     "values = […] }");
  }
  if (option.value == "laplace_threshold") {
    return MakeError(ErrorCode::kUnsupportedSyntax,
                     "syntax is not supported: group_selection_strategy = LAPLACE_THRESHOLD",
                     option.value_span,
                     "leave it out; a group is shown where it has min_frequency units and passes "
                     "a noisy test");
  }
  return Malformed(option, "is not known by this name", "leave it out");
}

Status RefuseUnit(const Option& option, const Policy&, Settings&) {
  return MakeError(ErrorCode::kOwnerOnly, "only the owner says who is protected: " + option.name,
                   option.name_span);
}

// Every name by which a setting is known: ours, then GoogleSQL's. A session writes dp. before it.
struct SettingInfo {
  std::string_view name;
  std::string_view other_name;
  Status (*apply)(const Option&, const Policy&, Settings&);
  std::string_view values;  // what it may be; empty where it is known only to be refused
  std::string_view meaning;
};

constexpr auto kSettings = std::to_array<SettingInfo>({
    {"epsilon", "", SetEpsilon, "1e-6 to the policy's epsilon_max",
     "the epsilon that a statement may cost; in a clause, each of its doors"},
    {"delta", "", SetDelta, "1e-50 to the policy's delta_max",
     "the delta that a statement may cost; in a clause, each of its doors"},
    {"min_frequency", "min_privacy_units_per_group", SetMinFrequency,
     "the policy's min_frequency to 1000000000", "k: no cell with fewer people is shown"},
    {"max_groups_contributed", "kappa", SetMaxGroups,
     "1 to the policy's max_groups_per_unit, or 1000000",
     "in how many groups one person counts, where people are counted"},
    {"contribution_bound", "max_rows_contributed", SetContributionBound, "1 to 1000000",
     "how many rows of one person count, in place of the tables' max_rows_per_unit"},
    {"noise", "", SetNoise, "auto, gaussian, laplace",
     "the kind of noise; Laplace needs the accountant basic, or pure_epsilon under gdp"},
    {"target_error", "", SetTarget, "a number above 0, a share such as '5%', none",
     "the half width of the 95 % interval that is wanted: the smallest epsilon that gives it is "
     "taken"},
    {"expected_count", "", SetExpectedCount, "1 to 1e15, none",
     "a guess of the rows in a cell, for a target that depends on them; never read from data"},
    {"group_selection_strategy", "", RefuseStrategy, "",
     "GoogleSQL's way to select groups; refused, as the policy says which groups are public"},
    {kUnitOption, "", RefuseUnit, "",
     "who is protected; a clause may repeat what the policy says, nothing may change it"},
});

// What rules a statement as a whole: of one door it would say nothing.
bool IsOfStatement(const SettingInfo& info) {
  return info.apply == SetTarget || info.apply == SetExpectedCount;
}

const SettingInfo* Find(std::string_view name) {
  for (const SettingInfo& info : kSettings) {
    if (!name.empty() && (info.name == name || info.other_name == name)) return &info;
  }
  return nullptr;
}

Error Unknown(const Option& option, std::string_view prefix) {
  std::vector<std::string> names;
  std::string all;
  for (const SettingInfo& info : kSettings) {
    if (prefix.empty() && IsOfStatement(info)) continue;
    names.push_back(std::string(prefix) + std::string(info.name));
    all += (all.empty() ? "" : ", ") + names.back();
    if (info.other_name.empty()) continue;
    names.push_back(std::string(prefix) + std::string(info.other_name));
  }
  const auto nearest = Suggest(option.name, names);
  const std::string kind = prefix.empty() ? "option " : "setting ";
  return MakeError(ErrorCode::kBadSetting, "there is no " + kind + option.name, option.name_span,
                   nearest ? "did you mean  " + *nearest + " ?" : "there are " + all);
}

Error NoOption(const Option& option) {
  return MakeError(ErrorCode::kBadSetting, option.name + " is no option of a clause",
                   option.name_span, "write  SET dp." + option.name + " = …  before the statement");
}

Error Twice(const Option& option) {
  return MakeError(ErrorCode::kBadSetting, option.name + " is given twice", option.name_span,
                   "say each option once, by one of its names");
}

}  // namespace

std::vector<SettingForm> SettingForms() {
  std::vector<SettingForm> forms;
  for (const SettingInfo& info : kSettings) {
    forms.push_back({.name = std::string(kSessionPrefix) + std::string(info.name),
                     .other_name = info.other_name,
                     .values = info.values,
                     .meaning = info.meaning});
  }
  return forms;
}

Settings DefaultSettings(const Policy& policy) {
  Settings settings;
  settings.epsilon = policy.query.epsilon;
  settings.delta = policy.query.delta;
  settings.min_frequency = policy.query.min_frequency;
  settings.max_groups = policy.query.max_groups_per_unit;
  return settings;
}

Status ApplySetting(const ast::SetStatement& set, const Policy& policy, Settings& settings) {
  const Option option{.name = set.name,
                      .value = set.value,
                      .name_span = set.name_span,
                      .value_span = set.value_span};
  const bool prefixed = option.name.starts_with(kSessionPrefix);
  const SettingInfo* info =
      prefixed ? Find(std::string_view(option.name).substr(kSessionPrefix.size())) : nullptr;
  if (info == nullptr) return Unknown(option, kSessionPrefix);
  return info->apply(option, policy, settings);
}

Result<std::optional<ast::PrivacyOption>> ApplyOptions(const ast::PrivacyOptions& clause,
                                                       const Policy& policy, Settings& settings) {
  std::vector<const SettingInfo*> seen;
  std::optional<Option> unit;
  for (const Option& option : clause.options) {
    const SettingInfo* info = Find(option.name);
    if (info == nullptr) return Unknown(option, "");
    if (IsOfStatement(*info)) return NoOption(option);
    if (std::find(seen.begin(), seen.end(), info) != seen.end()) return Twice(option);
    seen.push_back(info);
    if (info->name == kUnitOption) {
      unit = option;
    } else {
      TRY_DONE(info->apply(option, policy, settings));
    }
    settings.epsilon_per_door = settings.epsilon_per_door || info->apply == SetEpsilon;
    settings.delta_per_door = settings.delta_per_door || info->apply == SetDelta;
  }
  return unit;
}

Result<ast::PrivacyOption> ReadTableOption(const ast::PrivacyOptions& clause) {
  const std::string hint = "write  OPTIONS (PRIVACY_UNIT_COLUMN = c)";
  for (const Option& option : clause.options) {
    if (option.name == kUnitOption) continue;
    return MakeError(ErrorCode::kBadSetting, "a private table has no option " + option.name,
                     option.name_span, hint);
  }
  if (clause.options.size() > 1) return Twice(clause.options[1]);
  if (clause.options.size() == 1) return clause.options[0];
  return MakeError(ErrorCode::kBadSetting, "the list of options is empty", clause.span, hint);
}

}  // namespace dpsql
