#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/int128.h"
#include "base/sha256.h"
#include "privacy/gdp_filter.h"

// The rows of a ledger and the hashes that tie them together. Pure functions.
namespace dpsql {

// What a ledger was created with. Its hash is the first link, so that caps cannot be changed
// without breaking the chain.
using LedgerMeta = std::map<std::string, std::string>;

enum class EntryKind { kReserve, kStore };

std::string_view ToText(EntryKind kind);
std::optional<EntryKind> ParseEntryKind(std::string_view text);

// What happened, as the caller says it.
struct Event {
  EntryKind kind = EntryKind::kReserve;
  std::int64_t reservation = 0;
  std::string analyst;
  std::string time;     // UTC, for the history; nothing is decided by it
  std::string epsilon;  // as asked, for the history
  std::string delta;
  std::int64_t doors = 0;
  GdpState charge;  // zero for a store
  std::string plan_digest;
  std::string payload_digest;  // of a store: SHA-256 (hex) of the answer's bytes
};

// One row: an event, the running totals after it, and its place in the chain. The row before the
// first one is the genesis: sequence 0, no totals, and the hash of the meta.
struct Entry {
  std::int64_t sequence = 0;
  Event event;
  GdpState spent;
  std::int64_t reservations = 0;
  std::int64_t releases = 0;
  std::string previous;
  std::string hash;
};

Entry GenesisEntry(const LedgerMeta& meta);

// The row that follows `last`. Requires: the totals do not wrap (else Bug).
Entry NextEntry(const Entry& last, const Event& event);

// Whether `next` is exactly the row that NextEntry makes of its event after `last`: its number,
// totals, back link and hash.
bool Follows(const Entry& last, const Entry& next);

// Whether the hash of the row is the hash of its content.
bool HashHolds(const Entry& entry);

// The number in plain decimal digits, or nothing when it is not one or does not fit.
std::optional<UInt128> ParseUInt128(std::string_view digits);

// The shortest text that reads back as the same double.
std::string ExactText(double value);

}  // namespace dpsql
