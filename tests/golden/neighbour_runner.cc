// Removes units one by one and asks again, with zero noise: neighbour_runner FILE…. Of files of
// several kinds, those that begin with the same database, the cases of kind sql are asked.
//
// For every question of a file of tests/sql, on its database and on it without one unit, the
// counts and sums of the answer may differ by the sensitivity that EXPLAIN (DP) claims and no more:
// in L2 by the clip B for counts of rows, by sqrt(C0) for counts of units, by B times the larger
// bound for sums. Shape and errors must be the same. Means are quotients and claim nothing.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <regex>
#include <sstream>

#include "dpsql/session.h"
#include "golden/golden_file.h"
#include "support/reference_duckdb.h"
#include "support/temp_folder.h"

namespace dpsql {
namespace {

constexpr const char* kDatabases = "tests/databases/";
constexpr int kUnits[] = {1, 2, 5, 7, 39, 50, 100, 279};

struct Outcome {
  std::string error;
  std::vector<AnswerColumn> columns;
  std::map<std::vector<Value>, std::vector<double>> rows;  // by key
};

class NeighbourRunner {
 public:
  explicit NeighbourRunner(const GoldenFile& file) : file_(file) {
    MakeDatabase(folder_ / "all.duckdb", std::string(kDatabases) + database() + ".sql");
    std::ostringstream remove;
    remove << std::ifstream(std::string(kDatabases) + database() + ".remove.sql").rdbuf();
    for (const int unit : kUnits) {
      const std::string path = folder_ / (std::to_string(unit) + ".duckdb");
      std::filesystem::copy_file(folder_ / "all.duckdb", path);
      MakeDatabaseFromText(
          path, std::regex_replace(remove.str(), std::regex("\\$unit"), std::to_string(unit)));
    }
  }

  int Run() {
    for (const GoldenCase& golden : file_.cases) {
      const Outcome all = Ask("all", golden.sql);
      const Claim claim = ReadClaim(golden.sql);
      for (const int unit : kUnits) {
        ++checked_;
        if (Close(all, Ask(std::to_string(unit), golden.sql), claim)) continue;
        ++failed_;
        std::cout << "FAILED without unit " << unit << ":\n" << golden.sql;
      }
    }
    std::cout << checked_ - failed_ << " passed, " << failed_ << " failed\n";
    return failed_ == 0 && checked_ > 0 ? 0 : 1;
  }

 private:
  const std::string& database() const { return file_.head.directives.at("database"); }

  // One session per database: its budget holds some fifty questions.
  Session& Open(const std::string& name) {
    const auto found = sessions_.find(name);
    if (found != sessions_.end()) return found->second;
    auto session = Session::Open({.url = folder_ / (name + ".duckdb"),
                                  .policy = std::string(kDatabases) + database() + ".toml",
                                  .ledger = folder_ / (name + ".ledger"),
                                  .analyst = "tester"});
    if (!session) throw std::runtime_error(session.error().message);
    return sessions_.emplace(name, std::move(session).value()).first->second;
  }

  Outcome Ask(const std::string& name, const std::string& sql) {
    Outcome outcome;
    const auto status = Open(name).Run(sql, [&](const Reply& reply) {
      const Answer& answer = std::get<Answer>(reply);
      outcome.columns = answer.columns;
      for (const auto& row : answer.rows) AddRow(row, outcome);
    });
    if (!status) outcome.error = status.error().code + status.error().message;
    return outcome;
  }

  static void AddRow(const std::vector<Value>& row, Outcome& outcome) {
    std::vector<Value> key;
    std::vector<double> numbers;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (outcome.columns[i].role == ColumnRole::kKey) {
        key.push_back(row[i]);
        continue;
      }
      const auto* count = std::get_if<std::int64_t>(&row[i]);
      const auto* sum = std::get_if<double>(&row[i]);
      numbers.push_back(count != nullptr ? static_cast<double>(*count)
                        : sum != nullptr ? *sum
                                         : 0.0);
    }
    outcome.rows[key] = numbers;
  }

  // What the plan says that one unit can move in each estimate, in L2; nothing for a mean.
  struct Claim {
    std::vector<std::optional<double>> moves;
    bool scaled = true;  // counts may be rounded
  };

