#include "base/json_text.h"

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/utf8.h"

namespace dpsql {

std::string EscapeControls(std::string_view json) {
  constexpr char32_t kFirst = 0x7F;  // below it there are the breaks between values
  std::string text;
  text.reserve(json.size());
  while (!json.empty()) {
    const CodePoint next = DecodeUtf8(json);
    if (next.value >= kFirst && IsControl(next.value)) {
      std::array<char, 16> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(next.value));
      text += escape.data();
    } else {
      text += json.substr(0, next.size);
    }
    json.remove_prefix(next.size);
  }
  return text;
}

std::string JsonText(const nlohmann::ordered_json& json) {
  return EscapeControls(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace dpsql
