#include "publish/format_markdown.h"

#include <cctype>
#include <string_view>

#include "base/display.h"
#include "publish/format_cell.h"
#include "publish/format_footer.h"

namespace dpsql {
namespace {

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// An underscore inside a word begins no emphasis, and names are full of them.
bool NeedsEscape(std::string_view text, std::size_t at) {
  constexpr std::string_view kMeaningful = "\\`*_[]<>|~&$#!";
  if (kMeaningful.find(text[at]) == std::string_view::npos) return false;
  const bool inside =
      at > 0 && at + 1 < text.size() && IsWord(text[at - 1]) && IsWord(text[at + 1]);
  return text[at] != '_' || !inside;
}

// One line, whatever the text holds. A bare <br> is how a cell of GitHub's tables breaks.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool both = text.substr(i).starts_with("\r\n");
    if (both || text[i] == '\n' || text[i] == '\r') {
      escaped += "<br>";
      i += both ? 1 : 0;
      continue;
    }
    if (NeedsEscape(text, i)) escaped += '\\';
    escaped += text[i];
  }
  // The bytes of a character stand together, so that this sees what it came to see.
  return Printable(escaped);
}

}  // namespace

std::string FormatMarkdown(const Answer& answer) {
  std::string names = "|";
  std::string rule = "|";
  for (const AnswerColumn& column : answer.columns) {
    names += " " + Escaped(column.name) + " |";
    rule += IsNumeric(column) ? "---:|" : "---|";
  }
  std::string text = names + "\n" + rule + "\n";
  const CellPrinter reader(answer);
  bool swamped = false;
  for (std::size_t r = 0; r < answer.rows.size(); ++r) {
    text += "|";
    for (std::size_t c = 0; c < answer.columns.size(); ++c) {
      ShownCell cell = reader.Show(r, c);
      swamped |= cell.swamped;
      cell.value = Escaped(cell.value);
      text += " " + CellText(cell) + " |";
    }
    text += "\n";
  }
  if (swamped) text += "\n" + Escaped(kSwampedLegend) + "\n";
  for (const std::string& notice : answer.notices) text += "\nnote: " + Escaped(notice) + "\n";
  const PriceText price = DescribePrice(answer, 0);
  return text + "\n" + price.spent + (price.left.empty() ? "" : "; " + price.left) + "\n";
}

}  // namespace dpsql
