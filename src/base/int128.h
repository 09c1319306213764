#pragma once

#include <string>

namespace dpsql {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

std::string ToString(Int128 value);
std::string ToString(UInt128 value);

}  // namespace dpsql
