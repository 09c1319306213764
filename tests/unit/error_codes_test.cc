#include "base/error_codes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace dpsql {
namespace {

// Codes that need more than a statement and a policy to come up, and the test that makes each.
const std::map<std::string, std::string> kUnitTested = {
    {"B407", "LedgerTermsTest.AbortsLockOutAfterTheAllowedNumberUntilAPardon"},
    {"B408", "LedgerTermsTest.NoMoreRunAtOnceThanMayFail"},
    {"B409", "LedgerRevokeTest.WhoIsNamedGetsNothingMoreAndTheOthersGoOn"},
    {"B410", "CorridorTest.AWithdrawnQueryCostsNothing"},
    {"B411", "SessionTest.APolicyThatChangesEndsItsSessions"},
    {"E502", "SessionTest.AFileOfANewerDatabaseIsNamedSo"},
    {"E505", "SessionTest.CancelStopsAQuery"},
    {"L604", "LedgerTermsTest.TheOwnersToolsCreateNoLedger"},
    {"L605", "LedgerUpkeepTest.ABackupOverwritesNothing"},
    {"X901", "SessionTest.AForkedSessionStopsAsABug"},
};

void AddCodesOf(const std::filesystem::path& path, std::set<std::string>& codes) {
  static const std::regex kPattern("^ERROR ([A-Z][0-9]{3}):");
  std::ifstream file(path);
  std::smatch match;
  for (std::string line; std::getline(file, line);) {
    if (std::regex_search(line, match, kPattern)) codes.insert(match[1]);
  }
}

std::set<std::string> GoldenCodes() {
  std::set<std::string> codes;
  for (const std::string kind : {"errors", "threats", "flaws"}) {
    const std::string folder = DPSQL_SOURCE_DIR "/tests/" + kind;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".test") AddCodesOf(entry.path(), codes);
    }
  }
  return codes;
}

bool TestExists(const std::string& name) {
  const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const ::testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      if (std::string(suite.name()) + "." + suite.GetTestInfo(j)->name() == name) return true;
    }
  }
  return false;
}

TEST(ErrorCodesTest, EveryCodeHasATest) {
  const std::set<std::string> golden = GoldenCodes();
  ASSERT_FALSE(golden.empty());
  for (const ErrorCodeInfo& info : AllErrorCodes()) {
    const std::string code(info.code);
    const auto unit = kUnitTested.find(code);
    EXPECT_NE(golden.contains(code), unit != kUnitTested.end())
        << code << " is in " << (golden.contains(code) ? "both" : "neither");
  }
}

TEST(ErrorCodesTest, EveryTestedCodeExists) {
  std::set<std::string> known;
  for (const ErrorCodeInfo& info : AllErrorCodes()) known.insert(std::string(info.code));
  for (const std::string& code : GoldenCodes()) EXPECT_TRUE(known.contains(code)) << code;
  for (const auto& [code, test] : kUnitTested) {
    EXPECT_TRUE(known.contains(code)) << code;
    EXPECT_TRUE(TestExists(test)) << test;
  }
}

TEST(ErrorCodesTest, CodesAndNamesAreUnique) {
  std::set<std::string_view> codes;
  std::set<std::string_view> names;
  for (const ErrorCodeInfo& info : AllErrorCodes()) {
    EXPECT_TRUE(codes.insert(info.code).second) << info.code;
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
  }
}

TEST(ErrorCodesTest, TheLetterIsTheRoomAndTheExit) {
  const std::map<char, char> rooms = {{'P', '1'}, {'C', '2'}, {'V', '3'}, {'B', '4'},
                                      {'E', '5'}, {'L', '6'}, {'X', '9'}};
  const std::map<char, std::set<int>> exits = {{'P', {1}}, {'C', {2}},         {'V', {1}},
                                               {'B', {3}}, {'E', {2, 4, 130}}, {'L', {2, 5}},
                                               {'X', {4}}};
  const std::regex sqlstate("[0-9A-Z]{5}");
  for (const ErrorCodeInfo& info : AllErrorCodes()) {
    ASSERT_EQ(info.code.size(), 4u) << info.code;
    ASSERT_TRUE(rooms.contains(info.code[0])) << info.code;
    EXPECT_EQ(rooms.at(info.code[0]), info.code[1]) << info.code;
    EXPECT_TRUE(exits.at(info.code[0]).contains(info.exit_code)) << info.code;
    EXPECT_TRUE(std::regex_match(std::string(info.sqlstate), sqlstate)) << info.code;
    EXPECT_EQ(info.name.front(), 'k') << info.name;
  }
}

TEST(ErrorCodesTest, AnErrorTakesTheHintOfItsCode) {
  const Error plain = MakeError(ErrorCode::kInterrupted, "stopped");
  EXPECT_EQ(plain.code, "E505");
  EXPECT_EQ(plain.sqlstate, "57014");
  EXPECT_EQ(plain.exit_code, 130);
  EXPECT_EQ(plain.hint, "the budget stays spent");
  EXPECT_EQ(MakeError(ErrorCode::kInterrupted, "stopped", {}, "own").hint, "own");
}

}  // namespace
}  // namespace dpsql
