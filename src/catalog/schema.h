#pragma once

#include <string>
#include <vector>

#include "base/type.h"

// What a database says of its tables: metadata only, never anything derived from rows, but for what
// the owner himself has verified.
namespace dpsql {

struct SchemaColumn {
  std::string name;
  Type type;
  bool nullable = true;
  bool has_collation = false;  // the database takes unequal texts of it for equal
};

struct SchemaTable {
  std::string name;
  bool is_view = false;
  bool has_collation = false;         // some column has one, and so has our SQL there
  bool has_generated_column = false;  // some column is computed when it is read
  std::vector<SchemaColumn> columns;
  // Column sets that the database itself keeps unique (PRIMARY KEY, UNIQUE).
  std::vector<std::vector<std::string>> unique_keys;
  // Column sets that the owner found unique and free of NULL, in the very state of the data that is
  // open (its label and the stamps of its files are equal). The backend reads no other state.
  std::vector<std::vector<std::string>> verified_keys;
};

// What the owner should know of how the database is reached, and what to do.
struct SchemaWarning {
  std::string message;
  std::string fix;
};

struct Schema {
  std::vector<SchemaTable> tables;
  // Functions that the database itself defines. One named like a built-in would change what our
  // SQL means.
  std::vector<std::string> macros;
  std::vector<SchemaWarning> warnings;
};

}  // namespace dpsql
