#include "parameters_option.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dpsql::cli {
namespace {

Parameter One(const std::string& text, const std::string& name) {
  const auto parameters = ReadParameters({text});
  return parameters ? parameters->at(name) : Parameter::Text(parameters.error().message);
}

std::string Refusal(const std::vector<std::string>& texts) {
  const auto parameters = ReadParameters(texts);
  if (parameters) return "";
  EXPECT_EQ(parameters.error().exit_code, 1);
  return parameters.error().message + " | " + parameters.error().hint;
}

TEST(ParametersOption, ReadsNameTypeAndValue) {
  EXPECT_EQ(One("low=5", "low").type, ParameterType::kInteger);
  EXPECT_EQ(One("zip:text=10115", "zip").type, ParameterType::kText);
  EXPECT_EQ(One("zip:text=10115", "zip").text, "10115");
  EXPECT_EQ(One("day:date=2026-01-01", "day").type, ParameterType::kDate);
  EXPECT_EQ(One("gone:null=", "gone").type, ParameterType::kNull);
  EXPECT_EQ(One("empty=", "empty").type, ParameterType::kText);
  // Only the first sign divides; what comes behind it is the value.
  EXPECT_EQ(One("t=a=b:c", "t").text, "a=b:c");
  EXPECT_EQ(One("t=12:30", "t").text, "12:30");
  EXPECT_EQ(ReadParameters({"a=1", "b=2"})->size(), 2u);
}

TEST(ParametersOption, RefusesWithTheFix) {
  EXPECT_EQ(Refusal({"low"}), "--param takes a value | write  --param name=value");
  for (const char* text : {"=5", "1a=5", "a b=5", "$low=5", "a-b=5", ":text=5", "é=5"}) {
    EXPECT_TRUE(Refusal({text}).starts_with("--param takes a name of letters")) << text;
  }
  EXPECT_EQ(
      Refusal({"low:int8=5"}),
      "--param low has an unknown type | types: integer, decimal, double, boolean, text, date, "
      "timestamp, null");
  EXPECT_EQ(Refusal({"low:integer=five"}),
            "--param low: the value of $low is not an integer of 64 bits | write  --param "
            "low:integer=5");
  EXPECT_EQ(
      Refusal({"low:double=nan"}),
      "--param low: the value of $low is not a finite number | write  --param low:double=1e6");
  EXPECT_EQ(Refusal({"low=1", "low=2"}), "--param low is given twice | leave one of them out");
  EXPECT_EQ(Refusal({"name=\xFF"}),
            "--param name: the value of $name is not valid UTF-8 | send it as UTF-8");
}

}  // namespace
}  // namespace dpsql::cli
