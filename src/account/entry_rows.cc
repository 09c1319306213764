#include "account/entry_rows.h"

#include "account/ledger_errors.h"
#include "base/try.h"

namespace dpsql {
namespace {

constexpr std::string_view kColumns =
    "sequence, kind, reservation, analyst, time, epsilon, delta, doors, mu_squared, "
    "delta_infinity, plan_digest, payload_digest, mu_squared_spent, delta_infinity_spent, "
    "reservations, releases, previous, hash";

std::string Select(std::string_view rest) {
  return "SELECT " + std::string(kColumns) + " FROM entries " + std::string(rest);
}

bool ParseState(const std::string& mu_squared, const std::string& delta_infinity, GdpState& state) {
  const auto mu = ParseUInt128(mu_squared);
  const auto delta = ParseUInt128(delta_infinity);
  if (!mu || !delta) return false;
  state = {.mu_squared = *mu, .delta_infinity = *delta};
  return true;
}

Result<Entry> ReadRow(const SqliteStatement& row, const std::string& path) {
  Entry entry;
  entry.sequence = row.Int(0);
  const auto kind = ParseEntryKind(row.Text(1));
  const bool charge_is_number = ParseState(row.Text(8), row.Text(9), entry.event.charge);
  const bool spent_is_number = ParseState(row.Text(12), row.Text(13), entry.spent);
  if (!kind || !charge_is_number || !spent_is_number) {
    return DamageError("entry " + std::to_string(entry.sequence) + " is unreadable", path);
  }
  entry.event.kind = *kind;
  entry.event.reservation = row.Int(2);
  entry.event.analyst = row.Text(3);
  entry.event.time = row.Text(4);
  entry.event.epsilon = row.Text(5);
  entry.event.delta = row.Text(6);
  entry.event.doors = row.Int(7);
  entry.event.plan_digest = row.Text(10);
  entry.event.payload_digest = row.Text(11);
  entry.reservations = row.Int(14);
  entry.releases = row.Int(15);
  entry.previous = row.Text(16);
  entry.hash = row.Text(17);
  return entry;
}

Status VisitRows(SqliteStatement rows, const std::string& path,
                 const std::function<Status(const Entry&)>& visit) {
  while (true) {
    TRY(const bool found, rows.Step());
    if (!found) return Done{};
    TRY(const Entry entry, ReadRow(rows, path));
    TRY_DONE(visit(entry));
  }
}

}  // namespace

Status InsertEntry(SqliteHandle& database, const Entry& entry) {
  TRY(SqliteStatement insert,
      database.Prepare("INSERT INTO entries (" + std::string(kColumns) +
                       ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  const Event& event = entry.event;
  insert.Bind(entry.sequence).Bind(ToText(event.kind)).Bind(event.reservation);
  insert.Bind(event.analyst).Bind(event.time).Bind(event.epsilon).Bind(event.delta);
  insert.Bind(event.doors);
  insert.Bind(ToString(event.charge.mu_squared)).Bind(ToString(event.charge.delta_infinity));
  insert.Bind(event.plan_digest).Bind(event.payload_digest);
  insert.Bind(ToString(entry.spent.mu_squared)).Bind(ToString(entry.spent.delta_infinity));
  insert.Bind(entry.reservations).Bind(entry.releases).Bind(entry.previous).Bind(entry.hash);
  return insert.Run();
}

Result<std::vector<Entry>> ReadNewestEntries(SqliteHandle& database, const std::string& path) {
  std::vector<Entry> newest;
  TRY(SqliteStatement rows, database.Prepare(Select("ORDER BY sequence DESC LIMIT 2")));
  TRY_DONE(VisitRows(std::move(rows), path, [&](const Entry& entry) -> Status {
    newest.push_back(entry);
    return Done{};
  }));
  return newest;
}

Result<std::optional<Entry>> ReadStore(SqliteHandle& database, std::int64_t reservation,
                                       const std::string& path) {
  std::optional<Entry> store;
  TRY(SqliteStatement rows,
      database.Prepare(Select("WHERE reservation = ? AND reservation > 0 AND kind = ?")));
  rows.Bind(reservation).Bind(ToText(EntryKind::kStore));
  TRY_DONE(VisitRows(std::move(rows), path, [&](const Entry& entry) -> Status {
    store = entry;
    return Done{};
  }));
  return store;
}

Status ForEachEntry(SqliteHandle& database, const std::string& path,
                    const std::function<Status(const Entry&)>& visit) {
  TRY(SqliteStatement rows, database.Prepare(Select("ORDER BY sequence")));
  return VisitRows(std::move(rows), path, visit);
}

}  // namespace dpsql
