#pragma once

#include <span>

struct sqlite3;
struct sqlite3_value;

// The functions of ours that the SQL of the SQLite dialect calls. None can be called from a schema.
//
//   dpsql_bigint(x) …            x where it is a value of that type, else NULL; for each type that
//                                a column can have (backend/sqlite_schema.h)
//   dpsql_other(x)               that there is a value of a type that we do not know
//   dpsql_greatest(x, …)         of the values that are not NULL; dpsql_least
//   dpsql_like(x, pattern[, e])  LIKE that sees the case of letters
//   dpsql_matches(x, regex)      whether it is found (backend/regex_matcher.h); with 'i' as third
//                                argument letters of either case are alike
//   dpsql_sum(x)                 the sum of whole numbers, exact in 128 bits; a REAL where it is
//                                beyond 64, so that nothing fails on a row
//   dpsql_rows(id, columns…)     hands each row over, and counts them
namespace dpsql {

// Takes the rows of one statement.
class SqliteRowTaker {
 public:
  virtual ~SqliteRowTaker() = default;
  // Whatever it throws ends the statement.
  virtual void Take(std::span<sqlite3_value*> row) = 0;
};

// Makes the functions known to a connection. Rows go to what `*taker` is when a statement runs.
// Requires: `taker` outlives the connection. Returns whether SQLite took them all.
bool AddSqliteFunctions(sqlite3* connection, SqliteRowTaker** taker);

}  // namespace dpsql
