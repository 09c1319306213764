#pragma once

#include <cmath>

namespace dpsql {

// The edge of the region where a monotone `excess` is not positive, approached from within.
// Requires: excess(inside) <= 0 < excess(outside); `inside` may lie on either side of `outside`.
// Ensures: excess was evaluated and was not positive at the result, so that the result errs on the
// side of `inside`; the edge is within 2^-46 relative (or 200 evaluations were spent).
template <typename Excess>
double MonotoneEdge(const Excess& excess, double inside, double outside) {
  double excess_inside = excess(inside);
  double excess_outside = excess(outside);
  bool moved_inside = false;
  for (int i = 0; i < 200; ++i) {
    const double width = outside - inside;
    const double tolerance = 0x1p-46 * std::fmax(std::fabs(inside), std::fabs(outside));
    if (std::fabs(width) <= tolerance) break;
    // False position with the Illinois rule: the end that stays twice is given half its weight.
    // Bisection where a value is infinite, and now and then, so that no shape of the curve can slow
    // it down. A step is never shorter than half the tolerance, so that both ends close in.
    double share = -excess_inside / (excess_outside - excess_inside);
    if (!(share >= 0 && share <= 1) || i % 16 == 15) share = 0.5;
    const double margin = 0.5 * tolerance / std::fabs(width);
    const double middle = inside + width * std::fmin(std::fmax(share, margin), 1 - margin);
    if (middle == inside || middle == outside) break;
    const double value = excess(middle);
    const bool moves_inside = value <= 0;
    const double damping = moves_inside == moved_inside && i > 0 ? 0.5 : 1;
    moved_inside = moves_inside;
    if (moves_inside) {
      inside = middle;
      excess_inside = value;
      excess_outside *= damping;
    } else {
      outside = middle;
      excess_outside = value;
      excess_inside *= damping;
    }
  }
  return inside;
}

}  // namespace dpsql
