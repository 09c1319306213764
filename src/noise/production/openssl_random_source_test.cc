#include <gtest/gtest.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <functional>
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

// From a request too large for the pool: straight from the generator.
std::uint64_t DrawPastThePool(RandomSource& source) {
  std::vector<std::uint32_t> words(5000);
  source.Fill(words);
  return (std::uint64_t{words[0]} << 32) | words[1];
}

// What `child` draws in a child process; 0 where the child could not. The process `child` runs in
// may make children of its own by calling this.
std::uint64_t InAChild(const std::function<std::uint64_t()>& child) {
  std::array<int, 2> ends;
  if (pipe(ends.data()) != 0) return 0;
  const pid_t pid = fork();
  if (pid == 0) {
    const std::uint64_t drawn = child();
    const bool sent = write(ends[1], &drawn, sizeof(drawn)) == sizeof(drawn);
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  std::uint64_t drawn = 0;
  if (read(ends[0], &drawn, sizeof(drawn)) != sizeof(drawn)) drawn = 0;
  close(ends[0]);
  waitpid(pid, nullptr, 0);
  return drawn;
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
  for (const auto draw : {Draw, DrawPastThePool}) {
    Draw(*source);  // now the pool holds words that a child could repeat
    const std::uint64_t of_child = InAChild([&] { return draw(*source); });
    ASSERT_NE(of_child, 0u);
    EXPECT_NE(of_child, draw(*source));
  }
}

TEST(OpenSslRandomSourceTest, AGrandchildDoesNotRepeatAnybody) {
  const auto source = MakeRandomSource();
  for (const auto draw : {Draw, DrawPastThePool}) {
    Draw(*source);
    // The child in between draws nothing: what it inherited goes on to its own child.
    const std::uint64_t of_grandchild =
        InAChild([&] { return InAChild([&] { return draw(*source); }); });
    const std::uint64_t of_child = InAChild([&] { return draw(*source); });
    const std::uint64_t of_parent = draw(*source);
    ASSERT_NE(of_grandchild, 0u);
    EXPECT_EQ(std::set({of_grandchild, of_child, of_parent}).size(), 3u);
  }
}

// Makes the next child process 1 of a new PID namespace. False where that is not allowed.
bool EnterNamespace() {
  return unshare(CLONE_NEWPID) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWPID) == 0;
}

// Parent and child are both process 1, each of its own namespace: a number does not tell them
// apart, neither for the pool nor for OpenSSL.
TEST(OpenSslRandomSourceTest, AChildWithTheNumberOfItsParentDoesNotRepeatIt) {
  constexpr std::uint64_t kNotAllowed = 1;
  constexpr std::uint64_t kRepeated = 2;
  constexpr std::uint64_t kDiffered = 3;
  const auto source = MakeRandomSource();
  for (const auto draw : {Draw, DrawPastThePool}) {
    const auto as_process_1 = [&]() -> std::uint64_t {
      Draw(*source);
      if (getpid() != 1 || !EnterNamespace()) return kNotAllowed;
      const std::uint64_t of_child =
          InAChild([&] { return getpid() == 1 ? draw(*source) : std::uint64_t{0}; });
      if (of_child == 0) return kNotAllowed;
      return of_child == draw(*source) ? kRepeated : kDiffered;
    };
    const std::uint64_t outcome =
        InAChild([&] { return EnterNamespace() ? InAChild(as_process_1) : kNotAllowed; });
    if (outcome == kNotAllowed) GTEST_SKIP() << "PID namespaces are not allowed here";
    EXPECT_EQ(outcome, kDiffered);
  }
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

// A thread that a child starts has a pool of its own, and the generator below it a new seed.
TEST(OpenSslRandomSourceTest, AThreadOfAChildDoesNotRepeatAThreadOfTheParent) {
  const auto source = MakeRandomSource();
  const auto in_a_thread = [&] {
    std::uint64_t drawn = 0;
    std::thread([&] { drawn = Draw(*source); }).join();
    return drawn;
  };
  in_a_thread();
  const std::uint64_t of_child = InAChild(in_a_thread);
  ASSERT_NE(of_child, 0u);
  EXPECT_NE(of_child, in_a_thread());
}

// What the source file claims of OpenSSL, from the library that is linked: it reseeds itself.
TEST(OpenSslRandomSourceTest, TheGeneratorReseedsItself) {
  for (EVP_RAND_CTX* generator : {RAND_get0_private(nullptr), RAND_get0_primary(nullptr)}) {
    unsigned requests = 0;
    std::uint64_t seconds = 0;
    std::array<OSSL_PARAM, 3> wanted = {
        OSSL_PARAM_construct_uint(OSSL_DRBG_PARAM_RESEED_REQUESTS, &requests),
        OSSL_PARAM_construct_uint64(OSSL_DRBG_PARAM_RESEED_TIME_INTERVAL, &seconds),
        OSSL_PARAM_construct_end()};
    ASSERT_EQ(EVP_RAND_CTX_get_params(generator, wanted.data()), 1);
    EXPECT_GE(requests, 1u);
    EXPECT_LE(requests, 1u << 16);
    EXPECT_GE(seconds, 1u);
    EXPECT_LE(seconds, 3600u);
  }
}

}  // namespace
}  // namespace dpsql
