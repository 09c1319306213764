#include "publish/publish.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/check.h"

namespace dpsql {
namespace {

constexpr int kMostDecimals = 15;

// How many decimals a value on this statistic's grid can mean.
int Decimals(const Statistic& statistic) {
  const double range =
      std::max(statistic.bounds.high - statistic.bounds.low,
               std::max(std::abs(statistic.bounds.low), std::abs(statistic.bounds.high)));
  const double step = range / static_cast<double>(kStatisticScale);
  return std::clamp(static_cast<int>(std::ceil(-std::log10(step))), 0, kMostDecimals);
}

double Round(double value, int decimals) {
  const double scale = std::pow(10.0, decimals);
  const double rounded = std::round(value * scale) / scale;
  return std::isfinite(rounded) ? rounded : value;
}

class Publisher {
 public:
  Publisher(const DpPlan& plan, std::vector<PlainOutput> outputs)
      : plan_(plan), query_(*plan.doors().front().query), outputs_(std::move(outputs)) {}

  Answer Run(const NoisyTable& table) {
    Answer answer;
    for (const PlainOutput& output : outputs_) answer.columns.push_back(Column(output));
    for (const NoisyRow* row : SortedRows(table)) AddRow(*row, answer);
    const Cost& cost = plan_.cost();
    answer.price = {.epsilon = cost.asked.epsilon,
                    .delta = cost.asked.delta,
                    .mu = std::sqrt(MuSquaredToDoubleUp(cost.mu_squared)),
                    .doors = cost.doors};
    answer.notices = Notices();
    return answer;
  }

 private:
  const Door& door() const { return plan_.doors().front(); }

  // By the keys' own order: exact numbers travel as text and are compared as numbers.
  std::vector<const NoisyRow*> SortedRows(const NoisyTable& table) const {
    std::vector<const NoisyRow*> rows;
    for (const NoisyRow& row : table.rows) rows.push_back(&row);
    std::stable_sort(rows.begin(), rows.end(), [&](const NoisyRow* a, const NoisyRow* b) {
      for (std::size_t i = 0; i < query_.keys.size(); ++i) {
        const bool decimal = query_.keys[i].expr->type.family == TypeFamily::kDecimal;
        const auto x = SortKey(a->key[i], decimal);
        const auto y = SortKey(b->key[i], decimal);
        if (x != y) return x < y;
      }
      return false;
    });
    return rows;
  }

  static std::pair<long double, Value> SortKey(const Value& key, bool decimal) {
    if (IsNull(key)) return {-HUGE_VALL, key};
    const auto* text = std::get_if<std::string>(&key);
    return {decimal && text != nullptr ? std::stold(*text) : 0.0L, key};
  }

  AnswerColumn Column(const PlainOutput& output) const {
    if (output.is_key) {
      return {.name = output.name,
              .type = query_.keys[output.index].expr->type.name,
              .role = ColumnRole::kKey,
              .mechanism = ""};
    }
    const Aggregate& aggregate = *query_.aggregates[output.index].aggregate;
    return {.name = output.name,
            .type = std::string(aggregate.result_type),
            .role = ColumnRole::kEstimate,
            .mechanism = "gaussian"};
  }

  void AddRow(const NoisyRow& row, Answer& answer) const {
    std::vector<Value> values;
    std::vector<std::optional<NoiseInterval>> intervals;
    for (const PlainOutput& output : outputs_) {
      if (output.is_key) {
        values.push_back(row.key[output.index]);
        intervals.emplace_back();
        continue;
      }
      const Estimate estimate = Decode(row, output.index);
      values.push_back(estimate.value ? Cell(*estimate.value, output.index) : Value());
      intervals.push_back(estimate.interval);
    }
    answer.rows.push_back(std::move(values));
    answer.intervals.push_back(std::move(intervals));
  }

  Estimate Decode(const NoisyRow& row, std::size_t index) const {
    const Reading& reading = door().readings[index];
    const auto& sample = row.statistics[reading.statistic];
    if (!sample) return {};
    Estimate estimate = query_.aggregates[index].aggregate->decode(*sample);
    if (!estimate.value || IsWhole(index)) return estimate;
    const int decimals = Decimals(door().statistics[reading.statistic]);
    estimate.value = Round(*estimate.value, decimals);
    estimate.interval = NoiseInterval{Round(estimate.interval->low, decimals),
                                      Round(estimate.interval->high, decimals)};
    return estimate;
  }

  bool IsWhole(std::size_t index) const {
    return query_.aggregates[index].aggregate->result_type == "BIGINT";
  }

  Value Cell(double value, std::size_t index) const {
    if (!IsWhole(index)) return value;
    constexpr double kLargest = 0x1p62;
    return static_cast<std::int64_t>(std::clamp(value, -kLargest, kLargest));
  }

  // What the plan may have done to the data. Never whether it did.
  std::vector<std::string> Notices() const {
    std::vector<std::string> notices;
    if (door().selects_keys) {
      const std::string what = door().key_mode == KeyMode::kDiscovered ? "groups" : "cells";
      notices.push_back(what + " with fewer than " + std::to_string(door().min_frequency) +
                        " units, or not clearly more, are withheld");
    }
    if (door().rows_per_unit.value > 1) {
      notices.push_back("units with more than " + std::to_string(door().rows_per_unit.value) +
                        " rows may be counted with less weight");
    }
    const bool clamps =
        std::any_of(door().statistics.begin(), door().statistics.end(),
                    [](const Statistic& statistic) { return statistic.argument != nullptr; });
    if (clamps) notices.emplace_back("values outside their bounds are counted as the bound");
    return notices;
  }

  const DpPlan& plan_;
  const BoundDoor& query_;
  std::vector<PlainOutput> outputs_;
};

}  // namespace

Result<Answer> Publish(const DpPlan& plan, const Released& released) {
  std::optional<std::vector<PlainOutput>> outputs = plan.PlainOutputs();
  Check(outputs && released.tables().size() == 1, "the answer is the release of one door");
  return Publisher(plan, *std::move(outputs)).Run(released.tables().front());
}

}  // namespace dpsql
