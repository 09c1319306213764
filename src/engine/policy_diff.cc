#include "engine/policy_diff.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/json_text.h"
#include "base/try.h"
#include "engine/guarded.h"
#include "engine/policy_file.h"

namespace dpsql {
namespace {

std::string_view Name(Effect effect) {
  switch (effect) {
    case Effect::kWeaker:
      return "weaker";
    case Effect::kStronger:
      return "stronger";
    case Effect::kSame:
      break;
  }
  return "same guarantee";
}

Result<Policy> ReadFile(const std::string& file) {
  TRY(const std::string text, ReadPolicyFile(file));
  return ReadPolicy(text, file);
}

void CompareData(const Policy& before, const Policy& after, PolicyChanges& changes) {
  if (before.unit_kind != after.unit_kind) {
    changes.Add(Effect::kSame, "[dataset] unit: " + Arrow(before.unit_kind, after.unit_kind),
                "the word for who is protected; whom a row belongs to is said of each table");
  }
  const DatabasePolicy& was = before.database;
  const DatabasePolicy& is = after.database;
  if (was.memory_bytes != is.memory_bytes || was.spill_bytes != is.spill_bytes ||
      was.threads != is.threads) {
    changes.Add(Effect::kSame, "[database] has other limits",
                "a question that they end counts against aborts_allowed, as before");
  }
  if (before.data_version == after.data_version) return;
  changes.Add(Effect::kSame,
              "[data] version: " +
                  Arrow(before.data_version.value_or("none"), after.data_version.value_or("none")),
              "stored answers are no longer reused; the budget goes on counting, as the new data "
              "may hold the same people");
}

std::ptrdiff_t Count(const std::vector<PolicyChange>& changes, Effect effect) {
  return std::count_if(changes.begin(), changes.end(),
                       [&](const PolicyChange& change) { return change.effect == effect; });
}

std::string ChangesJson(const std::vector<PolicyChange>& changes) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const PolicyChange& change : changes) {
    list.push_back({{"effect", Name(change.effect)},
                    {"needs_grant", change.needs_grant},
                    {"what", change.what},
                    {"meaning", change.meaning}});
  }
  const nlohmann::ordered_json object = {{"changes", std::move(list)},
                                         {"weaker", Count(changes, Effect::kWeaker)},
                                         {"stronger", Count(changes, Effect::kStronger)},
                                         {"same", Count(changes, Effect::kSame)}};
  return JsonText(object) + "\n";
}

}  // namespace

std::string Arrow(const std::string& before, const std::string& after) {
  return before + " -> " + after;
}

Result<std::vector<PolicyChange>> ComparePolicies(const std::string& old_file,
                                                  const std::string& new_file) {
  return Guarded([&]() -> Result<std::vector<PolicyChange>> {
    TRY(const Policy before, ReadFile(old_file));
    TRY(const Policy after, ReadFile(new_file));
    PolicyChanges changes;
    CompareBudgets(before, after, changes);
    CompareTables(before, after, changes);
    CompareData(before, after, changes);
    return std::move(changes).Sorted();
  });
}

bool HasWeaker(const std::vector<PolicyChange>& changes) {
  return Count(changes, Effect::kWeaker) > 0;
}

std::string FormatPolicyChanges(const std::vector<PolicyChange>& changes, Format format) {
  if (format == Format::kJson) return ChangesJson(changes);
  if (changes.empty()) return "no difference\n";
  constexpr std::size_t kWidth = 16;
  std::string text;
  for (const PolicyChange& change : changes) {
    const std::string effect(Name(change.effect));
    text += effect + std::string(kWidth - effect.size(), ' ') + change.what + "\n" +
            std::string(kWidth, ' ') + change.meaning +
            (change.needs_grant ? "; needs grant" : "") + "\n";
  }
  return text + std::to_string(Count(changes, Effect::kWeaker)) + " weaker, " +
         std::to_string(Count(changes, Effect::kStronger)) + " stronger, " +
         std::to_string(Count(changes, Effect::kSame)) + " with the same guarantee\n";
}

}  // namespace dpsql
