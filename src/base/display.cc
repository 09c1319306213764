#include "base/display.h"

#include <algorithm>

#include "base/utf8.h"

namespace dpsql {

std::size_t TextWidth(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const CodePoint next = DecodeUtf8(text);
    width += static_cast<std::size_t>(DisplayWidth(next.value));
    text.remove_prefix(next.size);
  }
  return width;
}

std::size_t PrefixOfWidth(std::string_view text, std::size_t width) {
  std::size_t bytes = 0;
  std::size_t used = 0;
  while (bytes < text.size()) {
    const CodePoint next = DecodeUtf8(text.substr(bytes));
    used += static_cast<std::size_t>(DisplayWidth(next.value));
    if (used > width) return bytes;
    bytes += next.size;
  }
  return bytes;
}

std::string Shortened(std::string_view text, std::size_t width) {
  if (PrefixOfWidth(text, width) == text.size()) return std::string(text);
  return std::string(text.substr(0, PrefixOfWidth(text, width - 1))) + "…";
}

std::string Wrapped(std::string_view text, std::size_t width) {
  std::string lines;
  while (width > 0 && PrefixOfWidth(text, width) < text.size()) {
    // A wide character in a line of one column goes over the edge rather than nowhere.
    const std::size_t fits = std::max(PrefixOfWidth(text, width), DecodeUtf8(text).size);
    const std::size_t blank = text.rfind(' ', fits);
    const bool at_blank = blank != std::string_view::npos && blank > 0;
    const std::size_t end = at_blank ? blank : fits;
    lines += (lines.empty() ? "" : "\n") + std::string(text.substr(0, end));
    text.remove_prefix(at_blank ? end + 1 : end);
  }
  if (lines.empty() || text.empty()) return lines + std::string(text);
  return lines + "\n" + std::string(text);
}

std::string Printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const CodePoint next = DecodeUtf8(text);
    const bool unreadable = next.value == U'\uFFFD' || IsControl(next.value);
    shown += unreadable ? "\uFFFD" : std::string(text.substr(0, next.size));
    text.remove_prefix(next.size);
  }
  return shown;
}

}  // namespace dpsql
