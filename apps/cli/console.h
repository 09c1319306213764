#pragma once

#include <fstream>
#include <iostream>
#include <string>

#include "dpsql/session.h"
#include "interrupt.h"

namespace dpsql::cli {

// Text to run, and the file it is from; without a name it was typed.
struct Script {
  std::string name;
  std::string text;
};

// One analyst at work: the session, and how its answers are shown.
struct Console {
  Console(Session& asked, InterruptWatcher& watching) : session(asked), watcher(watching) {}

  Session& session;
  InterruptWatcher& watcher;
  RunOptions options;
  Look look;             // width and colour are those of the screen at the time
  bool confirm = false;  // before spending
  bool timer = false;
  // Whether commands may name files. Scripts never: their text may be another's than the account's
  // that runs them.
  bool files = false;
  bool ended = false;  // by .quit
  std::ofstream file;  // where answers go while it is open

  std::ostream& out() { return file.is_open() ? file : std::cout; }
};

// Runs SQL, and the shell's commands on lines of their own. A stretch of SQL is read as a whole
// before its first statement is paid for. Stops at the first error, shows it and returns its exit
// code.
int RunScript(const Script& script, Console& console);

// The text of a file, or of stdin for "-". Nothing where it cannot be read, which was said.
bool ReadScript(const std::string& name, Script& script);

}  // namespace dpsql::cli
