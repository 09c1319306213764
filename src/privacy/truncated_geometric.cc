#include "privacy/truncated_geometric.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "base/check.h"
#include "privacy/fixed_point.h"
#include "privacy/threshold.h"

namespace dpsql {
namespace {

// Products of the table stay below 2^(kGrowthBits + 130 + kKeepBits + 1).
using Wide = boost::multiprecision::uint512_t;

constexpr UInt128 kCertain = UInt128{1} << kKeepBits;
constexpr int kGrowthBits = 160;
constexpr int kDoubleDigits = 53;

constexpr double kEpsilonLeast = 0x1p-12;
constexpr double kDeltaLeast = 0x1p-120;
// e^90 > 2^120: with the least delta0 the third step is certainty. More would not keep more.
constexpr double kEpsilonMost = 90;

// e^epsilon in units of 2^-160: a sum of positive terms, each rounded down, and cut. Rounded down.
Wide ExponentialDown(double epsilon) {
  int exponent = 0;
  const double fraction = std::frexp(epsilon, &exponent);
  const Wide whole = static_cast<std::uint64_t>(std::ldexp(fraction, kDoubleDigits));
  const int shift = kDoubleDigits - exponent;
  const Wide one = Wide(1) << kGrowthBits;
  Wide sum = one;
  Wide term = one;
  for (unsigned i = 1; term != 0; ++i) {
    term = ((term * whole) >> shift) / i;
    sum += term;
  }
  return sum;
}

}  // namespace

EpsilonDelta CellShare(EpsilonDelta asked, std::int64_t cells) {
  Check(std::isfinite(asked.epsilon) && asked.epsilon >= 0, "epsilon is not negative");
  Check(asked.delta > 0 && asked.delta < 1 && cells >= 1, "cells share a delta between 0 and 1");
  if (cells == 1) return asked;
  // A rounded quotient, one unit lower: cells epsilon0 <= epsilon, whatever the rounding.
  const double epsilon = std::nextafter(asked.epsilon / static_cast<double>(cells), 0);
  return {.epsilon = epsilon, .delta = CellLeak(asked.delta, cells) * (1 - 0x1p-41)};
}

bool PrefersTruncatedGeometric(EpsilonDelta asked, std::int64_t cells) {
  constexpr std::int64_t kMostCells = 2;
  if (cells > kMostCells) return false;
  const EpsilonDelta share = CellShare(asked, cells);
  return share.epsilon >= kEpsilonLeast && share.delta >= kDeltaLeast;
}

TruncatedGeometric::TruncatedGeometric(EpsilonDelta per_cell, std::int64_t min_frequency)
    : min_frequency_(min_frequency) {
  Check(std::isfinite(per_cell.epsilon) && per_cell.epsilon >= kEpsilonLeast,
        "the table of keep probabilities is short enough");
  Check(per_cell.delta >= kDeltaLeast && per_cell.delta < 1, "a cell may leak a little");
  Check(min_frequency >= 1, "a cell that is kept has units");
  const Wide growth = ExponentialDown(std::min(per_cell.epsilon, kEpsilonMost));
  // An upper bound of e^-epsilon, because `growth` is a lower one of e^epsilon.
  const Wide decay = (Wide(1) << (2 * kGrowthBits)) / growth + 1;
  const UInt128 leak = DeltaInfinityDown(per_cell.delta);
  UInt128 keep = 0;
  while (keep < kCertain) {
    const Wide grown = ((growth * Wide(keep)) >> kGrowthBits) + Wide(leak);
    const UInt128 dropped = kCertain - keep > leak ? kCertain - keep - leak : 0;
    const Wide left = dropped == 0 ? Wide(0) : ((decay * Wide(dropped)) >> kGrowthBits) + 1;
    const UInt128 cut = left >= Wide(dropped) ? dropped : static_cast<UInt128>(left);
    const UInt128 shrunk = kCertain - cut;
    keep = grown < Wide(shrunk) ? static_cast<UInt128>(grown) : shrunk;
    keep_.push_back(keep);
  }
}

UInt128 TruncatedGeometric::Keep(std::int64_t units) const {
  if (units < min_frequency_) return 0;
  const auto place = static_cast<std::uint64_t>(units - min_frequency_);
  return place < keep_.size() ? keep_[place] : kCertain;
}

std::int64_t TruncatedGeometric::certain_from() const {
  return min_frequency_ + static_cast<std::int64_t>(keep_.size()) - 1;
}

}  // namespace dpsql
