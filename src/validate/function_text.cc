#include <array>

#include "validate/interval_rules.h"

namespace dpsql {
namespace {

using enum Nulls;

// Characters are code points. Patterns are written out, so that they are read once and can neither
// fail nor take long on a row; what can grow is cut to a fixed length.
constexpr auto kFunctions = std::to_array<ScalarFunction>({
    {"length", "t", "BIGINT", "length", "characters", kFromArguments},
    {"char_length", "t", "BIGINT", "length", "characters", kFromArguments},
    {"character_length", "t", "BIGINT", "length", "characters", kFromArguments},
    {"octet_length", "t", "BIGINT", "octet_length", "bytes in UTF-8", kFromArguments},
    {"bit_length", "t", "BIGINT", "bit_length", "bits in UTF-8", kFromArguments},
    {"lower", "t", "VARCHAR", "lower", "small letters; beyond ASCII as the engine knows them",
     kFromArguments},
    {"upper", "t", "VARCHAR", "upper", "capital letters; beyond ASCII as the engine knows them",
     kFromArguments},
    {"btrim", "t", "VARCHAR", "btrim", "without spaces at both ends; TRIM(x) too", kFromArguments},
    {"btrim", "tq", "VARCHAR", "btrim", "without any of these characters at both ends",
     kFromArguments},
    {"ltrim", "t", "VARCHAR", "ltrim", "without spaces at the start", kFromArguments},
    {"ltrim", "tq", "VARCHAR", "ltrim", "without any of these characters at the start",
     kFromArguments},
    {"rtrim", "t", "VARCHAR", "rtrim", "without spaces at the end", kFromArguments},
    {"rtrim", "tq", "VARCHAR", "rtrim", "without any of these characters at the end",
     kFromArguments},
    {"substring", "tm", "VARCHAR", "substring", "from the m-th character on", kFromArguments},
    {"substring", "tmm", "VARCHAR", "substring", "so many characters from the m-th on",
     kFromArguments},
    {"substr", "tm", "VARCHAR", "substring", "from the m-th character on", kFromArguments},
    {"substr", "tmm", "VARCHAR", "substring", "so many characters from the m-th on",
     kFromArguments},
    {"left", "ti", "VARCHAR", "left", "the first n characters; all but the last -n"},
    {"right", "ti", "VARCHAR", "right", "the last n characters; all but the first -n"},
    {"position", "tt", "BIGINT", "strpos",
     "POSITION(y IN x): where the first 256 characters of y begin in the first 65,536 of x, or 0",
     kFromArguments},
    {"strpos", "tt", "BIGINT", "strpos",
     "where the first 256 characters of the second begin in the first 65,536 of the first, or 0",
     kFromArguments},
    {"replace", "ttl", "VARCHAR", "replace",
     "every second (its first 256 characters) in the first replaced by the third (at most 100 "
     "bytes); at most 4,096 characters, and of the first as many as cannot become more than 65,536",
     kFromArguments},
    {"translate", "tql", "VARCHAR", "translate",
     "each character of the second replaced by its partner in the third", kFromArguments},
    {"||", "tt", "VARCHAR", "||", "one after the other, at most 4,096 characters", kFromArguments},
    {"concat", "t+", "VARCHAR", "concat",
     "one after the other, at most 4,096 characters; NULLs are passed over", kNever},
    {"concat_ws", "lt+", "VARCHAR", "concat_ws",
     "one after the other with the first between, at most 4,096 characters; NULLs are passed over",
     kNever},
    {"reverse", "t", "VARCHAR", "reverse", "backwards", kFromArguments},
    {"repeat", "tk", "VARCHAR", "repeat", "k times, of the first 1,000 characters; at most 4,096",
     kFromArguments},
    {"lpad", "tk", "VARCHAR", "lpad", "filled at the start, or cut, to k characters",
     kFromArguments},
    {"lpad", "tkq", "VARCHAR", "lpad", "filled at the start, or cut, to k characters",
     kFromArguments},
    {"rpad", "tk", "VARCHAR", "rpad", "filled at the end, or cut, to k characters", kFromArguments},
    {"rpad", "tkq", "VARCHAR", "rpad", "filled at the end, or cut, to k characters",
     kFromArguments},
    {"starts_with", "tt", "BOOLEAN", "starts_with", "whether the first begins with the second",
     kFromArguments},
    {"split_part", "tqm", "VARCHAR", "split_part", "the m-th part between separators, or nothing",
     kFromArguments},
    {"ascii", "t", "BIGINT", "ascii", "code point of the first character; 0 of an empty text",
     kFromArguments, intervals::Range<0, 1114111>, "ascii"},
    {"chr", "i", "VARCHAR", "chr", "the character with this code point; NULL where there is none"},
    {"md5", "t", "VARCHAR", "md5", "hash as 32 hexadecimal digits", kFromArguments},
    {"like", "tp", "BOOLEAN", "like", "matches a pattern of % and _; ESCAPE too", kFromArguments},
    {"like", "tpq", "BOOLEAN", "like", "the same with an escape character", kFromArguments},
    {"not like", "tp", "BOOLEAN", "not like", "does not match", kFromArguments},
    {"not like", "tpq", "BOOLEAN", "not like", "the same with an escape character", kFromArguments},
    {"ilike", "tp", "BOOLEAN", "ilike", "matches, letters of either case alike", kFromArguments},
    {"ilike", "tpq", "BOOLEAN", "ilike", "the same with an escape character", kFromArguments},
    {"not ilike", "tp", "BOOLEAN", "not ilike", "does not match, letters of either case alike",
     kFromArguments},
    {"not ilike", "tpq", "BOOLEAN", "not ilike", "the same with an escape character",
     kFromArguments},
    {"~", "te", "BOOLEAN", "~", "a regular expression matches somewhere", kFromArguments},
    {"~*", "te", "BOOLEAN", "~*", "the same, letters of either case alike", kFromArguments},
    {"!~", "te", "BOOLEAN", "!~", "a regular expression matches nowhere", kFromArguments},
    {"!~*", "te", "BOOLEAN", "!~*", "the same, letters of either case alike", kFromArguments},
    {"regexp_like", "te", "BOOLEAN", "~", "a regular expression matches somewhere", kFromArguments},
});

}  // namespace

std::span<const ScalarFunction> TextFunctions() { return kFunctions; }

}  // namespace dpsql
