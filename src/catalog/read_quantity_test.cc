#include "catalog/read_quantity.h"

#include <gtest/gtest.h>

namespace dpsql {
namespace {

TEST(ReadQuantity, Durations) {
  using std::chrono::milliseconds;
  EXPECT_EQ(ParseDuration("1 ms"), milliseconds(1));
  EXPECT_EQ(ParseDuration("30 s"), milliseconds(30'000));
  EXPECT_EQ(ParseDuration("5 min"), milliseconds(300'000));
  EXPECT_EQ(ParseDuration("1000 h"), milliseconds(3'600'000'000));
  for (const char* text : {"", "30", "30s", "30  s", "0 s", "-1 s", "1.5 s", "1001 h", " 1 s",
                           "1 S", "1 s ", "99999999999999999999 s", "1000000001 s"}) {
    EXPECT_FALSE(ParseDuration(text).has_value()) << text;
  }
}

TEST(ReadQuantity, Memory) {
  EXPECT_EQ(ParseMemory("128 MB"), 128'000'000u);
  EXPECT_EQ(ParseMemory("4 GB"), 4'000'000'000u);
  EXPECT_EQ(ParseMemory("1000 TB"), 1'000'000'000'000'000u);
  for (const char* text : {"", "4", "4GB", "127 MB", "4 gb", "4 GiB", "1001 TB", "-4 GB", "0 GB",
                           "9223372036854775807 TB", "1000000000 TB"}) {
    EXPECT_FALSE(ParseMemory(text).has_value()) << text;
  }
}

TEST(ReadQuantity, Spill) {
  EXPECT_EQ(ParseSpill("1 MB"), 1'000'000u);
  EXPECT_EQ(ParseSpill("1000 TB"), 1'000'000'000'000'000u);
  for (const char* text : {"", "0 MB", "1 kB", "1MB", "1001 TB", "-1 MB"}) {
    EXPECT_FALSE(ParseSpill(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace dpsql
