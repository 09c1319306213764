#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "catalog/policy.h"

namespace dpsql {
namespace {

std::string ReadAll(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The keys that the readers of src/catalog ask a section for.
std::set<std::string> KnownKeys() {
  std::set<std::string> keys;
  const std::regex asked(
      R"((?:Text|Texts|Boolean|Integer|Number|Node|Table|ReadKeys)\(\s*"(\w+)\")");
  for (const auto& entry : std::filesystem::directory_iterator(DPSQL_SOURCE_DIR "/src/catalog")) {
    if (!entry.path().filename().string().starts_with("read_")) continue;
    const std::string text = ReadAll(entry.path());
    for (std::sregex_iterator at(text.begin(), text.end(), asked), end; at != end; ++at) {
      keys.insert((*at)[1]);
    }
  }
  return keys;
}

TEST(PolicyReference, TheExampleIsAPolicy) {
  const std::string page = ReadAll(DPSQL_SOURCE_DIR "/docs/reference/policy.md");
  const std::size_t begin = page.find("```toml\n") + 8;
  const auto policy =
      ReadPolicy(page.substr(begin, page.find("```\n", begin) - begin), "policy.md");
  ASSERT_TRUE(policy.ok()) << policy.error().message;
  EXPECT_EQ(policy->tables.size(), 3u);
  EXPECT_EQ(policy->query.timeout, std::chrono::seconds(30));
  EXPECT_EQ(policy->database.memory_bytes, 4'000'000'000u);
}

TEST(PolicyReference, EveryKeyIsOnThePage) {
  const std::set<std::string> keys = KnownKeys();
  EXPECT_GT(keys.size(), 30u);
  const std::string pages = ReadAll(DPSQL_SOURCE_DIR "/docs/reference/policy.md") +
                            ReadAll(DPSQL_SOURCE_DIR "/docs/reference/budget.md");
  for (const std::string& key : keys) {
    EXPECT_TRUE(std::regex_search(pages, std::regex("\\b" + key + "\\b"))) << key;
  }
}

}  // namespace
}  // namespace dpsql
