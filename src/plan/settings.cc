#include "plan/settings.h"

#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>

#include "base/error_codes.h"
#include "base/suggest.h"
#include "base/try.h"

namespace dpsql {
namespace {

constexpr std::int64_t kMaxCap = 1'000'000;
constexpr std::int64_t kMaxMinFrequency = 1'000'000'000;

struct Limits {
  double low = 0;
  double high = 0;
};

std::string Text(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

Result<double> ReadNumber(const ast::SetStatement& set) {
  double number = 0;
  const char* const end = set.value.data() + set.value.size();
  const auto [stop, error] = std::from_chars(set.value.data(), end, number);
  if (error == std::errc() && stop == end && std::isfinite(number)) return number;
  return MakeError(ErrorCode::kBadSetting, set.name + " is a number", set.value_span,
                   "write  SET " + set.name + " = 0.1");
}

Result<double> ReadWithin(const ast::SetStatement& set, Limits limits) {
  TRY(const double number, ReadNumber(set));
  const std::string range = Text(limits.low) + " <= " + set.name + " <= " + Text(limits.high);
  if (number <= 0) {
    return MakeError(ErrorCode::kBadSetting, set.name + " is above zero", set.value_span,
                     "allowed here: " + range);
  }
  if (number >= limits.low && number <= limits.high) return number;
  return MakeError(ErrorCode::kOptionOutsidePolicy, "the policy does not allow this " + set.name,
                   set.value_span, "allowed here: " + range);
}

Result<std::int64_t> ReadWholeWithin(const ast::SetStatement& set, std::int64_t low,
                                     std::int64_t high) {
  TRY(const double number,
      ReadWithin(set, {.low = static_cast<double>(low), .high = static_cast<double>(high)}));
  if (number == std::floor(number)) return static_cast<std::int64_t>(number);
  return MakeError(ErrorCode::kBadSetting, set.name + " is a whole number", set.value_span);
}

Status SetEpsilon(const ast::SetStatement& set, const Policy& policy, Settings& settings) {
  TRY(settings.epsilon,
      ReadWithin(set, {.low = kSmallestEpsilon, .high = policy.query.epsilon_max}));
  return Done{};
}

Status SetDelta(const ast::SetStatement& set, const Policy& policy, Settings& settings) {
  TRY(settings.delta, ReadWithin(set, {.low = kSmallestDelta, .high = policy.query.delta_max}));
  return Done{};
}

Status SetMinFrequency(const ast::SetStatement& set, const Policy& policy, Settings& settings) {
  TRY(settings.min_frequency, ReadWholeWithin(set, policy.query.min_frequency, kMaxMinFrequency));
  return Done{};
}

Status SetMaxGroups(const ast::SetStatement& set, const Policy& policy, Settings& settings) {
  const std::int64_t most = policy.query.max_groups_per_unit.value_or(kMaxCap);
  TRY(settings.max_groups, ReadWholeWithin(set, 1, most));
  return Done{};
}

Status SetContributionBound(const ast::SetStatement& set, const Policy&, Settings& settings) {
  TRY(settings.contribution_bound, ReadWholeWithin(set, 1, kMaxCap));
  return Done{};
}

struct SettingInfo {
  std::string_view name;
  Status (*apply)(const ast::SetStatement&, const Policy&, Settings&);
};

constexpr auto kSettings = std::to_array<SettingInfo>({
    {"dp.epsilon", SetEpsilon},
    {"dp.delta", SetDelta},
    {"dp.min_frequency", SetMinFrequency},
    {"dp.max_groups_contributed", SetMaxGroups},
    {"dp.contribution_bound", SetContributionBound},
});

}  // namespace

Settings DefaultSettings(const Policy& policy) {
  return {.epsilon = policy.query.epsilon,
          .delta = policy.query.delta,
          .min_frequency = policy.query.min_frequency,
          .max_groups = policy.query.max_groups_per_unit};
}

Status ApplySetting(const ast::SetStatement& set, const Policy& policy, Settings& settings) {
  std::vector<std::string> names;
  for (const SettingInfo& info : kSettings) {
    if (info.name == set.name) return info.apply(set, policy, settings);
    names.emplace_back(info.name);
  }
  const auto nearest = Suggest(set.name, names);
  return MakeError(ErrorCode::kBadSetting, "there is no setting " + set.name, set.name_span,
                   nearest ? "did you mean  " + *nearest + " ?" : "");
}

}  // namespace dpsql
