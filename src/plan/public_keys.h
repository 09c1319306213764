#pragma once

#include <cstddef>
#include <vector>

#include "validate/bound_query.h"

namespace dpsql {

// Keys that are known without a look at private rows are listed up to here, where all are declared
// or where some stand in public tables. The former are part of the plan, before it is paid for.
inline constexpr std::size_t kMostDeclaredKeys = 100'000;
inline constexpr std::size_t kMostKnownKeys = 1'000'000;

// How many tuples of the keys without declared values a list of all keys has room for.
std::size_t MostPublicKeys(const std::vector<BoundKey>& keys);

// Which keys of a door stand in this one of its lists.
std::vector<std::size_t> KeysOf(const Relation& list, const std::vector<BoundKey>& keys);

// Where every key of a door is a column of a public table that its rows are joined with, or has
// declared values: the lists in which the former stand. Each is a join of public tables under the
// conditions that speak of them alone; every combination of their rows is a tuple of keys. Nothing
// where all keys are declared or some key is neither, where the declared ones leave no room, or
// where a join has more tables that no unique key reaches than a query over public tables may have.
//
// A public table that no such condition connects with a key's is left out. An analyst can name any
// number of them, each joined with private rows alone, and together they would be a cross product.
//
// Ensures: every row of the door has keys of the lists, whatever the private tables hold. The scans
// keep their numbers; those that are not part of a list are not joined in it.
// Proof: A row of the door holds a row of each scan, and these fulfil every condition. So those of
// a list's scans fulfil the list's conditions, which are some of them; leaving out more conditions
// and scans only makes lists longer. Longer is sound. The lists are functions of the question and
// of public tables, so they are the same with a unit and without it. A key that no row has gets
// what every key gets, its sums, here zero, and noise; one unit's part over all keys has the same
// bound however many there are, because the clip and C0 are of the unit's whole vector.
std::vector<Relation> PublicKeysOf(const BoundDoor& door);

}  // namespace dpsql
