#include "base/display.h"

#include "base/utf8.h"

namespace dpsql {
namespace {

bool IsControl(char32_t c) {
  const bool bidi =
      (c >= 0x200E && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || bidi;
}

}  // namespace

std::size_t TextWidth(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const CodePoint next = DecodeUtf8(text);
    width += static_cast<std::size_t>(DisplayWidth(next.value));
    text.remove_prefix(next.size);
  }
  return width;
}

std::string Printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const CodePoint next = DecodeUtf8(text);
    shown += IsControl(next.value) ? "\uFFFD" : std::string(text.substr(0, next.size));
    text.remove_prefix(next.size);
  }
  return shown;
}

}  // namespace dpsql
