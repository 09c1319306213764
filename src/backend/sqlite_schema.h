#pragma once

#include <optional>
#include <string_view>

#include "backend/list_tables.h"
#include "backend/sqlite_connection.h"
#include "base/type.h"

namespace dpsql {

// The type that a column of SQLite is taken for, by its declared type. SQLite keeps any value in
// any column: what is none of this type is NULL to every statement of ours (sqlite_tables.h).
// - BIGINT, VARCHAR, BOOLEAN (the numbers 0 and 1), DATE and TIMESTAMP (texts, sqlite_values.h).
// - DOUBLE for REAL and its like, and for DECIMAL and NUMERIC: SQLite keeps them as doubles, so
//   that equal decimals need not be equal values; as keys and units they are refused as floats are.
// - Of every other name, of columns without one, BLOB and ANY only that there is a value.
Type SqliteType(std::string_view declared);

// All tables of a database, with keys that SQLite keeps: PRIMARY KEY and UNIQUE indexes over all
// rows, of plain columns that compare by their bytes, and whose values stay apart when they are
// taken for values of their types. A column can be NULL but where it is the number of its row.
// Ensures: metadata only. A virtual table counts as a view: code of others computes it.
std::optional<SqliteFailure> ReadSqliteSchema(SqliteConnection& connection, Listing& listing);

}  // namespace dpsql
