#pragma once

#include <string>
#include <vector>

#include "dpsql/answer.h"

// Looks whether everything is in its place. Spends nothing, creates no ledger, and reads no row but
// as a session does that opens.
namespace dpsql {

struct DoctorOptions {
  std::string url;     // of the database; empty: none, or all tables are files
  std::string policy;  // the owner's file; empty: only the installation is examined
  std::string ledger;  // a path or sqlite:PATH; empty: beside the policy
};

enum class Health { kOk, kWarning, kFailed };

struct Checkup {
  Health health = Health::kOk;
  std::string area;  // installation, policy, ledger, database
  std::string what;
  std::string fix;  // what to do; empty where it is well
};

struct DoctorReport {
  std::vector<Checkup> checkups;
  std::vector<std::string> not_examined;  // areas that would need another argument
};

DoctorReport Examine(const DoctorOptions& options);

bool HasFailed(const DoctorReport& report);

// A line for each, `ok | warn | fail  area: what`, with what to do below; or one JSON object
// {"checks": […], "not_examined": […], "failed": 0, "warnings": 1}. Ensures: ends with a newline.
std::string FormatDoctor(const DoctorReport& report, Format format);

}  // namespace dpsql
