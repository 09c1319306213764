#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dpsql::cli {

// A first word that is no database: `dpsql check`.
struct Command {
  std::string_view name;
  int (*run)(int argc, char** argv);  // argv[0] is the word itself
  std::string_view summary;
};

// In the order of the help.
std::span<const Command> Commands();

// Nothing where there is none of that name.
const Command* FindCommand(std::string_view name);

// The command that a word was probably meant to be, where it is neither that of a command nor a
// file; else empty.
std::string MeantCommand(const std::string& word);

// The commands, one line each, for the help.
std::string ListCommands();

}  // namespace dpsql::cli
