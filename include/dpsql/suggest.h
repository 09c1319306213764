#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dpsql {

// The candidate that `name` was probably meant to be: the nearest one by insertions, deletions,
// replacements and swaps of neighbours, ignoring case. Nothing where none is near: a wrong
// suggestion is worse than none. Of equally near candidates the longest wins, the first of these.
std::optional<std::string> Suggest(std::string_view name, std::span<const std::string> candidates);

}  // namespace dpsql
