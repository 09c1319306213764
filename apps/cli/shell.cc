#include "shell.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <sstream>

#include "dpsql/language.h"
#include "format_names.h"
#include "history_file.h"
#include "line_editor.h"
#include "shell_commands.h"
#include "sql_tokens.h"

namespace dpsql::cli {
namespace {

constexpr const char* kPrompt = "dpsql> ";
constexpr const char* kContinuation = "   ...> ";

Vocabulary VocabularyOf(const Session& session) {
  Vocabulary vocabulary{.tables = session.tables(),
                        .functions = {},
                        .settings = {},
                        .commands = ShellCommandNames(),
                        .formats = FormatNames()};
  for (const FunctionInfo& function : Functions()) vocabulary.functions.push_back(function.name);
  for (const SettingInfo& setting : SessionSettings()) vocabulary.settings.push_back(setting.name);
  return vocabulary;
}

// "ε 3.96 left, about 55 questions at ε 0.5": of the analyst's own share where he has one.
std::string BudgetText(const BudgetReport& report, const std::string& analyst) {
  const auto own =
      std::find_if(report.analysts.begin(), report.analysts.end(),
                   [&](const AnalystBudget& each) { return each.name == analyst && each.own; });
  std::ostringstream text;
  text.precision(3);
  if (own != report.analysts.end()) {
    text << "ε " << own->own->epsilon_left << " of your share left";
  } else {
    text << "ε " << report.gauge.epsilon_left << " left, about " << report.queries_left
         << (report.queries_left == 1 ? " question" : " questions") << " at ε "
         << report.query_epsilon;
  }
  return text.str();
}

void Greet(const Console& console, const std::string& analyst, FILE* screen) {
  std::string text = "DPSQL+ " DPSQL_VERSION;
  const auto report = console.session.Budget();
  if (report) text += ", dataset " + report->dataset + ": " + BudgetText(*report, analyst);
  text += "\n.help for help, Ctrl-D to leave\n";
  std::fputs(text.c_str(), screen);
}

// The prompt with what was typed so far of a statement.
class Prompt {
 public:
  Prompt(Console& console, FILE* screen)
      : console_(console),
        vocabulary_(VocabularyOf(console.session)),
        editor_(
            screen,
            [this](std::string_view before, std::string_view after) {
              return Complete(typed_ + std::string(before), after, vocabulary_);
            },
            !console.files) {
    if (!console_.files) return;
    for (const std::string& entry : history_.Load()) editor_.Remember(entry);
  }

  // Returns false when the analyst leaves.
  bool TakeLine() {
    const LineRead read = editor_.Read(typed_.empty() ? kPrompt : kContinuation);
    if (read.kind == LineRead::Kind::kEnd) return false;
    if (read.kind == LineRead::Kind::kInterrupted) {
      typed_.clear();
    } else if (typed_.empty() && IsCommandLine(read.line)) {
      Remember(Trimmed(read.line));
      RunScript({.name = "", .text = read.line}, console_);
    } else {
      typed_ += read.line + "\n";
      RunTyped();
    }
    return !console_.ended;
  }

 private:
  void Remember(const std::string& statement) {
    for (const std::string& entry : HistoryEntries(statement)) {
      editor_.Remember(entry);
      if (console_.files) history_.Append(entry);
    }
  }

  // Runs each statement that is complete; an error does not keep the next from its turn.
  void RunTyped() {
    for (std::size_t end = StatementEnd(typed_); end != std::string::npos;
         end = StatementEnd(typed_)) {
      const std::string statement = Trimmed(typed_.substr(0, end));
      typed_.erase(0, end);
      if (IsBlank(statement)) continue;
      Remember(statement);
      RunScript({.name = "", .text = statement}, console_);
    }
    if (IsBlank(typed_)) typed_.clear();
  }

  Console& console_;
  Vocabulary vocabulary_;
  HistoryFile history_;
  std::string typed_;
  LineEditor editor_;
};

}  // namespace

int RunShell(Console& console, const std::string& analyst) {
  console.watcher.StayWhenIdle();
  FILE* screen = isatty(STDOUT_FILENO) != 0 ? stdout : stderr;
  Greet(console, analyst, screen);
  Prompt prompt(console, screen);
  while (prompt.TakeLine()) {
  }
  if (!console.ended) std::fputs("\n", screen);
  return 0;
}

}  // namespace dpsql::cli
