#include "backend/spill_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "support/temp_folder.h"

namespace dpsql {
namespace {

namespace fs = std::filesystem;

class SpillFolderTest : public testing::Test {
 protected:
  void SetUp() override { setenv("TMPDIR", (place_ / "").c_str(), 1); }
  void TearDown() override { unsetenv("TMPDIR"); }

  static std::unique_ptr<SpillFolder> Make() {
    auto made = SpillFolder::Make();
    EXPECT_TRUE(made.ok());
    return made.ok() ? std::move(made).value() : nullptr;
  }

  static void Spill(const fs::path& folder) {
    std::ofstream(folder / "duckdb_temp_0.tmp") << "row";
  }

  // What a process of this account leaves where it is killed.
  fs::path Killed() {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      const auto folder = Make();
      Spill(folder->path());
      const std::string path = folder->path();
      if (write(ends[1], path.data(), path.size()) < 0) _exit(1);
      kill(getpid(), SIGKILL);
    }
    close(ends[1]);
    waitpid(child, nullptr, 0);
    std::string path(4096, '\0');
    const ssize_t size = read(ends[0], path.data(), path.size());
    close(ends[0]);
    path.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return path;
  }

  TempFolder place_;
};

TEST_F(SpillFolderTest, OnlyItsAccountLooksIntoItAndItIsGoneAtTheEnd) {
  auto folder = Make();
  const fs::path path = folder->path();
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0700u);
  Spill(path);
  folder.reset();
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(SpillFolderTest, TheNextRemovesWhatAKilledProcessLeft) {
  const fs::path left = Killed();
  ASSERT_TRUE(fs::exists(left / "duckdb_temp_0.tmp"));
  const auto next = Make();
  EXPECT_FALSE(fs::exists(left));
}

TEST_F(SpillFolderTest, WhatIsInUseOrNotOursStays) {
  const auto first = Make();
  Spill(first->path());
  const fs::path other = place_ / "dpsql-spilled-rows-of-mine";
  const fs::path link = place_ / "dpsql-spilled-rows-abcdef";
  fs::create_directory(other);
  fs::create_directory_symlink(other, link);
  const auto second = Make();
  EXPECT_TRUE(fs::exists(first->path() / "duckdb_temp_0.tmp"));
  EXPECT_TRUE(fs::exists(other));
  EXPECT_TRUE(fs::is_symlink(link));
}

TEST_F(SpillFolderTest, AllOfAProcessCanBeRemovedAtOnce) {
  const auto first = Make();
  const auto second = Make();
  Spill(first->path());
  SpillFolder::RemoveAll();
  EXPECT_FALSE(fs::exists(first->path()));
  EXPECT_FALSE(fs::exists(second->path()));
}

TEST_F(SpillFolderTest, APlaceWhereNothingCanBeMadeIsNamed) {
  setenv("TMPDIR", "/proc", 1);
  const auto made = SpillFolder::Make();
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, "E501");
  EXPECT_NE(made.error().message.find("/proc"), std::string::npos) << made.error().message;
}

}  // namespace
}  // namespace dpsql
