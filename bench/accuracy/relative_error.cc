#include "accuracy/relative_error.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace dpsql {
namespace {

template <typename Cells, typename Text>
std::string KeyOf(const Cells& cells, const Text& text) {
  std::string key;
  for (std::size_t i = 0; i + 1 < cells.size(); ++i) key += text(cells[i]) + "\x1f";
  return key;
}

}  // namespace

Truth ReadTruth(ExactEngine& engine, const std::string& sql) {
  Truth truth;
  for (const auto& cells : engine.Read(sql)) {
    const std::string key = KeyOf(cells, [](const std::string& cell) { return cell; });
    truth[key] = std::strtod(cells.back().c_str(), nullptr);
  }
  return truth;
}

void RelativeErrors::Add(const Answer& answer) {
  Draw& draw = draws_.emplace_back();
  mechanism_ = answer.columns.back().mechanism;
  for (const std::vector<Value>& cells : answer.rows) {
    const auto found = truth_.find(KeyOf(cells, ToText));
    if (found == truth_.end() || IsNull(cells.back())) continue;
    const double released = std::strtod(ToText(cells.back()).c_str(), nullptr);
    draw.sum += std::abs(released - found->second) / std::abs(found->second);
    ++draw.groups;
  }
}

nlohmann::json RelativeErrors::Row(std::size_t draws) const {
  const std::size_t trials = std::min(draws, draws_.size());
  double sum = 0;
  double groups = 0;
  for (std::size_t i = 0; i < trials; ++i) {
    sum += draws_[i].sum;
    groups += static_cast<double>(draws_[i].groups);
  }
  nlohmann::json row = {
      {"trials", trials},
      {"keys_released", groups / static_cast<double>(std::max<std::size_t>(trials, 1)) /
                            static_cast<double>(std::max<std::size_t>(truth_.size(), 1))},
      {"mechanism", mechanism_},
      {"mre", nullptr}};
  if (truth_.size() == 1 && truth_.contains("")) row["truth"] = truth_.at("");
  if (groups == 0) return row;
  // Draws are independent, the groups of one draw are not: the spread is that of whole draws.
  const double mean = sum / groups;
  double squares = 0;
  for (std::size_t i = 0; i < trials; ++i) {
    const double off = draws_[i].sum - mean * static_cast<double>(draws_[i].groups);
    squares += off * off;
  }
  row["mre"] = 100 * mean;
  if (trials > 1) {
    const double count = static_cast<double>(trials);
    row["standard_error"] = 100 * std::sqrt(squares * count / (count - 1)) / groups;
  }
  return row;
}

}  // namespace dpsql
