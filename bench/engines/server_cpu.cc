#include "engines/server_cpu.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace dpsql {
namespace {

struct Process {
  pid_t parent = 0;
  long ticks = 0;
};

using Processes = std::map<pid_t, Process>;

// Behind the name, which may have anything in it, come state and parent; utime, stime, cutime
// and cstime are the twelfth to fifteenth.
Process Parse(const std::string& stat) {
  std::istringstream fields(stat.substr(stat.rfind(')') + 1));
  Process process;
  std::string word;
  for (int place = 0; place < 15 && fields >> word; ++place) {
    if (place == 1) process.parent = std::atoi(word.c_str());
    if (place >= 11) process.ticks += std::atol(word.c_str());
  }
  return process;
}

Processes All() {
  Processes found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t number = std::atoi(entry.path().filename().c_str());
    if (number == 0) continue;
    std::ifstream file(entry.path() / "stat");
    std::string stat;
    if (std::getline(file, stat, '\0')) found[number] = Parse(stat);
  }
  return found;
}

bool IsBelow(pid_t number, pid_t process, const Processes& all) {
  while (number != process && all.contains(number)) number = all.at(number).parent;
  return number == process;
}

std::map<pid_t, long> TicksBelow(pid_t process) {
  const Processes all = All();
  std::map<pid_t, long> ticks;
  for (const auto& [number, found] : all) {
    if (IsBelow(number, process, all)) ticks[number] = found.ticks;
  }
  return ticks;
}

bool SameProcesses(const std::map<pid_t, long>& some, const std::map<pid_t, long>& others) {
  const auto same = [](const auto& one, const auto& other) { return one.first == other.first; };
  return std::ranges::equal(some, others, same);
}

}  // namespace

double MillisecondsBelow(pid_t process) {
  std::map<pid_t, long> ticks;
  do {  // until none of them ended between two readings
    ticks = TicksBelow(process);
  } while (!SameProcesses(ticks, TicksBelow(process)));
  long sum = 0;
  for (const auto& [number, own] : ticks) sum += own;
  return 1e3 * static_cast<double>(sum) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace dpsql
