#include "commands.h"

#include <array>
#include <filesystem>
#include <system_error>
#include <vector>

#include "budget_command.h"
#include "check_command.h"
#include "demo_command.h"
#include "doctor_command.h"
#include "dpsql/suggest.h"
#include "init_command.h"
#include "ledger_command.h"
#include "policy_command.h"
#include "text_table.h"

namespace dpsql::cli {
namespace {

constexpr std::array kCommands = {
    Command{"demo", RunDemo, "a guided tour of five minutes"},
    Command{"init", RunInit, "draft a policy from a database or from files"},
    Command{"check", RunCheck, "check a policy, or a query against it; costs nothing"},
    Command{"policy", RunPolicy, "what a change of a policy does to the guarantee"},
    Command{"budget", RunBudget, "what is spent and what is left, and the owner's decisions"},
    Command{"audit", RunAudit, "write the record of all that was paid for"},
    Command{"ledger", RunLedger, "back up the ledger, verify it, bring it up to date"},
    Command{"doctor", RunDoctor, "examine installation, policy, ledger and database"},
};

}  // namespace

std::span<const Command> Commands() { return kCommands; }

const Command* FindCommand(std::string_view name) {
  for (const Command& command : kCommands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

std::string MeantCommand(const std::string& word) {
  std::error_code ignored;
  if (word.starts_with('-')) return "";  // an option: --policy is not a slip for policy
  if (FindCommand(word) != nullptr || std::filesystem::exists(word, ignored)) return "";
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  return Suggest(word, names).value_or("");
}

std::string ListCommands() {
  std::vector<std::vector<std::string>> rows;
  for (const Command& command : kCommands) {
    rows.push_back({"  dpsql " + std::string(command.name), std::string(command.summary)});
  }
  return AlignColumns(rows);
}

}  // namespace dpsql::cli
