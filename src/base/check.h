#pragma once

#include <stdexcept>

namespace dpsql {

// A broken promise inside the program. Caught once, in the engine, and shown without details;
// what was paid stays paid.
class Bug : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// Throws Bug when `condition` is false. The text names the promise and never holds private data.
inline void Check(bool condition, const char* promise) {
  if (!condition) throw Bug(promise);
}

}  // namespace dpsql
