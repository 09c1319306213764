// The product's noise and its selection of keys, attacked from outside: statistical_audit PART
// DRAWS
//
// Each part says what it tests, at which false-alarm rate, and which error it would find. DRAWS are
// those of each test.
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>

#include "statistical/audit_parts.h"

namespace dpsql {
namespace {

int Run(const std::string& program, const std::string& part, std::int64_t draws) {
  const std::map<std::string, std::function<int()>> parts = {
      {"noise_law", [&] { return AuditNoiseLaw(draws, program); }},
      {"gdp", [&] { return AuditGdp(draws); }},
      {"epsilon", [&] { return AuditEpsilon(draws); }},
      {"delta", [&] { return AuditDelta(draws); }},
      {"structure", [&] { return AuditStructure(draws); }},
      {"draw", [&] { return DrawForParent(draws); }}};
  const auto found = parts.find(part);
  if (found != parts.end() && draws >= 1) return found->second();
  std::cerr << "usage: statistical_audit noise_law|gdp|epsilon|delta|structure DRAWS\n";
  return 2;
}

}  // namespace
}  // namespace dpsql

int main(int argc, char** argv) {
  try {
    const bool complete = argc == 3;
    return dpsql::Run(argv[0], complete ? argv[1] : "", complete ? std::atoll(argv[2]) : 0);
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << "\n";
    return 1;
  }
}
