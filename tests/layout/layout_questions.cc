#include "layout/layout_questions.h"

#include <fstream>

#include "layout/row_orders.h"

namespace dpsql {

const std::vector<Question>& Questions() {
  static const std::vector<Question> kQuestions = {
      {.sql =
           "SELECT city, count(*), sum(x), avg(y), count(DISTINCT UNIT) FROM visit GROUP BY city"},
      {.sql = "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (min_frequency = 10) city, kind, count(*), "
              "var_pop(x), covar_pop(x, y) FROM visit GROUP BY city, kind"},
      {.sql = "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (min_frequency = 10) kind, "
              "count(DISTINCT ticket), count(DISTINCT day) FROM visit GROUP BY kind",
       .claims = true},
      {.sql = "SELECT count(*), avg(x), stddev_samp(x), corr(x, y) FROM visit WHERE y < 900"},
      {.sql = "SELECT town, count(*), avg(age) FROM person GROUP BY town", .of_persons = true},
      {.sql =
           "SELECT p.town, count(*), sum(v.x), avg(p.age) FROM visit v JOIN person p ON v.dense = "
           "p.dense GROUP BY p.town",
       .of_persons = true},
  };
  return kQuestions;
}

const std::vector<int>& ThreadCounts() {
  static const std::vector<int> kThreads = {1, 2, 4};
  return kThreads;
}

std::string SqlOf(const Question& question, std::size_t unit) {
  std::string sql = question.sql;
  const std::size_t at = sql.find("UNIT");
  return at == std::string::npos ? sql : sql.replace(at, 4, UnitColumns()[unit]);
}

std::vector<std::size_t> QuestionsOf(std::size_t unit, bool all) {
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < Questions().size(); ++i) {
    const bool is_asked = Questions()[i].of_persons ? unit == 0 : all || (i + unit) % 2 == 0;
    if (is_asked) asked.push_back(i);
  }
  return asked;
}

std::string LayoutFolder::WritePolicy(const Setup& setup) {
  const std::string path = folder_ / ("policy-" + std::to_string(++policies_) + ".toml");
  std::ofstream file(path);
  file << "[dataset]\nname = \"layout\"\n[budget]\nepsilon = 100\ndelta = 0.1\n"
       << "[query]\nepsilon = 0.1\ndelta = 1e-6\nmin_frequency = 1\nmax_groups_per_unit = 2\n"
       << "[database]\nthreads = " << setup.threads << "\nmemory = \"2 GB\"\n"
       << "[tables.visit]\nunit = \"" << UnitColumns()[setup.unit] << "\"\nmax_rows_per_unit = 20\n"
       << "[tables.visit.columns]\nx = { lower = 0, upper = 100 }\n"
       << "y = { lower = 100, upper = 900 }\n";
  if (setup.unit == 0) {
    file << "[tables.person]\nunit = \"dense\"\n[tables.person.columns]\n"
         << "age = { lower = 0, upper = 100 }\n";
  }
  return path;
}

ExactHouse LayoutFolder::Open(const std::string& database, const Setup& setup) {
  return Must(ExactHouse::Open(database, WritePolicy(setup), NextLedger()), "");
}

}  // namespace dpsql
