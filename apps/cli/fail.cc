#include "fail.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "dpsql/display.h"
#include "terminal.h"

namespace dpsql::cli {
namespace {

constexpr int kPageColumns = 100;  // of what is no terminal
constexpr std::string_view kRed = "\x1b[1;31m";
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kPlain = "\x1b[0m";

std::string Styled(std::string_view style, std::string_view text) {
  return std::string(style) + std::string(text) + std::string(kPlain);
}

bool IsCarets(std::string_view line) {
  return line.find('^') != std::string_view::npos &&
         line.find_first_not_of(" \t^") == std::string_view::npos;
}

// The code red, carets red, the word HINT bold; the words themselves as they are.
std::string Colored(const std::string& rendered) {
  std::istringstream lines(rendered);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t label = std::min(line.find(": "), line.size());
    if (out.empty()) {
      line = Styled(kRed, line.substr(0, label)) + line.substr(label);
    } else if (IsCarets(line)) {
      line = Styled(kRed, line);
    } else if (line.starts_with("HINT: ")) {
      line = Styled(kBold, "HINT:") + line.substr(std::string_view("HINT:").size());
    }
    out += line + "\n";
  }
  return out;
}

// "report.sql:3: ", or "report.sql: " where the error has no place in it.
std::string PlaceText(const Error& error, std::string_view sql, std::string_view file) {
  if (file.empty()) return "";
  std::string text = Printable(file);
  if (!error.span.empty() && error.span.begin < sql.size()) {
    const auto end = sql.begin() + static_cast<std::ptrdiff_t>(error.span.begin);
    text += ":" + std::to_string(1 + std::count(sql.begin(), end, '\n'));
  }
  return text + ": ";
}

}  // namespace

int Fail(const Error& error, const std::string& sql, Format format) {
  ShowError(error, sql);
  if (IsJson(format)) std::cout << ErrorToJson(error, sql) << "\n";
  return error.exit_code;
}

void ShowError(const Error& error, std::string_view sql, std::string_view file) {
  const auto columns = static_cast<int>(TerminalWidth(STDERR_FILENO));
  const std::string rendered = RenderError(error, sql, columns > 0 ? columns : kPageColumns);
  std::cerr << PlaceText(error, sql, file)
            << (TakesColor(STDERR_FILENO) ? Colored(rendered) : rendered);
}

}  // namespace dpsql::cli
