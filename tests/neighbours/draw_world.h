#pragma once

#include "neighbours/neighbour_case.h"
#include "random/dice.h"

namespace dpsql {

// A policy and a small database without a question:
//   person   the unit is its key, which the database keeps, or the owner verified, or nobody;
//   act      several rows per unit, many of one; its key has one column or two;
//   part     finds its unit over an act; piece over a part, two steps away;
//   note     whose link leads to the unit itself;
//   visit    of another kind of unit;
//   place, fair   public.
// One to six people (now and then nobody), units of every type, caps that bind and caps that do
// not, k from 1 to 3, all accountants. Rows hold what goes wrong: NULL, NaN, infinities, extremes,
// values outside of bounds and lists, the same row twice, owners that are NULL, links that are NULL
// or lead nowhere, tables without rows. Other engines are given copies, which have no columns of
// DuckDB's own types.
NeighbourCase DrawWorld(Dice& dice, bool on_duckdb);

}  // namespace dpsql
