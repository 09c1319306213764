#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_text.h"
#include "base/utf8.h"
#include "dpsql/error.h"

// The one place that draws a caret: RenderError and ErrorToJson of dpsql/error.h.
namespace dpsql {
namespace {

constexpr int kFewestColumns = 40;  // below which no line is worth cutting
constexpr int kTabColumns = 8;
constexpr std::string_view kReplacement = "\uFFFD";
constexpr std::string_view kEllipsis = "…";

// The line on which a span begins.
struct Line {
  std::string_view text;  // without its line end
  std::size_t begin = 0;
  std::size_t number = 1;
};

// What one code point takes on the page.
struct Cell {
  std::string text;
  int columns = 1;
  bool marked = false;  // under it stands a caret
};

bool HasPlace(const Error& error, std::string_view sql) {
  return error.span.begin < error.span.end && error.span.begin < sql.size();
}

Line FindLine(std::string_view sql, std::size_t offset) {
  Line line;
  for (std::size_t i = 0; i < offset; ++i) {
    if (sql[i] != '\n') continue;
    line.begin = i + 1;
    ++line.number;
  }
  const std::size_t end = std::min(sql.find('\n', offset), sql.size());
  line.text = sql.substr(line.begin, end - line.begin);
  if (line.text.ends_with('\r')) line.text.remove_suffix(1);
  return line;
}

// Bytes that would move a terminal's cursor are never printed as they came.
std::string Printable(std::string_view text, CodePoint point) {
  const bool control = point.value != '\t' && IsControl(point.value);
  return std::string(control || point.value == 0xFFFD ? kReplacement : text.substr(0, point.size));
}

std::string PrintableText(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const CodePoint point = DecodeUtf8(text);
    out += point.value == '\n' ? "\n" : Printable(text, point);
    text.remove_prefix(point.size);
  }
  return out;
}

std::vector<Cell> Lay(const Line& line, SourceSpan span, int first_column) {
  std::vector<Cell> cells;
  int column = first_column;
  std::string_view rest = line.text;
  while (!rest.empty()) {
    const CodePoint point = DecodeUtf8(rest);
    const std::size_t at = line.begin + (line.text.size() - rest.size());
    const std::string text = Printable(rest, point);
    Cell cell{.text = text,
              .columns = DisplayWidth(DecodeUtf8(text).value),
              .marked = at >= span.begin && at < span.end};
    if (point.value == '\t') cell.columns = kTabColumns - column % kTabColumns;
    column += cell.columns;
    cells.push_back(std::move(cell));
    rest.remove_prefix(point.size);
  }
  const bool seen = std::any_of(cells.begin(), cells.end(), [](const Cell& c) { return c.marked; });
  // A span that begins at the line's end still gets its caret.
  if (!seen) cells.push_back({.text = " ", .columns = 1, .marked = true});
  return cells;
}

int Columns(const std::vector<Cell>& cells) {
  int total = 0;
  for (const Cell& cell : cells) total += cell.columns;
  return total;
}

// Keeps `columns` of a line that is too long, with the marked part in the middle.
std::vector<Cell> CutAround(std::vector<Cell> cells, int columns) {
  for (Cell& cell : cells) {
    if (cell.text == "\t") cell = {.text = " ", .columns = 1, .marked = cell.marked};
  }
  const int total = Columns(cells);
  if (total <= columns) return cells;
  int before = 0;
  int marked = 0;
  for (const Cell& cell : cells) {
    if (cell.marked) marked += cell.columns;
    if (marked == 0) before += cell.columns;
  }
  const int context = std::max(columns - marked, columns / 4) / 2;
  const int start = std::clamp(before - context, 0, total - columns);
  const int end = start + columns;
  std::vector<Cell> kept;
  if (start > 0) kept.push_back({.text = std::string(kEllipsis)});
  int column = 0;
  for (Cell& cell : cells) {
    const int from = column;
    column += cell.columns;
    const bool fits = from >= start + (start > 0 ? 1 : 0) && column <= end - (end < total ? 1 : 0);
    if (fits) kept.push_back(std::move(cell));
  }
  if (end < total) kept.push_back({.text = std::string(kEllipsis)});
  return kept;
}

std::string DrawLine(const Line& line, SourceSpan span, int columns) {
  const std::string label = "LINE " + std::to_string(line.number) + ": ";
  const int label_columns = static_cast<int>(label.size());
  std::vector<Cell> cells = Lay(line, span, label_columns);
  if (label_columns + Columns(cells) > columns) {
    cells = CutAround(std::move(cells), columns - label_columns);
  }
  std::string text = label;
  std::string carets(label.size(), ' ');
  std::size_t last_caret = carets.size();
  for (const Cell& cell : cells) {
    text += cell.text;
    const bool tab = cell.text == "\t" && !cell.marked;
    carets +=
        tab ? "\t" : std::string(static_cast<std::size_t>(cell.columns), cell.marked ? '^' : ' ');
    if (cell.marked) last_caret = carets.size();
  }
  carets.resize(last_caret);
  text.erase(text.find_last_not_of(" \t") + 1);
  return text + "\n" + carets + "\n";
}

}  // namespace

std::string RenderError(const Error& error, std::string_view sql, int columns) {
  std::string out = "ERROR " + error.code + ": " + PrintableText(error.message) + "\n";
  if (HasPlace(error, sql)) {
    columns = std::max(columns, kFewestColumns);
    out += DrawLine(FindLine(sql, error.span.begin), error.span, columns);
  }
  if (!error.hint.empty()) out += "HINT:  " + PrintableText(error.hint) + "\n";
  return out;
}

std::string ErrorToJson(const Error& error, std::string_view sql) {
  nlohmann::ordered_json body;
  body["code"] = error.code;
  body["sqlstate"] = error.sqlstate;
  body["message"] = error.message;
  body["hint"] = error.hint;
  if (HasPlace(error, sql)) {
    const Line line = FindLine(sql, error.span.begin);
    const std::size_t end = std::min<std::size_t>(error.span.end, sql.size());
    body["line"] = line.number;
    body["column"] = CountCodePoints(sql.substr(line.begin, error.span.begin - line.begin)) + 1;
    body["length"] = CountCodePoints(sql.substr(error.span.begin, end - error.span.begin));
  }
  const nlohmann::ordered_json object = {{"error", body}};
  return JsonText(object);
}

}  // namespace dpsql
