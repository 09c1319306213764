#pragma once

#include <string>

#include "catalog/schema.h"
#include "sql/ast.h"

namespace dpsql {

// A statement as SQLite runs it. The tables that it names are queries of its own in WITH, in which
// every column has the values of its type and NULL in the place of all others:
//
//   WITH "customer" AS (SELECT dpsql_bigint("id") AS "id" FROM "main"."customer") SELECT …
//
// They are made before the rest where it reads several: SQLite then joins them by an index of its
// own, in any case and not only where the owner has one, so that no join takes the product of two
// tables in time.
// Ensures: texts compare by their bytes, whatever the collation of a column.
// Requires: the dialect of SQLite can print the statement.
std::string PrintForSqlite(const ast::Select& select, const Schema& schema);

}  // namespace dpsql
