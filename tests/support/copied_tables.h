#pragma once

#include <string>
#include <vector>

#include "dpsql/value.h"

namespace dpsql {

// A table of a DuckDB file, to be made anew in another database.
struct CopiedTable {
  struct Column {
    std::string name;
    std::string type;  // DuckDB's name of it
    bool nullable = true;
  };
  std::string name;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> keys;  // PRIMARY KEY and UNIQUE
  // Booleans, whole numbers of 64 bits and doubles as such; all else as DuckDB's text of it.
  std::vector<std::vector<Value>> rows;
};

struct CopiedDatabase {
  std::string file;  // DuckDB's
  std::vector<CopiedTable> tables;
};

// Whether the column is a text that is part of no key and tells nobody's row. A copy stores it
// under a collation of its engine's by which different texts are equal, because what we ask must
// not depend on that. Keys have none: they would not be the same keys.
bool IsCollatedInCopies(const CopiedTable& table, const CopiedTable::Column& column);

// All tables of a file, without views.
CopiedDatabase ReadDatabase(const std::string& duckdb_file);

}  // namespace dpsql
