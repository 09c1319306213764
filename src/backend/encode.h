#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/int128.h"
#include "plan/dp_plan.h"
#include "sql/ast.h"

namespace dpsql {

// The integer Y of a row's value, as an expression: clamp to the bounds, move, scale by D, round
// half up. For kValue |Y| <= D, for kMoments 0 <= Y <= D.
// Proof: the clamped value lies in [L, U] or is NULL, so nothing overflows or fails. Rounding is
// monotone, so the scaled double is at most D (1 + 2^-51) in size, and floor(. + 1/2) of it is at
// most D since D = 2^20. Floating point is harmless here: it happens within one row, and whatever
// it does, the result is within the bound.
// `argument` makes the lowered argument, a DOUBLE, anew at each call.
ast::ExprPtr EncodeValue(const Statistic& statistic, const std::function<ast::ExprPtr()>& argument);

// The statistic's coordinates from what LowerSum's columns hold for it.
std::vector<Int128> Coordinates(const Statistic& statistic, std::span<const Int128> columns);

// How many columns LowerSum gives this statistic.
std::size_t SumColumns(StatisticKind kind);

}  // namespace dpsql
