#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ledger/ledger_calls.h"

namespace dpsql {

enum class Seen : std::uint32_t {
  kAsked,     // a reservation is about to be asked for
  kReserved,  // it was acknowledged
  kHanded,    // its answer was handed out
  kServed,    // an answer stored earlier was handed out
  kRefused,   // the budget did not allow it
  kFailed,    // the ledger could not
};

struct Observation {
  Seen seen = Seen::kAsked;
  Question question;
  std::int64_t reservation = 0;
  std::uint64_t digest = 0;
  char code[8] = {};
  std::uint64_t trace_position = 0;  // how much of the trace had happened
};

// What the outside world has seen of a ledger, kept in memory that survives the death of any of the
// processes that write to it. Requires: made before they fork.
class ObservationLog {
 public:
  ObservationLog();
  ObservationLog(const ObservationLog&) = delete;
  ObservationLog& operator=(const ObservationLog&) = delete;
  ~ObservationLog();

  void Add(Observation observation);
  void Clear();

  // Those that were complete when the trace had `trace_position` records.
  std::vector<Observation> Before(std::uint64_t trace_position) const;
  std::vector<Observation> All() const;

 private:
  struct Slot;
  struct Memory;
  Memory* memory_;
};

// What must be true of a ledger after these observations, whatever happened to it.
struct Facts {
  using Releases = std::map<std::int64_t, std::uint64_t>;  // the digest of each

  std::uint64_t asked_units = 0;
  std::uint64_t reserved_units = 0;
  std::int64_t handed = 0;
  std::set<std::int64_t> reservations;
  std::map<std::uint32_t, Releases> handed_out;  // by plan, first hand only; storable plans
  std::map<std::uint32_t, HandedOut> served;     // by plan
  std::vector<std::string> contradictions;       // among the observations themselves
};

Facts FactsOf(const std::vector<Observation>& observations);

}  // namespace dpsql
