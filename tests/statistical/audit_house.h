#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dpsql/session.h"
#include "support/memory_folder.h"

namespace dpsql {

// What a policy says beside its tables.
struct HouseTerms {
  std::string accountant = "gdp";
  std::string noise = "gaussian";
  double epsilon = 1;
  double delta = 0.1;
  std::int64_t min_frequency = 1;
  std::int64_t groups_per_unit = 1;
};

// What EXPLAIN (DP) says of a question with one door.
struct StatedPlan {
  double mu = 0;                  // its price
  std::vector<double> noise_sds;  // of each statistic, where a row weighs 1
  double count_noise_sd = 0;      // of the selection of keys; 0: none
  std::int64_t threshold = 0;     // tau, or where a cell is shown for certain
  double selection_delta = 0;     // of the door, or of each cell where coins are tossed
};

// By key, one number a column; nothing where a cell is withheld.
using NoisyRow = std::vector<std::optional<double>>;
using NoisyRows = std::map<std::int64_t, NoisyRow>;

// A database, its policy, and sessions of the product as it is: public interface, production noise,
// a ledger in memory. There is no data label, so every question is drawn anew. When the budget is
// spent, a new ledger begins: nobody but a test may do that.
class AuditHouse {
 public:
  // `data` is SQL that makes the tables, `tables` the part of the policy that speaks of them.
  AuditHouse(const HouseTerms& terms, const std::string& data, const std::string& tables);

  Answer Ask(const std::string& sql);

  // Of a question whose first column is a whole number, its key, and whose others are numbers.
  NoisyRows AskRows(const std::string& sql);

  StatedPlan Explain(const std::string& sql);

  // A session on the same data, with a ledger of its own, for as long as Ask finds its own enough.
  Session OpenSession();

 private:
  void RemoveLedgers() const;

  MemoryFolder folder_;
  HouseTerms terms_;
  int ledgers_ = 0;
  std::optional<Session> session_;
};

// `[tables.name]` with the privacy unit id, and what else is said of it.
std::string TableToml(const std::string& name, const std::string& more);

// `{ values = [0, 1, …] }`
std::string KnownKeysToml(std::int64_t keys);

std::optional<double> NumberOf(const Value& value);

}  // namespace dpsql
