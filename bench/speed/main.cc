// speed DATABASE [--set paper|frequency|unknown|groups|units|tpch] [--accountant gdp|basic]
//       [--repetitions N] [--seconds S] [--only TEXT] [--json FILE]
//
// Prints what our answers take beside the exact ones, on two threads.

#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include "speed/measure.h"
#include "speed/question.h"
#include "speed/report.h"

namespace {

using Json = nlohmann::json;

[[noreturn]] void Usage() {
  std::fprintf(stderr,
               "usage: speed DATABASE [--set paper|frequency|unknown|groups|units|tpch]\n"
               "             [--accountant gdp|basic]\n"
               "             [--repetitions N] [--seconds S] [--only TEXT] [--json FILE]\n");
  std::exit(2);
}

// DuckDB takes as many threads as it sees processors: both engines get two.
void KeepToTwoProcessors() {
  cpu_set_t all;
  if (::sched_getaffinity(0, sizeof all, &all) != 0) return;
  cpu_set_t two;
  CPU_ZERO(&two);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&two) < 2; ++cpu) {
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &two);
  }
  ::sched_setaffinity(0, sizeof two, &two);
}

dpsql::QuestionSet SetOf(const std::string& name) {
  if (name == "paper") return dpsql::PaperQuestions();
  if (name == "frequency") return dpsql::FrequencyQuestions();
  if (name == "unknown") return dpsql::UnknownKeyQuestions();
  if (name == "groups") return dpsql::GroupQuestions();
  if (name == "units") return dpsql::UnitQuestions();
  if (name == "tpch") return dpsql::TpchQuestions();
  Usage();
}

std::map<std::string, std::string> Arguments(int argc, char** argv) {
  std::map<std::string, std::string> arguments = {{"--set", "paper"},      {"--accountant", "gdp"},
                                                  {"--repetitions", "31"}, {"--seconds", "30"},
                                                  {"--only", ""},          {"--json", ""}};
  if (argc < 2 || argc % 2 != 0) Usage();
  for (int i = 2; i < argc; i += 2) {
    if (!arguments.contains(argv[i])) Usage();
    arguments[argv[i]] = argv[i + 1];
  }
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = Arguments(argc, argv);
  const dpsql::QuestionSet set = SetOf(arguments.at("--set"));
  const dpsql::MeasureOptions options = {
      .database = argv[1],
      .policy = PolicyOf(set, arguments.at("--accountant")),
      .repetitions = std::min(std::atoi(arguments.at("--repetitions").c_str()),
                              dpsql::MostRepetitions(arguments.at("--accountant"))),
      .seconds = std::atof(arguments.at("--seconds").c_str())};
  KeepToTwoProcessors();
  const Json surroundings = dpsql::Surroundings();
  std::fputs(dpsql::HeadLine().c_str(), stdout);
  Json rows = Json::array();
  for (const dpsql::Question& question : set.questions) {
    if (question.name.find(arguments.at("--only")) == std::string::npos) continue;
    rows.push_back(dpsql::Measure(question, options));
    std::fputs(dpsql::LineOf(rows.back()).c_str(), stdout);
    std::fflush(stdout);
  }
  const Json summary = dpsql::SummaryOf(rows);
  std::fputs(dpsql::TextOf(summary).c_str(), stdout);
  if (arguments.at("--json").empty()) return 0;
  std::ofstream file(arguments.at("--json"));
  file << Json{{"set", arguments.at("--set")},
               {"accountant", arguments.at("--accountant")},
               {"surroundings", surroundings},
               {"summary", summary},
               {"rows", rows}}
              .dump(1)
       << "\n";
  file.close();
  return file ? 0 : 1;
}
