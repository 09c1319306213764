#include "cli_options.h"

#include <pwd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <map>

#include "fail.h"
#include "parameters_option.h"

namespace dpsql::cli {
namespace {

constexpr int kUsageError = 2;

const std::map<std::string, Format> kFormats = {{"box", Format::kBox},
                                                {"csv", Format::kCsv},
                                                {"json", Format::kJson},
                                                {"jsonl", Format::kJsonLines},
                                                {"markdown", Format::kMarkdown}};

}  // namespace

std::string LoginName() {
  const passwd* entry = getpwuid(getuid());
  return entry != nullptr ? entry->pw_name : "unknown";
}

Parsed ParseArguments(int argc, char** argv) {
  Options options;
  options.session.analyst = LoginName();
  CLI::App app("Ask SQL questions of sensitive data without learning about any one person.",
               "dpsql");
  app.add_option("URL", options.session.url,
                 "The database: a DuckDB file; none where all tables are files");
  app.add_option("--policy", options.session.policy, "The owner's policy file")
      ->required()
      ->type_name("FILE");
  app.add_option(
         "--ledger", options.session.ledger,
         "The budget's file, or sqlite:FILE (default: beside the policy, ending in .ledger)")
      ->type_name("URL");
  app.add_option("--analyst", options.session.analyst, "Who asks (default: the login name)")
      ->type_name("NAME");
  std::string format = "box";
  app.add_option("--format", format,
                 "How answers are printed: box, csv, json, jsonl or markdown (default: box)")
      ->check(CLI::IsMember({"box", "csv", "json", "jsonl", "markdown"}))
      ->type_name("FORMAT");
  app.add_option("-c", options.commands, "The SQL to run; may be repeated")
      ->required()
      ->type_name("SQL")
      ->allow_extra_args(false);
  std::vector<std::string> parameters;
  app.add_option("--param", parameters, kParameterHelp)
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.set_version_flag("--version", DPSQL_VERSION);
  app.footer(
      "`dpsql check --help` tells how to check a policy or a query without asking, `dpsql budget`\n"
      "what is spent and left, `dpsql audit export` writes the record of it.\n"
      "Exit codes: 0 ok, 1 query refused, 2 usage or policy file, 3 budget, 4 database,\n"
      "5 ledger damaged, 130 interrupted.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return {.options = std::nullopt, .exit_code = code == 0 ? 0 : kUsageError};
  }
  options.format = kFormats.at(format);
  auto bound = ReadParameters(parameters);
  if (!bound) {
    return {.options = std::nullopt, .exit_code = Fail(bound.error(), "", options.format)};
  }
  options.parameters = std::move(bound).value();
  return {.options = std::move(options)};
}

}  // namespace dpsql::cli
