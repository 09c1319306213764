#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "backend/verify_keys.h"
#include "base/incident_log.h"
#include "base/json_text.h"
#include "base/try.h"
#include "catalog/policy.h"
#include "dpsql/verify.h"
#include "engine/file_incident_log.h"
#include "engine/guarded.h"
#include "engine/policy_file.h"

namespace dpsql {
namespace {

KeyStanding StandingOf(KeyState state) {
  switch (state) {
    case KeyState::kEnforced:
      return KeyStanding::kEnforced;
    case KeyState::kUnique:
      return KeyStanding::kUnique;
    case KeyState::kHasNull:
      return KeyStanding::kHasNull;
    case KeyState::kRepeats:
      break;
  }
  return KeyStanding::kRepeats;
}

std::string_view Name(KeyStanding standing) {
  switch (standing) {
    case KeyStanding::kEnforced:
      return "enforced";
    case KeyStanding::kUnique:
      return "unique";
    case KeyStanding::kHasNull:
      return "null";
    case KeyStanding::kRepeats:
      break;
  }
  return "repeats";
}

std::string_view Sentence(KeyStanding standing) {
  switch (standing) {
    case KeyStanding::kEnforced:
      return "kept unique by the database";
    case KeyStanding::kUnique:
      return "unique in this data";
    case KeyStanding::kHasNull:
      return "NOT A KEY: some row has NULL there";
    case KeyStanding::kRepeats:
      break;
  }
  return "NOT A KEY: two rows have the same";
}

Result<VerifyReport> Verify(const VerifyOptions& options) {
  TRY(const std::string text, ReadPolicyFile(options.policy));
  TRY(const Policy policy, ReadPolicy(text, options.policy));
  FileIncidentLog incidents(policy.facts_file + ".incidents");
  TRY(KeyFindings found, VerifyKeys(options.url, policy, incidents));
  TRY_DONE(WriteKeyFacts(found.facts, policy.facts_file));
  VerifyReport report{.keys = {}, .facts = policy.facts_file};
  for (KeyFinding& key : found.keys) {
    report.keys.push_back({.table = std::move(key.table),
                           .columns = std::move(key.columns),
                           .standing = StandingOf(key.state)});
  }
  return report;
}

std::string VerifiedJson(const VerifyReport& report) {
  nlohmann::ordered_json keys = nlohmann::ordered_json::array();
  for (const KeyReport& key : report.keys) {
    keys.push_back(
        {{"table", key.table}, {"columns", key.columns}, {"standing", Name(key.standing)}});
  }
  const nlohmann::ordered_json object = {{"keys", std::move(keys)}, {"facts", report.facts}};
  return JsonText(object) + "\n";
}

}  // namespace

Result<VerifyReport> VerifyData(const VerifyOptions& options) {
  return Guarded([&] { return Verify(options); });
}

bool AllHold(const VerifyReport& report) {
  return std::all_of(report.keys.begin(), report.keys.end(), [](const KeyReport& key) {
    return key.standing == KeyStanding::kEnforced || key.standing == KeyStanding::kUnique;
  });
}

std::string FormatVerified(const VerifyReport& report, Format format) {
  if (IsJson(format)) return VerifiedJson(report);
  std::string text;
  for (const KeyReport& key : report.keys) {
    std::string columns;
    for (const std::string& name : key.columns) columns += (columns.empty() ? "" : ", ") + name;
    text += key.table + " (" + columns + "): " + std::string(Sentence(key.standing)) + "\n";
  }
  return text + "written to " + report.facts + "\n";
}

}  // namespace dpsql
