#include "privacy/bounding.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>

namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;

constexpr UInt128 kTop = ~UInt128{0};

// Products are formed without a limit and cut once, so that none wraps on the way.
UInt128 Saturated(const cpp_int& value) {
  return value > cpp_int(kTop) ? kTop : static_cast<UInt128>(value);
}

cpp_int Square(const cpp_int& value) { return value * value; }

cpp_int RootCeil(const cpp_int& square) {
  const cpp_int root = boost::multiprecision::sqrt(square);
  return root * root < square ? cpp_int(root + 1) : root;
}

}  // namespace

Sensitivity OfRowBound(std::uint64_t rows, RowNorm row) { return OfGroupsAndRows(1, rows, row); }

Sensitivity OfGroupsAndRows(std::uint64_t groups, std::uint64_t rows, RowNorm row) {
  return {.l2_squared = Saturated(groups * Square(cpp_int(rows) * row.l2)),
          .l1 = Saturated(cpp_int(groups) * rows * row.l1)};
}

Sensitivity OfSumClip(std::uint64_t groups, std::uint64_t coordinates, std::uint64_t clip) {
  const cpp_int cells = cpp_int(groups) * coordinates;
  return {.l2_squared = Saturated(cells * Square(clip)), .l1 = Saturated(cells * clip)};
}

Sensitivity OfL1Clip(std::uint64_t bound) {
  return {.l2_squared = Saturated(Square(bound)), .l1 = bound};
}

Sensitivity OfL2Clip(std::uint64_t bound, std::uint64_t coordinates) {
  const cpp_int square = Square(bound);
  return {.l2_squared = Saturated(square), .l1 = Saturated(RootCeil(coordinates * square))};
}

double L2Up(const Sensitivity& sensitivity) {
  // The guess is within a few units of the root; comparing squares exactly settles which.
  const cpp_int square = cpp_int(sensitivity.l2_squared);
  const auto at_least = [&](double root) {
    // A double below 2^65 times 2^52 is whole, or so small that its square is below 1.
    return Square(cpp_int(std::ldexp(root, 52))) >= square << 104;
  };
  double root = std::sqrt(static_cast<double>(sensitivity.l2_squared));
  while (!at_least(root)) root = std::nextafter(root, std::numeric_limits<double>::infinity());
  while (root > 0 && at_least(std::nextafter(root, 0.0))) root = std::nextafter(root, 0.0);
  return root;
}

}  // namespace dpsql
