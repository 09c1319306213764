#pragma once

#include <string>

#include "dpsql/result.h"

namespace dpsql {

// Writes a small invented shop into a folder, for `dpsql demo` and for trying things out:
// shop.duckdb, 3,000 customers with their orders, the same rows every time, and its policy
// shop.toml. Refuses to write over a file that is there.
Status MakeDemoShop(const std::string& folder);

// The policy of the shop, as it is written.
std::string DemoPolicy();

}  // namespace dpsql
