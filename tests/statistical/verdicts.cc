#include "statistical/verdicts.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace dpsql {

Verdicts::Verdicts(std::string part, int tests)
    : part_(std::move(part)),
      tests_(tests),
      each_(tests > 0 ? kRunFalseAlarm / kParts / tests : 0) {
  std::printf("%s\n%-44s %-9s %-34s %s\n", part_.c_str(), "test", "alarm", "result", "power");
}

void Verdicts::Add(Verdict verdict) {
  std::printf("%-44s %-9s %-34s %s%s\n", verdict.name.c_str(),
              verdict.false_alarm > 0 ? Digits(verdict.false_alarm, 2).c_str() : "never",
              verdict.result.c_str(), verdict.power.c_str(), verdict.passed ? "" : "  FAILED");
  std::fflush(stdout);
  verdicts_.push_back(std::move(verdict));
}

void Verdicts::AddCertain(const std::string& name, bool holds, const std::string& result,
                          const std::string& power) {
  Add({.name = name, .result = result, .power = power, .passed = holds, .false_alarm = 0});
}

bool Verdicts::passed() const {
  return std::all_of(verdicts_.begin(), verdicts_.end(),
                     [](const Verdict& verdict) { return verdict.passed; });
}

int Verdicts::Finish() const {
  double false_alarm = 0;
  int failed = 0;
  int counted = 0;
  for (const Verdict& verdict : verdicts_) {
    false_alarm += verdict.false_alarm;
    counted += verdict.false_alarm > 0 ? 1 : 0;
    failed += verdict.passed ? 0 : 1;
  }
  if (counted != tests_) {
    throw std::logic_error(part_ + " has " + std::to_string(counted) + " tests, not " +
                           std::to_string(tests_));
  }
  std::printf("%zu tests, %d failed; false alarms of this part %s, of the whole run %s at most\n",
              verdicts_.size(), failed, Digits(false_alarm, 2).c_str(),
              Digits(kRunFalseAlarm, 2).c_str());
  for (const Verdict& verdict : verdicts_) {
    const nlohmann::ordered_json line = {{"kind", "statistical"},
                                         {"name", part_ + ", " + verdict.name},
                                         {"false_alarm", verdict.false_alarm},
                                         {"power", verdict.power},
                                         {"result", verdict.result},
                                         {"failed", !verdict.passed}};
    std::printf("#audit %s\n", line.dump().c_str());
  }
  return failed == 0 ? 0 : 1;
}

std::string Digits(double number, int digits) {
  std::string text(40, '\0');
  const int length = std::snprintf(text.data(), text.size(), "%.*g", digits, number);
  text.resize(static_cast<std::size_t>(length));
  return text;
}

}  // namespace dpsql
