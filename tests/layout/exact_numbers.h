#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dpsql/result.h"
#include "support/opened_table.h"

namespace dpsql {

// What the backend hands to the noise, opened. Only a test has eyes for it.
struct ExactNumbers {
  std::vector<OpenedTable> counts;  // per door: units of each cell
  std::vector<OpenedTable> sums;    // per door: statistics of each selected key
  bool operator==(const ExactNumbers&) const = default;
};

// Which way the backend takes: as it chooses itself, or the one of cells that outgrew their memory,
// where DuckDB groups the rows.
enum class Path { kOwn, kOutgrown };

// The rooms of a session up to the noise, over one database with one policy.
class ExactHouse {
 public:
  static Result<ExactHouse> Open(const std::string& database, const std::string& policy_file,
                                 const std::string& ledger);

  ExactHouse(ExactHouse&&) noexcept;
  ~ExactHouse();

  Result<ExactNumbers> Read(const std::string& sql, Path path = Path::kOwn);

  // DuckDB's own words about the last failure. The rows are the test's, so anybody may read them.
  const std::string& last_incident() const;

 private:
  struct Rooms;
  explicit ExactHouse(std::unique_ptr<Rooms> rooms);
  std::unique_ptr<Rooms> rooms_;
};

}  // namespace dpsql
