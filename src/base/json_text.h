#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace dpsql {

// JSON as it is shown, maybe on a terminal: what moves one, and JSON may leave as it is (DEL, C1,
// marks of direction, line separators), is written as an escape. Programs read the same text.
std::string EscapeControls(std::string_view json);

// On one line and shown as above, with replacement characters where a text is no UTF-8.
std::string JsonText(const nlohmann::ordered_json& json);

}  // namespace dpsql
