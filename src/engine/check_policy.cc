#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/json_text.h"
#include "base/try.h"
#include "catalog/catalog.h"
#include "catalog/declared_schema.h"
#include "catalog/lint_policy.h"
#include "dpsql/check.h"
#include "engine/guarded.h"
#include "engine/policy_file.h"
#include "engine/read_schema.h"

namespace dpsql {
namespace {

std::string_view Name(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kInfo:
      return "info";
  }
  return "";
}

Finding ToFinding(const PolicyProblem& problem, const std::string& file) {
  const Error error = ToError(problem, file);
  return {.severity = Severity::kError,
          .code = error.code,
          .message = problem.message,
          .fix = error.hint,
          .file = file,
          .line = std::max(problem.line, 1)};
}

// A refusal of the policy that only opening its data can tell, "FILE:LINE: MESSAGE".
Finding ToFinding(const Error& error, const std::string& file) {
  Finding finding{.severity = Severity::kError,
                  .code = error.code,
                  .message = error.message,
                  .fix = error.hint,
                  .file = file,
                  .line = 1};
  const std::string place = file + ":";
  const std::size_t colon = error.message.find(": ", place.size());
  if (!error.message.starts_with(place) || colon == std::string::npos) return finding;
  finding.line = std::max(std::atoi(error.message.c_str() + place.size()), 1);
  finding.message = error.message.substr(colon + 2);
  return finding;
}

Finding Unchecked(const std::string& name, const Policy& policy) {
  const auto table =
      std::find_if(policy.tables.begin(), policy.tables.end(),
                   [&](const TablePolicy& declared) { return declared.name == name; });
  return {.severity = Severity::kInfo,
          .code = "unchecked-table",
          .message = "without a database and without column types nothing is known of " + name,
          .fix = "give the database's URL, or write  columns.x = { type = \"INTEGER\" }",
          .file = policy.file,
          .line = table == policy.tables.end() ? 1 : table->line};
}

// Lays the tables over the database, or over what the policy says of itself.
Status CheckTables(const CheckOptions& options, const Policy& policy, PolicyProblems& problems,
                   std::vector<Finding>& findings) {
  if (!options.url.empty()) {
    const Result<Schema> schema = ReadSchemaOf(options.url, policy);
    const bool of_policy = !schema && schema.error().code == CodeOf(ErrorCode::kPolicyTable);
    if (of_policy) {
      findings.push_back(ToFinding(schema.error(), policy.file));
      return Done{};
    }
    if (!schema) return schema.error();
    Catalog::FindProblems(policy, *schema, problems);
    findings = LintPolicy(policy, *schema);
    for (const SchemaWarning& warning : schema->warnings) {
      findings.push_back({.severity = Severity::kWarning,
                          .code = "database-account",
                          .message = warning.message,
                          .fix = warning.fix,
                          .file = policy.file});
    }
    return Done{};
  }
  Policy typed = policy;
  DeclaredSchema declared = DeclareSchema(policy);
  KeepTyped(typed, declared);
  Catalog::FindProblems(typed, declared.schema, problems);
  findings = LintPolicy(policy, declared.schema);
  for (const std::string& table : declared.untyped) {
    findings.push_back(Unchecked(table, policy));
  }
  return Done{};
}

Result<std::vector<Finding>> FindAll(const CheckOptions& options) {
  TRY(const std::string text, ReadPolicyFile(options.policy));
  PolicyProblems problems;
  const Policy policy = ReadPolicy(text, options.policy, problems);
  std::vector<Finding> findings;
  // A file that is no TOML says nothing of tables.
  const bool readable = problems.empty() || problems[0].code != ErrorCode::kPolicyFile;
  if (readable) TRY_DONE(CheckTables(options, policy, problems, findings));
  for (const PolicyProblem& problem : problems) {
    findings.push_back(ToFinding(problem, options.policy));
  }
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::pair(a.line, a.severity) < std::pair(b.line, b.severity);
  });
  return findings;
}

std::string FindingText(const Finding& finding) {
  std::ostringstream text;
  text << finding.file << ":" << finding.line << ": " << Name(finding.severity) << ": "
       << finding.message << " [" << finding.code << "]\n";
  if (!finding.fix.empty()) text << "    " << finding.fix << "\n";
  return text.str();
}

std::ptrdiff_t Count(const std::vector<Finding>& findings, Severity severity) {
  return std::count_if(findings.begin(), findings.end(),
                       [&](const Finding& finding) { return finding.severity == severity; });
}

std::string Counted(std::ptrdiff_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

std::string FindingsJson(const std::vector<Finding>& findings) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Finding& finding : findings) {
    list.push_back({{"severity", Name(finding.severity)},
                    {"code", finding.code},
                    {"file", finding.file},
                    {"line", finding.line},
                    {"message", finding.message},
                    {"fix", finding.fix}});
  }
  const nlohmann::ordered_json object = {{"findings", std::move(list)},
                                         {"errors", Count(findings, Severity::kError)},
                                         {"warnings", Count(findings, Severity::kWarning)}};
  return JsonText(object) + "\n";
}

}  // namespace

Result<std::vector<Finding>> CheckPolicy(const CheckOptions& options) {
  return Guarded([&] { return FindAll(options); });
}

bool HasErrors(const std::vector<Finding>& findings) {
  return Count(findings, Severity::kError) > 0;
}

std::string FormatFindings(const std::vector<Finding>& findings, Format format) {
  if (IsJson(format)) return FindingsJson(findings);
  std::string text;
  for (const Finding& finding : findings) text += FindingText(finding);
  return text + Counted(Count(findings, Severity::kError), "error") + ", " +
         Counted(Count(findings, Severity::kWarning), "warning") + "\n";
}

}  // namespace dpsql
