#include "text_table.h"

#include <algorithm>
#include <clocale>
#include <cstdlib>

#include "dpsql/display.h"

namespace dpsql::cli {
namespace {

constexpr std::size_t kGap = 2;

void Pad(std::string& line, std::size_t missing) { line.append(missing, ' '); }

}  // namespace

std::string AlignColumns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], TextWidth(Printable(row[i])));
    }
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string cell = Printable(row[i]);
      line += cell;
      Pad(line, widths[i] - TextWidth(cell) + kGap);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string ListInColumns(const std::vector<std::string>& words, std::size_t width) {
  std::size_t widest = 1;
  for (const std::string& word : words) widest = std::max(widest, TextWidth(Printable(word)));
  const std::size_t columns = std::max<std::size_t>(1, (width + kGap) / (widest + kGap));
  const std::size_t lines = (words.size() + columns - 1) / columns;
  std::vector<std::vector<std::string>> rows(lines);
  for (std::size_t i = 0; i < words.size(); ++i) rows[i % lines].push_back(words[i]);
  return AlignColumns(rows);
}

void UseUtf8() {
  std::setlocale(LC_CTYPE, "");
  if (MB_CUR_MAX == 1) std::setlocale(LC_CTYPE, "C.UTF-8");
}

}  // namespace dpsql::cli
