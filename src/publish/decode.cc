#include "publish/decode.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "backend/lower_answer.h"
#include "base/check.h"

namespace dpsql {
namespace {

constexpr int kMostDecimals = 15;

double SizeOf(const BoundedArgument& argument) {
  const auto [low, high] = argument.bounds;
  return std::max({high - low, std::abs(low), std::abs(high)});
}

// The size of the answers that bounds allow.
double SizeOf(ResultUnit unit, const std::vector<BoundedArgument>& arguments) {
  const double x = arguments.empty() ? 1 : SizeOf(arguments[0]);
  const double y = arguments.size() < 2 ? 1 : SizeOf(arguments[1]);
  switch (unit) {
    case ResultUnit::kWhole:
    case ResultUnit::kOne:
      return 1;
    case ResultUnit::kX:
      return x;
    case ResultUnit::kXSquared:
      return x * x;
    case ResultUnit::kXTimesY:
      return x * y;
    case ResultUnit::kYOverX:
      return y / x;
    case ResultUnit::kY:
      return y;
  }
  throw Bug("every unit has a size");
}

// How many decimals an answer can mean: 2^-20 of its size.
int Decimals(ResultUnit unit, const Statistic& statistic) {
  const double step = std::ldexp(SizeOf(unit, statistic.arguments), -20);
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

Estimate Decoder::Decode(const NoisyTable& table, std::size_t row, std::size_t aggregate) const {
  const Reading& reading = door_.readings[aggregate];
  if (!table.IsShown(row, reading.cell_class)) return {};
  const Aggregate& function = *door_.query->aggregates[aggregate].aggregate;
  Estimate estimate = function.decode(table.Sample(row, reading.statistic));
  if (!estimate.value || IsWhole(aggregate)) return estimate;
  const int decimals = Decimals(function.unit, door_.statistics[reading.statistic]);
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
  for (const std::size_t row : SortedRows(door, noisy)) {
    std::vector<Value> values = noisy.key(row);
    std::vector<Value> ends;
    for (std::size_t i = 0; i < aggregates; ++i) {
      const Estimate estimate = decoder.Decode(noisy, row, i);
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

std::vector<std::size_t> SortedRows(const Door& door, const NoisyTable& noisy) {
  std::vector<std::size_t> rows(noisy.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const std::vector<BoundKey>& keys = door.query->keys;
  const bool decimals = std::any_of(keys.begin(), keys.end(), [](const BoundKey& key) {
    return key.expr->type.family == TypeFamily::kDecimal;
  });
  if (!decimals) return rows;
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const bool decimal = keys[i].expr->type.family == TypeFamily::kDecimal;
      const auto x = SortKey(noisy.key(a)[i], decimal);
      const auto y = SortKey(noisy.key(b)[i], decimal);
      if (x != y) return x < y;
    }
    return false;
  });
  return rows;
}

}  // namespace dpsql
