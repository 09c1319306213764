#pragma once

#include <optional>
#include <string>
#include <string_view>

// What a value must look like to be one of its column's type. SQLite keeps anything in any column.
namespace dpsql {

// Longer texts are no values: whatever is made of shorter ones stays below what SQLite can hold, so
// that no expression fails on a row.
inline constexpr std::size_t kLongestSqliteText = std::size_t{1} << 24;

// UTF-8 without a NUL, at which SQLite's functions would stop, and not too long.
bool IsPlainText(std::string_view text);

// A day of the years 1 to 9999 as YYYY-MM-DD, and nothing else.
bool IsDay(std::string_view text);

// The moment that a text names, as YYYY-MM-DD HH:MM:SS with up to six digits of a fraction behind
// and no zero at their end; nothing where it names none. Takes a T between day and time, a time
// without seconds, and a day alone. A zone is none of it: whose clock is meant is not known.
// Ensures: the order of these texts is that of the moments.
std::optional<std::string> MomentOf(std::string_view text);

// LIKE as PostgreSQL means it, by code points: % is any text, _ any one character, and `escape`,
// where there is one, takes their meaning from what follows. Takes at most the product of both
// sizes in steps.
bool IsLike(std::string_view text, std::string_view pattern, std::string_view escape);

}  // namespace dpsql
