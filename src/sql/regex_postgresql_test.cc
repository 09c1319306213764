#include "sql/regex_postgresql.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace dpsql {
namespace {

TEST(PostgreSqlRegex, SaysWhatThePatternMeans) {
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"^P", "\\AP"},
      {"x$|y", "(?:x\\Z|y)"},
      {"a.c", "a.c"},
      {"\\.csv", "\\U0000002Ecsv"},
      {"[^a\n]", "[^\\U0000000Aa]"},
      {"é?", "\\U000000E9?"},
      {"(ab|c){2,3}", "(?:ab|c){2,3}"},
      {"((a+)?b)*", "(?:(?:a+)?b)*"},
      {"(ab)+", "(?:ab)+"},
  };
  for (const auto& [pattern, expected] : pairs) {
    const RegexReading reading = ReadRegex(pattern);
    EXPECT_EQ(reading.fault, "") << pattern;
    EXPECT_EQ(WritePostgreSqlRegex(reading.regex), expected) << pattern;
  }
  EXPECT_EQ(WritePostgreSqlRegex(ReadFoldedRegex("k1").regex), "[Kk\\U0000212A]1");
}

}  // namespace
}  // namespace dpsql
