#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dpsql/value.h"

namespace dpsql {

// The units of one group and their values. Requires where used: no pair twice.
using UnitValues = std::vector<std::pair<std::string, Value>>;

// COUNT(DISTINCT x) where each unit speaks for one value at most. Units speak one after the other,
// by (number of own values, priority, name), and each takes the first of its values, by (priority,
// bytes), that nobody has taken before. Priorities are those under the key of zero noise.
std::int64_t ReferenceGreedy(const UnitValues& pairs);

// Whether the database that the program is linked with counts like that. One that is reached by SQL
// alone has another definition of this, which is linked in its place: there each unit speaks for
// the first of its own values, taken or not.
bool UnitsTakeTurns();

// The most values that units can speak for, whatever the order: a largest matching, by augmenting
// paths. The greedy takes a matching to which nothing can be added, so it takes at least half as
// many and not more.
std::int64_t LargestMatching(const UnitValues& pairs);

}  // namespace dpsql
