#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/cell_layout.h"

namespace dpsql {

// Y of one number; see ValueEncoding. Requires: not NaN.
inline std::int32_t EncodeStep(const ValueEncoding& encoding, double x) {
  const double clamped = x > encoding.high ? encoding.high : x < encoding.low ? encoding.low : x;
  const double scaled = (clamped - encoding.origin) * encoding.scale + 0.5;
  const auto toward_zero = static_cast<std::int32_t>(scaled);
  return toward_zero - (static_cast<double>(toward_zero) > scaled ? 1 : 0);
}

// Y of data[i] / divisor for each of n numbers, several at a time. Each operation is rounded as in
// EncodeStep.
void EncodeSteps(const std::int64_t* data, std::size_t n, const ValueEncoding& encoding,
                 double divisor, std::int64_t* steps);

}  // namespace dpsql
