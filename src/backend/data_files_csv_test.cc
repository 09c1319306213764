#include "backend/data_files_csv.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace dpsql {
namespace {

// The first flaw of bytes that come in these pieces, as "what at byte", or "none".
std::string FlawOf(const std::vector<std::string>& pieces) {
  CsvScan scan;
  std::optional<CsvFlaw> flaw;
  for (const std::string& piece : pieces) {
    if (!flaw) flaw = scan.Read(piece);
  }
  if (!flaw) flaw = scan.Finish();
  return flaw ? flaw->what + " at " + std::to_string(flaw->byte) : "none";
}

TEST(CsvScan, TakesWhatRfc4180Says) {
  for (const char* text :
       {"", "\n", "a,b\n1,2", "a,b\r\n1,2\r\n", "\"a\",\"\"\n", "\"a\"\"b\"", "\"\"\"\"\n",
        "\"\r\",\"\n\"\r\n", "'\\#\t ,;\n", "\xff,\xef\xbb\xbf\n"}) {
    EXPECT_EQ(FlawOf({text}), "none") << text;
  }
}

TEST(CsvScan, FindsTheFirstByteThatMovesARow) {
  EXPECT_EQ(FlawOf({"a\n1,\"x\n2,y\n"}), "a quote is not closed at 2");
  EXPECT_EQ(FlawOf({"a\nx\"\n"}), "a quote stands inside of a field at 3");
  EXPECT_EQ(FlawOf({"a\n \"x\"\n"}), "a quote stands inside of a field at 3");
  EXPECT_EQ(FlawOf({"a\n\"x\"y\n"}), "a quote stands inside of a field at 5");
  EXPECT_EQ(FlawOf({"a\rb\n"}), "a line ends with CR alone at 2");
  EXPECT_EQ(FlawOf({"a\r\r\n"}), "a line ends with CR alone at 2");
  EXPECT_EQ(FlawOf({"a\r"}), "a line ends with CR alone at 2");
}

TEST(CsvScan, CountsTheBytesOfARowAndNotOfALine) {
  const std::string most(kLongestCsvLine - 3, 'x');
  EXPECT_EQ(FlawOf({"a\n\"", most, "\"\n", most, "\n"}), "none");
  std::string lines;
  while (lines.size() < kLongestCsvLine) lines += "1,2\n";
  EXPECT_EQ(FlawOf({lines, lines}), "none");
  EXPECT_EQ(FlawOf({"a\n\"", lines, "\"\n"}).substr(0, 27), "a line is longer than 16 MB");
  EXPECT_EQ(FlawOf({"a\n", most, most, "\n"}).substr(0, 27), "a line is longer than 16 MB");
}

TEST(CsvScan, PiecesAreOneText) {
  std::mt19937 random(20261117);
  const std::string special = "\"\"\"\",,\n\n\r\nab";
  int sound = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::size_t size = random() % 12; size > 0; --size) {
      text += special[random() % special.size()];
    }
    std::vector<std::string> bytes;
    for (const char byte : text) bytes.emplace_back(1, byte);
    EXPECT_EQ(FlawOf({text}), FlawOf(bytes)) << text;
    sound += FlawOf({text}) == "none" ? 1 : 0;
  }
  EXPECT_GT(sound, 1000);
  EXPECT_LT(sound, 19'000);
}

}  // namespace
}  // namespace dpsql
