#include "backend/arrow_text.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "base/int128.h"

namespace dpsql {
namespace {

// A batch of one column without NULLs.
template <typename Number>
std::vector<std::string> Read(const char* format, const std::vector<Number>& values) {
  adbc::ArrowSchema column{.format = format};
  std::array<adbc::ArrowSchema*, 1> columns = {&column};
  const adbc::ArrowSchema schema{.format = "+s", .n_children = 1, .children = columns.data()};
  const auto text = ArrowText::Read(schema);
  if (text == nullptr) return {"refused"};
  std::array<const void*, 2> buffers = {nullptr, values.data()};
  adbc::ArrowArray array{.length = static_cast<std::int64_t>(values.size()),
                         .n_buffers = 2,
                         .buffers = buffers.data()};
  std::array<adbc::ArrowArray*, 1> arrays = {&array};
  const adbc::ArrowArray batch{.length = array.length, .n_children = 1, .children = arrays.data()};
  TextCells cells;
  text->Append(batch, cells);
  std::vector<std::string> shown;
  for (const auto& cell : cells) shown.push_back(cell.value_or("NULL"));
  return shown;
}

using Texts = std::vector<std::string>;

TEST(ArrowTextTest, Numbers) {
  using Whole = std::numeric_limits<std::int64_t>;
  EXPECT_EQ(Read<std::int64_t>("l", {Whole::min(), 0, Whole::max()}),
            (Texts{"-9223372036854775808", "0", "9223372036854775807"}));
  EXPECT_EQ(Read<std::uint64_t>("L", {~std::uint64_t{0}}), Texts{"18446744073709551615"});
  EXPECT_EQ(Read<std::int8_t>("c", {-128}), Texts{"-128"});
  EXPECT_EQ(Read<double>("g", {0.1 + 0.2, -0.0, std::numeric_limits<double>::infinity()}),
            (Texts{"0.30000000000000004", "-0", "inf"}));
  EXPECT_EQ(Read<float>("f", {0.1F}), Texts{"0.10000000149011612"});
}

TEST(ArrowTextTest, Decimals) {
  EXPECT_EQ(Read<Int128>("d:38,10", {Int128{1}, Int128{-1}, Int128{0}, Int128{123456789012}}),
            (Texts{"0.0000000001", "-0.0000000001", "0.0000000000", "12.3456789012"}));
  EXPECT_EQ(Read<Int128>("d:38,0,128", {Int128{-42}}), Texts{"-42"});
  EXPECT_EQ(Read<Int128>("d:76,0,256", {Int128{1}}), Texts{"refused"});
  EXPECT_EQ(Read<Int128>("d:10,-2", {Int128{1}}), Texts{"refused"});
}

TEST(ArrowTextTest, Days) {
  EXPECT_EQ(
      Read<std::int32_t>("tdD", {0, -1, 11'016, 19'782, -719'162, -719'163, 2'932'896, 2'932'897}),
      (Texts{"1970-01-01", "1969-12-31", "2000-02-29", "2024-02-29", "0001-01-01",
             "0001-12-31 (BC)", "9999-12-31", "10000-01-01"}));
}

TEST(ArrowTextTest, Timestamps) {
  EXPECT_EQ(Read<std::int64_t>("tsu:", {0, -1, 1'500'000}),
            (Texts{"1970-01-01 00:00:00", "1969-12-31 23:59:59.999999", "1970-01-01 00:00:01.5"}));
  EXPECT_EQ(Read<std::int64_t>("tsn:UTC", {1}), Texts{"1970-01-01 00:00:00.000000001"});
  EXPECT_EQ(Read<std::int64_t>("tss:", {86'399}), Texts{"1970-01-01 23:59:59"});
}

TEST(ArrowTextTest, WhatIsNotRead) {
  for (const char* format : {"z", "+l", "+m", "vu", "tdm", "tDu", "tiM", "w:16", "e", ""}) {
    EXPECT_EQ(Read<std::int64_t>(format, {0}), Texts{"refused"}) << format;
  }
}

// Places of a column count from its own offset and from that of its batch.
TEST(ArrowTextTest, NullsAndOffsets) {
  const std::array<std::int32_t, 6> ends = {0, 1, 1, 4, 6, 6};
  const std::uint8_t there = 0b01101;
  std::array<const void*, 3> buffers = {&there, ends.data(), "abcdéf"};
  adbc::ArrowArray texts{.length = 3, .null_count = -1, .offset = 1, .buffers = buffers.data()};
  std::array<adbc::ArrowArray*, 1> arrays = {&texts};
  const adbc::ArrowArray batch{
      .length = 3, .offset = 1, .n_children = 1, .children = arrays.data()};
  adbc::ArrowSchema column{.format = "u"};
  std::array<adbc::ArrowSchema*, 1> columns = {&column};
  TextCells cells;
  ArrowText::Read({.format = "+s", .n_children = 1, .children = columns.data()})
      ->Append(batch, cells);
  EXPECT_EQ(cells, (TextCells{"bcd", "é", std::nullopt}));
}

}  // namespace
}  // namespace dpsql
