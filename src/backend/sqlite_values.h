#pragma once

#include <optional>
#include <string>
#include <string_view>

// What a value must look like to be one of its column's type. SQLite keeps anything in any column.
namespace dpsql {

// What a text has at most, in bytes. SQLite has 10^9 bytes for a value and for a row, and a
// person's text can stand in every column of one. No function of the dialect makes a text longer
// than its arguments but || and replace, which end at 4,096 characters. A row has at most 2,000
// columns, and what sorts or groups it keeps what these are computed from beside them, as many
// columns again: 4,000 * 65,536 < 0.27 * 10^9. So no expression fails on a row.
inline constexpr std::size_t kLongestSqliteText = std::size_t{1} << 16;

// What is read as it is. A longer text is cut, at the end of a character, to more than this.
inline constexpr std::size_t kLongestWholeText = kLongestSqliteText - 4;

// UTF-8 without a NUL, at which SQLite's functions would stop.
bool IsPlainText(std::string_view text);

// A text that is too long as its beginning and a digest of the whole. No two texts become one,
// which may be those of two units: what is cut is longer than all that is read as it is, and of two
// that are cut the digests differ. Requires: IsPlainText. Ensures: at most kLongestSqliteText
// bytes.
std::string ShortText(std::string_view text);

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
