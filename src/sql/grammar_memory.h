#pragma once

#include <pthread.h>

#include <optional>

namespace dpsql {

// The memory that PostgreSQL's parser keeps for a thread, from here to the end of the scope.
//
// The library frees it when the thread ends, by a key of thread-specific data that it makes for
// each thread and never gives back. A process has 1,024 keys: after so many statements no library
// in it could make one any more, and OpenSSL, from which the noise comes, cannot do without.
class GrammarMemory {
 public:
  // Requires: a thread that has not used the parser yet.
  GrammarMemory();
  ~GrammarMemory();
  GrammarMemory(const GrammarMemory&) = delete;
  GrammarMemory& operator=(const GrammarMemory&) = delete;

 private:
  std::optional<pthread_key_t> key_;  // the one that the library made; empty where it made none
};

}  // namespace dpsql
