#include "account/chain.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <utility>

#include "base/check.h"
#include "base/sha256.h"

namespace dpsql {
namespace {

constexpr std::array<std::pair<EntryKind, std::string_view>, 9> kKinds = {{
    {EntryKind::kReserve, "reserve"},
    {EntryKind::kStore, "store"},
    {EntryKind::kReceipt, "receipt"},
    {EntryKind::kAbort, "abort"},
    {EntryKind::kCancel, "cancel"},
    {EntryKind::kPardon, "pardon"},
    {EntryKind::kGrant, "grant"},
    {EntryKind::kRevoke, "revoke"},
    {EntryKind::kAdmit, "admit"},
}};

// Fields are preceded by their length, so that no two different lists have the same bytes.
class FieldBytes {
 public:
  FieldBytes& Add(std::string_view field) {
    bytes_ += std::to_string(field.size());
    bytes_ += ':';
    bytes_ += field;
    return *this;
  }
  FieldBytes& Add(std::int64_t number) { return Add(std::to_string(number)); }
  FieldBytes& Add(const Purses& purses) {
    return Add(ToString(purses.mu_squared))
        .Add(ToString(purses.delta))
        .Add(ToString(purses.epsilon));
  }
  std::string Hash() const { return Sha256Hex(bytes_); }

 private:
  std::string bytes_;
};

std::string HashOf(const Entry& entry) {
  const Event& event = entry.event;
  FieldBytes bytes;
  bytes.Add("dpsql-ledger-entry-2").Add(entry.sequence);
  bytes.Add(ToText(event.kind)).Add(event.reservation).Add(event.analyst);
  bytes.Add(event.time).Add(event.mark).Add(event.epsilon).Add(event.delta).Add(event.doors);
  bytes.Add(event.charge).Add(event.plan_digest).Add(event.payload_digest);
  bytes.Add(std::int64_t{event.keeps_answer ? 1 : 0});
  bytes.Add(entry.window).Add(entry.spent).Add(entry.analyst_spent);
  bytes.Add(entry.analyst_queries).Add(entry.analyst_unended).Add(entry.analyst_aborts);
  bytes.Add(entry.reservations).Add(entry.releases).Add(entry.terms);
  bytes.Add(entry.commit_first).Add(entry.previous);
  return bytes.Hash();
}

// A sum that wraps would give spent budget back.
bool Wraps(const Purses& a, const Purses& b) {
  return a.mu_squared + b.mu_squared < a.mu_squared || a.delta + b.delta < a.delta ||
         a.epsilon + b.epsilon < a.epsilon;
}

bool Charges(EntryKind kind) { return kind == EntryKind::kReserve || kind == EntryKind::kReceipt; }

// The dataset pays for what is drawn, not for what is handed out again.
Purses DatasetCharge(const Event& event) {
  return event.kind == EntryKind::kReserve ? event.charge : Purses{};
}

std::int64_t AbortsAfter(const Standing& standing, EntryKind kind) {
  if (kind == EntryKind::kPardon) return 0;
  const std::int64_t before = standing.analyst_last ? standing.analyst_last->analyst_aborts : 0;
  return before + (kind == EntryKind::kAbort ? 1 : 0);
}

std::int64_t UnendedAfter(const Standing& standing, EntryKind kind) {
  const std::int64_t before = standing.analyst_last ? standing.analyst_last->analyst_unended : 0;
  return before + (kind == EntryKind::kReserve ? 1 : 0) - (EndsReservation(kind) ? 1 : 0);
}

std::int64_t QueriesAfter(const Standing& standing, EntryKind kind) {
  const std::int64_t before = standing.analyst_last ? standing.analyst_last->analyst_queries : 0;
  return before + (kind == EntryKind::kReserve ? 1 : 0);
}

}  // namespace

std::string ReleaseName(std::int64_t reservation) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "r-%06" PRId64, reservation);
  return text.data();
}

bool EndsReservation(EntryKind kind) {
  return kind == EntryKind::kStore || kind == EntryKind::kAbort || kind == EntryKind::kCancel;
}

bool SetsTerms(EntryKind kind) {
  return kind == EntryKind::kGrant || kind == EntryKind::kRevoke || kind == EntryKind::kAdmit;
}

