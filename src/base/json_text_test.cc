#include "base/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace dpsql {
namespace {

TEST(EscapeControls, EscapesWhatATerminalObeysAndNothingElse) {
  EXPECT_EQ(EscapeControls("[\"\x7f\u0080\u009f\u00a0\"]"), "[\"\\u007f\\u0080\\u009f\u00a0\"]");
  EXPECT_EQ(EscapeControls("\"\u061c\u200e\u200f\u202a\u202e\u2066\u2069\u2028\u2029\""),
            "\"\\u061c\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069\\u2028\\u2029\"");
  EXPECT_EQ(EscapeControls("{\"a\":1,\n \"東京\":\"🗼\\u001b\"}"),
            "{\"a\":1,\n \"東京\":\"🗼\\u001b\"}");
  EXPECT_EQ(EscapeControls(""), "");
}

TEST(EscapeControls, ProgramsReadTheSameText) {
  std::string every;
  for (unsigned c = 1; c < 0x800; ++c) {
    every += c < 0x80 ? std::string(1, static_cast<char>(c))
                      : std::string{static_cast<char>(0xC0U | (c >> 6U)),
                                    static_cast<char>(0x80U | (c & 0x3FU))};
  }
  const nlohmann::json json = {{every, every}};
  EXPECT_EQ(nlohmann::json::parse(EscapeControls(json.dump())), json);
}

}  // namespace
}  // namespace dpsql
