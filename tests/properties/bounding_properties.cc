#include "privacy/bounding.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <vector>

#include "privacy/clip.h"
#include "properties/oracle.h"
#include "properties/property.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;

constexpr UInt128 kTop = ~UInt128{0};

std::uint64_t AnyLength(Draws& draws) { return draws.Word() >> draws.Whole(0, 63); }

bool IsCut(UInt128 ours, const cpp_int& exact) {
  return exact > cpp_int(kTop) ? ours == kTop : cpp_int(ours) == exact;
}

// The longest vector a unit can have, built and measured: `groups` copies of what it has in one.
void ExpectLongest(const Sensitivity& ours, const cpp_int& l1, const cpp_int& l2_squared,
                   std::initializer_list<double> inputs) {
  Expect(IsCut(ours.l1, l1), "L1 of the longest vector", inputs);
  Expect(IsCut(ours.l2_squared, l2_squared), "L2 of the longest vector", inputs);
}

bool Styles(Draws& draws) {
  const std::uint64_t groups = AnyLength(draws);
  const std::uint64_t rows = AnyLength(draws);
  const RowNorm row = {.l1 = AnyLength(draws), .l2 = AnyLength(draws)};
  const std::initializer_list<double> inputs = {
      static_cast<double>(groups), static_cast<double>(rows), static_cast<double>(row.l1),
      static_cast<double>(row.l2)};
  const cpp_int group_l1 = cpp_int(rows) * row.l1;
  const cpp_int group_l2 = cpp_int(rows) * row.l2;
  ExpectLongest(OfRowBound(rows, row), group_l1, group_l2 * group_l2, inputs);
  ExpectLongest(OfGroupsAndRows(groups, rows, row), group_l1 * groups, group_l2 * group_l2 * groups,
                inputs);
  const cpp_int cells = cpp_int(groups) * rows;
  ExpectLongest(OfSumClip(groups, rows, row.l2), cells * row.l2, cells * row.l2 * row.l2, inputs);
  ExpectLongest(OfL1Clip(row.l1), row.l1, cpp_int(row.l1) * row.l1, inputs);
  return true;
}

bool L2Style(Draws& draws) {
  const std::uint64_t bound = AnyLength(draws);
  const std::uint64_t coordinates = AnyLength(draws);
  const Sensitivity ours = OfL2Clip(bound, coordinates);
  const std::initializer_list<double> inputs = {static_cast<double>(bound),
                                                static_cast<double>(coordinates)};
  const cpp_int square = cpp_int(bound) * bound;
  const cpp_int l1(ours.l1);
  Expect(IsCut(ours.l2_squared, square), "L2 of an L2 clip", inputs);
  Expect(l1 * l1 >= square * coordinates, "L1 of an L2 clip is rounded up", inputs);
  Expect(l1 == 0 || (l1 - 1) * (l1 - 1) < square * coordinates, "by less than a step", inputs);
  return true;
}

bool Root(Draws& draws) {
  const Sensitivity sensitivity = {.l2_squared = draws.Bits()};
  const double root = L2Up(sensitivity);
  const Real square = Real(sensitivity.l2_squared);
  const auto said = static_cast<double>(sensitivity.l2_squared);
  Expect(Real(root) * root >= square, "a root is rounded up", {said, root});
  const Real before = std::nextafter(root, 0);
  Expect(root == 0 || before * before < square, "to the next double", {said, root});
  return true;
}

struct ClipCase {
  std::vector<Int128> vector;
  std::uint64_t bound;
};

ClipCase AnyClip(Draws& draws) {
  ClipCase result;
  // From sixteen coordinates at the limit on, a sum of squares is beyond 128 bits.
  const std::int64_t size = draws.OneIn(8) ? draws.Whole(16, 40) : draws.Whole(0, 12);
  result.vector.resize(static_cast<std::size_t>(size));
  // Half of the vectors have coordinates beyond 62 bits, which are cut to that first.
  const std::int64_t shift = draws.OneIn(2) ? draws.Whole(0, 126) : draws.Whole(66, 126);
  for (Int128& value : result.vector) {
    const UInt128 bits = (UInt128{draws.Word()} << 64) | draws.Word();
    value = static_cast<Int128>(bits) >> std::min<std::int64_t>(shift + draws.Whole(0, 4), 127);
  }
  result.bound = AnyLength(draws) >> 2;
  return result;
}

