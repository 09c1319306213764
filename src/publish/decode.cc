#include "publish/decode.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "backend/lower_answer.h"

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

// Exact numbers travel as text and are compared as numbers.
std::pair<long double, Value> SortKey(const Value& key, bool decimal) {
  if (IsNull(key)) return {-HUGE_VALL, key};
  const auto* text = std::get_if<std::string>(&key);
  return {decimal && text != nullptr ? std::stold(*text) : 0.0L, key};
}

}  // namespace

bool Decoder::IsWhole(std::size_t aggregate) const {
  return door_.query->aggregates[aggregate].aggregate->result_type == "BIGINT";
}

Estimate Decoder::Decode(const NoisyRow& row, std::size_t aggregate) const {
  const Reading& reading = door_.readings[aggregate];
  const auto& sample = row.statistics[reading.statistic];
  if (!sample) return {};
  Estimate estimate = door_.query->aggregates[aggregate].aggregate->decode(*sample);
  if (!estimate.value || IsWhole(aggregate)) return estimate;
  const int decimals = Decimals(door_.statistics[reading.statistic]);
  estimate.value = Round(*estimate.value, decimals);
  estimate.interval = NoiseInterval{Round(estimate.interval->low, decimals),
                                    Round(estimate.interval->high, decimals)};
  return estimate;
}

Value Decoder::Cell(const Estimate& estimate, std::size_t aggregate) const {
  if (!estimate.value) return {};
  if (!IsWhole(aggregate)) return *estimate.value;
  constexpr double kLargest = 0x1p62;
  return static_cast<std::int64_t>(std::clamp(*estimate.value, -kLargest, kLargest));
}

PublicTable DecodeRelease(const Door& door, std::size_t number, const NoisyTable& noisy) {
  const Decoder decoder(door);
  PublicTable table = ReleaseTable(door, number);
  const std::size_t aggregates = door.query->aggregates.size();
  for (const NoisyRow* row : SortedRows(door, noisy)) {
    std::vector<Value> values = row->key;
    std::vector<Value> ends;
    for (std::size_t i = 0; i < aggregates; ++i) {
      const Estimate estimate = decoder.Decode(*row, i);
      values.push_back(decoder.Cell(estimate, i));
      ends.emplace_back();
      ends.emplace_back();
      if (!estimate.interval) continue;
      ends[2 * i] = estimate.interval->low;
      ends[2 * i + 1] = estimate.interval->high;
    }
    values.insert(values.end(), ends.begin(), ends.end());
    table.rows.push_back(std::move(values));
  }
  return table;
}

std::vector<const NoisyRow*> SortedRows(const Door& door, const NoisyTable& noisy) {
  const std::vector<BoundKey>& keys = door.query->keys;
  std::vector<const NoisyRow*> rows;
  for (const NoisyRow& row : noisy.rows) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [&](const NoisyRow* a, const NoisyRow* b) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const bool decimal = keys[i].expr->type.family == TypeFamily::kDecimal;
      const auto x = SortKey(a->key[i], decimal);
      const auto y = SortKey(b->key[i], decimal);
      if (x != y) return x < y;
    }
    return false;
  });
  return rows;
}

}  // namespace dpsql
