#include "backend/postgresql_dial.h"

#include <gtest/gtest.h>
#include <pthread.h>

namespace dpsql {
namespace {

// While this lives no thread can be started: each would have a stack that no machine has room for.
class NoThreads {
 public:
  NoThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t vast;
    pthread_attr_init(&vast);
    pthread_attr_setstacksize(&vast, std::size_t{1} << 50U);
    pthread_setattr_default_np(&vast);
    pthread_attr_destroy(&vast);
  }
  ~NoThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t before_{};
};

bool called = false;

// Nobody could end the waiting of the thread that asks.
TEST(PostgreSqlDialTest, WithoutAThreadNobodyConnects) {
  LibPq library;
  library.PQconnectdbParams = [](const char* const*, const char* const*, int) -> PGconn* {
    called = true;
    return nullptr;
  };
  StopSign sign;
  const auto soon = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  EXPECT_EQ(Dial(library, {}, {.sign = sign, .end = soon}).handle, nullptr);
  EXPECT_TRUE(called);
  called = false;
  const NoThreads here;
  const Dialled dialled = Dial(library, {}, {.sign = sign, .end = soon});
  EXPECT_EQ(dialled.handle, nullptr);
  EXPECT_FALSE(dialled.stopped);
  EXPECT_FALSE(called);
}

}  // namespace
}  // namespace dpsql
