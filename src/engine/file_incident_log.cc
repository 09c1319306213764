#include "engine/file_incident_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "dpsql/display.h"

namespace dpsql {
namespace {

// Time and process make a number that no other incident has, without reading the file.
std::string NextNumber() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  char number[48];
  std::snprintf(number, sizeof(number), "i-%llx-%x", static_cast<unsigned long long>(micros),
                static_cast<unsigned>(getpid()));
  return number;
}

// The words are a database's or a server's: the owner reads them on a terminal, which obeys some.
std::string OneLine(std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return Printable(line);
}

}  // namespace

std::string FileIncidentLog::Record(std::string_view text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::string number = NextNumber();
  const int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return number;
  fchmod(file, 0600);  // the file may be older than this rule
  const std::string line = number + " " + OneLine(text) + "\n";
  // One write of one line: lines of several processes do not mix.
  [[maybe_unused]] const ssize_t written = write(file, line.data(), line.size());
  close(file);
  return number;
}

}  // namespace dpsql
