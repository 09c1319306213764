#include "publish/publish.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "backend/lower_answer.h"
#include "base/check.h"
#include "base/try.h"
#include "publish/column_roles.h"
#include "publish/decode.h"
#include "publish/draws.h"

namespace dpsql {
namespace {

void AddNotice(std::vector<std::string>& notices, std::string notice) {
  if (std::find(notices.begin(), notices.end(), notice) == notices.end()) {
    notices.push_back(std::move(notice));
  }
}

// What the plan may have done to the data. Never whether it did.
void AddNotices(const Door& door, std::vector<std::string>& notices) {
  if (door.selects_keys()) {
    const std::string what = door.key_mode == KeyMode::kDiscovered ? "groups" : "cells";
    AddNotice(notices, what + " with fewer than " + std::to_string(door.min_frequency) +
                           " units, or not clearly more, are withheld");
  }
  if (door.rows_per_unit.value > 1) {
    AddNotice(notices, "units with more than " + std::to_string(door.rows_per_unit.value) +
                           " rows may be counted with less weight");
  }
  const bool clamps = std::any_of(door.statistics.begin(), door.statistics.end(),
                                  [](const Statistic& one) { return TotalDegree(one.shape) > 0; });
  const bool claims =
      std::any_of(door.statistics.begin(), door.statistics.end(),
                  [](const Statistic& one) { return one.shape.kind == StatisticKind::kDistinct; });
  if (claims) {
    AddNotice(notices, "a distinct value counts if a unit claims it, and a unit claims one");
  }
  if (clamps) AddNotice(notices, "values outside their bounds are counted as the bound");
}

// The release of the only door, column by column.
void AddPlainRows(const Door& door, const std::vector<PlainOutput>& outputs,
                  const NoisyTable& table, Answer& answer) {
  const Decoder decoder(door);
  for (const std::size_t row : SortedRows(door, table)) {
    std::vector<Value> values;
    std::vector<std::optional<NoiseInterval>> intervals;
    for (const PlainOutput& output : outputs) {
      const Estimate estimate =
          output.is_key ? Estimate{} : decoder.Decode(table, row, output.index);
      values.push_back(output.is_key ? table.key(row)[output.index]
                                     : decoder.Cell(estimate, output.index));
      intervals.push_back(estimate.interval);
    }
    answer.rows.push_back(std::move(values));
    answer.intervals.push_back(std::move(intervals));
  }
}

// What the query asks above its doors.
Status AddComputedRows(const DpPlan& plan, const std::vector<PublicTable>& tables,
                       std::size_t draws, Snapshot& data, Answer& answer) {
  const ShownAnswer shown = LowerShown(plan, draws);
  TRY(std::vector<std::vector<Value>> rows, data.Compute(tables, shown.select));
  const std::size_t columns = answer.columns.size();
  for (std::vector<Value>& row : rows) {
    std::vector<std::optional<NoiseInterval>> intervals(columns);
    std::size_t next = columns;
    for (std::size_t i = 0; i < columns; ++i) {
      if (!shown.has_interval[i]) continue;
      const auto* low = std::get_if<double>(&row[next]);
      const auto* high = std::get_if<double>(&row[next + 1]);
      const bool both = low != nullptr && high != nullptr;
      if (both && std::isfinite(*low) && std::isfinite(*high)) {
        intervals[i] = NoiseInterval{*low, *high};
      }
      next += 2;
    }
    row.resize(columns);
    for (Value& value : row) {
      const auto* number = std::get_if<double>(&value);
      if (number != nullptr && !std::isfinite(*number)) value = std::monostate();
    }
    answer.rows.push_back(std::move(row));
    answer.intervals.push_back(std::move(intervals));
  }
  return Done{};
}

}  // namespace

Price PriceOf(const Cost& cost) {
  return {.epsilon = cost.asked.epsilon,
          .delta = cost.asked.delta,
          .mu = std::sqrt(MuSquaredToDoubleUp(cost.by_mechanism.mu_squared)),
          .doors = cost.doors};
}

PublicTable Released::Add(const Door& door, NoisyTable table) {
  tables_.push_back(std::move(table));
  return DecodeRelease(door, tables_.size() - 1, tables_.back());
}

Result<Answer> Publish(const DpPlan& plan, const Released& released,
                       std::vector<PublicTable> tables, Snapshot& data) {
  Check(released.tables().size() == plan.doors().size(), "every door has its release");
  Answer answer;
  answer.columns = AnswerColumns(plan);
  for (const Door& door : plan.doors()) AddNotices(door, answer.notices);
  answer.price = PriceOf(plan.cost());
  if (const auto outputs = plan.PlainOutputs()) {
    AddPlainRows(plan.doors().front(), *outputs, released.tables().front(), answer);
    return answer;
  }
  const std::size_t draws = WantsDraws(plan) ? DrawsFor(plan, released.tables()) : 0;
  for (std::size_t i = 0; i < plan.doors().size(); ++i) {
    tables.push_back(DecodeRelease(plan.doors()[i], i, released.tables()[i]));
    if (draws > 0) AddDraws(plan.doors()[i], released.tables()[i], draws, tables.back());
  }
  TRY_DONE(AddComputedRows(plan, tables, draws, data, answer));
  return answer;
}

}  // namespace dpsql
