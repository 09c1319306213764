#include "ledger/observations.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

#include "ledger/storage_shim.h"

namespace dpsql {
namespace {

constexpr std::size_t kMostObservations = std::size_t{1} << 20;

void NoteRelease(Facts& facts, const Observation& seen) {
  const auto [first, fresh] = facts.served.emplace(
      seen.question.plan, HandedOut{.release = seen.reservation, .digest = seen.digest});
  if (fresh) return;
  if (first->second.release != seen.reservation || first->second.digest != seen.digest) {
    facts.contradictions.push_back("plan " + std::to_string(seen.question.plan) +
                                   " was served as two different releases");
  }
}

void NoteHanded(Facts& facts, const Observation& seen) {
  ++facts.handed;
  if (!seen.question.storable) return;
  Facts::Releases& releases = facts.handed_out[seen.question.plan];
  const auto [first, fresh] = releases.emplace(seen.reservation, seen.digest);
  const bool again = !fresh && kOneAnswerPerPlan && first->second == seen.digest;
  if (!fresh && !again) {
    facts.contradictions.push_back("reservation " + std::to_string(seen.reservation) +
                                   " was answered twice");
  }
  if (kOneAnswerPerPlan && releases.size() > 1) {
    facts.contradictions.push_back("plan " + std::to_string(seen.question.plan) +
                                   " was released twice");
  }
}

// A release that is served is the one that its first reader got.
void CompareServedWithHanded(Facts& facts) {
  for (const auto& [plan, served] : facts.served) {
    const auto releases = facts.handed_out.find(plan);
    if (releases == facts.handed_out.end()) continue;
    const auto handed = releases->second.find(served.release);
    if (handed != releases->second.end() && handed->second != served.digest) {
      facts.contradictions.push_back("release " + std::to_string(served.release) +
                                     " was served with other bytes");
    }
  }
}

}  // namespace

struct ObservationLog::Slot {
  std::atomic<bool> complete;
  Observation observation;
};

struct ObservationLog::Memory {
  std::atomic<std::size_t> used;
  Slot slots[kMostObservations];
};

ObservationLog::ObservationLog() {
  void* const memory = ::mmap(nullptr, sizeof(Memory), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<Memory*>(memory);
}

ObservationLog::~ObservationLog() { ::munmap(memory_, sizeof(Memory)); }

void ObservationLog::Add(Observation observation) {
  const std::size_t number = memory_->used.fetch_add(1);
  if (number >= kMostObservations) std::abort();
  Slot& slot = memory_->slots[number];
  observation.trace_position = TracePosition();
  slot.observation = observation;
  slot.complete.store(true, std::memory_order_release);
}

void ObservationLog::Clear() {
  for (std::size_t i = 0; i < memory_->used; ++i) memory_->slots[i].complete = false;
  memory_->used = 0;
}

std::vector<Observation> ObservationLog::Before(std::uint64_t trace_position) const {
  std::vector<Observation> observations;
  for (std::size_t i = 0; i < memory_->used; ++i) {
    const Slot& slot = memory_->slots[i];
    if (!slot.complete.load(std::memory_order_acquire)) continue;
    if (slot.observation.trace_position <= trace_position) {
      observations.push_back(slot.observation);
    }
  }
  return observations;
}

std::vector<Observation> ObservationLog::All() const { return Before(~std::uint64_t{0}); }

Facts FactsOf(const std::vector<Observation>& observations) {
  Facts facts;
  for (const Observation& seen : observations) {
    switch (seen.seen) {
      case Seen::kAsked:
        facts.asked_units += seen.question.units;
        break;
      case Seen::kReserved:
        facts.reserved_units += seen.question.units;
        if (!facts.reservations.insert(seen.reservation).second) {
          facts.contradictions.push_back("reservation " + std::to_string(seen.reservation) +
                                         " was acknowledged twice");
        }
        break;
      case Seen::kHanded:
        NoteHanded(facts, seen);
        break;
      case Seen::kServed:
        NoteRelease(facts, seen);
        break;
      case Seen::kRefused:
      case Seen::kFailed:
        break;
    }
  }
  CompareServedWithHanded(facts);
  return facts;
}

}  // namespace dpsql
