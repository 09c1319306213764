#include "backend/value_codes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace dpsql {
namespace {

template <typename T>
std::vector<std::uint32_t> CodesOf(Payload payload, const std::vector<T>& numbers) {
  CellMemory memory(std::size_t{1} << 20);
  ValueCodes values(payload, memory);
  values.NumberFirst(3);
  std::vector<std::uint32_t> codes(numbers.size());
  values.Encode({numbers.data(), nullptr}, numbers.size(), false, codes.data());
  return codes;
}

// One number that is no place is enough, wherever it stands, for all to be looked up.
template <typename T>
void ExpectOnlyPlacesAreTheirOwnCodes(Payload payload) {
  constexpr T kLeast = std::numeric_limits<T>::min();
  constexpr T kMost = std::numeric_limits<T>::max();
  EXPECT_EQ(CodesOf<T>(payload, {0, 1, 2, 2, 1}), (std::vector<std::uint32_t>{0, 1, 2, 2, 1}));
  for (const T other : {T{3}, T{4}, T{-1}, T{-3}, kLeast, T(kLeast + 2), kMost}) {
    EXPECT_EQ(CodesOf<T>(payload, {1, other, 2}), (std::vector<std::uint32_t>{1, 3, 2})) << other;
  }
}

TEST(ValueCodesTest, NumbersThatAreNoPlacesHaveCodesBehindThem) {
  ExpectOnlyPlacesAreTheirOwnCodes<std::int32_t>(Payload::kInt32);
  ExpectOnlyPlacesAreTheirOwnCodes<std::int64_t>(Payload::kInt64);
  // Its lower half alone would be a place.
  EXPECT_EQ(CodesOf<std::int64_t>(Payload::kInt64, {std::int64_t{1} << 32, 0}),
            (std::vector<std::uint32_t>{3, 0}));
}

}  // namespace
}  // namespace dpsql
