#include "publish/format_box.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "base/display.h"
#include "publish/format_columns.h"
#include "publish/format_footer.h"
#include "publish/format_style.h"

namespace dpsql {
namespace {

struct RuleEnds {
  const char* left;
  const char* middle;
  const char* right;
};

void PrintRule(const std::vector<BoxSlot>& slots, RuleEnds ends, std::ostream& out) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    out << (i == 0 ? ends.left : ends.middle);
    for (std::size_t k = 0; k < slots[i].width + 2; ++k) out << "─";
  }
  out << ends.right << "\n";
}

// A cell that fits its place. A text may be cut; of a number only the noise may be missing.
BoxCell Cut(const BoxCell& cell, const BoxSlot& slot) {
  if (cell.width() <= slot.width) return cell;
  BoxCell cut{.value = "…", .noise = "", .faint = cell.faint};
  if (!slot.column->right) {
    cut.value = Shortened(cell.value, slot.width);
  } else if (!cell.noise.empty() && TextWidth(cell.value) + 3 <= slot.width) {
    cut.value = cell.value;
    cut.noise = " ±…";
  }
  return cut;
}

std::string CellLine(const BoxCell& cell, const BoxSlot& slot, bool color) {
  const std::string space(slot.width - cell.width(), ' ');
  const bool right = slot.column != nullptr && slot.column->right;
  const std::string shown = cell.faint ? Styled(cell.value + cell.noise, kDim, color)
                                       : cell.value + Styled(cell.noise, kDim, color);
  return "│ " + (right ? space + shown : shown + space) + " ";
}

std::string NameLine(const BoxSlot& slot, bool color) {
  const std::string name = slot.column == nullptr ? "…" : Shortened(slot.column->name, slot.width);
  const std::string space(slot.width - TextWidth(name), ' ');
  const std::string shown = Styled(name, kBold, color);
  return "│ " + (slot.column != nullptr && slot.column->right ? space + shown : shown + space) +
         " ";
}

}  // namespace

std::string FormatBox(const Answer& answer, const Look& look) {
  const std::vector<BoxColumn> columns = BoxColumns(answer);
  const std::vector<BoxSlot> slots = FitColumns(columns, look.width);
  std::ostringstream out;
  PrintRule(slots, {"┌", "┬", "┐"}, out);
  for (const BoxSlot& slot : slots) out << NameLine(slot, look.color);
  out << "│\n";
  PrintRule(slots, {"├", "┼", "┤"}, out);
  for (std::size_t r = 0; r < answer.rows.size(); ++r) {
    for (const BoxSlot& slot : slots) {
      const BoxCell cell = slot.column == nullptr ? BoxCell{.value = "…", .noise = ""}
                                                  : Cut(slot.column->cells[r], slot);
      out << CellLine(cell, slot, look.color);
    }
    out << "│\n";
  }
  PrintRule(slots, {"└", "┴", "┘"}, out);
  const auto swamped = [](const BoxSlot& slot) { return slot.column && slot.column->swamped; };
  const auto shown = std::count_if(slots.begin(), slots.end(),
                                   [](const BoxSlot& slot) { return slot.column != nullptr; });
  const FooterLook footer{.width = look.width,
                          .color = look.color,
                          .swamped = std::any_of(slots.begin(), slots.end(), swamped),
                          .columns_shown = static_cast<std::size_t>(shown)};
  return out.str() + FooterLines(answer, footer);
}

}  // namespace dpsql
