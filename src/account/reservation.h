#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "account/live_reservations.h"
#include "privacy/cost.h"

namespace dpsql {

// The proof that a plan has been paid for. Only the ledger makes one, after the debit is durable;
// a backend opens no data without it. One that is dropped without an answer counts as an abort of
// its analyst.
class Reservation {
 public:
  Reservation(Reservation&&) noexcept = default;
  Reservation& operator=(Reservation&&) noexcept = default;
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  std::int64_t id() const { return id_; }
  const Cost& cost() const { return cost_; }

  // The key of this run's per-unit priorities: fresh, secret, independent of the noise.
  const std::array<std::uint32_t, 4>& priority_key() const { return priority_key_; }

 private:
  friend class Ledger;
  Reservation(std::int64_t id, Cost cost, std::array<std::uint32_t, 4> priority_key, LiveMark live)
      : id_(id), cost_(std::move(cost)), priority_key_(priority_key), live_(std::move(live)) {}

  std::int64_t id_;
  Cost cost_;
  std::array<std::uint32_t, 4> priority_key_;
  LiveMark live_;
};

}  // namespace dpsql