  Claim ReadClaim(const std::string& sql) {
    std::string text;
    const auto status = Open("all").Run("EXPLAIN (DP) " + sql, [&](const Reply& reply) {
      text = std::get<Explanation>(reply).text;
    });
    if (!status) throw std::runtime_error(status.error().message);
    std::smatch rows;
    std::smatch groups;
    std::regex_search(text, rows, std::regex("L[12] clip at ([0-9]+)"));
    std::regex_search(text, groups, std::regex("at most ([0-9]+) per unit"));
    Claim claim{.moves = {}, .scaled = rows[1] != "1"};
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::smatch answer;
      const std::regex kAnswer("  answer +([a-z]+)\\((.*)\\) from ([a-z]+).*");
      if (!std::regex_match(line, answer, kAnswer)) continue;
      claim.moves.push_back(
          Moves(answer, text, std::stod(rows[1]), groups.empty() ? 1 : std::stod(groups[1])));
    }
    return claim;
  }

  // In L2 a unit's vector of rows is clipped at B. One of moments has two coordinates per cell.
  static std::optional<double> Moves(const std::smatch& answer, const std::string& plan,
                                     double rows, double groups) {
    const bool moments = answer[3] == "moments";
    if (answer[1] == "avg") return std::nullopt;
    if (answer[3] == "units") return std::sqrt(groups);
    if (answer[1] == "count") return moments ? rows * std::sqrt(2.0) : rows;
    const std::string start = answer[3].str() + " of " + answer[2].str() + " in [";
    const std::size_t at = plan.find(start);
    if (at == std::string::npos) throw std::runtime_error("no statistic for a sum:\n" + plan);
    std::istringstream bounds(plan.substr(at + start.size()));
    double low = 0;
    double high = 0;
    char comma = 0;
    bounds >> low >> comma >> high;
    return rows * (moments ? std::hypot(low, high) : std::max(std::abs(low), std::abs(high)));
  }

  static bool HasShapeOf(const std::vector<AnswerColumn>& all,
                         const std::vector<AnswerColumn>& less) {
    return std::equal(all.begin(), all.end(), less.begin(), less.end(),
                      [](const AnswerColumn& a, const AnswerColumn& b) {
                        return a.name == b.name && a.type == b.type && a.role == b.role &&
                               a.mechanism == b.mechanism;
                      });
  }

  static bool Close(const Outcome& all, const Outcome& less, const Claim& claim) {
    if (all.error != less.error || !HasShapeOf(all.columns, less.columns)) return false;
    for (std::size_t c = 0; c < claim.moves.size(); ++c) {
      if (!claim.moves[c]) continue;
      std::map<std::vector<Value>, double> moved;
      for (const auto& [key, numbers] : all.rows) moved[key] += numbers.at(c);
      for (const auto& [key, numbers] : less.rows) moved[key] -= numbers.at(c);
      double squares = 0;
      for (const auto& [key, difference] : moved) squares += difference * difference;
      // Printed counts are rounded to whole numbers, by half at most, where rows are scaled; sums
      // lie on a grid.
      const double slack = (claim.scaled ? std::sqrt(static_cast<double>(moved.size())) : 0) +
                           1e-5 * *claim.moves[c];
      if (std::sqrt(squares) > *claim.moves[c] + slack) return false;
    }
    return true;
  }

  GoldenFile file_;
  TempFolder folder_;
  std::map<std::string, Session> sessions_;
  int checked_ = 0;
  int failed_ = 0;
};

// The cases of kind sql of several files, as if they were one.
GoldenFile ReadAnswered(const std::vector<std::string>& paths) {
  GoldenFile all{.head = ReadGoldenFile(paths.front()).head, .cases = {}};
  for (const std::string& path : paths) {
    const GoldenFile file = ReadGoldenFile(path);
    if (file.head.directives != all.head.directives) throw std::runtime_error("differs: " + path);
    for (const GoldenCase& golden : file.cases) {
      if (file.Directive(golden, "kind") == "sql") all.cases.push_back(golden);
    }
  }
  return all;
}

}  // namespace
}  // namespace dpsql

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: neighbour_runner FILE…\n";
    return 2;
  }
  if (argc == 2) return dpsql::NeighbourRunner(dpsql::ReadGoldenFile(argv[1])).Run();
  return dpsql::NeighbourRunner(dpsql::ReadAnswered({argv + 1, argv + argc})).Run();
}
