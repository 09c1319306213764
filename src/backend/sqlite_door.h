#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/door_cells.h"
#include "backend/linked_door.h"
#include "catalog/schema.h"
#include "plan/dp_plan.h"
#include "sql/ast.h"

// A door as one pass of SQLite over its rows, which fills the cells of sqlite_cells.h.
namespace dpsql {

// What a pass hands over: the tree of its statement, and how its columns arrive.
struct SqlitePass {
  ast::Select select;
  std::vector<ColumnType> types;
};

// Units are read in any case: should a file be damaged and a key repeat, their clip keeps the
// guarantee.
SqlitePass LowerSqlitePass(const Door& door);

// What SQLite runs for a plan, in this order; where links are not worth an array a join takes the
// place of the two statements of a linked door.
struct SqliteStatements {
  std::vector<ast::Select> run;
  std::vector<ast::Select> instead;
};
SqliteStatements LowerForSqlite(const DpPlan& plan);

// Links need the database's word that a key is unique, and SQLite gives it.
std::optional<LinkedDoor> LinkedForSqlite(const Door& door);

}  // namespace dpsql
