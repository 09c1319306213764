#include "account/chain.h"

#include <array>
#include <charconv>

#include "base/check.h"
#include "base/sha256.h"

namespace dpsql {
namespace {

// Fields are preceded by their length, so that no two different lists have the same bytes.
void AppendField(std::string& bytes, std::string_view field) {
  bytes += std::to_string(field.size());
  bytes += ':';
  bytes += field;
}

std::string HashOf(const Entry& entry) {
  const Event& event = entry.event;
  std::string bytes;
  AppendField(bytes, "dpsql-ledger-entry-1");
  AppendField(bytes, std::to_string(entry.sequence));
  AppendField(bytes, ToText(event.kind));
  AppendField(bytes, std::to_string(event.reservation));
  AppendField(bytes, event.analyst);
  AppendField(bytes, event.time);
  AppendField(bytes, event.epsilon);
  AppendField(bytes, event.delta);
  AppendField(bytes, std::to_string(event.doors));
  AppendField(bytes, ToString(event.charge.mu_squared));
  AppendField(bytes, ToString(event.charge.delta_infinity));
  AppendField(bytes, event.plan_digest);
  AppendField(bytes, event.payload_digest);
  AppendField(bytes, ToString(entry.spent.mu_squared));
  AppendField(bytes, ToString(entry.spent.delta_infinity));
  AppendField(bytes, std::to_string(entry.reservations));
  AppendField(bytes, std::to_string(entry.releases));
  AppendField(bytes, entry.previous);
  return Sha256Hex(bytes);
}

// A sum that wraps would give spent budget back.
bool Wraps(UInt128 a, UInt128 b) { return a + b < a; }

}  // namespace

std::string_view ToText(EntryKind kind) {
  return kind == EntryKind::kReserve ? "reserve" : "store";
}

std::optional<EntryKind> ParseEntryKind(std::string_view text) {
  if (text == "reserve") return EntryKind::kReserve;
  if (text == "store") return EntryKind::kStore;
  return std::nullopt;
}

Entry GenesisEntry(const LedgerMeta& meta) {
  std::string bytes;
  AppendField(bytes, "dpsql-ledger-meta-1");
  for (const auto& [key, value] : meta) {
    AppendField(bytes, key);
    AppendField(bytes, value);
  }
  Entry genesis;
  genesis.hash = Sha256Hex(bytes);
  return genesis;
}

Entry NextEntry(const Entry& last, const Event& event) {
  Check(!Wraps(last.spent.mu_squared, event.charge.mu_squared), "the sum of mu^2 fits");
  Check(!Wraps(last.spent.delta_infinity, event.charge.delta_infinity), "the sum of delta fits");
  Entry next;
  next.sequence = last.sequence + 1;
  next.event = event;
  next.spent.mu_squared = last.spent.mu_squared + event.charge.mu_squared;
  next.spent.delta_infinity = last.spent.delta_infinity + event.charge.delta_infinity;
  next.reservations = last.reservations + (event.kind == EntryKind::kReserve ? 1 : 0);
  next.releases = last.releases + (event.kind == EntryKind::kStore ? 1 : 0);
  next.previous = last.hash;
  next.hash = HashOf(next);
  return next;
}

bool Follows(const Entry& last, const Entry& next) {
  const GdpState& charge = next.event.charge;
  if (Wraps(last.spent.mu_squared, charge.mu_squared)) return false;
  if (Wraps(last.spent.delta_infinity, charge.delta_infinity)) return false;
  const Entry expected = NextEntry(last, next.event);
  return HashHolds(next) && next.hash == expected.hash;
}

bool HashHolds(const Entry& entry) { return entry.hash == HashOf(entry); }

std::optional<UInt128> ParseUInt128(std::string_view digits) {
  if (digits.empty()) return std::nullopt;
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

std::string ExactText(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  Check(end.ec == std::errc{}, "a double fits 32 characters");
  return {text.data(), end.ptr};
}

}  // namespace dpsql
