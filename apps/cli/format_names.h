#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dpsql/answer.h"

namespace dpsql::cli {

// How an answer can be printed, by the names that --format and .mode take.
std::optional<Format> FindFormat(std::string_view name);
std::string FormatName(Format format);
std::vector<std::string> FormatNames();

}  // namespace dpsql::cli
