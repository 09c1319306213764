#pragma once

#include <optional>
#include <string>
#include <vector>

#include "random/random_relation.h"

namespace dpsql {

// Where all keys are columns of a public table that every row is joined with, the engine knows them
// and shows each, whether it has rows or not. This is the query, in plain DuckDB, for those keys:
// k0, …, once each, of the rows of the public table that pass the conditions on it alone. Nothing
// where keys must be found.
std::optional<std::string> KnownKeys(const RandomRelation& relation,
                                     const std::optional<Expression>& where,
                                     const std::vector<Expression>& keys);

// The rows of a query with the columns k0, … under these keys: one without anything but the keys
// for a key without rows.
std::string RowsUnderKeys(const std::string& rows, const std::string& known, std::size_t keys);

}  // namespace dpsql
