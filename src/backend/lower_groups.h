#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/key_set.h"
#include "backend/priority.h"
#include "backend/public_table.h"
#include "plan/dp_plan.h"
#include "sql/ast.h"

// Both stages of a door as statements that give one row per group: a unit's rows are counted,
// summed and bounded inside of the database, and only what is summed over units leaves it.
//
// The integers are those of unit_bounding.h but for three things, none of which touches what a unit
// may add at most:
// - Which C0 groups of a unit count is by the database's own keyed hash.
// - COUNT(DISTINCT x) counts the values that are the first, by keyed hash, among those of some
//   unit. Adding a unit adds 0 or 1: its own first value was counted before or not.
// - A unit whose vector is longer than 2^60 in the L1 norm is scaled by a norm of coordinates that
//   are rounded up to multiples of 2^32: no product is then longer than 38 decimal digits.
namespace dpsql {

// The name of the table of selected keys that statements read, where they do; like those of
// releases it is none that a policy can have.
inline constexpr const char* kKeysTable = "(keys)";

// How a database finds the selected group of a row.
enum class KeyAccess {
  kNone,    // no GROUP BY: all rows are in the one group
  kOwn,     // every group of the rows is selected, in all its cells: rows come with their keys
  kJoined,  // rows are joined with kKeysTable, and come with the number of their key
};
KeyAccess AccessOf(const Door& door, const KeySet& keys);

// A key as texts of its values; equal keys, and only they, are equal. As the statements have it.
std::string KeyText(const std::vector<Value>& key);

// The table of a set of keys, for kJoined.
PublicTable KeysTableOf(const Door& door, const KeySet& keys);

// Stage 1. Columns: the keys in canonical form, and for each class the units that count.
// Requires: the door selects keys.
ast::Select LowerGroupCounts(const Door& door, const PriorityKey& key);

// Stage 2, all statistics but claims of distinct values. Columns: nothing, the keys, or the number
// of the key, by access; then of each statistic in order:
// - that counts units: their number;
// - of sums: of the units inside of their bounds the rows of its class, those of its row class
//   where it counts missing values, and its sums; then of all others the bounded coordinates.
// Of a statement where `units_are_rows` is set, all units are inside and no coordinates follow.
// Nothing where there is no such statistic.
std::optional<ast::Select> LowerGroupSums(const Door& door, const KeySet& keys,
                                          const PriorityKey& key);

// Whether each unit has one row at most, on the word of the database. Then it is inside of every
// bound, and whose a row is is not read.
bool UnitsAreRows(const Door& door);

// The claims of a statistic of kind kDistinct. Columns: as above, and the number of values.
ast::Select LowerGroupClaims(const Door& door, const KeySet& keys, const PriorityKey& key,
                             std::size_t statistic);

// Whether some key of the set shows a statistic, and whether all do.
bool AnyReleased(const Statistic& statistic, const KeySet& keys);
bool AllReleased(const Statistic& statistic, const KeySet& keys);

}  // namespace dpsql
