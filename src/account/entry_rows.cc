#include "account/entry_rows.h"

#include <algorithm>
#include <limits>

#include "account/ledger_errors.h"
#include "base/try.h"

namespace dpsql {
namespace {

constexpr std::string_view kColumns =
    "sequence, kind, reservation, analyst, time, mark, epsilon, delta, doors, "
    "charge_mu_squared, charge_delta, charge_epsilon, plan_digest, payload_digest, "
    "keeps_answer, window, "
    "spent_mu_squared, spent_delta, spent_epsilon, "
    "analyst_mu_squared, analyst_delta, analyst_epsilon, analyst_queries, "
    "analyst_unended, analyst_aborts, "
    "reservations, releases, terms, commit_first, previous, hash";

std::string Select(std::string_view rest) {
  return "SELECT " + std::string(kColumns) + " FROM entries " + std::string(rest);
}

// Of what is read and of what is written alike. Only the genesis, which is no row, stands before
// the first.
bool CountsHold(const Entry& entry) {
  const Event& event = entry.event;
  const std::int64_t counts[] = {entry.sequence,        event.reservation,    event.mark,
                                 event.doors,           entry.window,         entry.analyst_queries,
                                 entry.analyst_unended, entry.analyst_aborts, entry.reservations,
                                 entry.releases,        entry.terms,          entry.commit_first};
  const auto holds = [](std::int64_t count) { return count >= 0 && count <= kMostCount; };
  return entry.sequence >= 1 && std::all_of(std::begin(counts), std::end(counts), holds);
}

// Reads the columns of a row from left to right.
class RowReader {
 public:
  explicit RowReader(const SqliteStatement& row) : row_(row) {}

  std::int64_t Int() { return row_.Int(column_++); }
  bool Bool() {
    const std::int64_t number = Int();
    well_formed_ = well_formed_ && (number == 0 || number == 1);
    return number == 1;
  }
  std::string Text() { return row_.Text(column_++); }
  Purses ReadPurses() {
    const UInt128 mu_squared = Units();
    const UInt128 delta = Units();
    return {.mu_squared = mu_squared, .delta = delta, .epsilon = Units()};
  }
  EntryKind Kind() {
    const auto kind = ParseEntryKind(Text());
    well_formed_ = well_formed_ && kind.has_value();
    return kind.value_or(EntryKind::kReserve);
  }
  bool well_formed() const { return well_formed_; }

 private:
  UInt128 Units() {
    const auto units = ParseUInt128(Text());
    well_formed_ = well_formed_ && units.has_value();
    return units.value_or(0);
  }

