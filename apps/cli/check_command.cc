#include "check_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "cli_options.h"
#include "dpsql/check.h"
#include "dpsql/display.h"
#include "dpsql/verify.h"
#include "fail.h"
#include "interrupt.h"
#include "parameters_option.h"
#include "usage.h"

namespace dpsql::cli {
namespace {

struct CheckArguments {
  CheckOptions options;
  Format format = Format::kBox;
  std::vector<std::string> queries;
  Parameters parameters;
  bool verify = false;
};

std::string ListDialects() {
  const std::vector<std::string> names = DialectNames();
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool last = i + 1 == names.size();
    list += (i == 0 ? "" : last ? " or " : ", ") + names[i];
  }
  return list;
}

// The arguments; where there are none to obey, the exit code is set.
std::optional<CheckArguments> Parse(int argc, char** argv, int& exit_code) {
  CheckArguments arguments;
  std::string format = "text";
  CLI::App app("Check a policy, or a query against it. Asks nothing and costs nothing.",
               "dpsql check");
  app.add_option("URL", arguments.options.url,
                 "The database, of which the schema is read; without it the policy's own types");
  app.add_option("--policy", arguments.options.policy, "The owner's policy file")
      ->required()
      ->envname(kPolicyVariable)
      ->type_name("FILE");
  app.add_option("-c", arguments.queries, "The SQL to check; may be repeated")
      ->type_name("SQL")
      ->allow_extra_args(false);
  std::vector<std::string> parameters;
  app.add_option("--param", parameters, kParameterHelp)
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("--dialect", arguments.options.dialect,
                 "With -c: also show the SQL that this database would run: " + ListDialects())
      ->type_name("NAME");
  app.add_flag("--verify", arguments.verify,
               "Read the data to find whether the policy's keys are unique, and write it down (for "
               "the owner)");
  app.add_option("--format", format, "How findings and plans are printed: text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  app.footer(
      "Exit codes: 0 no errors, or all queries accepted; 1 a query is refused; 2 usage, or errors\n"
      "in the policy, or a key that is none; 3 a setting outside the policy; 4 database.");
  if (const auto ended = ParseOrExit(app, argc, argv)) {
    exit_code = *ended;
    return std::nullopt;
  }
  if (format == "json") arguments.format = Format::kJson;
  auto bound = ReadParameters(parameters);
  if (!bound) {
    exit_code = Fail(bound.error(), "", arguments.format);
    return std::nullopt;
  }
  arguments.parameters = std::move(bound).value();
  return arguments;
}

int CheckFile(const CheckArguments& arguments) {
  const auto findings = CheckPolicy(arguments.options);
  if (!findings) return Fail(findings.error(), "", arguments.format);
  std::cout << FormatFindings(*findings, arguments.format);
  return HasErrors(*findings) ? kUsageError : 0;
}

int VerifyKeys(const CheckArguments& arguments) {
  BlockInterrupts();               // before the database's threads start, which inherit it
  const InterruptWatcher watcher;  // what they spill goes when the program is ended
  const auto report =
      VerifyData({.policy = arguments.options.policy, .url = arguments.options.url});
  if (!report) return Fail(report.error(), "", arguments.format);
  std::cout << FormatVerified(*report, arguments.format);
  return AllHold(*report) ? 0 : kUsageError;
}

// SQL is there to be copied, so that a file and a pipe get every character of its literals.
void Show(CheckedQuery query, Format format) {
  if (!IsJson(format) && isatty(STDOUT_FILENO) != 0) {
    for (std::string& statement : query.sql) statement = Printable(statement);
  }
  std::cout << FormatCheckedQuery(query, format);
}

int CheckQueries(const CheckArguments& arguments) {
  auto checker = QueryChecker::Open(arguments.options);
  if (!checker) return Fail(checker.error(), "", arguments.format);
  for (const std::string& notice : checker->notices()) {
    std::cerr << "note: " << Printable(notice) << "\n";
  }
  for (const std::string& sql : arguments.queries) {
    const auto checked = checker->Check(sql, arguments.parameters);
    if (!checked) return Fail(checked.error(), sql, arguments.format);
    for (const CheckedQuery& query : *checked) Show(query, arguments.format);
  }
  return 0;
}

}  // namespace

int RunCheck(int argc, char** argv) {
  int exit_code = 0;
  const auto arguments = Parse(argc, argv, exit_code);
  if (!arguments) return exit_code;
  if (arguments->verify) return VerifyKeys(*arguments);
  return arguments->queries.empty() ? CheckFile(*arguments) : CheckQueries(*arguments);
}

}  // namespace dpsql::cli
