#include "publish/format_columns.h"

#include <algorithm>
#include <limits>

#include "base/display.h"
#include "publish/format_cell.h"

namespace dpsql {
namespace {

// Texts and names are not cut shorter than this while a column can give way instead.
constexpr std::size_t kReadable = 8;

std::string Before(const std::string& text, std::size_t width) {
  return std::string(width - TextWidth(text), ' ') + text;
}

std::string After(const std::string& text, std::size_t width) {
  return text + std::string(width - TextWidth(text), ' ');
}

struct Widths {
  std::size_t value = 0;
  std::size_t margin = 0;
  std::size_t noise = 0;
};

std::string Noise(const ShownCell& cell, const Widths& widths) {
  if (cell.margin.empty()) return " " + cell.interval;
  return " ± " + Before(cell.margin, widths.margin);
}

bool HasNoise(const ShownCell& cell) { return !cell.margin.empty() || !cell.interval.empty(); }

// Of cells with noise: what stands alone needs no place beside it.
Widths WidthsOf(const std::vector<ShownCell>& cells) {
  Widths widths;
  for (const ShownCell& cell : cells) {
    widths.margin = std::max(widths.margin, TextWidth(cell.margin));
  }
  for (const ShownCell& cell : cells) {
    if (!HasNoise(cell)) continue;
    widths.value = std::max(widths.value, TextWidth(cell.value));
    widths.noise = std::max(widths.noise, TextWidth(Noise(cell, widths)));
  }
  return widths;
}

BoxCell LinedUp(const ShownCell& cell, const Widths& widths) {
  BoxCell box{.value = Printable(cell.value), .noise = "", .faint = cell.swamped || cell.withheld};
  if (!HasNoise(cell)) return box;
  box.value = Before(box.value, widths.value);
  box.noise = After(Noise(cell, widths), widths.noise);
  return box;
}

std::size_t TableWidth(const std::vector<BoxSlot>& slots) {
  std::size_t width = 1;
  for (const BoxSlot& slot : slots) width += slot.width + 3;
  return width;
}

// How narrow a column can be with texts and names of `readable` columns.
std::size_t Least(const BoxSlot& slot, std::size_t readable) {
  if (slot.column == nullptr) return slot.width;
  const std::size_t name = std::min(slot.column->name_width, readable);
  const std::size_t cells =
      slot.column->right ? slot.column->widest : std::min(slot.column->widest, readable);
  return std::max(name, cells);
}

// Takes from the widest that has something to give until the table fits.
bool Shrink(std::vector<BoxSlot>& slots, std::size_t width, std::size_t readable) {
  for (std::size_t all = TableWidth(slots); all > width; --all) {
    BoxSlot* widest = nullptr;
    for (BoxSlot& slot : slots) {
      const bool gives = slot.width > Least(slot, readable);
      if (gives && (widest == nullptr || slot.width > widest->width)) widest = &slot;
    }
    if (widest == nullptr) return false;
    --widest->width;
  }
  return true;
}

// The first and the last columns, `count` of them, none wider than the table may be.
std::vector<BoxSlot> Outer(const std::vector<BoxColumn>& columns, std::size_t count,
                           std::size_t most) {
  const std::size_t first = (count + 1) / 2;
  std::vector<BoxSlot> slots;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const BoxColumn& column = columns[i];
    if (i < first || i >= columns.size() - (count - first)) {
      slots.push_back({&column, std::min(std::max(column.name_width, column.widest), most)});
    } else if (i == first) {
      slots.push_back({});
    }
  }
  return slots;
}

}  // namespace

std::size_t BoxCell::width() const { return TextWidth(value) + TextWidth(noise); }

std::vector<BoxColumn> BoxColumns(const Answer& answer) {
  const CellPrinter reader(answer);
  std::vector<BoxColumn> columns;
  for (std::size_t c = 0; c < answer.columns.size(); ++c) {
    BoxColumn column{.name = Printable(answer.columns[c].name),
                     .right = IsNumeric(answer.columns[c])};
    column.name_width = TextWidth(column.name);
    std::vector<ShownCell> cells;
    for (std::size_t r = 0; r < answer.rows.size(); ++r) {
      cells.push_back(reader.Show(r, c));
      column.swamped |= cells.back().swamped;
    }
    const Widths widths = WidthsOf(cells);
    for (const ShownCell& cell : cells) {
      column.cells.push_back(LinedUp(cell, widths));
      column.widest = std::max(column.widest, column.cells.back().width());
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

std::vector<BoxSlot> FitColumns(const std::vector<BoxColumn>& columns, std::size_t width) {
  constexpr auto kAny = std::numeric_limits<std::size_t>::max();
  if (width == 0) return Outer(columns, columns.size(), kAny);
  std::vector<BoxSlot> slots;
  for (std::size_t count = columns.size(); count > 0; --count) {
    slots = Outer(columns, count, width);
    if (Shrink(slots, width, kReadable)) return slots;
    if (count <= 2 && Shrink(slots, width, 1)) return slots;
  }
  // Not even one number fits. It is printed as an ellipsis.
  const std::size_t others = TableWidth(slots) - slots[0].width;
  slots[0].width = width > others ? width - others : 1;
  return slots;
}

}  // namespace dpsql
