#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dpsql/result.h"
#include "neighbours/exact_side.h"
#include "plan/dp_plan.h"

namespace dpsql {

// What the backend hands to the noise, opened, door by door. Only a test has eyes for it.
using ExactNumbers = std::vector<DoorIntegers>;

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

  Result<DpPlan> Plan(const std::string& sql) const;

  // The cells that each door selects are shown.
  Result<ExactNumbers> Read(const std::string& sql, Path path = Path::kOwn);

  // The same cells are shown whatever the rows are: those of `shown`, one entry for each door.
  // Where it has none, it gets those that the doors select.
  Result<ExactNumbers> Read(const std::string& sql, std::vector<KeySet>& shown);

  // DuckDB's own words about the last failure. The rows are the test's, so anybody may read them.
  const std::string& last_incident() const;

 private:
  struct Rooms;
  Result<ExactNumbers> ReadPaid(const std::string& sql, Path path, std::vector<KeySet>& shown);

  explicit ExactHouse(std::unique_ptr<Rooms> rooms);
  std::unique_ptr<Rooms> rooms_;
};

}  // namespace dpsql
