#pragma once

#include <cstddef>
#include <string_view>

namespace dpsql {

// One code point and the number of bytes it took.
struct CodePoint {
  char32_t value;
  std::size_t size;
};

// Whether every byte of `text` is part of a well-formed UTF-8 sequence: no overlong forms, no
// surrogates, nothing above U+10FFFF.
bool IsValidUtf8(std::string_view text);

// The number of bytes before the first malformed sequence; the whole size where there is none.
std::size_t ValidUtf8Prefix(std::string_view text);

// The code point at the front of `text`. A malformed byte is taken alone as U+FFFD, so that a
// caller always moves on.
// Requires: `text` is not empty.
CodePoint DecodeUtf8(std::string_view text);

std::size_t CountCodePoints(std::string_view text);

// Whether a terminal obeys a code point rather than shows it: it moves the cursor, begins a line or
// turns the direction of what follows.
bool IsControl(char32_t code_point);

// Whether it is nothing that can be seen, and no mark on what stands before it either: joiners,
// fillers, variants, tags, and every blank but the space. Texts that differ in such alone look
// alike.
bool IsInvisible(char32_t code_point);

// Columns that a terminal gives a code point: 0 for combining marks, 2 for wide East Asian
// characters and emoji, else 1.
int DisplayWidth(char32_t code_point);

}  // namespace dpsql
