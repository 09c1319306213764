#include "doctor_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "dpsql/doctor.h"
#include "usage.h"

namespace dpsql::cli {
namespace {

constexpr int kFailed = 2;

}  // namespace

int RunDoctor(int argc, char** argv) {
  DoctorOptions options;
  std::string format = "text";
  CLI::App app(
      "Look whether installation, policy, ledger and database are as they should be. Spends "
      "nothing, and creates no ledger.",
      "dpsql doctor");
  app.add_option("URL", options.url, "The database; none where all tables are files");
  app.add_option("--policy", options.policy, "The owner's policy file; else the installation only")
      ->envname("DPSQL_POLICY")
      ->type_name("FILE");
  app.add_option("--ledger", options.ledger,
                 "The budget's file, or sqlite:FILE (default: beside the policy)")
      ->envname("DPSQL_LEDGER")
      ->type_name("URL");
  app.add_option("--format", format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  app.footer(
      "Exit codes: 0 nothing failed, though there may be warnings; 2 something did, or "
      "usage.");
  if (const auto ended = ParseOrExit(app, argc, argv)) return *ended;
  const DoctorReport report = Examine(options);
  std::cout << FormatDoctor(report, format == "json" ? Format::kJson : Format::kBox);
  return HasFailed(report) ? kFailed : 0;
}

}  // namespace dpsql::cli
