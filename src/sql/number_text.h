#pragma once

#include <string_view>

namespace dpsql {

// Whether a text is a number of SQL, with its sign: [-] digits [. digits] [e [sign] digits].
bool IsNumber(std::string_view text);

}  // namespace dpsql
