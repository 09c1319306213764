// How often the 95 % intervals of fixed questions hold the truth: interval_coverage DRAWS.
//
// The product as it is, with its own noise and a ledger; no data label, so that every question is
// drawn anew. Each question is asked over a hundred groups with the same rows, whose noise is
// independent: a hundred draws of each column. The truth is plain DuckDB's over clamped values.
//
// A column fails where its coverage is below 95 % or above 97.5 % by an exact binomial test at 1e-6
// each: columns whose coverage is in between fail all together in fewer than one run of ten
// thousand. A draw without an interval is a miss.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "coverage/binomial_tail.h"
#include "coverage/memory_folder.h"
#include "dpsql/session.h"
#include "support/reference_duckdb.h"

namespace dpsql {
namespace {

constexpr std::int64_t kGroups = 100;
constexpr double kLevel = 0.95;
constexpr double kMostCoverage = 0.975;
constexpr double kFalseAlarm = 1e-6;

// Columns of one question share its budget, and where they read one statistic its noise.
using Question = std::vector<std::string>;

const std::vector<Question> kQuestions = {
    {"count(*)"},
    {"sum(x)"},
    {"avg(x)", "var_pop(x)", "stddev_samp(x)"},
    {"covar_pop(y, x)", "corr(y, x)", "regr_slope(y, x)"},
    {"sum(x) / count(*)", "2 * count(*) + sum(x) / 10"},
    {"sum(x) / sum(y)"},
    {"sqrt(var_pop(x))"},
    {"(count(*) FILTER (WHERE y < 20) - count(*) FILTER (WHERE y > 35)) / (0e0 + count(*))"},
};

struct Purse {
  std::string accountant;
  std::string noise;
};

const std::vector<Purse> kPurses = {{"gdp", "gaussian"}, {"basic", "laplace"}};

std::string SqlOf(const Question& question, const std::string& table) {
  std::string sql = "SELECT g";
  for (const std::string& column : question) sql += ", " + column;
  return sql + " FROM " + table + " GROUP BY g";
}

// 1,000 units in each group, one row each. Values leave their bounds on both sides.
void MakeRows(const std::string& path) {
  MakeDatabaseFromText(
      path,
      "CREATE TABLE visit (id INTEGER PRIMARY KEY, g INTEGER NOT NULL, x DOUBLE NOT NULL, "
      "y DOUBLE NOT NULL);"
      "INSERT INTO visit SELECT i, i % " +
          std::to_string(kGroups) +
          ", 100 * sqrt(j / 1000) + 15 * sin(j * 0.7) - 4, 30 * (j / 1000) + 22 * cos(j * 1.3) + "
          "14 "
          "FROM (SELECT i, (i // " +
          std::to_string(kGroups) + ")::DOUBLE AS j FROM range(" + std::to_string(1000 * kGroups) +
          ") t(i));"
          "CREATE VIEW clamped AS SELECT g, greatest(0, least(100, x)) AS x, "
          "greatest(-10, least(50, y)) AS y FROM visit;");
}

void WritePolicy(const std::string& path, const std::string& accountant) {
  std::ofstream file(path);
  file << "[dataset]\nname = \"coverage\"\n[budget]\nepsilon = 100\ndelta = 0.1\naccountant = \""
       << accountant << "\"\n[query]\nepsilon = 0.5\ndelta = 1e-6\nmin_frequency = 1\n"
       << "[database]\nthreads = 1\n[tables.visit]\nunit = \"id\"\nmax_rows_per_unit = 1\n"
       << "[tables.visit.columns]\nx = { lower = 0, upper = 100 }\n"
       << "y = { lower = -10, upper = 50 }\ng = { values = [0";
  for (std::int64_t group = 1; group < kGroups; ++group) file << ", " << group;
  file << "] }\n";
}

// Thrown, so that the folder is removed on the way out.
[[noreturn]] void Fail(const Error& error, const std::string& sql) {
  throw std::runtime_error(RenderError(error, sql));
}

double Number(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::stod(std::get<std::string>(value));
}

// By group, one number a column.
using Truth = std::map<std::int64_t, std::vector<double>>;

Truth ReadTruth(const std::string& database, const Question& question) {
  Truth truth;
  for (const std::vector<Value>& row : QueryReference(database, SqlOf(question, "clamped"))) {
    std::vector<double>& numbers = truth[std::get<std::int64_t>(row[0])];
    for (std::size_t i = 1; i < row.size(); ++i) numbers.push_back(Number(row[i]));
  }
  return truth;
}

struct Tally {
  Trials trials;
  std::int64_t absent = 0;
  double width_total = 0;

