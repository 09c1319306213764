#pragma once

#include <string>
#include <vector>

#include "dpsql/budget.h"

// The pieces that the pages about a budget are set from.
namespace dpsql {

enum class Side { kLeft, kRight };

// Columns of text, two spaces apart and indented by two, each to its side; the rest to the left.
std::string Aligned(const std::vector<std::vector<std::string>>& rows,
                    const std::vector<Side>& sides = {});

// The columns of one entry of the history, for Aligned.
std::vector<std::string> EventColumns(const BudgetEvent& event);

}  // namespace dpsql
