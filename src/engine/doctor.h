#pragma once

#include <optional>
#include <string>
#include <utility>

#include "backend/loaded_library.h"
#include "catalog/policy.h"
#include "dpsql/doctor.h"
#include "dpsql/error.h"

namespace dpsql {

// The checkups of one area, as they are written down.
class AreaReport {
 public:
  AreaReport(std::string area, DoctorReport& report) : area_(std::move(area)), report_(report) {}

  void Ok(std::string what) { Add(Health::kOk, std::move(what), ""); }
  void Warn(std::string what, std::string fix) {
    Add(Health::kWarning, std::move(what), std::move(fix));
  }
  void Fail(std::string what, std::string fix) {
    Add(Health::kFailed, std::move(what), std::move(fix));
  }
  void Fail(const Error& error) { Fail(error.message, error.hint); }

 private:
  void Add(Health health, std::string what, std::string fix) {
    report_.checkups.push_back(
        {.health = health, .area = area_, .what = std::move(what), .fix = std::move(fix)});
  }

  std::string area_;
  DoctorReport& report_;
};

void ExamineInstallation(DoctorReport& report);

// Its line about PostgreSQL's client library, as it was found.
void ExamineLibPq(const std::optional<LoadedLibrary>& library, AreaReport& area);

// Requires: the policy is one that sessions obey.
void ExamineLedger(const DoctorOptions& options, const Policy& policy, DoctorReport& report);
void ExamineData(const DoctorOptions& options, const Policy& policy, DoctorReport& report);

// Who runs the program, "name (uid 1000)".
std::string ThisAccount();

// Warns where others than the file's owner may write to it, or put another in its place.
void WarnOfWriters(const std::string& path, const std::string& danger, AreaReport& report);

}  // namespace dpsql
