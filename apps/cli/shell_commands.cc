#include "shell_commands.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <optional>

#include "describe_tables.h"
#include "dpsql/display.h"
#include "dpsql/suggest.h"
#include "fail.h"
#include "format_names.h"
#include "sql_tokens.h"
#include "text_table.h"
#include "usage.h"

namespace dpsql::cli {
namespace {

constexpr std::size_t kHistoryShown = 5;

int Complain(const std::string& text) {
  std::cerr << "dpsql: " << Printable(text) << "\n";
  return kUsageError;
}

int ShowHelp(const std::string& argument, Console& console);

int ShowTables(const std::string&, Console& console) {
  console.out() << ListTables(console.session.tables()) << std::flush;
  return 0;
}

int ShowSchema(const std::string& argument, Console& console) {
  const std::vector<TableInfo>& tables = console.session.tables();
  std::vector<std::string> names;
  bool found = false;
  for (const TableInfo& table : tables) {
    names.push_back(table.name);
    if (!argument.empty() && argument != table.name) continue;
    console.out() << (found ? "\n" : "") << DescribeTable(table);
    found = true;
  }
  console.out() << std::flush;
  if (found) return 0;
  const auto meant = Suggest(argument, names);
  return Complain("no table " + argument + (meant ? "; did you mean " + *meant + "?" : ""));
}

int DescribeOne(const std::string& argument, Console& console) {
  return argument.empty() ? ShowTables(argument, console) : ShowSchema(argument, console);
}

int ShowBudget(const std::string&, Console& console) {
  const auto report = console.session.Budget(kHistoryShown);
  if (!report) {
    ShowError(report.error(), "");
    return report.error().exit_code;
  }
  console.out() << FormatBudget(*report, console.look.format) << std::flush;
  return 0;
}

int ExplainSql(const std::string& argument, Console& console) {
  if (argument.empty()) return Complain("write  .explain SELECT …");
  const std::vector<ScriptPart> parts = SplitScript(argument);
  const auto is_command = [](const ScriptPart& part) { return part.is_command; };
  // A command could be .explain again, as deep as the text is long.
  if (std::any_of(parts.begin(), parts.end(), is_command)) {
    return Complain(".explain takes SQL, not a command");
  }
  const bool dry_run = console.options.dry_run;
  console.options.dry_run = true;
  const int exit_code = RunScript({.name = "", .text = argument}, console);
  console.options.dry_run = dry_run;
  return exit_code;
}

int ChooseFormat(const std::string& argument, Console& console) {
  if (argument.empty()) {
    std::cout << FormatName(console.look.format) << "\n";
    return 0;
  }
  const auto format = FindFormat(argument);
  if (format) {
    console.look.format = *format;
    return 0;
  }
  std::string names;
  for (const std::string& name : FormatNames()) names += " " + name;
  return Complain("no format " + argument + "; write one of" + names);
}

// "on" and "off", or the other of the two where nothing is said.
int Switch(const std::string& argument, const std::string& what, bool& state) {
  if (!argument.empty() && argument != "on" && argument != "off") {
    return Complain("on or off, not " + argument);
  }
  state = argument.empty() ? !state : argument == "on";
  std::cout << what << (state ? " is on\n" : " is off\n") << std::flush;
  return 0;
}

int SwitchTimer(const std::string& argument, Console& console) {
  return Switch(argument, "timer", console.timer);
}

int SwitchExpanded(const std::string& argument, Console& console) {
  return Switch(argument, "expanded display", console.look.expanded);
}

constexpr const char* kNoFiles =
    "only what is typed at the prompt names files, and not with --no-files; -f FILE runs a file";

int ReadFile(const std::string& argument, Console& console) {
  if (!console.files) return Complain(kNoFiles);
  if (argument.empty()) return Complain("write  .read FILE");
  Script script;
  if (!ReadScript(argument, script)) return kUsageError;
  console.files = false;  // the file may be another's than the one who reads it
  const int exit_code = RunScript(script, console);
  console.files = true;
  return exit_code;
}

int ChooseOutput(const std::string& argument, Console& console) {
  if (!console.files) return Complain(kNoFiles);
  if (console.file.is_open()) console.file.close();
  console.file.clear();
  if (argument.empty()) return 0;
  console.file.open(argument, std::ios::binary | std::ios::trunc);
  if (console.file.is_open()) return 0;
  return Complain(argument + " cannot be written: " + std::strerror(errno));
}

int Quit(const std::string&, Console& console) {
  console.ended = true;
  return 0;
}

struct ShellCommand {
  std::string_view name;
  std::string_view also;  // psql's name of it
  std::string_view argument;
  std::string_view summary;
  int (*run)(const std::string& argument, Console& console);
};

constexpr std::array<ShellCommand, 12> kCommands = {{
    {".help", "\\?", "", "what can be typed here", ShowHelp},
    {".tables", "\\dt", "", "the tables that can be asked", ShowTables},
    {".schema", "", "[TABLE]", "their columns: types, bounds, declared values", ShowSchema},
    {"\\d", "", "[TABLE]", "as psql has it: .tables, or .schema TABLE", DescribeOne},
    {".budget", "", "", "what is spent and what is left; costs nothing", ShowBudget},
    {".explain", "", "SQL", "price, noise and plan of a question that is not asked", ExplainSql},
    {".mode", "", "[FORMAT]", "box, csv, json, jsonl or markdown", ChooseFormat},
    {"\\x", "", "[on|off]", "a block for each row instead of a table", SwitchExpanded},
    {".timer", "\\timing", "[on|off]", "the time that each statement took", SwitchTimer},
    {".read", "\\i", "FILE", "runs a file; its first error ends it", ReadFile},
    {".output", "\\o", "[FILE]", "writes answers to a file; alone, to the screen again",
     ChooseOutput},
    {".quit", "\\q", "", "leaves, as Ctrl-D does", Quit},
}};

int ShowHelp(const std::string&, Console& console) {
  std::vector<std::vector<std::string>> rows;
  for (const ShellCommand& command : kCommands) {
    const std::string gap = command.argument.empty() ? "" : " ";
    rows.push_back({std::string(command.name) + gap + std::string(command.argument),
                    std::string(command.also), std::string(command.summary)});
  }
  console.out() << "Type SQL, end it with ; and press Enter. TAB completes, Ctrl-C stops.\n\n"
                << AlignColumns(rows)
                << "\nEXPLAIN (DP) SELECT … tells the price first; SET dp.epsilon = 0.1 asks for "
                   "less.\n"
                << std::flush;
  return 0;
}

// Without the `;` that the fingers write, and without quotes around it.
std::string ArgumentOf(std::string_view text) {
  std::string argument = Trimmed(text);
  while (argument.ends_with(';')) argument = Trimmed(argument.substr(0, argument.size() - 1));
  const bool quoted = argument.size() > 1 && argument.front() == argument.back() &&
                      (argument.front() == '\'' || argument.front() == '"');
  return quoted ? argument.substr(1, argument.size() - 2) : argument;
}

}  // namespace

int RunShellCommand(std::string_view line, Console& console) {
  const std::string text = Trimmed(line);
  const std::size_t name_end = std::min(text.find_first_of(" \t;"), text.size());
  const std::string name = text.substr(0, name_end);
  for (const ShellCommand& command : kCommands) {
    if (name != command.name && name != command.also) continue;
    const std::string argument = ArgumentOf(std::string_view(text).substr(name_end));
    if (!argument.empty() && command.argument.empty()) {
      return Complain(name + " takes nothing after it");
    }
    return command.run(argument, console);
  }
  const auto meant = Suggest(name, ShellCommandNames());
  return Complain("no command " + name +
                  (meant ? "; did you mean " + *meant + "?" : "; .help lists them"));
}

std::vector<std::string> ShellCommandNames() {
  std::vector<std::string> names;
  for (const ShellCommand& command : kCommands) {
    names.emplace_back(command.name);
    if (!command.also.empty()) names.emplace_back(command.also);
  }
  return names;
}

}  // namespace dpsql::cli
