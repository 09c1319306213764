#include "ledger_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "dpsql/ledger.h"
#include "fail.h"
#include "usage.h"

namespace dpsql::cli {
namespace {

struct LedgerArguments {
  LedgerLocation place;
  std::string file;
  std::string kept_head;
  Format format = Format::kBox;
};

int Verify(const LedgerArguments& arguments) {
  const auto verified = VerifyLedger(arguments.place, arguments.kept_head);
  if (!verified) return Fail(verified.error(), "", arguments.format);
  std::cout << FormatLedger(*verified, arguments.format);
  return 0;
}

int BackUp(const LedgerArguments& arguments) {
  const auto copy = BackUpLedger(arguments.place, arguments.file);
  if (!copy) return Fail(copy.error(), "", arguments.format);
  std::cout << FormatLedger(*copy, arguments.format);
  return 0;
}

int Upgrade(const LedgerArguments& arguments) {
  const auto upgrade = UpgradeLedger(arguments.place);
  if (!upgrade) return Fail(upgrade.error(), "", arguments.format);
  std::cout << FormatUpgrade(*upgrade, arguments.format);
  return 0;
}

void AddPlace(CLI::App& app, LedgerLocation& place) {
  app.add_option("--policy", place.policy, "The owner's policy file, for the ledger beside it")
      ->envname("DPSQL_POLICY")
      ->type_name("FILE");
  app.add_option("--ledger", place.ledger, "The budget's file, or sqlite:FILE")
      ->envname("DPSQL_LEDGER")
      ->type_name("URL");
}

}  // namespace

int RunLedger(int argc, char** argv) {
  LedgerArguments arguments;
  std::string format = "text";
  CLI::App app("Copy, check and upgrade the files that remember what is spent. Costs nothing.",
               "dpsql ledger");
  app.fallthrough();
  app.require_subcommand(1);
  AddPlace(app, arguments.place);
  app.add_option("--format", format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  CLI::App* backup = app.add_subcommand(
      "backup", "Write a verified copy to FILE and FILE.head, while others go on");
  backup->add_option("FILE", arguments.file, "Where to; nothing is overwritten")->required();
  CLI::App* verify =
      app.add_subcommand("verify", "Check every entry from the first on, and the head file");
  verify
      ->add_option(
          "--head", arguments.kept_head,
          "A copy of the head file that was kept elsewhere: shows an old copy of both files")
      ->type_name("FILE");
  app.add_subcommand("upgrade", "Bring a ledger of an older version to the present one");
  app.footer("Exit codes: 0 ok, 2 usage, no such ledger or a file in the way, 5 ledger damaged.");
  try {
    app.parse(argc, argv);
    if (arguments.place.policy.empty() && arguments.place.ledger.empty()) {
      throw CLI::RequiredError("--policy or --ledger");
    }
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsageError;
  }
  if (format == "json") arguments.format = Format::kJson;
  if (backup->parsed()) return BackUp(arguments);
  return verify->parsed() ? Verify(arguments) : Upgrade(arguments);
}

}  // namespace dpsql::cli
