#include "backend/arrow_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/int128.h"

namespace dpsql {
namespace {

template <typename Number>
Number ValueAt(const adbc::ArrowArray& array, std::int64_t at) {
  Number value{};
  const auto* bytes = static_cast<const char*>(array.buffers[1]);
  std::memcpy(&value, bytes + at * static_cast<std::int64_t>(sizeof(Number)), sizeof(Number));
  return value;
}

bool BitAt(const void* bits, std::int64_t at) {
  const unsigned byte = static_cast<const std::uint8_t*>(bits)[at / 8];
  return (byte >> static_cast<unsigned>(at % 8) & 1U) != 0;
}

bool IsNullAt(const adbc::ArrowArray& array, std::int64_t at) {
  return array.null_count != 0 && array.buffers[0] != nullptr && !BitAt(array.buffers[0], at);
}

template <typename Offset>
std::string TextAt(const adbc::ArrowArray& array, std::int64_t at) {
  const auto begin = ValueAt<Offset>(array, at);
  const auto end = ValueAt<Offset>(array, at + 1);
  if (begin == end) return "";  // an empty column may have no bytes at all
  const auto* bytes = static_cast<const char*>(array.buffers[2]);
  return {bytes + begin, static_cast<std::size_t>(end - begin)};
}

// The shortest text that reads back the same.
std::string DoubleText(double value) {
  if (std::isnan(value)) return "nan";
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  Check(error == std::errc(), "a double fits into 32 characters");
  return {text.data(), end};
}

std::string DecimalText(Int128 value, int scale) {
  const bool negative = value < 0;
  std::string digits = ToString(value).substr(negative ? 1 : 0);
  const auto behind = static_cast<std::size_t>(scale);
  if (digits.size() <= behind) digits.insert(0, behind + 1 - digits.size(), '0');
  if (behind > 0) digits.insert(digits.size() - behind, ".");
  return (negative ? "-" : "") + digits;
}

std::string Padded(std::int64_t value, std::size_t width) {
  std::string digits = std::to_string(value);
  if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
  return digits;
}

// A day of the proleptic Gregorian calendar, counted from 1970-01-01. std::chrono's years end
// before those of Arrow. Years run from March on, so that the leap day is their last.
std::pair<std::string, bool> DayText(std::int64_t day) {
  constexpr std::int64_t kDaysOf400Years = 146'097;
  constexpr std::int64_t kFromYear0 = 719'468;
  day += kFromYear0;
  const std::int64_t era = (day >= 0 ? day : day - kDaysOf400Years + 1) / kDaysOf400Years;
  const std::int64_t in_era = day - era * kDaysOf400Years;
  const std::int64_t year_of_era =
      (in_era - in_era / 1460 + in_era / 36'524 - in_era / 146'096) / 365;
  const std::int64_t in_year = in_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t from_march = (5 * in_year + 2) / 153;
  const std::int64_t month = from_march < 10 ? from_march + 3 : from_march - 9;
  const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  const bool before_christ = year <= 0;
  return {Padded(before_christ ? 1 - year : year, 4) + "-" + Padded(month, 2) + "-" +
              Padded(in_year - (153 * from_march + 2) / 5 + 1, 2),
          before_christ};
}

std::string DateText(std::int64_t day) {
  const auto [text, before_christ] = DayText(day);
  return before_christ ? text + " (BC)" : text;
}

std::string TimestampText(std::int64_t ticks, std::int64_t per_second) {
  constexpr std::int64_t kSecondsOfDay = 86'400;
  const std::int64_t per_day = kSecondsOfDay * per_second;
  std::int64_t day = ticks / per_day;
  std::int64_t in_day = ticks % per_day;
  if (in_day < 0) {
    in_day += per_day;
    --day;
  }
  const std::int64_t second = in_day / per_second;
  const auto [date, before_christ] = DayText(day);
  std::string text = date + (before_christ ? " (BC) " : " ") + Padded(second / 3600, 2) + ":" +
                     Padded(second / 60 % 60, 2) + ":" + Padded(second % 60, 2);
  const std::int64_t fraction = in_day % per_second;
  if (fraction == 0) return text;
  text += "." + Padded(fraction, std::to_string(per_second).size() - 1);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

// The number behind the first `from` characters; none where something else stands there too.
std::optional<int> NumberIn(const std::string& text, std::size_t from, std::size_t to) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data() + from, text.data() + to, number);
  if (error != std::errc() || end != text.data() + to) return std::nullopt;
  return number;
}

// "d:38,10" or "d:38,10,128".
std::optional<int> DecimalScale(const std::string& format) {
  const std::size_t comma = format.find(',');
  if (!format.starts_with("d:") || comma == std::string::npos) return std::nullopt;
  const std::size_t width = format.find(',', comma + 1);
  if (width != std::string::npos && format.substr(width + 1) != "128") return std::nullopt;
  const auto scale = NumberIn(format, comma + 1, std::min(width, format.size()));
  return scale && *scale >= 0 ? scale : std::nullopt;
}

}  // namespace

