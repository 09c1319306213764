#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dpsql {

// Ways to lay the same rows down in a database file.
struct RowOrder {
  std::string name;
  std::string order_by;              // of the rows of visit
  std::int64_t row_group = 122'880;  // rows of each group on disk, which is what threads share
  bool is_packed = false;            // compressed
  bool has_gaps = false;             // other rows stood between these and were deleted
};

const std::vector<RowOrder>& RowOrders();

// Columns of visit that name the unit, one at a time. Each names the same units.
const std::vector<std::string>& UnitColumns();

// Makes one database for each order, all with the same `rows` rows of visit and the same persons.
// Some units have thousands of rows in hundreds of groups, some groups one unit.
void MakeDatabases(std::int64_t rows, const std::vector<std::string>& paths);

}  // namespace dpsql
