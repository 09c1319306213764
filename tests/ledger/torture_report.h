#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "ledger/invariants.h"

namespace dpsql {

// What one suite is told: how much to do, where, and from which seed.
struct TortureTask {
  std::int64_t amount = 1;
  std::uint64_t seed = 1;
  std::string directory;  // of its own, empty, gone at the end
};

// Counts what was tried, and keeps and prints the violations.
class TortureReport {
 public:
  // `scenario` says how to come here again.
  void Add(const std::string& scenario, const Verdict& verdict);
  void Violation(const std::string& scenario, const std::string& what);

  // A figure to print at the end, without a judgement.
  void Count(const std::string& name, std::int64_t by = 1) { counts_[name] += by; }

  // Prints the figures. Returns the exit code: 0 without violations.
  int Finish() const;

  std::int64_t violations() const { return violations_; }

 private:
  std::int64_t violations_ = 0;
  std::map<std::string, std::int64_t> counts_;
};

void TortureFaults(const TortureTask& task, TortureReport& report);
void TorturePower(const TortureTask& task, TortureReport& report);
void TortureKills(const TortureTask& task, TortureReport& report);
void TortureSlots(const TortureTask& task, TortureReport& report);
void TortureDamage(const TortureTask& task, TortureReport& report);

}  // namespace dpsql