std::optional<ArrowText::Column> ArrowText::ReadFormat(const std::string& format) {
  static constexpr auto kKinds = std::to_array<std::pair<std::string_view, Kind>>({
      {"n", Kind::kNull},
      {"b", Kind::kBoolean},
      {"c", Kind::kInt8},
      {"C", Kind::kUInt8},
      {"s", Kind::kInt16},
      {"S", Kind::kUInt16},
      {"i", Kind::kInt32},
      {"I", Kind::kUInt32},
      {"l", Kind::kInt64},
      {"L", Kind::kUInt64},
      {"f", Kind::kFloat},
      {"g", Kind::kDouble},
      {"u", Kind::kText},
      {"U", Kind::kLargeText},
      {"tdD", Kind::kDate},
  });
  for (const auto& [known, kind] : kKinds) {
    if (format == known) return Column{.kind = kind};
  }
  static constexpr auto kTicks = std::to_array<std::pair<std::string_view, std::int64_t>>(
      {{"tss:", 1}, {"tsm:", 1000}, {"tsu:", 1'000'000}, {"tsn:", 1'000'000'000}});
  for (const auto& [prefix, per_second] : kTicks) {
    if (format.starts_with(prefix)) {
      return Column{.kind = Kind::kTimestamp, .per_second = per_second};
    }
  }
  if (const auto scale = DecimalScale(format)) {
    return Column{.kind = Kind::kDecimal, .scale = *scale};
  }
  return std::nullopt;
}

std::unique_ptr<ArrowText> ArrowText::Read(const adbc::ArrowSchema& schema) {
  auto text = std::make_unique<ArrowText>();
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const adbc::ArrowSchema& child = *schema.children[i];
    const auto column = ReadFormat(child.format);
    if (!column || child.dictionary != nullptr) return nullptr;
    text->columns_.push_back(*column);
  }
  return text;
}

std::string ArrowText::Cell(const Column& column, const adbc::ArrowArray& array, std::int64_t at) {
  switch (column.kind) {
    case Kind::kNull:
      break;
    case Kind::kBoolean:
      return BitAt(array.buffers[1], at) ? "true" : "false";
    case Kind::kInt8:
      return std::to_string(ValueAt<std::int8_t>(array, at));
    case Kind::kUInt8:
      return std::to_string(ValueAt<std::uint8_t>(array, at));
    case Kind::kInt16:
      return std::to_string(ValueAt<std::int16_t>(array, at));
    case Kind::kUInt16:
      return std::to_string(ValueAt<std::uint16_t>(array, at));
    case Kind::kInt32:
      return std::to_string(ValueAt<std::int32_t>(array, at));
    case Kind::kUInt32:
      return std::to_string(ValueAt<std::uint32_t>(array, at));
    case Kind::kInt64:
      return std::to_string(ValueAt<std::int64_t>(array, at));
    case Kind::kUInt64:
      return std::to_string(ValueAt<std::uint64_t>(array, at));
    case Kind::kFloat:
      return DoubleText(ValueAt<float>(array, at));
    case Kind::kDouble:
      return DoubleText(ValueAt<double>(array, at));
    case Kind::kText:
      return TextAt<std::int32_t>(array, at);
    case Kind::kLargeText:
      return TextAt<std::int64_t>(array, at);
    case Kind::kDecimal:
      return DecimalText(ValueAt<Int128>(array, at), column.scale);
    case Kind::kDate:
      return DateText(ValueAt<std::int32_t>(array, at));
    case Kind::kTimestamp:
      return TimestampText(ValueAt<std::int64_t>(array, at), column.per_second);
  }
  return "";
}

void ArrowText::Append(const adbc::ArrowArray& batch, TextCells& cells) const {
  Check(batch.n_children == static_cast<std::int64_t>(columns_.size()),
        "a batch has the columns of its schema");
  cells.reserve(cells.size() + static_cast<std::size_t>(batch.length) * columns_.size());
  for (std::int64_t row = 0; row < batch.length; ++row) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const adbc::ArrowArray& array = *batch.children[i];
      const std::int64_t at = row + batch.offset + array.offset;
      if (columns_[i].kind == Kind::kNull || IsNullAt(array, at)) {
        cells.emplace_back(std::nullopt);
      } else {
        cells.emplace_back(Cell(columns_[i], array, at));
      }
    }
  }
}

}  // namespace dpsql
