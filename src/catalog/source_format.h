#pragma once

#include <optional>
#include <string_view>

#include "catalog/policy.h"

namespace dpsql {

// The format of files by the ending of their name; none where it is another.
std::optional<SourceFormat> SourceFormatOf(std::string_view path);

}  // namespace dpsql
