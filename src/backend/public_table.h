#pragma once

#include <string>
#include <vector>

#include "base/type.h"
#include "dpsql/value.h"

namespace dpsql {

// A table that anyone may see: the release of a door, or one that the owner declared public.
struct PublicTable {
  struct Column {
    std::string name;
    Type type;
  };
  std::string name;
  bool release = false;
  std::vector<Column> columns;
  std::vector<std::vector<Value>> rows;

  // Draws of noisy numbers, as columns of lists behind the others; each row has its lists.
  std::vector<std::string> drawn_columns;
  std::vector<std::vector<std::vector<double>>> draws;
};

}  // namespace dpsql
