#include "engine/budget_text.h"

#include <algorithm>

#include "base/display.h"

namespace dpsql {

std::string Aligned(const std::vector<std::vector<std::string>>& rows,
                    const std::vector<Side>& sides) {
  std::vector<std::size_t> width;
  for (const auto& row : rows) {
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], TextWidth(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (width[i] == 0) continue;  // a column of nothing
      const std::string air(width[i] - TextWidth(row[i]), ' ');
      const bool right = i < sides.size() && sides[i] == Side::kRight;
      line += "  " + (right ? air + row[i] : row[i] + air);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::vector<std::string> EventColumns(const BudgetEvent& event) {
  std::string time = event.time.substr(0, 19);  // 2026-11-15T16:00:00Z, as one reads it
  std::replace(time.begin(), time.end(), 'T', ' ');
  const std::string price =
      event.epsilon.empty() ? "" : "ε " + event.epsilon + ", δ " + event.delta;
  return {"#" + std::to_string(event.sequence),
          time,
          event.analyst.empty() ? "(everybody)" : Printable(event.analyst),
          event.what,
          event.release,
          price};
}

}  // namespace dpsql
