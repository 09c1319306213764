#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <set>
#include <thread>
#include <vector>

#include "base/random_source.h"

namespace dpsql {
namespace {

std::uint64_t Draw(RandomSource& source) {
  std::array<std::uint32_t, 2> words;
  source.Fill(words);
  return (std::uint64_t{words[0]} << 32) | words[1];
}

// 20,000 numbers of 64 bits hold a pair of equals with probability 1.1e-11.
TEST(OpenSslRandomSourceTest, SmallRequestsNeverRepeat) {
  const auto source = MakeRandomSource();
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 20000; ++i) EXPECT_TRUE(seen.insert(Draw(*source)).second);
}

// Every bit of every word is fair within a false-alarm rate of 32 * 1.3e-12.
TEST(OpenSslRandomSourceTest, LargeRequestsAreFilledToTheEnd) {
  const auto source = MakeRandomSource();
  for (const std::size_t size : {std::size_t{1023}, std::size_t{1024}, std::size_t{100000}}) {
    std::vector<std::uint32_t> words(size);
    source->Fill(words);
    for (unsigned bit = 0; bit < 32; ++bit) {
      double ones = 0;
      for (const std::uint32_t word : words) ones += (word >> bit) & 1;
      const auto count = static_cast<double>(size);
      EXPECT_LT(std::abs(ones - count / 2), 7.1 * std::sqrt(count) / 2);
    }
    EXPECT_NE(words.back(), words.front());
  }
  source->Fill({});
}

TEST(OpenSslRandomSourceTest, AChildDoesNotRepeatItsParent) {
  const auto source = MakeRandomSource();
  Draw(*source);  // now the pool holds words that a child could repeat
  std::array<int, 2> ends;
  ASSERT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const std::uint64_t drawn = Draw(*source);
    const bool sent = write(ends[1], &drawn, sizeof(drawn)) == sizeof(drawn);
    _exit(sent ? 0 : 1);
  }
  const std::uint64_t of_parent = Draw(*source);
  std::uint64_t of_child = 0;
  ASSERT_EQ(read(ends[0], &of_child, sizeof(of_child)), ssize_t{sizeof(of_child)});
  EXPECT_NE(of_child, of_parent);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  close(ends[0]);
  close(ends[1]);
}

TEST(OpenSslRandomSourceTest, ThreadsShareASourceAndNoWords) {
  const auto source = MakeRandomSource();
  std::vector<std::vector<std::uint64_t>> drawn(4);
  std::vector<std::thread> threads;
  threads.reserve(drawn.size());
  for (auto& mine : drawn) {
    threads.emplace_back([&source, &mine] {
      for (int i = 0; i < 2000; ++i) mine.push_back(Draw(*source));
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::uint64_t> seen;
  for (const auto& mine : drawn) seen.insert(mine.begin(), mine.end());
  EXPECT_EQ(seen.size(), 8000u);
}

}  // namespace
}  // namespace dpsql
