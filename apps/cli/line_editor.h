#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "completion.h"

namespace dpsql::cli {

// What the terminal gave: a line without its end, or the key that ended it.
struct LineRead {
  enum class Kind { kLine, kInterrupted, kEnd };
  Kind kind = Kind::kEnd;
  std::string line;
};

// Reads lines from the terminal with editing, history and completion.
class LineEditor {
 public:
  // Told the line before and after the cursor when TAB is pressed.
  using Completer = std::function<Completion(std::string_view before, std::string_view after)>;

  // `screen` is the terminal that shows what is typed. Plain lines are those of the terminal
  // itself, without keys, history or completion: libedit's own commands can bind keys that start
  // programs, with the rights of the account that runs us.
  LineEditor(FILE* screen, Completer completer, bool plain);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  // Ctrl-C ends the line, Ctrl-D on an empty one the input.
  LineRead Read(const std::string& prompt);

  // Lets the arrow keys find it again.
  void Remember(const std::string& entry);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dpsql::cli
