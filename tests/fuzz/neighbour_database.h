#pragma once

#include <duckdb.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dpsql/value.h"

namespace dpsql {

// Which units a database holds: all of them, or all but one, or that one alone.
enum class Holds { kAll, kOthers, kOne };

// A small database that a seed draws, with all that can go wrong in its rows: NULL, NaN, -0.0,
// extremes, owners that are NULL, children without a parent, values outside the declared lists.
// Rows of nobody are in each of the three.
using DrawDatabase = std::string (*)(std::uint64_t seed, Holds holds);

// Of the shape of support/test_catalog.h.
std::string DrawShop(std::uint64_t seed, Holds holds);

// Of the shape of tests/databases/link.sql: the key that a link leads to is the unit itself, and
// units are too large for a DOUBLE to tell them apart.
std::string DrawLink(std::uint64_t seed, Holds holds);

// The unit that makes the difference: a customer, and the visitor of the same number.
inline constexpr int kTheUnit = 3;
inline constexpr std::string_view kTheCustomer = "3";
inline constexpr std::string_view kTheVisitor = "u3";

// A database in memory to run SQL in, without the engine.
class PlainDatabase {
 public:
  explicit PlainDatabase(const std::string& sql);
  ~PlainDatabase();
  PlainDatabase(const PlainDatabase&) = delete;
  PlainDatabase& operator=(const PlainDatabase&) = delete;

  // The rows as text, sorted. Throws std::runtime_error with DuckDB's words.
  std::multiset<std::vector<std::string>> Rows(const std::string& sql);

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

}  // namespace dpsql
