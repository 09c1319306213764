#pragma once

#include <string>
#include <string_view>

namespace dpsql {

// ASCII case folding, the rule by which DuckDB compares identifiers.
std::string ToUpper(std::string_view text);
std::string ToLower(std::string_view text);

// Whether two identifiers name the same thing.
bool SameName(std::string_view a, std::string_view b);

}  // namespace dpsql
