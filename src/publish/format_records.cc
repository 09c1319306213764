#include "publish/format_records.h"

#include <algorithm>
#include <sstream>

#include "base/display.h"
#include "publish/format_cell.h"
#include "publish/format_footer.h"
#include "publish/format_style.h"

namespace dpsql {
namespace {

constexpr std::size_t kNarrowest = 12;  // a name, the bar, and something of a value

struct RecordWidths {
  std::size_t name = 0;
  std::size_t value = 0;  // 0: any
};

RecordWidths WidthsFor(const Answer& answer, std::size_t width) {
  RecordWidths widths;
  for (const AnswerColumn& column : answer.columns) {
    widths.name = std::max(widths.name, TextWidth(Printable(column.name)));
  }
  if (width == 0) return widths;
  const std::size_t room = std::max(width, kNarrowest);
  widths.name = std::min(widths.name, room / 3);
  widths.value = room - widths.name - 3;
  return widths;
}

std::string Title(std::size_t number, const RecordWidths& widths) {
  std::string title = "─[ " + std::to_string(number) + " ]";
  for (std::size_t i = TextWidth(title); i < widths.name + 9; ++i) title += "─";
  return title + "\n";
}

// The value with its noise, in colour where it fits one line.
std::string ShownValue(const ShownCell& cell, const RecordWidths& widths, bool color) {
  const std::string text = Printable(CellText(cell));
  if (widths.value > 0 && TextWidth(text) > widths.value) return Wrapped(text, widths.value);
  if (cell.swamped || cell.withheld) return Styled(text, kDim, color);
  const std::string value = Printable(cell.value);
  return value + Styled(text.substr(value.size()), kDim, color);
}

std::string Field(const std::string& name, const std::string& value, const RecordWidths& widths,
                  bool color) {
  std::string lines;
  std::string label = Shortened(Printable(name), std::max<std::size_t>(widths.name, 1));
  std::istringstream parts(value);
  std::string part;
  std::getline(parts, part);
  do {
    const std::size_t used = TextWidth(label);
    const std::string space(widths.name > used ? widths.name - used : 0, ' ');
    lines += Styled(label, kBold, color) + space + " │ " + part + "\n";
    label.clear();
  } while (std::getline(parts, part));
  return lines;
}

}  // namespace

std::string FormatRecords(const Answer& answer, const Look& look) {
  const RecordWidths widths = WidthsFor(answer, look.width);
  FooterLook footer{.width = look.width, .color = look.color};
  const CellPrinter reader(answer);
  std::string text;
  for (std::size_t r = 0; r < answer.rows.size(); ++r) {
    text += Title(r + 1, widths);
    for (std::size_t c = 0; c < answer.columns.size(); ++c) {
      const ShownCell cell = reader.Show(r, c);
      footer.swamped |= cell.swamped;
      text +=
          Field(answer.columns[c].name, ShownValue(cell, widths, look.color), widths, look.color);
    }
  }
  return text + FooterLines(answer, footer);
}

}  // namespace dpsql
