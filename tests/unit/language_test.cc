#include "dpsql/language.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "aggregates/aggregate.h"
#include "base/error_codes.h"
#include "plan/settings.h"
#include "validate/functions.h"

namespace dpsql {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsSupersetOf;
using ::testing::Not;

const FunctionInfo* Find(const std::vector<FunctionInfo>& functions, std::string_view name,
                         FunctionKind kind) {
  const auto found = std::find_if(
      functions.begin(), functions.end(),
      [&](const FunctionInfo& function) { return function.name == name && function.kind == kind; });
  return found == functions.end() ? nullptr : &*found;
}

TEST(LanguageTest, EveryLineOfEveryTableSaysWhatItMeans) {
  for (const FunctionInfo& function : Functions()) {
    EXPECT_FALSE(function.summary.empty()) << function.name;
    EXPECT_FALSE(function.signatures.empty()) << function.name;
  }
  for (const Aggregate* aggregate : AllAggregates()) {
    EXPECT_FALSE(aggregate->meaning.empty()) << aggregate->function;
  }
  for (const SettingForm& setting : SettingForms()) {
    EXPECT_FALSE(setting.meaning.empty()) << setting.name;
  }
  for (const ErrorInfo& error : ErrorCodes()) EXPECT_FALSE(error.summary.empty()) << error.code;
}

TEST(LanguageTest, FormsOfANameAreOneFunction) {
  const std::vector<FunctionInfo> functions = Functions();
  std::set<std::pair<FunctionKind, std::string>> seen;
  for (const FunctionInfo& function : functions) {
    EXPECT_TRUE(seen.emplace(function.kind, function.name).second) << function.name;
  }
  const FunctionInfo* round = Find(functions, "round", FunctionKind::kRow);
  ASSERT_NE(round, nullptr);
  EXPECT_THAT(round->signatures,
              ElementsAre("round(integer)", "round(number)", "round(number, digits)"));
  EXPECT_EQ(round->summary, "the nearest whole number; halves away from zero");
  const FunctionInfo* count = Find(functions, "count", FunctionKind::kAggregate);
  ASSERT_NE(count, nullptr);
  EXPECT_THAT(count->signatures,
              ElementsAre("count(*)", "count(x)", "count(DISTINCT unit)", "count(DISTINCT x)"));
}

TEST(LanguageTest, WhatIsCalledByANameIsThereAndOperatorsAreNot) {
  const std::vector<FunctionInfo> functions = Functions();
  for (const char* name : {"extract", "date_trunc", "cast", "current_date", "position", "now"}) {
    EXPECT_NE(Find(functions, name, FunctionKind::kRow), nullptr) << name;
  }
  for (const char* name : {"+", "and", "case", "in", "is", "like", "not"}) {
    EXPECT_EQ(Find(functions, name, FunctionKind::kRow), nullptr) << name;
  }
  EXPECT_NE(Find(functions, "variance", FunctionKind::kAggregate), nullptr);
  EXPECT_NE(Find(functions, "max", FunctionKind::kExact), nullptr);
  EXPECT_EQ(Find(functions, "max", FunctionKind::kAggregate), nullptr);
  EXPECT_NE(Find(functions, "row_number", FunctionKind::kWindow), nullptr);
}

TEST(LanguageTest, SettingsAreThoseThatCanBeSet) {
  std::vector<std::string> names;
  for (const SettingInfo& setting : SessionSettings()) names.push_back(setting.name);
  EXPECT_THAT(names, IsSupersetOf({"dp.epsilon", "dp.delta", "dp.noise"}));
  EXPECT_THAT(names, Not(Contains("dp.privacy_unit_column")));
  EXPECT_EQ(names.size() + 2, SettingForms().size()) << "all but the two that are refused";
}

TEST(LanguageTest, ErrorsAreThoseOfTheTable) {
  const std::vector<ErrorInfo> errors = ErrorCodes();
  EXPECT_EQ(errors.size(), AllErrorCodes().size());
  const auto found = std::find_if(errors.begin(), errors.end(),
                                  [](const ErrorInfo& error) { return error.code == "E505"; });
  ASSERT_NE(found, errors.end());
  EXPECT_EQ(found->sqlstate, "57014");
  EXPECT_EQ(found->exit_code, 130);
  EXPECT_EQ(found->hint, "the budget stays spent");
}

}  // namespace
}  // namespace dpsql
