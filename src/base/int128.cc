#include "base/int128.h"

#include <algorithm>

namespace dpsql {

std::string ToString(UInt128 value) {
  std::string digits;
  do {
    digits.push_back(static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::string ToString(Int128 value) {
  if (value >= 0) return ToString(static_cast<UInt128>(value));
  return "-" + ToString(~static_cast<UInt128>(value) + 1);
}

}  // namespace dpsql
