#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dpsql/answer.h"

// Answers made by hand, for the tests of what is printed.
namespace dpsql {

// Paid, without columns or rows.
inline Answer PaidAnswer() {
  Answer answer;
  answer.price = {.epsilon = 0.5, .delta = 1e-7, .mu = 0.1, .doors = 1};
  answer.remaining = {.epsilon = 3.96, .delta = 9e-8, .queries_like_this = 55};
  answer.release = "r-000001";
  return answer;
}

inline AnswerColumn KeyColumn(std::string name, std::string type) {
  return {.name = std::move(name), .type = std::move(type), .role = ColumnRole::kKey};
}

inline AnswerColumn EstimateColumn(std::string name, std::string type) {
  return {.name = std::move(name),
          .type = std::move(type),
          .role = ColumnRole::kEstimate,
          .mechanism = "gaussian"};
}

inline AnswerColumn DerivedColumn(std::string name, std::string type) {
  return {.name = std::move(name), .type = std::move(type), .role = ColumnRole::kDerived};
}

inline void AddRow(Answer& answer, std::vector<Value> values,
                   std::vector<std::optional<NoiseInterval>> intervals) {
  answer.rows.push_back(std::move(values));
  answer.intervals.push_back(std::move(intervals));
}

// A text key of wide characters, and twelve numbers that grow from column to column.
inline Answer WideAnswer() {
  Answer answer = PaidAnswer();
  answer.columns = {KeyColumn("city", "VARCHAR")};
  std::vector<Value> first = {std::string("東京 and its many neighbours 🗼🗼🗼")};
  std::vector<Value> second = {std::string("e\u0301a\u0301")};
  std::vector<std::optional<NoiseInterval>> noise = {{}};
  std::int64_t value = 7;
  for (int i = 0; i < 12; ++i, value *= 9) {
    answer.columns.push_back(EstimateColumn("n" + std::to_string(i), "BIGINT"));
    first.emplace_back(value);
    second.emplace_back(i == 3 ? Value(std::monostate()) : Value(value));
    const auto center = static_cast<double>(value);
    noise.push_back(NoiseInterval{center - 25, center + 25});
  }
  answer.notices = {"groups with fewer than 10 units, or not clearly more, are withheld"};
  AddRow(answer, std::move(first), noise);
  AddRow(answer, std::move(second), std::move(noise));
  return answer;
}

}  // namespace dpsql
