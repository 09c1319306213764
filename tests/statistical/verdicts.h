#pragma once

#include <string>
#include <vector>

namespace dpsql {

// What one test found. `power` says which error it finds, and how surely.
struct Verdict {
  std::string name;
  std::string result;
  std::string power;
  bool passed = true;
  double false_alarm = 0;  // 0: it cannot raise one
};

// The verdicts of one part of the audit. All parts together, run once each, raise a false alarm in
// one of a million runs: each part has an equal share, and within it each of its tests.
class Verdicts {
 public:
  // Requires: `tests` is the number of those that can raise a false alarm; Finish checks it.
  Verdicts(std::string part, int tests);

  // The false-alarm rate of one test.
  double each() const { return each_; }

  void Add(Verdict verdict);

  // Something that is so by construction, whatever the noise.
  void AddCertain(const std::string& name, bool holds, const std::string& result,
                  const std::string& power);

  bool passed() const;

  // Prints the table's end and an audit line for each test. Ensures: the program's exit code.
  int Finish() const;

 private:
  std::string part_;
  int tests_;
  double each_;
  std::vector<Verdict> verdicts_;
};

inline constexpr double kRunFalseAlarm = 1e-6;
// noise_law, gdp, epsilon and delta of statistical_audit, whose structure is certain; the laws of
// tests/audit/noise_law_test.cc and the intervals of tests/coverage.
inline constexpr int kParts = 6;

// "0.998", in as many digits.
std::string Digits(double number, int digits = 4);

}  // namespace dpsql
