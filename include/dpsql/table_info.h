#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What an analyst may know of a table without asking: all of it is the policy's or the schema's.
namespace dpsql {

struct ColumnInfo {
  std::string name;
  std::string type;
  bool nullable = true;
  std::optional<double> lower;
  std::optional<double> upper;
  std::vector<std::string> values;  // those that the owner declared
};

struct TableInfo {
  std::string name;
  bool is_public = false;
  std::string unit;  // of a private table: "customer, named by customer_id"
  std::optional<std::int64_t> max_rows_per_unit;
  std::vector<ColumnInfo> columns;
};

}  // namespace dpsql
