#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace dpsql::cli {
namespace {

// An empty variable counts as none.
std::string_view Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::size_t TerminalWidth(int file) {
  winsize size{};
  if (isatty(file) == 0 || ioctl(file, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

bool MovesCursor(int file) { return isatty(file) != 0 && Environment("TERM") != "dumb"; }

bool TakesColor(int file) { return MovesCursor(file) && Environment("NO_COLOR").empty(); }

}  // namespace dpsql::cli
