#include "account/file_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "dpsql/ledger.h"
#include "support/temp_folder.h"

namespace dpsql {
namespace {

using std::chrono::milliseconds;

class FileLockTest : public ::testing::Test {
 protected:
  FileDescriptor Open() const {
    return FileDescriptor(::open((folder_ / "file").c_str(), O_RDWR | O_CREAT, 0600));
  }

  TempFolder folder_;
};

TEST_F(FileLockTest, A43NothingIsCalledWhileALockIsHeld) {
  const FileDescriptor fd = Open();
  std::future<void> called;
  {
    auto first = FileLock::Acquire(fd, "file");
    ASSERT_TRUE(first.ok());
    const FileLock moved = std::move(first).value();
    called = std::async(std::launch::async, [] { CallUnlocked([] {}); });
    EXPECT_EQ(called.wait_for(milliseconds(50)), std::future_status::timeout);
  }
  called.get();
}

TEST_F(FileLockTest, A43NoLockIsTakenDuringACall) {
  const FileDescriptor fd = Open();
  std::atomic<bool> taken = false;
  std::thread taker;
  CallUnlocked([&] {
    taker = std::thread([&] { taken = FileLock::Acquire(fd, "file").ok(); });
    std::this_thread::sleep_for(milliseconds(50));
    EXPECT_FALSE(taken);
  });
  taker.join();
  EXPECT_TRUE(taken);
}

// Whoever waits for the lock of another holds none.
TEST_F(FileLockTest, A43WhoWaitsForALockMayBeStopped) {
  const FileDescriptor fd = Open();
  const FileDescriptor other = Open();  // a flock is of the open file
  std::future<bool> waiting;
  {
    auto held = FileLock::Acquire(fd, "file");
    waiting = std::async(std::launch::async, [&] { return FileLock::Acquire(other, "file").ok(); });
    std::this_thread::sleep_for(milliseconds(10));
  }
  CallUnlocked([] {});
  EXPECT_TRUE(waiting.get());
  CallUnlocked([] {});
}

}  // namespace
}  // namespace dpsql
