#pragma once

#include <string>
#include <vector>

#include "base/type.h"

// What a database says of its tables: metadata only, never anything derived from rows.
namespace dpsql {

struct SchemaColumn {
  std::string name;
  Type type;
  bool nullable = true;
};

struct SchemaTable {
  std::string name;
  bool is_view = false;
  bool has_collation = false;         // some column compares unequal texts as equal
  bool has_generated_column = false;  // some column is computed when it is read
  std::vector<SchemaColumn> columns;
  // Column sets that the database itself keeps unique (PRIMARY KEY, UNIQUE).
  std::vector<std::vector<std::string>> unique_keys;
};

struct Schema {
  std::vector<SchemaTable> tables;
  // Functions that the database itself defines. One named like a built-in would change what our
  // SQL means.
  std::vector<std::string> macros;
};

}  // namespace dpsql
