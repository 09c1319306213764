#include "privacy/purses.h"

#include <algorithm>
#include <limits>

#include "privacy/fixed_point.h"

namespace dpsql {
namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

UInt128 LeftOf(UInt128 cap, UInt128 spent) { return spent < cap ? cap - spent : 0; }

constexpr UInt128 kTop = ~UInt128{0};

// A charge at the top may stand for any larger one.
bool Fits(UInt128 cap, UInt128 spent, UInt128 charge) {
  return charge != kTop && spent <= cap && charge <= cap - spent;
}

std::int64_t TimesLeft(UInt128 left, UInt128 charge) {
  if (charge == 0) return kUnlimited;
  const UInt128 times = left / charge;
  return times > static_cast<UInt128>(kUnlimited) ? kUnlimited : static_cast<std::int64_t>(times);
}

}  // namespace

Purses SumOf(const Purses& a, const Purses& b) {
  return {.mu_squared = SumOfCharges(a.mu_squared, b.mu_squared),
          .delta = SumOfCharges(a.delta, b.delta),
          .epsilon = SumOfCharges(a.epsilon, b.epsilon)};
}

Purses LeftOf(const Purses& caps, const Purses& spent) {
  return {.mu_squared = LeftOf(caps.mu_squared, spent.mu_squared),
          .delta = LeftOf(caps.delta, spent.delta),
          .epsilon = LeftOf(caps.epsilon, spent.epsilon)};
}

bool Fits(const Purses& caps, const Purses& spent, const Purses& charge) {
  return Fits(caps.mu_squared, spent.mu_squared, charge.mu_squared) &&
         Fits(caps.delta, spent.delta, charge.delta) &&
         Fits(caps.epsilon, spent.epsilon, charge.epsilon);
}

std::int64_t TimesLeft(const Purses& caps, const Purses& spent, const Purses& charge) {
  if (!Fits(caps, spent, charge)) return 0;
  const Purses left = LeftOf(caps, spent);
  return std::min({TimesLeft(left.mu_squared, charge.mu_squared),
                   TimesLeft(left.delta, charge.delta), TimesLeft(left.epsilon, charge.epsilon)});
}

}  // namespace dpsql