  const SqliteStatement& row_;
  int column_ = 0;
  bool well_formed_ = true;
};

Result<Entry> ReadRow(const SqliteStatement& row, const std::string& path) {
  RowReader in(row);
  Entry entry;
  Event& event = entry.event;
  entry.sequence = in.Int();
  event.kind = in.Kind();
  event.reservation = in.Int();
  event.analyst = in.Text();
  event.time = in.Text();
  event.mark = in.Int();
  event.epsilon = in.Text();
  event.delta = in.Text();
  event.doors = in.Int();
  event.charge = in.ReadPurses();
  event.plan_digest = in.Text();
  event.payload_digest = in.Text();
  event.keeps_answer = in.Bool();
  entry.window = in.Int();
  entry.spent = in.ReadPurses();
  entry.analyst_spent = in.ReadPurses();
  entry.analyst_queries = in.Int();
  entry.analyst_unended = in.Int();
  entry.analyst_aborts = in.Int();
  entry.reservations = in.Int();
  entry.releases = in.Int();
  entry.terms = in.Int();
  entry.commit_first = in.Int();
  entry.previous = in.Text();
  entry.hash = in.Text();
  if (in.well_formed() && CountsHold(entry)) return entry;
  return DamageError("entry " + std::to_string(entry.sequence) + " is unreadable", path);
}

Error WrongIndex(const std::string& path) {
  return DamageError("its index of analysts does not fit its entries", path);
}

Error OutOfOrder(const Entry& entry, const std::string& path) {
  return DamageError("entry " + std::to_string(entry.sequence) + " is out of order", path);
}

void BindPurses(SqliteStatement& insert, const Purses& purses) {
  insert.Bind(ToString(purses.mu_squared)).Bind(ToString(purses.delta));
  insert.Bind(ToString(purses.epsilon));
}

}  // namespace

Status EntryRows::Insert(const Entry& entry) {
  if (!CountsHold(entry)) {
    return DamageError("entry " + std::to_string(entry.sequence) + " would be unreadable", path_);
  }
  TRY(SqliteStatement insert,
      database_->Prepare("INSERT INTO entries (" + std::string(kColumns) +
                         ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                         "?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  const Event& event = entry.event;
  insert.Bind(entry.sequence).Bind(ToText(event.kind)).Bind(event.reservation);
  insert.Bind(event.analyst).Bind(event.time).Bind(event.mark);
  insert.Bind(event.epsilon).Bind(event.delta).Bind(event.doors);
  BindPurses(insert, event.charge);
  insert.Bind(event.plan_digest).Bind(event.payload_digest);
  insert.Bind(std::int64_t{event.keeps_answer ? 1 : 0}).Bind(entry.window);
  BindPurses(insert, entry.spent);
  BindPurses(insert, entry.analyst_spent);
  insert.Bind(entry.analyst_queries).Bind(entry.analyst_unended).Bind(entry.analyst_aborts);
  insert.Bind(entry.reservations).Bind(entry.releases).Bind(entry.terms);
  insert.Bind(entry.commit_first);
  insert.Bind(entry.previous).Bind(entry.hash);
  return insert.Run();
}

Status EntryRows::Visit(SqliteStatement rows, const std::function<Status(const Entry&)>& visit) {
  while (true) {
    TRY(const bool found, rows.Step());
    if (!found) return Done{};
    TRY(const Entry entry, ReadRow(rows, path_));
    TRY_DONE(visit(entry));
  }
}

Result<std::optional<Entry>> EntryRows::One(SqliteStatement rows) {
  TRY(std::vector<Entry> all, All(std::move(rows)));
  if (all.empty()) return std::optional<Entry>();
  return std::optional(std::move(all.front()));
}

Result<std::vector<Entry>> EntryRows::All(SqliteStatement rows) {
  std::vector<Entry> all;
  TRY_DONE(Visit(std::move(rows), [&](const Entry& entry) -> Status {
    all.push_back(entry);
    return Done{};
  }));
  return all;
}

Result<std::vector<Entry>> EntryRows::Backwards(std::int64_t before, SqliteStatement rows) {
  TRY(std::vector<Entry> all, All(std::move(rows)));
  for (const Entry& entry : all) {
    if (entry.sequence >= before) return OutOfOrder(entry, path_);
    before = entry.sequence;
  }
  return all;
}

Result<std::vector<Entry>> EntryRows::Newest(std::int64_t count) {
  return Before(std::numeric_limits<std::int64_t>::max(), count);
}

Result<std::vector<Entry>> EntryRows::Before(std::int64_t before, std::int64_t count) {
  TRY(SqliteStatement rows,
      database_->Prepare(Select("WHERE sequence < ? ORDER BY sequence DESC LIMIT ?")));
  rows.Bind(before).Bind(count);
  return Backwards(before, std::move(rows));
}

Result<std::vector<Entry>> EntryRows::Before(std::int64_t before, std::int64_t count,
                                             std::string_view analyst) {
  TRY(SqliteStatement rows,
      database_->Prepare(
          Select("WHERE analyst = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?")));
  rows.Bind(analyst).Bind(before).Bind(count);
  TRY(std::vector<Entry> all, Backwards(before, std::move(rows)));
  for (const Entry& entry : all) {
    if (entry.event.analyst != analyst) return WrongIndex(path_);
  }
  return all;
}

Result<std::optional<Entry>> EntryRows::At(std::int64_t sequence) {
  TRY(SqliteStatement rows, database_->Prepare(Select("WHERE sequence = ?")));
  rows.Bind(sequence);
  return One(std::move(rows));
}

Result<std::optional<Entry>> EntryRows::LastOf(std::string_view analyst, std::int64_t before) {
  TRY(std::vector<Entry> last, Before(before, 1, analyst));
  if (last.empty()) return std::optional<Entry>();
  return std::optional(std::move(last.front()));
}

Result<std::optional<Entry>> EntryRows::OfReservation(EntryKind kind, std::int64_t reservation) {
  TRY(SqliteStatement rows,
      database_->Prepare(Select("WHERE reservation = ? AND reservation > 0 AND kind = ?")));
  rows.Bind(reservation).Bind(ToText(kind));
  return One(std::move(rows));
}

Result<std::optional<Entry>> EntryRows::KeptStore(std::string_view plan_digest) {
  TRY(SqliteStatement rows,
      database_->Prepare(Select("WHERE plan_digest = ? AND keeps_answer = 1")));
  rows.Bind(plan_digest);
  return One(std::move(rows));
}

Result<std::optional<Entry>> EntryRows::Receipt(std::int64_t reservation,
                                                std::string_view analyst) {
  TRY(SqliteStatement rows,
      database_->Prepare(Select("WHERE reservation = ? AND reservation > 0 AND kind = ? "
                                "AND analyst = ?")));
  rows.Bind(reservation).Bind(ToText(EntryKind::kReceipt)).Bind(analyst);
  return One(std::move(rows));
}

Status EntryRows::ForEach(std::int64_t from, const std::function<Status(const Entry&)>& visit) {
  return ForEach(from, std::numeric_limits<std::int64_t>::max(), visit);
}

Status EntryRows::ForEach(std::int64_t from, std::int64_t count,
                          const std::function<Status(const Entry&)>& visit) {
  TRY(SqliteStatement rows,
      database_->Prepare(Select("WHERE sequence >= ? ORDER BY sequence LIMIT ?")));
  rows.Bind(from).Bind(count);
  return Visit(std::move(rows), [&](const Entry& entry) -> Status {
    if (entry.sequence < from) return OutOfOrder(entry, path_);
    from = entry.sequence + 1;
    return visit(entry);
  });
}

Result<std::optional<Entry>> EntryRows::StoreOf(std::string_view analyst,
                                                std::string_view plan_digest,
                                                std::string_view payload_digest) {
  TRY(SqliteStatement rows,
      database_->Prepare(Select("WHERE analyst = ? AND kind = ? AND plan_digest = ? "
                                "AND payload_digest = ? LIMIT 1")));
  rows.Bind(analyst).Bind(ToText(EntryKind::kStore)).Bind(plan_digest).Bind(payload_digest);
  return One(std::move(rows));
}

// A search believes the index. Reading all of it shows a part that is missing, by the number of its
// entries, and one that names another entry, by their sum; the search must find what this shows.
Result<std::vector<Entry>> EntryRows::LastOfEach(std::int64_t last) {
  TRY(SqliteStatement names,
      database_->Prepare("SELECT analyst, max(sequence), count(*), sum(sequence) FROM entries "
                         "INDEXED BY entries_by_analyst WHERE sequence BETWEEN 1 AND ? "
                         "GROUP BY analyst"));
  names.Bind(last);
  std::vector<Entry> each;
  std::int64_t missing = last;
  const UInt128 entries{static_cast<std::uint64_t>(last)};
  UInt128 missing_sum = entries * (entries + 1) / 2;
  while (true) {
    TRY(const bool found, names.Step());
    if (!found) break;
    const std::string name = names.Text(0);
    TRY(std::optional<Entry> entry, LastOf(name, last + 1));
    const bool follows = each.empty() || each.back().event.analyst < name;
    if (!entry || entry->sequence != names.Int(1) || !follows) return WrongIndex(path_);
    each.push_back(*std::move(entry));
    missing -= names.Int(2);
    missing_sum -= static_cast<std::uint64_t>(names.Int(3));
  }
  if (missing != 0 || missing_sum != 0) return WrongIndex(path_);
  return each;
}

}  // namespace dpsql
