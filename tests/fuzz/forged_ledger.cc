#include "fuzz/forged_ledger.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <memory>
#include <utility>

#include "account/budget_terms.h"
#include "account/chain.h"
#include "account/entry_rows.h"
#include "account/ledger_owner.h"
#include "base/check.h"
#include "base/sha256.h"
#include "base/try.h"
#include "fuzz/counting_random.h"

namespace dpsql {
namespace {

constexpr const char* kLedger = "ledger";
constexpr const char* kHead = "ledger.head";
constexpr const char* kLog = "ledger-wal";

// In the order of the table, which is the order of the hash, but for the hash itself.
constexpr auto kColumns = std::to_array<const char*>({"sequence",
                                                      "kind",
                                                      "reservation",
                                                      "analyst",
                                                      "time",
                                                      "mark",
                                                      "epsilon",
                                                      "delta",
                                                      "doors",
                                                      "charge_mu_squared",
                                                      "charge_delta",
                                                      "charge_epsilon",
                                                      "plan_digest",
                                                      "payload_digest",
                                                      "keeps_answer",
                                                      "window",
                                                      "spent_mu_squared",
                                                      "spent_delta",
                                                      "spent_epsilon",
                                                      "analyst_mu_squared",
                                                      "analyst_delta",
                                                      "analyst_epsilon",
                                                      "analyst_queries",
                                                      "analyst_unended",
                                                      "analyst_aborts",
                                                      "reservations",
                                                      "releases",
                                                      "terms",
                                                      "commit_first",
                                                      "previous"});

constexpr auto kValues = std::to_array<const char*>({"0",
                                                     "1",
                                                     "-1",
                                                     "2",
                                                     "9223372036854775807",
                                                     "-9223372036854775808",
                                                     "9223372036854775806",
                                                     "340282366920938463463374607431768211455",
                                                     "340282366920938463463374607431768211454",
                                                     "79228162514264337593543950336",
                                                     "",
                                                     "reserve",
                                                     "store",
                                                     "receipt",
                                                     "grant",
                                                     "revoke",
                                                     "alice",
                                                     "bob",
                                                     "1700000000",
                                                     "00",
                                                     "é",
                                                     "abort"});

void AddField(std::string& bytes, const std::string& field) {
  bytes += std::to_string(field.size()) + ":" + field;
}

Result<std::string> GenesisHash(SqliteHandle& database) {
  std::string bytes;
  AddField(bytes, "dpsql-ledger-meta-2");
  TRY(SqliteStatement rows, database.Prepare("SELECT key, value FROM meta ORDER BY key"));
  while (true) {
    TRY(const bool found, rows.Step());
    if (!found) return Sha256Hex(bytes);
    AddField(bytes, rows.Text(0));
    AddField(bytes, rows.Text(1));
  }
}

std::string ListOfColumns() {
  std::string list;
  for (const char* column : kColumns) list += std::string(list.empty() ? "" : ", ") + column;
  return list;
}

Answer ForgedAnswer() {
  Answer answer;
  answer.columns = {
      {.name = "n", .type = "BIGINT", .role = ColumnRole::kEstimate, .mechanism = "gaussian"}};
  answer.rows = {{std::int64_t{7}}};
  answer.intervals = {{NoiseInterval{.low = 1, .high = 9}}};
  return answer;
}

Files Snapshot(const MemoryFolder& folder) {
  Files files;
  for (const char* name : {kLedger, kHead, kLog}) {
    if (std::filesystem::exists(folder / name)) files[name] = folder.Read(name);
  }
  return files;
}

// Some questions of two analysts: answered, failed, still open, repeated.
void AskSome(const MemoryFolder& folder, const BudgetTerms& terms) {
  for (const char* analyst : {"alice", "bob"}) {
    Ledger ledger = Ledger::Open(ForgedOptions(folder, terms, analyst)).value();
    for (const char plan : {'a', 'b', 'c'}) {
      if (ledger.Stored(ForgedCost(terms, 20, plan)).value()) continue;
      Reservation paid = ledger.Reserve(ForgedCost(terms, 20, plan)).value();
      if (plan == 'a') Check(ledger.Store(std::move(paid), ForgedAnswer()).ok(), "stored");
      if (plan == 'b') Check(ledger.Abandon(std::move(paid), Ending::kFailed).ok(), "ended");
    }
  }
}

std::optional<UInt128> Units(const SqliteStatement& row, int column) {
  return ParseUInt128(row.Text(column));
}

std::optional<Purses> ReadPurses(const SqliteStatement& row, int first) {
  const auto mu_squared = Units(row, first);
  const auto delta = Units(row, first + 1);
  const auto epsilon = Units(row, first + 2);
  if (!mu_squared || !delta || !epsilon) return std::nullopt;
  return Purses{.mu_squared = *mu_squared, .delta = *delta, .epsilon = *epsilon};
}

Result<std::optional<RawLedger>> ReadRaw(SqliteHandle& database) {
  RawLedger raw;
  TRY(raw.created, database.QueryInt("SELECT value FROM meta WHERE key = 'created'"));
  TRY(raw.terms,
      database.QueryText("SELECT coalesce((SELECT text FROM terms ORDER BY sequence DESC LIMIT 1), "
                         "(SELECT value FROM meta WHERE key = 'terms'))"));
  TRY(SqliteStatement rows,
      database.Prepare("SELECT kind, analyst, mark, window, charge_mu_squared, charge_delta, "
                       "charge_epsilon, spent_mu_squared, spent_delta, spent_epsilon "
                       "FROM entries ORDER BY sequence"));
  while (true) {
    TRY(const bool found, rows.Step());
    if (!found) return std::optional(std::move(raw));
    const auto charge = ReadPurses(rows, 4);
    const auto spent = ReadPurses(rows, 7);
    if (!charge || !spent) return std::optional<RawLedger>();
    raw.entries.push_back({.kind = rows.Text(0),
                           .analyst = rows.Text(1),
                           .mark = rows.Int(2),
                           .window = rows.Int(3),
                           .charge = *charge,
                           .spent = *spent});
  }
}

}  // namespace

LedgerOptions ForgedOptions(const MemoryFolder& folder, const BudgetTerms& terms,
                            const std::string& analyst) {
  return {.path = folder / kLedger,
          .terms = terms,
          .analyst = analyst,
          .random = std::make_shared<CountingRandom>(),
          .clock = [] { return kForgedNow; }};
}

Cost ForgedCost(const BudgetTerms& terms, unsigned slots, char plan) {
  const Purses caps = CapsOf(terms.budget);
  const Purses charge{.mu_squared = caps.mu_squared / slots,
                      .delta = caps.delta / slots,
                      .epsilon = caps.epsilon / slots};
  return {.by_mechanism = charge,
          .by_claim = charge,
          .asked = {.epsilon = 0.1, .delta = 1e-7},
          .doors = 1,
          .plan_digest = std::string(64, plan),
          .storable = true};
}

std::vector<LedgerImage> MakeLedgerImages(const MemoryFolder& folder) {
  std::vector<LedgerImage> images;
  const BudgetTerms plain{.dataset = "shop", .budget = {.total = {.epsilon = 1, .delta = 1e-6}}};
  BudgetTerms shares = plain;
  shares.budget.accountant = Accountant::kBasic;
  shares.analysts = {{"alice", {.epsilon = 0.5, .delta = 5e-7}},
                     {"bob", {.epsilon = 1, .delta = 1e-6}}};
  shares.renew_days = 1;
  for (const BudgetTerms& terms : {plain, shares}) {
    folder.Clear();
    Check(Ledger::Open(ForgedOptions(folder, terms, "alice")).ok(), "a ledger begins");
    images.push_back({Snapshot(folder), terms});
    AskSome(folder, terms);
    images.push_back({Snapshot(folder), terms});
    Files crashed = images.back().files;
    crashed[kHead].resize(crashed[kHead].size() - 40);  // the last line is torn
    images.push_back({crashed, terms});
    const LedgerOptions owner = ForgedOptions(folder, terms, "owner");
    Check(RevokeSpending(owner, "bob").ok() && AdmitAnalyst(owner, "bob").ok(), "revoked");
    images.push_back({Snapshot(folder), terms});
    const Result<Ledger> in_use = Ledger::Open(ForgedOptions(folder, terms, "alice"));
    Check(PardonAnalyst(owner, "alice").ok(), "pardoned");
    images.push_back({Snapshot(folder), terms});  // with SQLite's log
  }
  return images;
}

const BudgetTerms& LedgerForger::Forge() {
  const LedgerImage& image = choices_.Pick(images_);
  folder_.Clear();
  for (const auto& [name, bytes] : image.files) folder_.Write(name, bytes);
  constexpr std::size_t kMostEdits = 8;
  for (std::size_t i = 0; i < kMostEdits && !choices_.empty(); ++i) EditOnce();
  return image.terms;
}

void LedgerForger::EditOnce() {
  switch (choices_.Below(8)) {
    case 0:
    case 1:
      return EditBytes();
    case 2:
      return EditOther();
    case 3:
      return RemoveOrCopyRow();
    case 4:
      return Rehash();
    case 5:
      return Rebuild();
    default:
      return EditRow();
  }
}

std::size_t LedgerForger::Offset(std::size_t size) {
  const std::size_t high = choices_.Below(256) << 16;
  const std::size_t middle = choices_.Below(256) << 8;
  return size == 0 ? 0 : (high + middle + choices_.Below(256)) % size;
}

void LedgerForger::EditBytes() {
  const std::string name = choices_.Pick(std::to_array<const char*>({kLedger, kHead, kLog}));
  std::string bytes = folder_.Read(name);
  switch (choices_.Below(6)) {
    case 0:
      bytes.resize(Offset(bytes.size()));
      break;
    case 1:
      for (std::size_t size = choices_.Below(200); size > 0 && !choices_.empty(); --size) {
        bytes += static_cast<char>(choices_.Below(256));
      }
      break;
    case 2: {
      const Files& others = choices_.Pick(images_).files;
      const auto other = others.find(name);
      if (other == others.end()) {
        std::filesystem::remove(folder_ / name);
        return;
      }
      bytes = other->second;
      break;
    }
    case 3:
      bytes.clear();
      while (!choices_.empty()) bytes += static_cast<char>(choices_.Below(256));
      break;
    default:
      if (bytes.empty()) return;
      bytes[Offset(bytes.size())] = static_cast<char>(choices_.Below(256));
  }
  folder_.Write(name, bytes);
}

// One that means something, or that of another row.
std::string LedgerForger::DrawValue(SqliteHandle& database, const std::string& column) {
  if (!choices_.In16(4)) return choices_.Pick(kValues);
  const auto copied = database.QueryText("SELECT coalesce((SELECT " + column +
                                         " FROM entries ORDER BY sequence LIMIT 1 OFFSET " +
                                         std::to_string(choices_.Below(12)) + "), '')");
  return copied.ok() ? *copied : "";
}

void LedgerForger::EditRow() {
  auto database = SqliteHandle::Open(folder_ / kLedger, SqliteHandle::Mode::kOpen);
  if (!database) return;
  const std::string column = choices_.In16(2) ? "hash" : choices_.Pick(kColumns);
  const std::string value = DrawValue(*database, column);
  auto edit = database->Prepare("UPDATE entries SET " + column +
                                " = ? WHERE sequence = (SELECT sequence FROM entries "
                                "ORDER BY sequence DESC LIMIT 1 OFFSET ?)");
  if (!edit) return;
  edit->Bind(value).Bind(static_cast<std::int64_t>(choices_.Below(12)));
  static_cast<void>(edit->Run());  // the file may be damaged by now
}

void LedgerForger::EditOther() {
  auto database = SqliteHandle::Open(folder_ / kLedger, SqliteHandle::Mode::kOpen);
  if (!database) return;
  const std::string sql = choices_.Pick(std::to_array<const char*>(
      {"UPDATE meta SET value = replace(value, '\"renew_days\":1', '\"renew_days\":-1')",
       "UPDATE meta SET value = replace(value, '\"caps\":{\"mu_squared\":\"',"
       " '\"caps\":{\"mu_squared\":\"9')",
       "UPDATE meta SET value = replace(value, ':1,', ':9223372036854775807,')",
       "UPDATE meta SET value = '-9223372036854775808' WHERE key = 'created'",
       "UPDATE meta SET value = '9223372036854775807' WHERE key = 'created'",
       "DELETE FROM meta WHERE key = 'terms'",
       "UPDATE meta SET value = value || ' '",
       "INSERT INTO meta (key, value) VALUES ('other', '')",
       "UPDATE terms SET text = replace(text, '\"delta\":\"', '\"delta\":\"1')",
       "UPDATE terms SET sequence = sequence + 1",
       "DELETE FROM terms",
       "UPDATE terms SET text = '{}'",
       "DELETE FROM answers",
       "UPDATE answers SET bytes = x'7b7d'",
       "UPDATE answers SET reservation = reservation + 1",
       "DELETE FROM open_reservations",
       "UPDATE open_reservations SET analyst = 'alice'",
       "INSERT INTO open_reservations VALUES (9223372036854775807, 'alice')",
       "PRAGMA user_version = 2",
       "PRAGMA user_version = 4",
       "PRAGMA application_id = 1",
       "CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END",
       "CREATE INDEX more ON entries (hash)",
       "DROP TABLE answers"}));
  static_cast<void>(database->Execute(sql.c_str()));
}

void LedgerForger::RemoveOrCopyRow() {
  auto database = SqliteHandle::Open(folder_ / kLedger, SqliteHandle::Mode::kOpen);
  if (!database) return;
  const std::string place = std::to_string(choices_.Below(12));
  const std::string row =
      "(SELECT sequence FROM entries ORDER BY sequence DESC LIMIT 1 OFFSET " + place + ")";
  std::string columns = ListOfColumns() + ", hash";
  std::string shown = columns;
  shown.replace(0, std::string("sequence").size(),
                choices_.Pick(std::to_array<const char*>({"(SELECT max(sequence) + 1 FROM entries)",
                                                          "9223372036854775807", "-1", "0"})));
  const std::string sql = choices_.In16(8) ? "DELETE FROM entries WHERE sequence = " + row
                                           : "INSERT INTO entries (" + columns + ") SELECT " +
                                                 shown + " FROM entries WHERE sequence = " + row;
  static_cast<void>(database->Execute(sql.c_str()));
}

// Makes every hash from a row on fit what the rows say now, and the head file too.
void LedgerForger::Rehash() {
  auto database = SqliteHandle::Open(folder_ / kLedger, SqliteHandle::Mode::kOpen);
  if (!database) return;
  const auto rehash = [&]() -> Status {
    TRY(std::string previous, GenesisHash(*database));
    std::vector<std::pair<std::string, std::string>> hashes;  // sequence, and previous then own
    TRY(SqliteStatement rows,
        database->Prepare("SELECT " + ListOfColumns() + " FROM entries ORDER BY sequence"));
    while (true) {
      TRY(const bool found, rows.Step());
      if (!found) break;
      std::string bytes;
      AddField(bytes, "dpsql-ledger-entry-2");
      for (std::size_t i = 0; i + 1 < kColumns.size(); ++i) {
        AddField(bytes, rows.Text(static_cast<int>(i)));
      }
      AddField(bytes, previous);
      hashes.emplace_back(rows.Text(0), previous);
      previous = Sha256Hex(bytes);
      hashes.back().second += previous;
    }
    for (const auto& [sequence, both] : hashes) {
      TRY(SqliteStatement edit,
          database->Prepare("UPDATE entries SET previous = ?, hash = ? WHERE sequence = ?"));
      TRY_DONE(edit.Bind(both.substr(0, 64)).Bind(both.substr(64)).Bind(sequence).Run());
    }
    return Done{};
  };
  if (rehash().ok()) WriteHead(*database);
}

// Makes a chain of what the rows say happened, with totals that fit, as the product would have.
void LedgerForger::Rebuild() {
  auto database = SqliteHandle::Open(folder_ / kLedger, SqliteHandle::Mode::kOpen);
  if (!database) return;
  const auto rebuild = [&]() -> Status {
    LedgerMeta meta;
    TRY(SqliteStatement pairs, database->Prepare("SELECT key, value FROM meta"));
    while (true) {
      TRY(const bool found, pairs.Step());
      if (!found) break;
      meta[pairs.Text(0)] = pairs.Text(1);
    }
    const auto fixed = ParseTerms(meta["terms"]);
    const std::int64_t days = fixed ? fixed->terms.renew_days : 0;
    const Calendar calendar{.created = std::atoll(meta["created"].c_str()),
                            .renew_seconds = days == 1 ? 86'400 : 0};
    if (calendar.created < 0) return Done{};
    EntryRows rows(*database, folder_ / kLedger);
    std::vector<Entry> entries;
    TRY_DONE(rows.ForEach(1, [&](const Entry& entry) -> Status {
      entries.push_back(entry);
      return Done{};
    }));
    TRY_DONE(database->Execute("DELETE FROM entries"));
    Standing standing{.last = GenesisEntry(meta, calendar.created), .analyst_last = std::nullopt};
    std::map<std::string, Entry> last_of;
    for (const Entry& entry : entries) {
      const auto known = last_of.find(entry.event.analyst);
      standing.analyst_last =
          known == last_of.end() ? std::nullopt : std::optional<Entry>(known->second);
      standing.last = NextEntry(standing, calendar, entry.event, standing.last.sequence + 1);
      last_of[entry.event.analyst] = standing.last;
      TRY_DONE(rows.Insert(standing.last));
    }
    return Done{};
  };
  try {
    if (rebuild().ok()) WriteHead(*database);
  } catch (const Bug&) {
    return;  // no chain can be made of this
  }
}

void LedgerForger::WriteHead(SqliteHandle& database) {
  const auto line = [](const std::string& sequence, const std::string& hash) {
    return std::string(20 - std::min<std::size_t>(sequence.size(), 20), '0') + sequence + ' ' +
           hash + '\n';
  };
  const auto genesis = GenesisHash(database);
  if (!genesis) return;
  std::string text = line("0", *genesis);
  auto rows = database.Prepare("SELECT sequence, hash FROM entries ORDER BY sequence");
  while (rows) {
    const auto found = rows->Step();
    if (!found || !*found) break;
    text += line(rows->Text(0), rows->Text(1));
  }
  folder_.Write(kHead, text);
}

std::optional<RawLedger> ReadRawLedger(const std::string& path) {
  auto database = SqliteHandle::Open(path, SqliteHandle::Mode::kOpen);
  if (!database) return std::nullopt;
  auto raw = ReadRaw(*database);
  return raw ? *std::move(raw) : std::nullopt;
}

}  // namespace dpsql
