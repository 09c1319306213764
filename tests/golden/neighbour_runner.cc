// Removes units one by one and asks again, with zero noise: neighbour_runner FILE.
//
// For every question of a file of tests/sql, on its database and on it without one unit, the
// counts of the answer may differ by the sensitivity that EXPLAIN (DP) claims and no more: in L2 by
// the clip B for counts of rows, by sqrt(C0) for counts of units. Shape and errors must be the
// same.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
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
    std::vector<double> counts;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto* count = std::get_if<std::int64_t>(&row[i]);
      const bool is_key = outcome.columns[i].role == ColumnRole::kKey;
      if (is_key) key.push_back(row[i]);
      counts.push_back(!is_key && count != nullptr ? static_cast<double>(*count) : 0.0);
    }
    outcome.rows[key] = counts;
  }

  // What the plan says that one unit can move.
  struct Claim {
    double rows = 0;    // B
    double groups = 0;  // C0
  };

  Claim ReadClaim(const std::string& sql) {
    std::string text;
    const auto status = Open("all").Run("EXPLAIN (DP) " + sql, [&](const Reply& reply) {
      text = std::get<Explanation>(reply).text;
    });
    if (!status) throw std::runtime_error(status.error().message);
    std::smatch rows;
    std::smatch groups;
    std::regex_search(text, rows, std::regex("L2 clip at ([0-9]+)"));
    std::regex_search(text, groups, std::regex("at most ([0-9]+) per unit"));
    return {.rows = std::stod(rows[1]), .groups = std::stod(groups[1])};
  }

  static bool Close(const Outcome& all, const Outcome& less, const Claim& claim) {
    if (all.error != less.error || all.columns.size() != less.columns.size()) return false;
    for (std::size_t c = 0; c < all.columns.size(); ++c) {
      std::map<std::vector<Value>, double> moved;
      for (const auto& [key, counts] : all.rows) moved[key] += counts[c];
      for (const auto& [key, counts] : less.rows) moved[key] -= counts[c];
      double squares = 0;
      for (const auto& [key, difference] : moved) squares += difference * difference;
      // Printed counts are rounded to whole numbers, by half at most, where rows are scaled.
      const double slack = claim.rows == 1 ? 0 : std::sqrt(static_cast<double>(moved.size()));
      const double allowed = std::max(claim.rows, std::sqrt(claim.groups)) + slack;
      if (std::sqrt(squares) > allowed) return false;
    }
    return true;
  }

  GoldenFile file_;
  TempFolder folder_;
  std::map<std::string, Session> sessions_;
  int checked_ = 0;
  int failed_ = 0;
};

}  // namespace
}  // namespace dpsql

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: neighbour_runner FILE\n";
    return 2;
  }
  return dpsql::NeighbourRunner(dpsql::ReadGoldenFile(argv[1])).Run();
}
