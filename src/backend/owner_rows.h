#pragma once

#include <optional>

#include "plan/dp_plan.h"

namespace dpsql {

// Whether the rows of a door are the owner's choice and not the analyst's: whole tables, each read
// once, joined by their units and by declared links alone, without any condition of the query.
//
// Only of such rows it is remembered how many a unit has (backend/row_facts.h), and only the
// owner's cap is held against it: how long the next query takes tells one bit for some tables and
// their cap. With rows that an analyst chooses, or a bound that he chooses, it would tell him the
// number of rows of any one person, bit by bit and without noise.
bool OwnerNamesRows(const Door& door);

// The owner's rows that those of a door are some of: its tables without groups and without the
// query's own conditions. Nothing where they would not be the owner's all the same.
std::optional<Door> WithOwnersRows(const Door& door);

}  // namespace dpsql
