#include "engine/doctor.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/json_text.h"
#include "engine/guarded.h"
#include "engine/policy_file.h"

namespace dpsql {
namespace {

std::string_view Name(Health health) {
  switch (health) {
    case Health::kOk:
      return "ok";
    case Health::kWarning:
      return "warn";
    case Health::kFailed:
      break;
  }
  return "fail";
}

std::ptrdiff_t Count(const DoctorReport& report, Health health) {
  return std::count_if(report.checkups.begin(), report.checkups.end(),
                       [&](const Checkup& checkup) { return checkup.health == health; });
}

// A bug in one area hides no other.
template <typename Work>
void Guard(const std::string& area, DoctorReport& report, Work work) {
  const Status done = Guarded([&]() -> Status {
    work();
    return Done{};
  });
  if (!done) AreaReport(area, report).Fail(done.error());
}

// The policy, where it is one that sessions obey.
std::optional<Policy> ExaminePolicy(const DoctorOptions& options, DoctorReport& report) {
  AreaReport area("policy", report);
  const auto text = ReadPolicyFile(options.policy);
  if (!text) {
    area.Fail(text.error());
    return std::nullopt;
  }
  PolicyProblems problems;
  Policy policy = ReadPolicy(*text, options.policy, problems);
  for (const PolicyProblem& problem : problems) area.Fail(ToError(problem, options.policy));
  if (!problems.empty()) return std::nullopt;
  area.Ok(options.policy + " is a policy, of " + policy.dataset);
  WarnOfWriters(options.policy, "could change what is promised", area);
  return policy;
}

std::string DoctorJson(const DoctorReport& report) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Checkup& checkup : report.checkups) {
    list.push_back({{"health", Name(checkup.health)},
                    {"area", checkup.area},
                    {"what", checkup.what},
                    {"fix", checkup.fix}});
  }
  const nlohmann::ordered_json object = {{"checks", std::move(list)},
                                         {"not_examined", report.not_examined},
                                         {"failed", Count(report, Health::kFailed)},
                                         {"warnings", Count(report, Health::kWarning)}};
  return JsonText(object) + "\n";
}

}  // namespace

std::string ThisAccount() {
  const passwd* entry = getpwuid(geteuid());
  const std::string number = "uid " + std::to_string(geteuid());
  return entry != nullptr ? std::string(entry->pw_name) + " (" + number + ")" : number;
}

void WarnOfWriters(const std::string& path, const std::string& danger, AreaReport& report) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return;
  const bool sticky = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) == 0 || sticky) return;
  report.Warn("others than its owner may write to " + path + " and " + danger,
              "run  chmod go-w '" + path + "'");
}

DoctorReport Examine(const DoctorOptions& options) {
  DoctorReport report;
  Guard("installation", report, [&] { ExamineInstallation(report); });
  std::optional<Policy> policy;
  if (!options.policy.empty()) {
    Guard("policy", report, [&] { policy = ExaminePolicy(options, report); });
  } else {
    report.not_examined.emplace_back("policy");
  }
  if (!policy) {
    report.not_examined.insert(report.not_examined.end(), {"ledger", "database"});
    return report;
  }
  Guard("ledger", report, [&] { ExamineLedger(options, *policy, report); });
  Guard("database", report, [&] { ExamineData(options, *policy, report); });
  return report;
}

bool HasFailed(const DoctorReport& report) { return Count(report, Health::kFailed) > 0; }

std::string FormatDoctor(const DoctorReport& report, Format format) {
  if (format == Format::kJson) return DoctorJson(report);
  constexpr std::size_t kWidth = 6;
  std::string text;
  for (const Checkup& checkup : report.checkups) {
    const std::string health(Name(checkup.health));
    text += health + std::string(kWidth - health.size(), ' ') + checkup.area + ": " + checkup.what +
            "\n";
    if (!checkup.fix.empty()) text += std::string(kWidth, ' ') + "- " + checkup.fix + "\n";
  }
  std::string absent;
  for (const std::string& area : report.not_examined) {
    absent += (absent.empty() ? "" : ", ") + area;
  }
  if (!absent.empty()) text += "not examined: " + absent + "\n";
  return text + std::to_string(Count(report, Health::kFailed)) + " failed, " +
         std::to_string(Count(report, Health::kWarning)) + " to look at\n";
}

}  // namespace dpsql
