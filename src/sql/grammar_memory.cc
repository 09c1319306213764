#include "sql/grammar_memory.h"

#include <pg_query.h>

#include <bitset>
#include <climits>
#include <mutex>

#include "base/check.h"

namespace dpsql {
namespace {

using Keys = std::bitset<PTHREAD_KEYS_MAX>;

// The keys under which this thread holds something. A key that does not exist holds nothing.
Keys HeldKeys() {
  Keys held;
  for (pthread_key_t key = 0; key < Keys().size(); ++key) {
    held[key] = pthread_getspecific(key) != nullptr;
  }
  return held;
}

// The library has one variable for the keys of all threads: it must be written and read by one
// thread at a time, or two threads would share a key.
std::mutex& InitMutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

GrammarMemory::GrammarMemory() {
  const std::scoped_lock lock(InitMutex());
  pthread_key_t probe{};
  // Without a free key the library would write under an old one, which may be another's by now.
  Check(pthread_key_create(&probe, nullptr) == 0, "a key of thread-specific data is free");
  pthread_key_delete(probe);
  const Keys before = HeldKeys();
  pg_query_init();
  const Keys made = HeldKeys() & ~before;
  Check(made.count() <= 1, "the parser makes one key for a thread");
  for (pthread_key_t key = 0; key < made.size(); ++key) {
    if (made[key]) key_ = key;
  }
}

GrammarMemory::~GrammarMemory() {
  if (!key_) return;
  pg_query_exit();
  pthread_setspecific(*key_, nullptr);
  pthread_key_delete(*key_);
}

}  // namespace dpsql
