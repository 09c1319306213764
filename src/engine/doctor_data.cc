#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "backend/data_files.h"
#include "dpsql/check.h"
#include "engine/doctor.h"

namespace dpsql {
namespace {

// The files of the data: the database's own, and those that are tables.
std::vector<std::string> FilesOf(const DoctorOptions& options, const Policy& policy) {
  std::vector<std::string> files;
  const std::string path = options.url.substr(options.url.find(':') + 1);
  const bool is_file = !path.starts_with("//") && options.url != ":memory:";
  if (!path.empty() && is_file) files.push_back(path);
  const auto tables = FindTableFiles(policy);
  if (!tables) return files;
  for (const TableFiles& table : *tables) {
    for (const FileStamp& stamp : table.files) files.push_back(stamp.path);
  }
  return files;
}

std::string Some(const std::vector<std::string>& files) {
  const std::string more =
      files.size() > 1 ? " and " + std::to_string(files.size() - 1) + " more" : "";
  return files[0] + more;
}

// The guarantee is of what passes through the program. Who reads the files does not.
void ExamineAccess(const std::vector<std::string>& files, AreaReport& area) {
  std::vector<std::string> open;
  std::vector<std::string> ours;
  for (const std::string& file : files) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) continue;
    if ((status.st_mode & (S_IRGRP | S_IROTH)) != 0) open.push_back(file);
    if (::access(file.c_str(), R_OK) == 0) ours.push_back(file);
  }
  if (!open.empty()) {
    area.Warn("others than its owner may read the data itself: " + Some(open),
              "run  chmod go=  on it");
  }
  if (!ours.empty()) {
    area.Warn("this account, " + ThisAccount() +
                  ", can read the data itself, and change policy "
                  "and ledger: " +
                  Some(ours),
              "let analysts ask under another account, through a program that runs under this one; "
              "nothing protects the data from who runs dpsql here");
  }
}

bool NeedsDatabase(const Policy& policy) {
  return std::any_of(policy.tables.begin(), policy.tables.end(),
                     [](const TablePolicy& table) { return !table.source; });
}

}  // namespace

void ExamineData(const DoctorOptions& options, const Policy& policy, DoctorReport& report) {
  AreaReport area("database", report);
  AreaReport words("policy", report);
  const bool absent = options.url.empty() && NeedsDatabase(policy);
  if (absent) report.not_examined.emplace_back("database");
  const std::string url = options.url.empty() && !absent ? ":memory:" : options.url;
  const auto findings = CheckPolicy({.policy = options.policy, .url = url});
  if (!findings) {
    area.Fail(findings.error());
    return;
  }
  for (const Finding& finding : *findings) {
    const std::string place = finding.file + ":" + std::to_string(finding.line) + ": ";
    if (finding.severity == Severity::kError) words.Fail(place + finding.message, finding.fix);
    if (finding.severity == Severity::kWarning) words.Warn(place + finding.message, finding.fix);
  }
  if (absent) return;
  if (!HasErrors(*findings)) area.Ok("it can be opened, and has the tables of the policy");
  ExamineAccess(FilesOf({.url = url, .policy = options.policy}, policy), area);
}

}  // namespace dpsql
