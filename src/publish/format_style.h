#pragma once

#include <string>

namespace dpsql {

inline constexpr const char* kBold = "\033[1m";
inline constexpr const char* kDim = "\033[2m";

// The text in a style of the terminal, where colour is wanted.
inline std::string Styled(const std::string& text, const char* style, bool color) {
  return color && !text.empty() ? style + text + "\033[0m" : text;
}

}  // namespace dpsql
