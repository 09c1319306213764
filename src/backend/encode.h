#pragma once

#include <functional>
#include <span>
#include <vector>

#include "backend/cell_layout.h"
#include "base/int128.h"
#include "plan/dp_plan.h"
#include "sql/ast.h"

// A row's values as whole numbers of steps, and a cell's coordinates from sums of them.
namespace dpsql {

// The steps of a statistic's argument: for kMoments 0 <= Y <= S, for kValue |Y| <= S, where S =
// 2^step_bits. Proof: the clamped value lies in [L, U] or is NULL, so nothing overflows or fails.
// Rounding is monotone, so the scaled double is at most S (1 + 2^-51) in size, and floor(. + 1/2)
// of it is at most S since S <= 2^20. Floating point is harmless here: it happens within one row,
// and whatever it does, the result is within the bound.
ValueEncoding EncodingOf(const Statistic& statistic, std::size_t argument);

// The step of a DOUBLE, or NULL, as an expression. `argument` makes the argument anew at each call.
ast::ExprPtr EncodeValue(const ValueEncoding& encoding,
                         const std::function<ast::ExprPtr()>& argument);

// The powers (a, b) of X and Y that a statistic sums over rows, in order; the number of rows, which
// is power (0, 0), is counted for the whole class.
struct Powers {
  unsigned x = 0;
  unsigned y = 0;
};
std::vector<Powers> SummedPowers(const StatisticShape& shape);

// The statistic's coordinates of a cell from the number of rows of each class and its own sums.
// Linear: the coordinates of two cells together are the sum of both.
std::vector<Int128> Coordinates(const Statistic& statistic, std::span<const Int128> class_rows,
                                std::span<const Int128> sums);

}  // namespace dpsql
