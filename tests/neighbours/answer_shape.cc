#include "neighbours/answer_shape.h"

#include <algorithm>
#include <vector>

namespace dpsql {
namespace {

std::string TextOf(const AnswerColumn& column) {
  return column.name + " " + column.type + " " + std::to_string(static_cast<int>(column.role)) +
         " " + column.mechanism;
}

// All that is said beside the rows.
std::string HeadOf(const Answer& answer) {
  std::string text;
  for (const AnswerColumn& column : answer.columns) text += TextOf(column) + "\n";
  for (const std::string& notice : answer.notices) text += notice + "\n";
  return text + std::to_string(answer.price.epsilon) + " " + std::to_string(answer.price.delta) +
         " " + std::to_string(answer.price.mu) + " " + std::to_string(answer.price.doors);
}

bool HasCells(const Answer& answer) {
  const auto is_whole = [&](const auto& row) { return row.size() == answer.columns.size(); };
  return answer.intervals.size() == answer.rows.size() &&
         std::all_of(answer.rows.begin(), answer.rows.end(), is_whole) &&
         std::all_of(answer.intervals.begin(), answer.intervals.end(), is_whole);
}

// A column whose cells are of two types, on one side or between both.
std::optional<std::string> FindMixedColumn(Pair<Answer> pair) {
  constexpr std::size_t kNoType = 0;  // of a NULL, the first of the variant
  std::vector<std::size_t> types(pair.with.columns.size(), kNoType);
  for (const Answer* answer : {&pair.with, &pair.without}) {
    for (const std::vector<Value>& row : answer->rows) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (IsNull(row[i])) continue;
        if (types[i] == kNoType) types[i] = row[i].index();
        if (types[i] != row[i].index()) return TextOf(pair.with.columns[i]);
      }
    }
  }
  return std::nullopt;
}

// The keys of a release, in an order of their own.
std::vector<std::vector<Value>> KeysOf(const Answer& answer) {
  std::vector<std::vector<Value>> keys;
  for (const std::vector<Value>& row : answer.rows) {
    std::vector<Value>& key = keys.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (answer.columns[i].role == ColumnRole::kKey) key.push_back(row[i]);
    }
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

bool SameSums(Pair<SideIntegers> pair) {
  return std::equal(pair.with.doors.begin(), pair.with.doors.end(), pair.without.doors.begin(),
                    pair.without.doors.end(),
                    [](const DoorIntegers& a, const DoorIntegers& b) { return a.sums == b.sums; });
}

}  // namespace

std::optional<std::string> FindInShape(const DpPlan& plan, Pair<SideIntegers> pair) {
  const Answer& with = pair.with.answer.value();
  const Answer& without = pair.without.answer.value();
  if (HeadOf(with) != HeadOf(without)) {
    return "columns, notices or price change with the unit:\n" + HeadOf(with) + "\n" +
           HeadOf(without);
  }
  if (!HasCells(with) || !HasCells(without)) return "the answer has rows that are not whole";
  if (auto column = FindMixedColumn({with, without})) return "two types in column " + *column;
  if (plan.PlainOutputs() && KeysOf(with) != KeysOf(without)) {
    return "the answer has other keys: " + std::to_string(with.rows.size()) + " rows with, " +
           std::to_string(without.rows.size()) + " without";
  }
  if (!SameSums(pair) || with.rows.size() == without.rows.size()) return std::nullopt;
  return "the same releases make " + std::to_string(with.rows.size()) + " rows with, " +
         std::to_string(without.rows.size()) + " without";
}

}  // namespace dpsql
