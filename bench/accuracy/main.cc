// accuracy DATABASE [--part paper|frequency|unknown|round|session|skew] [--draws N] [--only QUERY]
//          [--json FILE]
//
// Prints the mean relative error of our answers beside the exact ones. Each draw is a question to
// the product: planned, paid, computed from the data and noised anew.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include "accuracy/part.h"
#include "accuracy/relative_error.h"
#include "speed/asker.h"

namespace {

using Json = nlohmann::json;
using dpsql::RelativeErrors;

constexpr std::size_t kTrialsOfThePaper = 25;

struct Options {
  std::string database;
  std::string part;
  std::string only;
  int draws = 1000;
};

[[noreturn]] void Usage() {
  std::fprintf(stderr,
               "usage: accuracy DATABASE [--part paper|frequency|unknown|round|session|skew]\n"
               "                [--draws N] [--only QUERY] [--json FILE]\n");
  std::exit(2);
}

std::map<std::string, std::string> Arguments(int argc, char** argv) {
  std::map<std::string, std::string> arguments = {
      {"--part", "paper"}, {"--draws", "1000"}, {"--only", ""}, {"--json", ""}};
  if (argc < 2 || argc % 2 != 0) Usage();
  for (int i = 2; i < argc; i += 2) {
    if (!arguments.contains(argv[i])) Usage();
    arguments[argv[i]] = argv[i + 1];
  }
  return arguments;
}

void Print(const Json& row) {
  const std::string error =
      row.at("mre").is_null() ? "-" : std::to_string(row.at("mre").get<double>());
  std::printf("%-16s %-26s epsilon %-5g error %% %-12s keys %.4f of %zu draws %s\n",
              row.at("query").get<std::string>().c_str(),
              row.at("system").get<std::string>().c_str(), row.at("epsilon").get<double>(),
              error.c_str(), row.at("keys_released").get<double>(),
              row.at("trials").get<std::size_t>(), row.value("refused", "").c_str());
  std::fflush(stdout);
}

Json RowOf(const dpsql::Question& question, const std::string& system, double epsilon) {
  return {{"query", question.name}, {"system", system}, {"epsilon", epsilon}};
}

// Asks one question again and again. A new session with a new budget begins where one is spent.
// Returns the refusal that ended it.
std::string AskMany(const dpsql::Case& of, const dpsql::Question& question, double epsilon,
                    const Options& options, RelativeErrors& errors) {
  const std::string settings = of.settings + "SET dp.epsilon = " + Json(epsilon).dump();
  const int of_one_budget = static_cast<int>(dpsql::kSpentEpsilon / epsilon);
  for (int done = 0; done < options.draws; done += of_one_budget) {
    dpsql::Asker asker(options.database, dpsql::BasicPolicy(of.set));
    asker.Set(settings);
    for (int i = done; i < std::min(options.draws, done + of_one_budget); ++i) {
      const dpsql::Answer* answer = asker.Ask(question.sql);
      if (answer == nullptr) return asker.refusal();
      errors.Add(*answer);
    }
  }
  return "";
}

// One row, and one of the first trials, as many as the paper has, where all is as in the paper.
void Draw(const dpsql::Case& of, const dpsql::Question& question, double epsilon,
          const Options& options, Json& rows) {
  dpsql::ExactEngine engine(options.database);
  RelativeErrors errors(dpsql::ReadTruth(engine, question.exact));
  const std::string refusal = AskMany(of, question, epsilon, options, errors);
  const auto add = [&](const std::string& system, std::size_t draws) {
    Json row = RowOf(question, system, epsilon);
    row.update(errors.Row(draws));
    if (!refusal.empty()) row["refused"] = refusal;
    Print(row);
    rows.push_back(std::move(row));
  };
  add(of.system, errors.draws());
  if (of.system == "ours") add("ours, 25 trials", kTrialsOfThePaper);
}

Json DrawPart(const Options& options) {
  Json rows = Json::array();
  const std::vector<dpsql::Case> cases = dpsql::FindPart(options.part);
  if (cases.empty()) Usage();
  for (const dpsql::Case& of : cases) {
    for (const dpsql::Question& question : of.set.questions) {
      if (!options.only.empty() && question.name != options.only) continue;
      for (const double epsilon : of.epsilons) Draw(of, question, epsilon, options, rows);
    }
  }
  return {{"rows", rows}};
}

// Asks all questions of one session in turn. Returns how many were answered.
int AskSession(dpsql::Asker& asker, const dpsql::QuestionSet& set,
               std::vector<RelativeErrors>& errors, dpsql::Remaining& left) {
  int answered = 0;
  for (int round = 0; round < dpsql::kSessionRounds; ++round) {
    for (std::size_t i = 0; i < set.questions.size(); ++i) {
      const dpsql::Answer* answer = asker.Ask(set.questions[i].sql);
      if (answer == nullptr) return answered;
      errors[i].Add(*answer);
      left = answer->remaining;
      ++answered;
    }
  }
  return answered;
}

// Each session begins with a whole budget, and has as many draws of a query as rounds.
Json DrawSessions(const Options& options) {
  const dpsql::QuestionSet set = dpsql::PaperQuestions();
  const std::string policy = dpsql::SessionPolicy(set);
  std::vector<RelativeErrors> errors;
  {
    dpsql::ExactEngine engine(options.database);
    for (const dpsql::Question& question : set.questions) {
      errors.emplace_back(dpsql::ReadTruth(engine, question.exact));
    }
  }
  const int sessions = std::max(1, options.draws / dpsql::kSessionRounds);
  int fewest = static_cast<int>(set.questions.size()) * dpsql::kSessionRounds;
  dpsql::Remaining left;
  std::string refusal;
  for (int i = 0; i < sessions; ++i) {
    dpsql::Asker asker(options.database, policy);
    fewest = std::min(fewest, AskSession(asker, set, errors, left));
    if (!asker.refusal().empty()) refusal = asker.refusal();
  }
  Json rows = Json::array();
  for (std::size_t i = 0; i < errors.size(); ++i) {
    Json row = RowOf(set.questions[i], "ours, session under gdp", dpsql::kSessionEpsilon);
    row.update(errors[i].Row(errors[i].draws()));
    Print(row);
    rows.push_back(std::move(row));
  }
  const Json session = {{"sessions", sessions},
                        {"asked", set.questions.size() * dpsql::kSessionRounds},
                        {"answered", fewest},
                        {"epsilon_left", left.epsilon},
                        {"queries_left", left.queries_like_this},
                        {"refused", refusal}};
  std::printf("%s\n", session.dump().c_str());
  return {{"rows", rows}, {"session", session}};
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = Arguments(argc, argv);
  const Options options = {.database = argv[1],
                           .part = arguments.at("--part"),
                           .only = arguments.at("--only"),
                           .draws = std::atoi(arguments.at("--draws").c_str())};
  if (options.draws < 1) Usage();
  const Json found = options.part == "session" ? DrawSessions(options) : DrawPart(options);
  if (arguments.at("--json").empty()) return 0;
  std::ofstream file(arguments.at("--json"));
  file << found.dump(1) << "\n";
  file.close();
  return file ? 0 : 1;
}
