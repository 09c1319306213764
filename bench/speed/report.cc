#include "speed/report.h"

#include <duckdb.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <thread>

namespace dpsql {
namespace {

using Json = nlohmann::json;

constexpr double kShortMs = 5;

template <typename... Values>
std::string Printed(const char* format, Values... values) {
  char text[512];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

// 0 where it was not measured.
double At(const Json& row, const char* name) { return row.value(name, 0.0); }

// The value of the first line of a file that begins with `name`, behind its colon.
std::string Found(const char* path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(name, 0) != 0) continue;
    const std::size_t colon = line.find(':');
    return line.substr(std::min(line.size(), line.find_first_not_of(" \t", colon + 1)));
  }
  return "unknown";
}

// How busy the machine is with other work: a reader should know.
std::string LoadAverage() {
  std::ifstream file("/proc/loadavg");
  std::string minute = "unknown";
  file >> minute;
  return minute;
}

}  // namespace

std::string HeadLine() {
  return Printed("%-24s %10s %12s %10s %8s %11s %9s %5s\n", "query", "exact ms", "per unit ms",
                 "dpsql ms", "/exact", "/per unit", "peak MB", "reps");
}

std::string LineOf(const Json& row) {
  const std::string name = row.at("query");
  if (!row.contains("dpsql_ms") || row.contains("refused")) {
    return Printed("%-24s %10.2f %12.2f   %s\n", name.c_str(), At(row, "exact_ms"),
                   At(row, "per_unit_ms"), row.at("refused").get<std::string>().c_str());
  }
  const double ours = At(row, "dpsql_ms");
  return Printed("%-24s %10.2f %12.2f %10.2f %8.2f %11.2f %9.0f %5d\n", name.c_str(),
                 At(row, "exact_ms"), At(row, "per_unit_ms"), ours, ours / At(row, "exact_ms"),
                 row.contains("per_unit_ms") ? ours / At(row, "per_unit_ms") : 0,
                 At(row, "peak_mb"), row.at("repetitions").get<int>());
}

Json SummaryOf(const Json& rows) {
  double log_exact = 0;
  double log_per_unit = 0;
  double most_added = 0;
  int longs = 0;
  int units = 0;
  int refused = 0;
  for (const Json& row : rows) {
    if (row.contains("refused")) {
      ++refused;
    } else if (At(row, "exact_ms") >= kShortMs) {
      log_exact += std::log(At(row, "dpsql_ms") / At(row, "exact_ms"));
      if (row.contains("per_unit_ms")) {
        log_per_unit += std::log(At(row, "dpsql_ms") / At(row, "per_unit_ms"));
        ++units;
      }
      ++longs;
    } else {
      most_added = std::max(most_added, At(row, "dpsql_ms") - At(row, "exact_ms"));
    }
  }
  Json summary = {{"long_queries", longs}, {"refused", refused}, {"most_added_ms", most_added}};
  if (longs > 0) {
    summary["mean_ratio_to_exact"] = std::exp(log_exact / longs);
  }
  if (units > 0) summary["mean_ratio_to_per_unit"] = std::exp(log_per_unit / units);
  return summary;
}

std::string TextOf(const Json& summary) {
  std::string text;
  if (summary.contains("mean_ratio_to_exact")) {
    text += Printed(
        "geometric mean over the %d queries of %.0f ms or more: %.2f of exact, %.2f of per unit\n",
        summary.at("long_queries").get<int>(), kShortMs, At(summary, "mean_ratio_to_exact"),
        At(summary, "mean_ratio_to_per_unit"));
  }
  text += Printed("added to the shorter ones: at most %.2f ms; refused: %d\n",
                  At(summary, "most_added_ms"), summary.at("refused").get<int>());
  return text;
}

Json Surroundings() {
  utsname system{};
  ::uname(&system);
  return {{"processor", Found("/proc/cpuinfo", "model name")},
          {"memory", Found("/proc/meminfo", "MemTotal")},
          {"threads", std::thread::hardware_concurrency()},
          {"load before", LoadAverage()},
          {"system", std::string(system.sysname) + " " + system.release},
          {"duckdb", duckdb_library_version()},
          {"compiler", __VERSION__}};
}

}  // namespace dpsql