cpp_int Cut(Int128 value) {
  const cpp_int most = (cpp_int(1) << 62) - 1;
  return std::min(most, cpp_int(abs(cpp_int(value))));
}

bool SignKept(Int128 before, Int128 after) { return after == 0 || (before < 0) == (after < 0); }

bool L1(Draws& draws) {
  const ClipCase input = AnyClip(draws);
  std::vector<Int128> clipped = input.vector;
  ClipL1(clipped, input.bound);
  cpp_int norm = 0;
  cpp_int norm_after = 0;
  for (const Int128 value : input.vector) norm += Cut(value);
  for (const Int128 value : clipped) norm_after += abs(cpp_int(value));
  const std::initializer_list<double> inputs = {static_cast<double>(input.bound),
                                                static_cast<double>(clipped.size())};
  Expect(norm_after <= input.bound, "the L1 clip bounds", inputs);
  for (std::size_t i = 0; i < clipped.size(); ++i) {
    const cpp_int before = Cut(input.vector[i]);
    const cpp_int after = abs(cpp_int(clipped[i]));
    Expect(SignKept(input.vector[i], clipped[i]), "the L1 clip keeps signs", inputs);
    if (norm <= input.bound) {
      Expect(after == before, "the L1 clip keeps what is inside", inputs);
    } else {
      Expect(after * norm <= before * input.bound && (after + 1) * norm > before * input.bound,
             "the L1 clip truncates the exact quotient", inputs);
    }
  }
  return true;
}

bool L2(Draws& draws) {
  const ClipCase input = AnyClip(draws);
  std::vector<Int128> clipped = input.vector;
  ClipL2(clipped, input.bound);
  cpp_int norm = 0;
  cpp_int norm_after = 0;
  for (const Int128 value : input.vector) norm += Cut(value) * Cut(value);
  for (const Int128 value : clipped) norm_after += cpp_int(value) * cpp_int(value);
  const cpp_int square = cpp_int(input.bound) * input.bound;
  const std::initializer_list<double> inputs = {static_cast<double>(input.bound),
                                                static_cast<double>(clipped.size())};
  Expect(norm_after <= square, "the L2 clip bounds", inputs);
  for (std::size_t i = 0; i < clipped.size(); ++i) {
    const cpp_int before = Cut(input.vector[i]);
    const cpp_int after = abs(cpp_int(clipped[i]));
    Expect(SignKept(input.vector[i], clipped[i]), "the L2 clip keeps signs", inputs);
    if (norm <= square) {
      Expect(after == before, "the L2 clip keeps what is inside", inputs);
    } else {
      // Truncation takes less than one step, and the root that was rounded up less than another.
      const cpp_int target = before * before * square;
      Expect(after * after * norm <= target && (after + 2) * (after + 2) * norm > target,
             "the L2 clip is within two steps of the exact quotient", inputs);
    }
  }
  return true;
}

bool Order(Draws& draws) {
  ClipCase input = AnyClip(draws);
  std::vector<Int128> l1 = input.vector;
  std::vector<Int128> l2 = input.vector;
  ClipL1(l1, input.bound);
  ClipL2(l2, input.bound);
  std::reverse(input.vector.begin(), input.vector.end());
  std::vector<Int128> turned = input.vector;
  ClipL1(turned, input.bound);
  Expect(std::equal(l1.rbegin(), l1.rend(), turned.begin()), "the L1 clip has no order", {});
  turned = input.vector;
  ClipL2(turned, input.bound);
  Expect(std::equal(l2.rbegin(), l2.rend(), turned.begin()), "the L2 clip has no order", {});
  return true;
}

constexpr Property kProperties[] = {{"bounding_styles", Styles},
                                    {"bounding_l2_clip", L2Style},
                                    {"sensitivity_root", Root},
                                    {"clip_l1", L1},
                                    {"clip_l2", L2},
                                    {"clip_order", Order}};

}  // namespace

std::span<const Property> BoundingProperties() { return kProperties; }

}  // namespace dpsql
