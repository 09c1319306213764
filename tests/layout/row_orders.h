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

// A database to make: which of the rows, in which of the orders, and where.
struct LaidRows {
  std::string path;
  std::size_t order = 0;       // of RowOrders()
  std::string which = "TRUE";  // of n, the number of a row's unit
};

// Units are numbered from 0; the further on, the fewer rows has one. The first NumberOfHeavyUnits
// have hundreds or thousands, and go everywhere.
std::int64_t NumberOfUnits(std::int64_t rows);
std::int64_t NumberOfHeavyUnits(std::int64_t rows);

// Makes the databases, all of the same `rows` rows of visit and the same persons. Some units have
// thousands of rows in hundreds of groups, some groups one unit.
void MakeDatabases(std::int64_t rows, const std::vector<LaidRows>& databases);

}  // namespace dpsql
