#include "console.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iomanip>
#include <iterator>
#include <sstream>
#include <system_error>

#include "dpsql/display.h"
#include "fail.h"
#include "progress_line.h"
#include "shell_commands.h"
#include "spending.h"
#include "sql_tokens.h"
#include "terminal.h"

namespace dpsql::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kUnwritable = 4;

// A file and a pipe get everything, a terminal what it has room for.
Look LookNow(const Console& console) {
  Look look = console.look;
  if (console.file.is_open()) return look;
  look.width = TerminalWidth(STDOUT_FILENO);
  look.color = TakesColor(STDOUT_FILENO);
  return look;
}

// A program reads the bytes that were released; a terminal would obey some of them.
Answer ForTerminal(Answer answer) {
  for (AnswerColumn& column : answer.columns) column.name = Printable(column.name);
  for (std::vector<Value>& row : answer.rows) {
    for (Value& value : row) {
      if (auto* text = std::get_if<std::string>(&value)) *text = Printable(*text);
    }
  }
  return answer;
}

std::string ShownAnswer(const Answer& answer, const Look& look, const Console& console) {
  const bool on_terminal = !console.file.is_open() && isatty(STDOUT_FILENO) != 0;
  const bool raw = look.format == Format::kCsv;  // the others let no control character through
  return FormatAnswer(on_terminal && raw ? ForTerminal(answer) : answer, look);
}

struct ReplyPrinter {
  Console& console;

  void operator()(const Answer& answer) const {
    const Look look = LookNow(console);
    console.out() << ShownAnswer(answer, look, console) << std::flush;
    const bool rows_only = look.format == Format::kCsv || look.format == Format::kJsonLines;
    if (rows_only) std::cerr << FormatFooter(answer);
  }
  void operator()(const Explanation& explanation) const {
    console.out() << FormatExplanation(explanation, console.look.format) << std::flush;
  }
  void operator()(const SettingChanged&) const {}
};

// Where programs read the answers the time goes beside them.
void TellTime(Clock::time_point since, const Console& console) {
  const std::chrono::duration<double> elapsed = Clock::now() - since;
  std::ostringstream text;
  text << "Time: " << std::fixed << std::setprecision(3) << elapsed.count() << " s\n";
  (console.look.format == Format::kBox ? std::cout : std::cerr) << text.str() << std::flush;
}

// The same error, placed in the whole script.
Error Moved(Error error, std::size_t begin) {
  if (error.span.empty()) return error;
  error.span.begin += static_cast<std::uint32_t>(begin);
  error.span.end += static_cast<std::uint32_t>(begin);
  return error;
}

int ShowFailure(const Error& error, const Script& script, const Console& console) {
  ShowError(error, script.text, script.name);
  const bool for_programs = IsJson(console.look.format) && !console.file.is_open();
  if (for_programs) std::cout << ErrorToJson(error, script.text) << "\n" << std::flush;
  return error.exit_code;
}

// What could not be written was not told.
int CheckWritten(Console& console) {
  if (console.out()) return 0;
  std::cerr << "dpsql: the output could not be written\n";
  return kUnwritable;
}

int RunSql(const ScriptPart& part, const Script& script, Console& console) {
  ProgressLine progress;
  RunOptions options = console.options;
  options.on_progress = [&](const Progress& now) { progress.Show(now); };
  options.before_spending = [&](const Explanation& explanation) {
    if (console.confirm) return AskToSpend(explanation, console.watcher);
    if (explanation.solved) TellSolvedPrice(explanation);
    return true;
  };
  auto since = Clock::now();
  const auto on_reply = [&](const Reply& reply) {
    progress.Hide();
    std::visit(ReplyPrinter{console}, reply);
    if (console.timer) TellTime(since, console);
    since = Clock::now();
  };
  const InterruptWatcher::Question running(console.watcher, [&] {
    console.session.Cancel();
    progress.ShowStopping();
  });
  const Status status = console.session.Run(part.text, on_reply, options);
  progress.Hide();
  if (!status) return ShowFailure(Moved(status.error(), part.begin), script, console);
  return CheckWritten(console);
}

}  // namespace

int RunScript(const Script& script, Console& console) {
  for (const ScriptPart& part : SplitScript(script.text)) {
    if (console.ended) break;
    const int exit_code =
        part.is_command ? RunShellCommand(part.text, console) : RunSql(part, script, console);
    if (exit_code != 0) return exit_code;
  }
  return 0;
}

bool ReadScript(const std::string& name, Script& script) {
  if (name == "-") {
    script = {.name = "", .text = {std::istreambuf_iterator<char>(std::cin), {}}};
    return true;
  }
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(name, ignored);
  std::ifstream file(name, std::ios::binary);
  if (file.is_open() && !is_folder) {
    script = {.name = name, .text = {std::istreambuf_iterator<char>(file), {}}};
    return true;
  }
  std::cerr << "dpsql: " << Printable(name)
            << " cannot be read: " << std::strerror(is_folder ? EISDIR : errno) << "\n";
  return false;
}

}  // namespace dpsql::cli
