#include "accuracy/part.h"

#include <algorithm>
#include <utility>

namespace dpsql {
namespace {

const std::vector<double> kEpsilons = {0.1, 1, 10};

std::string MinFrequency(int k) { return "SET dp.min_frequency = " + std::to_string(k) + ";"; }

std::vector<Case> FrequencyCases() {
  std::vector<Case> cases;
  for (const int k : {5, 10, 50}) {
    cases.push_back({.system = "ours, k = " + std::to_string(k),
                     .settings = MinFrequency(k),
                     .epsilons = kEpsilons,
                     .set = PaperQuestions()});
  }
  return cases;
}

std::vector<Case> UnknownKeyCases() {
  QuestionSet set = PaperQuestions({.keys = false});
  std::erase_if(set.questions,
                [](const Question& question) { return !question.name.starts_with("GROUPBY"); });
  std::vector<Case> cases;
  for (const int k : {1, 5, 10, 50}) {
    cases.push_back({.system = "ours, keys unknown" + (k > 1 ? ", k = " + std::to_string(k) : ""),
                     .settings = MinFrequency(k),
                     .epsilons = kEpsilons,
                     .set = set});
  }
  return cases;
}

// The tables of bench/accuracy/visits.sql.
constexpr const char* kVisits = R"([tables.visits]
unit = "person"
max_rows_per_unit = 10
[tables.visits.columns]
spent = { lower = 0, upper = 500 }
kind = { values = ["bar", "books", "clothes", "food", "fuel", "garden", "health", "travel"] }
)";

Question Visit(std::string name, const std::string& sql) {
  return {.name = std::move(name), .exact = sql, .per_unit = "", .settings = "", .sql = sql};
}

// By the most rows that count of one person: too few cut the heavy ones off, too many are noise.
std::vector<Case> SkewCases() {
  std::vector<Case> cases;
  const QuestionSet known = {
      .tables = kVisits,
      .questions = {Visit("VISITS", "SELECT COUNT(*) FROM visits"),
                    Visit("SPENT", "SELECT SUM(spent) FROM visits"),
                    Visit("SPENT_MEAN", "SELECT AVG(spent) FROM visits"),
                    Visit("SPENT_BY_KIND", "SELECT kind, SUM(spent) FROM visits GROUP BY kind")}};
  for (const char* rows : {"1", "10", "100", "1000", "10000", "25000"}) {
    cases.push_back({.system = std::string("ours, rows ") + rows,
                     .settings = std::string("SET dp.contribution_bound = ") + rows + ";",
                     .epsilons = kEpsilons,
                     .set = known});
  }
  const QuestionSet unknown = {
      .tables = kVisits,
      .questions = {Visit("SPENT_BY_SHOP", "SELECT shop, SUM(spent) FROM visits GROUP BY shop"),
                    Visit("PEOPLE_BY_SHOP",
                          "SELECT shop, COUNT(DISTINCT person) FROM visits GROUP BY shop")}};
  for (const char* groups : {"1", "3", "10", "30"}) {
    cases.push_back({.system = std::string("ours, groups ") + groups,
                     .settings = std::string("SET dp.max_groups_contributed = ") + groups +
                                 "; SET dp.contribution_bound = " + groups + ";",
                     .epsilons = {1},
                     .set = unknown});
  }
  return cases;
}

std::string Policy(const QuestionSet& set, const std::string& budget, const std::string& epsilon) {
  return "[dataset]\nname = \"bench\"\n[budget]\n" + budget + "[query]\nepsilon = " + epsilon +
         "\nepsilon_max = 10\ndelta = 1e-7\nmin_frequency = 1\nmax_groups_per_unit = 50\n" +
         set.tables;
}

}  // namespace

std::vector<Case> FindPart(const std::string& name) {
  if (name == "paper") {
    return {{.system = "ours", .settings = "", .epsilons = kEpsilons, .set = PaperQuestions()}};
  }
  if (name == "frequency") return FrequencyCases();
  if (name == "unknown") return UnknownKeyCases();
  if (name == "round") {
    return {{.system = "ours, round bounds",
             .settings = "",
             .epsilons = kEpsilons,
             .set = PaperQuestions({.extremes = false})}};
  }
  if (name == "skew") return SkewCases();
  return {};
}

std::string BasicPolicy(const QuestionSet& set) {
  return Policy(set, "epsilon = 100\ndelta = 0.001\naccountant = \"basic\"\n", "1");
}

std::string SessionPolicy(const QuestionSet& set) {
  return Policy(set, "epsilon = 1\ndelta = 1e-6\naccountant = \"gdp\"\n", "0.09");
}

}  // namespace dpsql
