#include "cli_options.h"

#include <pwd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "commands.h"
#include "fail.h"
#include "format_names.h"
#include "parameters_option.h"
#include "usage.h"

namespace dpsql::cli {
namespace {

// Who gave no policy gets the way to the first answer.
constexpr const char* kFirstSteps =
    "DPSQL+ answers SQL questions about sensitive data without telling about any one person.\n"
    "\n"
    "  dpsql demo                          see it at work in five minutes\n"
    "  dpsql init people.csv -o my.toml    write a policy for data of your own\n"
    "  dpsql --policy my.toml              ask\n"
    "\n"
    "`dpsql --help` has the rest.\n";

constexpr const char* kExitCodes =
    "Exit codes: 0 ok, 1 query refused, 2 usage or policy file, 3 budget, 4 database,\n"
    "5 ledger damaged, 130 interrupted.";

// What CLI11 reads before it is understood.
struct RawOptions {
  std::vector<std::string> commands;
  std::vector<std::string> files;
  std::string format = "box";
  std::vector<std::string> parameters;
};

struct InputOptions {
  const CLI::Option* commands = nullptr;
  const CLI::Option* files = nullptr;
};

void AddSessionOptions(CLI::App& app, SessionOptions& session) {
  app.add_option(
      "URL", session.url,
      "The database: a DuckDB file, sqlite:FILE, postgresql://… or spark://…; none where "
      "all tables are files");
  app.add_option("--policy", session.policy, "The owner's policy file")
      ->envname(kPolicyVariable)
      ->type_name("FILE");
  app.add_option(
         "--ledger", session.ledger,
         "The budget's file, or sqlite:FILE (default: beside the policy, ending in .ledger)")
      ->envname(kLedgerVariable)
      ->type_name("URL");
  app.add_option("--analyst", session.analyst, "Who asks (default: the login name)")
      ->envname(kAnalystVariable)
      ->type_name("NAME");
}

InputOptions AddQuestions(CLI::App& app, RawOptions& raw, Options& options) {
  InputOptions inputs;
  inputs.commands = app.add_option("-c", raw.commands, "The SQL to run; may be repeated")
                        ->type_name("SQL")
                        ->allow_extra_args(false);
  inputs.files =
      app.add_option("-f", raw.files, "A file of SQL to run, - for stdin; may be repeated")
          ->type_name("FILE")
          ->allow_extra_args(false);
  app.add_option("--param", raw.parameters, kParameterHelp)
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("--format", raw.format,
                 "How answers are printed: box, csv, json, jsonl or markdown (default: box)")
      ->check(CLI::IsMember(FormatNames()))
      ->type_name("FORMAT");
  app.add_flag("--dry-run", options.dry_run, "Explain each question and its price; ask none");
  app.add_flag("--confirm", options.confirm, "Tell each price first, and spend it on a yes only");
  app.add_flag("--keep-going", options.keep_going,
               "After a -c or -f that is refused go on with the next");
  app.add_flag("--no-files", options.no_files,
               "At the prompt: plain lines without history, and no command that uses a file");
  return inputs;
}

// -c and -f in the order in which they stand on the command line.
std::vector<Input> InOrder(const CLI::App& app, const InputOptions& inputs, RawOptions raw) {
  std::vector<Input> ordered;
  std::size_t commands = 0;
  std::size_t files = 0;
  for (const CLI::Option* option : app.parse_order()) {
    if (option == inputs.commands && commands < raw.commands.size()) {
      ordered.push_back({.is_file = false, .text = std::move(raw.commands[commands++])});
    } else if (option == inputs.files && files < raw.files.size()) {
      ordered.push_back({.is_file = true, .text = std::move(raw.files[files++])});
    }
  }
  return ordered;
}

Parsed Refused(const std::string& text) {
  std::cerr << text;
  return {.options = std::nullopt, .exit_code = kUsageError};
}

Parsed RefuseWithoutPolicy(const SessionOptions& session) {
  if (session.url.empty()) return Refused(kFirstSteps);
  // The URL of a server may hold a password.
  const bool is_file = session.url.find("://") == std::string::npos;
  return Refused("dpsql: no policy\nHINT:  name it with --policy FILE or in " +
                 std::string(kPolicyVariable) + "; `dpsql init " + (is_file ? session.url : "URL") +
                 "` writes a draft\n");
}

}  // namespace

std::string LoginName() {
  const passwd* entry = getpwuid(getuid());
  return entry != nullptr ? entry->pw_name : "unknown";
}

Parsed ParseArguments(int argc, char** argv) {
  Options options;
  options.session.analyst = LoginName();
  RawOptions raw;
  CLI::App app(
      "Ask SQL questions of sensitive data without learning about any one person.\n"
      "Without -c and -f questions are read at a prompt, or from stdin.",
      "dpsql");
  AddSessionOptions(app, options.session);
  const InputOptions inputs = AddQuestions(app, raw, options);
  app.set_version_flag("--version", DPSQL_VERSION);
  app.footer("Commands, each with its own --help:\n" + ListCommands() + kExitCodes);
  if (const auto ended = ParseOrExit(app, argc, argv)) {
    return {.options = std::nullopt, .exit_code = *ended};
  }
  if (options.session.policy.empty()) return RefuseWithoutPolicy(options.session);
  options.format = FindFormat(raw.format).value_or(Format::kBox);
  auto bound = ReadParameters(raw.parameters);
  if (!bound) {
    return {.options = std::nullopt, .exit_code = Fail(bound.error(), "", options.format)};
  }
  options.parameters = std::move(bound).value();
  options.inputs = InOrder(app, inputs, std::move(raw));
  return {.options = std::move(options)};
}

}  // namespace dpsql::cli
