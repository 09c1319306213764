#include "publish/format_rows.h"

#include <set>
#include <utility>

#include "base/answer_json.h"
#include "publish/format_cell.h"
#include "publish/format_number.h"

namespace dpsql {
namespace {

// The name, with a number behind it where it was taken.
std::string TakeName(const std::string& wanted, std::set<std::string>& taken) {
  std::string name = wanted;
  for (int i = 2; !taken.insert(name).second; ++i) name = wanted + "_" + std::to_string(i);
  return name;
}

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string CsvText(const std::string& text) {
  const bool edges = text.starts_with(' ') || text.ends_with(' ');
  const bool plain = text.find_first_of(",\"\r\n") == std::string::npos;
  return text.empty() || edges || !plain ? Quoted(text) : text;
}

struct CsvPrinter {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return ExactNumber(number); }
  std::string operator()(const std::string& text) const { return CsvText(text); }
};

// Nothing where there is no interval.
std::optional<double> End(const std::optional<NoiseInterval>& interval, CellPart part) {
  if (!interval) return std::nullopt;
  return part == CellPart::kLow ? interval->low : interval->high;
}

std::string CsvCell(const Answer& answer, std::size_t row, const FileColumn& column) {
  if (column.part == CellPart::kValue) {
    return std::visit(CsvPrinter{}, answer.rows[row][column.column]);
  }
  const auto end = End(answer.intervals[row][column.column], column.part);
  return end ? ExactNumber(*end) : "";
}

std::string JsonCell(const Answer& answer, std::size_t row, const FileColumn& column) {
  if (column.part == CellPart::kValue) return ValueToJson(answer.rows[row][column.column]);
  const auto end = End(answer.intervals[row][column.column], column.part);
  return end ? IntervalEndToJson(*end) : "null";
}

}  // namespace

std::vector<FileColumn> FileColumns(const Answer& answer) {
  std::set<std::string> taken;
  std::vector<std::string> names;
  for (const AnswerColumn& column : answer.columns) names.push_back(TakeName(column.name, taken));
  std::vector<FileColumn> columns;
  for (std::size_t i = 0; i < names.size(); ++i) {
    columns.push_back({names[i], i, CellPart::kValue});
    if (!IsEstimated(answer.columns[i]) || !IsNumeric(answer.columns[i])) continue;
    columns.push_back({TakeName(names[i] + "_low", taken), i, CellPart::kLow});
    columns.push_back({TakeName(names[i] + "_high", taken), i, CellPart::kHigh});
  }
  return columns;
}

std::string FormatCsv(const Answer& answer) {
  const std::vector<FileColumn> columns = FileColumns(answer);
  std::string text;
  for (const FileColumn& column : columns) {
    text += (&column == &columns.front() ? "" : ",") + CsvText(column.name);
  }
  text += "\n";
  for (std::size_t row = 0; row < answer.rows.size(); ++row) {
    for (const FileColumn& column : columns) {
      text += (&column == &columns.front() ? "" : ",") + CsvCell(answer, row, column);
    }
    text += "\n";
  }
  return text;
}

std::string FormatJsonLines(const Answer& answer) {
  const std::vector<FileColumn> columns = FileColumns(answer);
  std::vector<std::string> names;
  for (const FileColumn& column : columns) names.push_back(ValueToJson(column.name) + ":");
  std::string text;
  for (std::size_t row = 0; row < answer.rows.size(); ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      text += (i == 0 ? "{" : ",") + names[i] + JsonCell(answer, row, columns[i]);
    }
    text += "}\n";
  }
  return text;
}

}  // namespace dpsql
