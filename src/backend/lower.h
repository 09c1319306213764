#pragma once

#include <string>
#include <vector>

#include "backend/lower_expr.h"
#include "plan/dp_plan.h"
#include "sql/ast.h"

// From bound plans to syntax trees. What runs in a database is printed from these trees and from
// nothing else.
namespace dpsql {

// What a door's own expressions are over.
LowerScope ScopeOf(const Door& door);

// The conditions of a door's rows: its block's, an owner, and the owner's lists of values.
std::vector<ast::ExprPtr> DoorConditions(const Door& door);

// A key as boolean, BIGINT or canonical text, the same on every engine for a value of every engine;
// NULL where it has a value that no type of ours has.
ast::ExprPtr CanonicalKey(const BoundExpr& key, const LowerScope& scope);

// The keys of a door that stand in public tables, a query for each of door.public_keys: its keys in
// the order of the door's, in canonical form, each tuple once, and one tuple more than there is
// room for at most. Each list is read by itself: in a cross product of many DuckDB would keep what
// does not end.
std::vector<ast::Select> LowerPublicKeys(const Door& door);

// One row per unit and group of a door's rows, ordered by unit. Columns: the unit as text, the keys
// in canonical form, for each class of cells the number of its rows, and the sums of each
// statistic: for kValue that of the steps, for kMoments all power sums but the first, which is the
// number of rows of its class; nothing for the others. Both stages read all of it: which lines of a
// file are rows may depend on the columns that are read.
ast::Select LowerCells(const Door& door);

// The same in no order; without units a row per group. Columns: u, unless units are left out;
// k0 …; n0 … of the classes; s0 … the sums, where they are asked for, of all statistics one after
// the other.
struct CellColumns {
  bool units = true;
  bool sums = true;
};
ast::Select LowerGroups(const Door& door, CellColumns columns);

// One row with the most rows that a unit has, of those that a door reads.
ast::Select LowerMostRows(const Door& door);

// What is asked above the doors, of their releases and of public tables.
// With draws of every noisy number beside it inside, where `draws` is not 0.
ast::Select LowerAnswer(const DpPlan& plan, std::size_t draws = 0);

}  // namespace dpsql
