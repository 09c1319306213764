// engines URL [--set tpch|growth|peers] [--only NAME] [--files FOLDER] [--repetitions N]
//         [--seconds S] [--json FILE] [--policy FILE] [--server PROCESS]
//
// Prints what private answers take beside the exact ones of the same database, in turn and in one
// run. An empty URL with --files is DuckDB on files. --policy writes the policy and ends; the
// questions go to --json then, with nothing measured. Beside peers the peak memory of a process
// that asks one question is measured as well, and with --server the CPU time of that process and
// all below it. The file of --json is written after each row.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "engines/exact_side.h"
#include "engines/questions.h"
#include "engines/server_cpu.h"
#include "speed/apart.h"
#include "speed/asker.h"
#include "speed/report.h"

namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;
using Arguments = std::map<std::string, std::string>;

Arguments ReadArguments(int argc, char** argv) {
  Arguments arguments = {{"--set", "tpch"},  {"--files", ""},  {"--repetitions", "7"},
                         {"--seconds", "5"}, {"--json", ""},   {"--policy", ""},
                         {"--only", ""},     {"--server", "0"}};
  bool good = argc >= 2 && argc % 2 == 0;
  for (int i = 2; good && i < argc; i += 2) {
    good = arguments.contains(argv[i]);
    arguments[argv[i]] = argv[i + 1];
  }
  if (good) return arguments;
  std::fprintf(stderr,
               "usage: engines URL [--set tpch|growth|peers] [--only NAME] [--files FOLDER]\n"
               "               [--repetitions N] [--seconds S] [--json FILE] [--policy FILE]\n"
               "               [--server PROCESS]\n");
  std::exit(2);
}

constexpr double kLong = 5;  // times what is to be spent

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <typename Work>
double Milliseconds(Work work) {
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// What one of the two forms took, each time; of the server all times together, which counts in
// ticks of the clock.
struct Spent {
  std::vector<double> wall_ms;
  std::vector<double> cpu_ms;
  double server_ms = 0;

  template <typename Work>
  void Time(pid_t server, Work work) {
    const double server_before_ms = server == 0 ? 0 : dpsql::MillisecondsBelow(server);
    const double cpu_before_ms = dpsql::CpuMilliseconds();
    wall_ms.push_back(Milliseconds(work));
    cpu_ms.push_back(dpsql::CpuMilliseconds() - cpu_before_ms);
    if (server != 0) server_ms += dpsql::MillisecondsBelow(server) - server_before_ms;
  }

  double MeanServerMs() const { return server_ms / static_cast<double>(wall_ms.size()); }
};

// The two forms take turns, so that what else the machine does meets both. The first time warms
// up, and counts only where it took so long that it is the last.
Json Measure(const dpsql::Question& question, const std::string& exact_sql, dpsql::ExactSide& exact,
             dpsql::Asker& asker, const Arguments& arguments) {
  Spent exact_form;
  Spent private_form;
  const pid_t server = std::atoi(arguments.at("--server").c_str());
  const int repetitions = std::atoi(arguments.at("--repetitions").c_str());
  const double limit_ms = 1e3 * std::atof(arguments.at("--seconds").c_str());
  const auto both = [&] {
    exact_form.Time(server, [&] { exact.Run(exact_sql); });
    if (asker.refusal().empty()) private_form.Time(server, [&] { asker.Ask(question.sql); });
  };
  const bool is_long = Milliseconds(both) > kLong * limit_ms;
  if (!is_long) {
    exact_form = {};
    private_form = {};
  }
  double spent_ms = 0;
  for (int i = 0; i < repetitions && !is_long; ++i) {
    spent_ms += Milliseconds(both);
    if (i >= 2 && spent_ms > limit_ms) break;
  }
  Json row = {{"query", question.name},
              {"rows", asker.rows()},
              {"repetitions", exact_form.wall_ms.size()},
              {"exact_ms", Median(exact_form.wall_ms)}};
  if (server != 0) row["exact_server_cpu_ms"] = exact_form.MeanServerMs();
  if (!asker.refusal().empty()) {
    row["refused"] = asker.refusal();
    return row;
  }
  row["dpsql_ms"] = Median(private_form.wall_ms);
  row["dpsql_cpu_ms"] = Median(private_form.cpu_ms);
  if (server != 0) row["dpsql_server_cpu_ms"] = private_form.MeanServerMs();
  return row;
}

// Of a process that asks this one question. Requires: this process has one thread.
Json PeakOf(const dpsql::Question& question, const std::string& url, const std::string& policy) {
  return dpsql::RunApart([&]() -> Json {
    dpsql::Asker asker(url, policy);
    asker.Ask(question.sql);
    return {{"peak_mb", dpsql::PeakMegabytes()}};
  });
}

dpsql::EngineQuestions QuestionsOf(const std::string& set) {
  if (set == "growth") return dpsql::GrowthOnEngines();
  return set == "peers" ? dpsql::BesidePeers() : dpsql::TpchOnEngines();
}

// Whole or not at all.
bool Write(const std::string& path, const std::string& text) {
  const std::string whole = path + ".new";
  std::ofstream file(whole);
  file << text;
  file.close();
  std::error_code failure;
  if (file) std::filesystem::rename(whole, path, failure);
  return file && !failure;
}

void Print(const Json& row) {
  const double ours = row.value("dpsql_ms", 0.0);
  const double exact = row.at("exact_ms");
  std::printf("%-16s %10.1f %10.1f %8.2f  %s\n", row.at("query").get<std::string>().c_str(), exact,
              ours, ours / exact, row.value("refused", "").c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = ReadArguments(argc, argv);
  const std::string url = argv[1];
  const std::string& files = arguments.at("--files");
  const dpsql::EngineQuestions questions = QuestionsOf(arguments.at("--set"));
  const std::string policy = PolicyText(questions, files);
  const Json surroundings = dpsql::Surroundings();
  Json rows = Json::array();
  const auto keep = [&] {
    const Json out = {{"surroundings", surroundings}, {"rows", rows}};
    return arguments.at("--json").empty() || Write(arguments.at("--json"), out.dump(1) + "\n");
  };
  if (!arguments.at("--policy").empty()) {
    for (const dpsql::Question& question : questions.set.questions) {
      rows.push_back({{"query", question.name}, {"sql", question.sql}});
    }
    if (!Write(arguments.at("--policy"), policy)) return 1;
  } else {
    std::map<std::string, Json> peaks;  // before an engine starts threads here
    for (const dpsql::Question& question : questions.set.questions) {
      if (arguments.at("--set") != "peers") break;
      peaks[question.name] = PeakOf(question, url, policy);
    }
    const auto exact = dpsql::OpenExactSide(url, files, questions.tables);
    std::printf("%-16s %10s %10s %8s\n", "query", "exact ms", "private ms", "ratio");
    const std::string& only = arguments.at("--only");
    for (const dpsql::Question& question : questions.set.questions) {
      if (!only.empty() && question.name != only) continue;
      dpsql::Asker asker(url, policy);
      const bool sqlite = url.starts_with("sqlite:");
      const std::string exact_sql = sqlite ? InSqlite(question) : question.exact;
      rows.push_back(Measure(question, exact_sql, *exact, asker, arguments));
      if (peaks.contains(question.name)) rows.back().update(peaks.at(question.name));
      Print(rows.back());
      if (!keep()) return 1;
    }
  }
  return keep() ? 0 : 1;
}
