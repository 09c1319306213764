#include "speed/apart.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace dpsql {
namespace {

std::string ReadAll(int from) {
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t got = 0; (got = ::read(from, part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  return text;
}

[[noreturn]] void WriteAndLeave(int to, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote = ::write(to, text.data() + done, text.size() - done);
    if (wrote <= 0) ::_exit(1);
    done += static_cast<std::size_t>(wrote);
  }
  ::_exit(0);
}

}  // namespace

nlohmann::json RunApart(const std::function<nlohmann::json()>& task) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) std::abort();
  const pid_t child = ::fork();
  if (child < 0) std::abort();
  if (child == 0) {
    ::close(ends[0]);
    WriteAndLeave(ends[1], task().dump());
  }
  ::close(ends[1]);
  const std::string text = ReadAll(ends[0]);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    return {{"refused", "the process ended with signal " + std::to_string(WTERMSIG(status))}};
  }
  if (status != 0) return {{"refused", "the process ended with an error"}};
  return nlohmann::json::parse(text);
}

double PeakMegabytes() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    long kilobytes = 0;
    if (std::sscanf(line.c_str(), "VmHWM: %ld", &kilobytes) == 1) {
      return static_cast<double>(kilobytes) / 1024;
    }
  }
  return 0;
}

double CpuMilliseconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& time) {
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

}  // namespace dpsql
