#include "publish/format_box.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <vector>

#include "base/display.h"

namespace dpsql {
namespace {

constexpr int kMarginDigits = 2;  // more digits of a margin of error mean nothing
constexpr int kMostDecimals = 9;

std::string Short(double number) {
  std::ostringstream text;
  text << std::setprecision(3) << number;
  return text.str();
}

std::string Fixed(double number, int decimals) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(decimals) << number;
  return text.str();
}

// Thousands in groups of three.
std::string Grouped(std::string digits) {
  const std::size_t start = digits[0] == '-' ? 1 : 0;
  std::size_t at = std::min(digits.find('.'), digits.size());
  while (at > start + 3) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

double Margin(double value, const NoiseInterval& interval) {
  return std::max({value - interval.low, interval.high - value, 0.0});
}

int MarginDecimals(double margin) {
  if (margin <= 0) return 2;
  const int magnitude = static_cast<int>(std::floor(std::log10(margin)));
  return std::clamp(kMarginDigits - 1 - magnitude, 0, kMostDecimals);
}

// One column of the table with its cells as text.
struct TextColumn {
  std::string name;
  bool right = false;
  std::vector<std::string> cells;
  std::size_t width = 0;

  void Add(std::string cell) {
    width = std::max(width, TextWidth(cell));
    cells.push_back(std::move(cell));
  }
};

std::string PlainCell(const Value& value) {
  struct Printer {
    std::string operator()(std::monostate) const { return "NULL"; }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return Short(number); }
    std::string operator()(const std::string& text) const { return Printable(text); }
  };
  return std::visit(Printer{}, value);
}

std::string EstimateCell(const Value& value, const NoiseInterval& interval) {
  if (const auto* count = std::get_if<std::int64_t>(&value)) {
    const double margin = Margin(static_cast<double>(*count), interval);
    return Grouped(std::to_string(*count)) + " ± " + Grouped(Fixed(margin, 0));
  }
  const double number = std::get<double>(value);
  const double margin = Margin(number, interval);
  const int decimals = MarginDecimals(margin);
  return Grouped(Fixed(number, decimals)) + " ± " + Grouped(Fixed(margin, decimals));
}

std::vector<TextColumn> TextColumns(const Answer& answer) {
  std::vector<TextColumn> columns;
  for (std::size_t c = 0; c < answer.columns.size(); ++c) {
    TextColumn column{
        .name = Printable(answer.columns[c].name),
        .right = answer.columns[c].role != ColumnRole::kKey && answer.columns[c].type != "VARCHAR"};
    column.width = TextWidth(column.name);
    for (std::size_t r = 0; r < answer.rows.size(); ++r) {
      const Value& value = answer.rows[r][c];
      const auto& interval = answer.intervals[r][c];
      const bool estimate = answer.columns[c].role == ColumnRole::kEstimate;
      const bool withheld = estimate && IsNull(value);
      column.Add(withheld               ? "withheld"
                 : interval.has_value() ? EstimateCell(value, *interval)
                                        : PlainCell(value));
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

std::string Padded(const std::string& text, const TextColumn& column) {
  const std::string space(column.width - TextWidth(text), ' ');
  return column.right ? space + text : text + space;
}

struct RuleEnds {
  const char* left;
  const char* middle;
  const char* right;
};

void PrintRule(const std::vector<TextColumn>& columns, RuleEnds ends, std::ostream& out) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    out << (c == 0 ? ends.left : ends.middle);
    for (std::size_t i = 0; i < columns[c].width + 2; ++i) out << "─";
  }
  out << ends.right << "\n";
}

std::string Footer(const Answer& answer) {
  std::ostringstream out;
  out << answer.rows.size() << (answer.rows.size() == 1 ? " row" : " rows") << "; ";
  if (answer.stored) {
    out << "stored answer " << answer.release << ", nothing spent";
  } else {
    out << "spent ε " << Short(answer.price.epsilon) << ", δ " << Short(answer.price.delta) << " ("
        << answer.release << ")";
  }
  if (answer.price.doors == 0) return out.str() + "; no private table was read\n";
  out << "; left ε " << Short(answer.remaining.epsilon) << ", about "
      << answer.remaining.queries_like_this << " more like this\n";
  return out.str();
}

}  // namespace

std::string FormatBox(const Answer& answer) {
  const std::vector<TextColumn> columns = TextColumns(answer);
  std::ostringstream out;
  PrintRule(columns, {"┌", "┬", "┐"}, out);
  for (const TextColumn& column : columns) out << "│ " << Padded(column.name, column) << " ";
  out << "│\n";
  PrintRule(columns, {"├", "┼", "┤"}, out);
  for (std::size_t r = 0; r < answer.rows.size(); ++r) {
    for (const TextColumn& column : columns) out << "│ " << Padded(column.cells[r], column) << " ";
    out << "│\n";
  }
  PrintRule(columns, {"└", "┴", "┘"}, out);
  for (const std::string& notice : answer.notices) out << "note: " << notice << "\n";
  out << Footer(answer);
  return out.str();
}

}  // namespace dpsql
