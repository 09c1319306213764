#include "engine/policy_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/temp_folder.h"

namespace dpsql {
namespace {

class PolicyFileTest : public testing::Test {
 protected:
  void Write(const std::string& text) const { std::ofstream(folder_ / "p.toml") << text; }

  static std::string CodeOf(const PolicyFile& file) {
    const Status stands = file.Stands();
    return stands.ok() ? "ok" : stands.error().code;
  }

  TempFolder folder_;
};

TEST_F(PolicyFileTest, StandsWhileItSaysTheSame) {
  Write("k = 10");
  const auto file = PolicyFile::Read(folder_ / "p.toml");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(CodeOf(*file), "ok");
  Write("k = 20");
  EXPECT_EQ(CodeOf(*file), "B411");
  std::filesystem::remove(folder_ / "p.toml");
  EXPECT_EQ(CodeOf(*file), "C201");
  Write("k = 10");
  EXPECT_EQ(CodeOf(*file), "ok");
}

TEST_F(PolicyFileTest, IsTheSameFileFromAnotherFolder) {
  const auto before = std::filesystem::current_path();
  Write("k = 10");
  std::filesystem::current_path(folder_ / "");
  const auto file = PolicyFile::Read("p.toml");
  std::filesystem::current_path(before);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(CodeOf(*file), "ok");
}

TEST_F(PolicyFileTest, APipeStands) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "k = 10", 6), 6);
  close(ends[1]);
  const auto file = PolicyFile::Read("/dev/fd/" + std::to_string(ends[0]));
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->text(), "k = 10");
  EXPECT_EQ(CodeOf(*file), "ok");
  close(ends[0]);
}

}  // namespace
}  // namespace dpsql
