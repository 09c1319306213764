#pragma once

#include <algorithm>
#include <cstdlib>

namespace dpsql {

// How many times slower than usual the program may be. Builds with counters or sanitizers say it in
// the environment; a limit of time that a test has is multiplied with it.
inline int Patience() {
  const char* const text = std::getenv("DPSQL_PATIENCE");
  return text == nullptr ? 1 : std::max(std::atoi(text), 1);
}

}  // namespace dpsql
