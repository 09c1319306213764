#pragma once

#include <cstddef>
#include <string_view>

#include "dpsql/result.h"

namespace dpsql {

class Tokens;

inline constexpr std::size_t kMaxTextBytes = 64 * 1024;
inline constexpr std::size_t kMaxTokens = 8'000;
inline constexpr std::size_t kMaxOpenBrackets = 200;
inline constexpr std::size_t kMaxNameBytes = 63;  // PostgreSQL would cut a longer name silently

// How deep the grammar's answer may nest. An operator takes two levels and a derived table five, so
// this is about five hundred operators in one chain; rooms after this one may recurse on the tree.
inline constexpr std::size_t kMaxTreeDepth = 1'024;

// What can be seen before any grammar runs: size, NUL bytes, UTF-8, and runs of operator characters
// that cost the scanner quadratic time.
Status CheckText(std::string_view sql);

// What the tokens show before the grammar recurses over them: their number, the brackets open at
// one time, and the length of names.
Status CheckTokens(const Tokens& tokens);

}  // namespace dpsql