  void Add(const std::optional<NoiseInterval>& interval, double truth) {
    ++trials.draws;
    if (!interval) {
      ++absent;
      return;
    }
    if (interval->low <= truth && truth <= interval->high) ++trials.hits;
    width_total += interval->high - interval->low;
  }

  double coverage() const {
    return static_cast<double>(trials.hits) / static_cast<double>(trials.draws);
  }
  double width() const {
    return width_total / static_cast<double>(std::max<std::int64_t>(1, trials.draws - absent));
  }
};

class Coverage {
 public:
  explicit Coverage(std::int64_t draws) : rounds_((draws + kGroups - 1) / kGroups) {
    MakeRows(database_);
    for (const Purse& purse : kPurses) WritePolicy(Policy(purse), purse.accountant);
  }

  // The number of columns that fail.
  int Run() {
    std::printf("%-86s %-8s %6s %8s %10s\n", "column", "noise", "draws", "coverage", "width");
    int failures = 0;
    for (const Question& question : kQuestions) {
      const Truth truth = ReadTruth(database_, question);
      for (const Purse& purse : kPurses) failures += Ask(question, purse, truth);
    }
    return failures;
  }

 private:
  std::string Policy(const Purse& purse) const { return folder_ / (purse.accountant + ".toml"); }

  // A budget lasts for 200 questions; each ledger has one.
  Session Open(const Purse& purse) {
    auto session = Session::Open({.url = database_,
                                  .policy = Policy(purse),
                                  .ledger = folder_ / ("ledger-" + std::to_string(++ledgers_)),
                                  .analyst = "tester"});
    if (!session) Fail(session.error(), "");
    const std::string set = "SET dp.noise = " + purse.noise;
    const Status done = session->Run(set, [](const Reply&) {});
    if (!done) Fail(done.error(), set);
    return std::move(session).value();
  }

  int Ask(const Question& question, const Purse& purse, const Truth& truth) {
    const std::string sql = SqlOf(question, "visit");
    std::vector<Tally> tallies(question.size());
    constexpr std::int64_t kRoundsOfLedger = 190;
    std::optional<Session> session;
    for (std::int64_t round = 0; round < rounds_; ++round) {
      if (round % kRoundsOfLedger == 0) session.emplace(Open(purse));
      const auto answer = session->Ask(sql);
      if (!answer) Fail(answer.error(), sql);
      Compare(*answer, truth, tallies);
    }
    int failures = 0;
    for (std::size_t i = 0; i < question.size(); ++i) {
      failures += Report(question[i], purse.noise, tallies[i]);
    }
    return failures;
  }

  static void Compare(const Answer& answer, const Truth& truth, std::vector<Tally>& tallies) {
    if (answer.stored || answer.rows.size() != truth.size()) {
      throw std::runtime_error("a question was not drawn anew, or groups are missing");
    }
    for (std::size_t row = 0; row < answer.rows.size(); ++row) {
      const std::vector<double>& numbers = truth.at(std::get<std::int64_t>(answer.rows[row][0]));
      for (std::size_t i = 0; i < tallies.size(); ++i) {
        tallies[i].Add(answer.intervals[row][i + 1], numbers[i]);
      }
    }
  }

  static int Report(const std::string& column, const std::string& noise, const Tally& tally) {
    const bool low = ChanceOfAtMost(tally.trials, kLevel) < kFalseAlarm;
    const bool high = ChanceOfAtLeast(tally.trials, kMostCoverage) < kFalseAlarm;
    std::printf("%-86s %-8s %6lld %8.4f %10.4g%s", column.c_str(), noise.c_str(),
                static_cast<long long>(tally.trials.draws), tally.coverage(), tally.width(),
                low    ? "  FAILED: too low"
                : high ? "  FAILED: too high"
                       : "");
    if (tally.absent > 0) std::printf("  (%lld absent)", static_cast<long long>(tally.absent));
    std::printf("\n");
    std::fflush(stdout);
    return low || high ? 1 : 0;
  }

  MemoryFolder folder_;
  std::string database_ = folder_ / "coverage.duckdb";
  std::int64_t rounds_;
  int ledgers_ = 0;
};

}  // namespace
}  // namespace dpsql

int main(int argc, char** argv) {
  const long long draws = argc == 2 ? std::atoll(argv[1]) : 0;
  if (draws < 1) {
    std::cerr << "usage: interval_coverage DRAWS\n";
    return 2;
  }
  try {
    const int failures = dpsql::Coverage(draws).Run();
    std::cout << failures << " columns failed\n";
    return failures == 0 ? 0 : 1;
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << "\n";
    return 1;
  }
}
