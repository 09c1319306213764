#include <nlohmann/json.hpp>
#include <utility>

#include "account/ledger_files.h"
#include "account/ledger_upkeep.h"
#include "base/display.h"
#include "base/json_text.h"
#include "base/try.h"
#include "dpsql/ledger.h"
#include "engine/budget_text.h"
#include "engine/guarded.h"
#include "engine/ledger_of_policy.h"

namespace dpsql {
namespace {

VerifiedLedger LedgerOf(std::string path, const VerifiedFiles& files) {
  return {.path = std::move(path),
          .version = files.version,
          .entries = files.last.sequence,
          .reservations = files.last.reservations,
          .releases = files.last.releases,
          .last_time = files.last.event.time,
          .head = files.last.hash};
}

std::string EntriesText(const VerifiedLedger& ledger) {
  return std::to_string(ledger.entries) + " (questions: " + std::to_string(ledger.reservations) +
         " paid, " + std::to_string(ledger.releases) + " answered)";
}

}  // namespace

Result<VerifiedLedger> VerifyLedger(const LedgerLocation& place, const std::string& kept_head) {
  return Guarded([&]() -> Result<VerifiedLedger> {
    TRY(const std::string path, LedgerPath(place.ledger, place.policy));
    TRY(const VerifiedFiles files, VerifyLedgerFiles(path, kept_head));
    return LedgerOf(path, files);
  });
}

Result<VerifiedLedger> BackUpLedger(const LedgerLocation& place, const std::string& file) {
  return Guarded([&]() -> Result<VerifiedLedger> {
    TRY(const std::string path, LedgerPath(place.ledger, place.policy));
    TRY(const VerifiedFiles files, BackUpLedgerFiles(path, file));
    return LedgerOf(file, files);
  });
}

Result<LedgerUpgrade> UpgradeLedger(const LedgerLocation& place) {
  return Guarded([&]() -> Result<LedgerUpgrade> {
    TRY(const std::string path, LedgerPath(place.ledger, place.policy));
    TRY(const std::int64_t from, UpgradeLedgerFiles(path));
    return LedgerUpgrade{.path = path, .from = from, .to = kLedgerSchemaVersion};
  });
}

std::string FormatLedger(const VerifiedLedger& ledger, Format format) {
  if (format == Format::kJson) {
    return JsonText({{"ledger", ledger.path},
                     {"version", ledger.version},
                     {"entries", ledger.entries},
                     {"reservations", ledger.reservations},
                     {"releases", ledger.releases},
                     {"last_time", ledger.last_time},
                     {"head", ledger.head},
                     {"ok", true}}) +
           "\n";
  }
  std::vector<std::vector<std::string>> rows = {
      {"version", std::to_string(ledger.version)},
      {"entries", EntriesText(ledger)},
      {"head", std::to_string(ledger.entries) + " " + ledger.head}};
  if (!ledger.last_time.empty()) rows.insert(rows.begin() + 2, {"last", ledger.last_time});
  return Printable(ledger.path) + ": ok\n" + Aligned(rows);
}

std::string FormatUpgrade(const LedgerUpgrade& upgrade, Format format) {
  if (format == Format::kJson) {
    return JsonText({{"ledger", upgrade.path}, {"from", upgrade.from}, {"to", upgrade.to}}) + "\n";
  }
  const std::string to = std::to_string(upgrade.to);
  if (upgrade.from == upgrade.to) {
    return Printable(upgrade.path) + ": version " + to + " already, nothing to do\n";
  }
  return Printable(upgrade.path) + ": version " + std::to_string(upgrade.from) + " became " + to +
         "\n";
}

}  // namespace dpsql
