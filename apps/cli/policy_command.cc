#include "policy_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "dpsql/policy_diff.h"
#include "fail.h"
#include "usage.h"

namespace dpsql::cli {
namespace {

int Diff(const std::string& old_file, const std::string& new_file, Format format) {
  const auto changes = ComparePolicies(old_file, new_file);
  if (!changes) return Fail(changes.error(), "", format);
  std::cout << FormatPolicyChanges(*changes, format);
  return HasWeaker(*changes) ? 1 : 0;
}

}  // namespace

int RunPolicy(int argc, char** argv) {
  std::string old_file;
  std::string new_file;
  std::string format = "text";
  CLI::App app("Compare policies. Reads the files and nothing else.", "dpsql policy");
  app.require_subcommand(1);
  CLI::App* diff = app.add_subcommand("diff", "Say what a change does to the guarantee");
  diff->add_option("OLD", old_file, "The policy as it was")->required()->type_name("FILE");
  diff->add_option("NEW", new_file, "The policy as it shall be")->required()->type_name("FILE");
  diff->add_option("--format", format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  const std::string exits =
      "Exit codes: 0 the guarantee stays or becomes stronger, 1 something is weaker, 2 usage or\n"
      "policy file.";
  app.footer(exits);
  diff->footer(exits);
  if (const auto ended = ParseOrExit(app, argc, argv)) return *ended;
  return Diff(old_file, new_file, format == "json" ? Format::kJson : Format::kBox);
}

}  // namespace dpsql::cli
