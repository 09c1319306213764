#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backend/list_tables.h"
#include "catalog/policy.h"
#include "catalog/schema.h"

namespace dpsql {

// How a table stands to the privacy unit.
enum class TableStanding {
  kUnit,      // a column names the unit
  kLinked,    // a foreign key leads to it
  kUnclear,   // more than one way does: which one is meant is the owner's to say
  kNone,      // nothing does
  kUnusable,  // a view, say: no policy can declare it
};

struct DraftTable {
  const SchemaTable* table = nullptr;
  TableStanding standing = TableStanding::kNone;
  std::string unit_column;  // of kUnit
  LinkPolicy link;          // of kLinked
  bool guessed = false;     // from names; no constraint says it
  bool is_home = false;     // the unit was found here
  std::string reason;       // of kUnclear and kUnusable
};

// A column that names the privacy unit.
struct UnitChoice {
  std::size_t table = 0;
  std::string column;
  std::string kind;  // "customer", or "unit"
  bool guessed = false;
};

// The likely unit: the key of a table about people, else a column that names a person, else the key
// of the only table. Nothing where no name speaks of people.
std::optional<UnitChoice> GuessUnit(const Listing& listing);

// The column that the owner named, "table.column". Refuses (C204) one that is not there or cannot
// be a unit.
Result<UnitChoice> NamedUnit(const Listing& listing, const std::string& name);

// Each table of the listing, in its order. Declared foreign keys count before names.
// The result points into `listing`.
std::vector<DraftTable> FindWays(const Listing& listing, const std::optional<UnitChoice>& unit);

// Whether the database keeps a column unique by itself.
bool IsKey(const SchemaTable& table, const std::string& column);

}  // namespace dpsql
