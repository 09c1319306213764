#include "publish/format_cell.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/type.h"
#include "publish/format_number.h"

namespace dpsql {
namespace {

constexpr int kMarginDigits = 2;  // more digits of a margin of error mean nothing
constexpr int kPlainDigits = 6;   // of a number without one
constexpr int kLeastPlace = -9;
constexpr double kHuge = 1e15;  // beyond it a double is clearer in scientific notation

// Sides of an interval that differ by less count as equal. Those of derived numbers are quantiles
// of a few hundred draws, which differ by a tenth even where the law is symmetric.
constexpr double kLopsidedEstimate = 0.1;
constexpr double kLopsidedDerived = 0.25;

// A number with its noise.
struct Noisy {
  std::string exact;  // every digit; empty where a double is all there is
  double value = 0;
  double low = 0;
  double high = 0;
  bool whole = false;

  double down() const { return std::max(value - low, 0.0); }
  double up() const { return std::max(high - value, 0.0); }
  double margin() const { return std::max(down(), up()); }
};

std::optional<Noisy> ReadNoisy(const Value& value, const NoiseInterval& interval) {
  Noisy noisy{.exact = "", .value = 0, .low = interval.low, .high = interval.high};
  if (const auto* number = std::get_if<double>(&value)) {
    noisy.value = *number;
    return noisy;
  }
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    noisy.exact = std::to_string(*number);
    noisy.value = static_cast<double>(*number);
    noisy.whole = true;
    return noisy;
  }
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr || !IsDecimal(*text)) return std::nullopt;
  noisy.exact = *text;
  noisy.value = std::strtod(text->c_str(), nullptr);
  noisy.whole = text->find('.') == std::string::npos;
  return noisy;
}

// A whole number is rounded itself, which moves it by a half against its interval.
bool IsLopsided(const Noisy& noisy, ColumnRole role) {
  const double tolerance = role == ColumnRole::kEstimate ? kLopsidedEstimate : kLopsidedDerived;
  const double difference = std::abs(noisy.up() - noisy.down());
  return difference > tolerance * noisy.margin() && (!noisy.whole || difference > 1);
}

// The place of the last digit that means something next to noise of this size.
int LastPlace(double noise, bool whole) {
  if (noise <= 0) return whole ? 0 : -2;
  const int place = FirstPlace(noise, kMarginDigits) - (kMarginDigits - 1);
  return whole ? std::max(place, 0) : place;
}

// Numbers of one cell, all written the same way.
class Writer {
 public:
  Writer(const Noisy& noisy, int place) : place_(place) {
    scientific_ = noisy.exact.empty() && (place < kLeastPlace || std::abs(noisy.value) >= kHuge);
  }

  std::string operator()(double number) const {
    if (!scientific_) return Grouped(RoundedNumber(number, place_));
    if (number == 0) return "0";
    return WithDigits(number, std::clamp(FirstPlace(number, kMarginDigits) - place_ + 1, 1, 17));
  }
  std::string operator()(const Noisy& noisy) const {
    if (noisy.exact.empty()) return (*this)(noisy.value);
    return Grouped(RoundedDecimal(noisy.exact, place_));
  }

 private:
  int place_;
  bool scientific_ = false;
};

// Of whole numbers small margins are rounded up: ± 0 would promise what is not so.
double ShownMargin(const Noisy& noisy) {
  const double margin = noisy.margin();
  return noisy.whole && margin < 10 ? std::ceil(margin) : margin;
}

ShownCell ShowNoisy(const Noisy& noisy, ColumnRole role) {
  const bool lopsided = IsLopsided(noisy, role);
  const double noise = lopsided ? (noisy.up() + noisy.down()) / 2 : noisy.margin();
  const Writer written(noisy, LastPlace(noise, noisy.whole));
  ShownCell cell;
  cell.swamped = noisy.margin() > 0 && noisy.margin() >= std::abs(noisy.value);
  cell.value = (cell.swamped ? "~" : "") + written(noisy);
  if (lopsided) {
    cell.interval = "[" + written(noisy.low) + ", " + written(noisy.high) + "]";
  } else {
    cell.margin = written(ShownMargin(noisy));
  }
  return cell;
}

// Of a number whose noise is not known.
std::string PlainEstimate(double number, int digits) {
  if (number == 0) return "0";
  const int first = FirstPlace(number, digits);
  if (std::abs(number) >= kHuge || first < kLeastPlace) return WithDigits(number, digits);
  std::string text = RoundedNumber(number, std::min(first - digits + 1, 0));
  if (text.find('.') != std::string::npos) {
    text.resize(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
  }
  return Grouped(std::move(text));
}

struct PlainPrinter {
  bool estimated;

  std::string operator()(std::monostate) const { return "NULL"; }
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(std::int64_t number) const {
    return estimated ? Grouped(std::to_string(number)) : std::to_string(number);
  }
  std::string operator()(double number) const {
    return estimated ? PlainEstimate(number, kPlainDigits) : ExactNumber(number);
  }
  std::string operator()(const std::string& text) const {
    return estimated && IsDecimal(text) ? Grouped(text) : text;
  }
};

}  // namespace

bool IsNumeric(const AnswerColumn& column) { return ParseType(column.type).is_numeric(); }

bool IsEstimated(const AnswerColumn& column) {
  return column.role == ColumnRole::kEstimate || column.role == ColumnRole::kDerived;
}

ShownCell ShowCell(const AnswerColumn& column, const Value& value,
                   const std::optional<NoiseInterval>& interval) {
  if (column.role == ColumnRole::kEstimate && IsNull(value)) {
    ShownCell cell;
    cell.value = "withheld";
    cell.withheld = true;
    return cell;
  }
  if (interval) {
    if (const auto noisy = ReadNoisy(value, *interval)) return ShowNoisy(*noisy, column.role);
  }
  ShownCell cell;
  cell.value = std::visit(PlainPrinter{IsEstimated(column) && IsNumeric(column)}, value);
  return cell;
}

CellPrinter::CellPrinter(const Answer& answer)
    : answer_(answer), has_intervals_(answer.columns.size(), false) {
  for (const auto& row : answer.intervals) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i].has_value()) has_intervals_[i] = true;
    }
  }
}

ShownCell CellPrinter::Show(std::size_t row, std::size_t column) const {
  const Value& value = answer_.rows[row][column];
  const auto& interval = answer_.intervals[row][column];
  ShownCell cell = ShowCell(answer_.columns[column], value, interval);
  if (interval || IsNull(value) || !has_intervals_[column]) return cell;
  if (const auto* number = std::get_if<double>(&value)) {
    cell.value = PlainEstimate(*number, kMarginDigits);
  }
  cell.value = "~" + cell.value;
  cell.swamped = true;
  return cell;
}

std::string CellText(const ShownCell& cell) {
  if (!cell.margin.empty()) return cell.value + " ± " + cell.margin;
  return cell.interval.empty() ? cell.value : cell.value + " " + cell.interval;
}

}  // namespace dpsql
