#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dpsql::cli {

// The rows with their columns aligned, two spaces apart, none after the last. Bytes that would move
// the cursor are replaced. Ensures: each row ends with a newline.
std::string AlignColumns(const std::vector<std::vector<std::string>>& rows);

// The words side by side in as many columns as `width` allows, read downwards.
std::string ListInColumns(const std::vector<std::string>& words, std::size_t width);

// Makes the C library read and measure UTF-8, as the line editor needs.
void UseUtf8();

}  // namespace dpsql::cli