std::string_view ToText(EntryKind kind) {
  for (const auto& [each, text] : kKinds) {
    if (each == kind) return text;
  }
  throw Bug("a kind of entry has a name");
}

std::optional<EntryKind> ParseEntryKind(std::string_view text) {
  for (const auto& [kind, name] : kKinds) {
    if (name == text) return kind;
  }
  return std::nullopt;
}

std::int64_t WindowAt(const Calendar& calendar, std::int64_t mark) {
  Check(mark >= calendar.created, "no entry is older than its ledger");
  if (calendar.renew_seconds == 0) return 0;
  return (mark - calendar.created) / calendar.renew_seconds;
}

Purses AnalystSpent(const Standing& standing, std::int64_t window) {
  const std::optional<Entry>& last = standing.analyst_last;
  return last && last->window == window ? last->analyst_spent : Purses{};
}

Purses DatasetSpent(const Standing& standing, std::int64_t window) {
  return standing.last.window == window ? standing.last.spent : Purses{};
}

Entry GenesisEntry(const LedgerMeta& meta, std::int64_t created) {
  FieldBytes bytes;
  bytes.Add("dpsql-ledger-meta-2");
  for (const auto& [key, value] : meta) bytes.Add(key).Add(value);
  Entry genesis;
  genesis.event.mark = created;
  genesis.hash = bytes.Hash();
  return genesis;
}

Entry NextEntry(const Standing& standing, const Calendar& calendar, Event event,
                std::int64_t commit_first) {
  const Entry& last = standing.last;
  Check(Charges(event.kind) || event.charge == Purses{}, "only a purchase is charged");
  event.mark = std::max(event.mark, last.event.mark);
  const std::int64_t window = WindowAt(calendar, event.mark);
  const Purses spent = DatasetSpent(standing, window);
  const Purses analyst_spent = AnalystSpent(standing, window);
  Check(!Wraps(spent, DatasetCharge(event)), "what the dataset spends can be summed");
  Check(!Wraps(analyst_spent, event.charge), "what an analyst spends can be summed");
  Entry next;
  next.sequence = last.sequence + 1;
  next.window = window;
  next.spent = SumOf(spent, DatasetCharge(event));
  next.analyst_spent = SumOf(analyst_spent, event.charge);
  next.analyst_queries = QueriesAfter(standing, event.kind);
  next.analyst_unended = UnendedAfter(standing, event.kind);
  next.analyst_aborts = AbortsAfter(standing, event.kind);
  next.reservations = last.reservations + (event.kind == EntryKind::kReserve ? 1 : 0);
  next.releases = last.releases + (event.kind == EntryKind::kStore ? 1 : 0);
  next.terms = SetsTerms(event.kind) ? next.sequence : last.terms;
  next.commit_first = commit_first;
  next.previous = last.hash;
  next.event = std::move(event);
  next.hash = HashOf(next);
  return next;
}

bool Follows(const Standing& standing, const Calendar& calendar, const Entry& next) {
  if (!HashHolds(next) || next.event.mark < standing.last.event.mark) return false;
  if (next.event.mark < calendar.created) return false;
  const bool begins_commit = next.commit_first == next.sequence;
  if (!begins_commit && next.commit_first != standing.last.commit_first) return false;
  if (!Charges(next.event.kind) && !(next.event.charge == Purses{})) return false;
  const bool reserves = next.event.kind == EntryKind::kReserve;
  if (reserves && next.event.reservation != standing.last.reservations + 1) return false;
  if (Wraps(DatasetSpent(standing, next.window), DatasetCharge(next.event))) return false;
  if (Wraps(AnalystSpent(standing, next.window), next.event.charge)) return false;
  return next.hash == NextEntry(standing, calendar, next.event, next.commit_first).hash;
}

bool HashHolds(const Entry& entry) { return entry.hash == HashOf(entry); }

std::optional<UInt128> ParseUInt128(std::string_view digits) {
  if (digits.empty() || (digits.size() > 1 && digits.front() == '0')) return std::nullopt;
  constexpr UInt128 kMax = ~UInt128{0};
  UInt128 value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto digit = static_cast<UInt128>(c - '0');
    if (value > (kMax - digit) / 10) return std::nullopt;
    value = 10 * value + digit;
  }
  return value;
}

}  // namespace dpsql
