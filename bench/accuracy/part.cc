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

// The table of bench/accuracy/visits.sql.
std::string Visits(int most_rows) {
  return "[tables.visits]\nunit = \"person\"\nmax_rows_per_unit = " + std::to_string(most_rows) +
         R"(
[tables.visits.columns]
spent = { lower = 0, upper = 500 }
kind = { values = ["bar", "books", "clothes", "food", "fuel", "garden", "health", "travel"] }
)";
}

Question Visit(std::string name, const std::string& sql) {
  return {.name = std::move(name), .exact = sql, .per_unit = "", .settings = "", .sql = sql};
}

// By the most rows that count of one person: too few cut the heavy ones off, too many are noise.
// By the most shops, where people are counted to select them.
std::vector<Case> SkewCases() {
  const std::vector<Question> known = {
      Visit("VISITS", "SELECT COUNT(*) FROM visits"),
      Visit("SPENT", "SELECT SUM(spent) FROM visits"),
      Visit("SPENT_MEAN", "SELECT AVG(spent) FROM visits"),
      Visit("SPENT_BY_KIND", "SELECT kind, SUM(spent) FROM visits GROUP BY kind")};
  const std::vector<Question> unknown = {
      Visit("VISITS_BY_SHOP", "SELECT shop, COUNT(*) FROM visits GROUP BY shop"),
      Visit("PEOPLE_BY_SHOP", "SELECT shop, COUNT(DISTINCT person) FROM visits GROUP BY shop")};
  std::vector<Case> cases;
  for (const int rows : {1, 10, 100, 1000, 10'000, 25'000}) {
    cases.push_back({.system = "ours, rows " + std::to_string(rows),
                     .settings = "",
                     .epsilons = kEpsilons,
                     .set = {.tables = Visits(rows), .questions = known}});
  }
  for (const int shops : {1, 3, 10, 30}) {
    cases.push_back({.system = "ours, shops " + std::to_string(shops),
                     .settings = "SET dp.max_groups_contributed = " + std::to_string(shops) + ";",
                     .epsilons = kEpsilons,
                     .set = {.tables = Visits(shops), .questions = unknown}});
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
