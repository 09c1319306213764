// How often the 95 % intervals of fixed questions hold the truth: interval_coverage DRAWS.
//
// The product as it is, with its own noise and a ledger; no data label, so that every question is
// drawn anew. Each question is asked over 250 groups with the same rows, whose noise is
// independent: as many draws of each column. The truth is plain DuckDB's over clamped values.
// Groups have 1,000, 200 and 80 units, the last at two prices: their counts are between 3 and 500
// standard deviations of noise.
//
// A number that the noise leaves nothing to say about is NULL, and a quotient whose denominator may
// be 0 has no interval: these are silent. Coverage is that of the numbers that speak. Where fewer
// than a third do, those are the ones whose noise made them look clear, and no interval can be
// right for them alone; there the silent ones count as what they are, every number being possible.
//
// A column fails where its coverage is below 95 % or above 97.5 % by an exact binomial test. All
// tests of all columns share the false alarms of one part of the audit (statistical/verdicts.h),
// for columns whose coverage is in between. More than 97.5 % is allowed where most of a column is
// silent, and of columns that say so below.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "coverage/binomial_tail.h"
#include "dpsql/session.h"
#include "statistical/verdicts.h"
#include "support/memory_folder.h"
#include "support/reference_duckdb.h"

namespace dpsql {
namespace {

constexpr std::int64_t kGroups = 250;
constexpr double kLevel = 0.95;
constexpr double kMostCoverage = 0.975;

struct Column {
  std::string sql;
  const char* why_more = nullptr;  // than 97.5 % is right; null where it is not
};

// Columns of one question share its budget, and where they read one statistic its noise.
using Question = std::vector<Column>;

const std::vector<Question> kQuestions = {
    {{"count(*)"}},
    {{"sum(x)"}},
    {{"avg(x)"}, {"var_pop(x)"}, {"stddev_samp(x)"}},
    {{"covar_pop(y, x)"},
     {"corr(y, x)"},
     {"regr_slope(y, x)"},
     {"regr_intercept(y, x)"},
     {"regr_r2(y, x)", "a square holds either sign"}},
    {{"sum(x) / count(*)"}, {"2 * count(*) + sum(x) / 10"}},
    {{"sum(x) / sum(y)"}},
    {{"sqrt(var_pop(x))"},
     {"stddev_pop(x) / avg(x)"},
     {"avg(x) - 2 * stddev_samp(x)"},
     {"avg(x) * count(*)"}},
    {{"regr_intercept(y, x) + 50 * regr_slope(y, x)"}},
    {{"(count(*) FILTER (WHERE y < 20) - count(*) FILTER (WHERE y > 35)) / (0e0 + count(*))"}},
};

struct Setting {
  std::int64_t units;  // in each group, one row each
  double epsilon;      // of a question
};

const std::vector<Setting> kSettings = {{1000, 0.5}, {200, 0.5}, {80, 0.5}, {80, 2}};

struct Purse {
  std::string accountant;
  std::string noise;
};

const std::vector<Purse> kPurses = {{"gdp", "gaussian"}, {"basic", "laplace"}};

std::string SqlOf(const Question& question, const std::string& table) {
  std::string sql = "SELECT g";
  for (const Column& column : question) sql += ", " + column.sql;
  return sql + " FROM " + table + " GROUP BY g";
}

// Values leave their bounds on both sides.
void MakeRows(const std::string& path, std::int64_t units) {
  const std::string groups = std::to_string(kGroups);
  MakeDatabaseFromText(
      path,
      "CREATE TABLE visit (id INTEGER PRIMARY KEY, g INTEGER NOT NULL, x DOUBLE NOT NULL, "
      "y DOUBLE NOT NULL);"
      "INSERT INTO visit SELECT i, i % " +
          groups +
          ", 100 * sqrt(j / u) + 15 * sin(j * 0.7) - 4, 30 * (j / u) + 22 * cos(j * 1.3) + 14 "
          "FROM (SELECT i, (i // " +
          groups + ")::DOUBLE AS j, " + std::to_string(units) + " AS u FROM range(" +
          std::to_string(units * kGroups) +
          ") t(i));"
          "CREATE VIEW clamped AS SELECT g, greatest(0, least(100, x)) AS x, "
          "greatest(-10, least(50, y)) AS y FROM visit;");
}

constexpr double kBudget = 100;

void WritePolicy(const std::string& path, const std::string& accountant, double epsilon) {
  std::ofstream file(path);
  file << "[dataset]\nname = \"coverage\"\n[budget]\nepsilon = " << kBudget
       << "\ndelta = 0.1\naccountant = \"" << accountant << "\"\n[query]\nepsilon = " << epsilon
       << "\ndelta = 1e-6\nmin_frequency = 1\n"
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
  Trials speaking;
  std::int64_t silent = 0;
  double width_total = 0;

  void Add(const std::optional<NoiseInterval>& interval, double truth) {
    if (!interval) {
      ++silent;
      return;
    }
    ++speaking.draws;
    if (interval->low <= truth && truth <= interval->high) ++speaking.hits;
    width_total += interval->high - interval->low;
  }

  bool mostly_silent() const { return silent > 2 * speaking.draws; }
  Trials judged() const {
    if (!mostly_silent()) return speaking;
    return {.draws = speaking.draws + silent, .hits = speaking.hits + silent};
  }
  double coverage() const {
    return static_cast<double>(judged().hits) / static_cast<double>(judged().draws);
  }
  double width() const {
    return width_total / static_cast<double>(std::max<std::int64_t>(1, speaking.draws));
  }
};

// The columns of one setting under one kind of noise.
class Columns {
 public:
  // `each`: the false-alarm rate of one test; a column has two.
  explicit Columns(double each) : each_(each) {}

  void Report(const Column& column, const std::string& noise, const Tally& tally) {
    const bool low = ChanceOfAtMost(tally.judged(), kLevel) < each_;
    const bool more = tally.mostly_silent() || column.why_more != nullptr;
    const bool high = !more && ChanceOfAtLeast(tally.judged(), kMostCoverage) < each_;
    std::printf("%-86s %-8s %6lld %6lld %8.4f %10.4g%s%s\n", column.sql.c_str(), noise.c_str(),
                static_cast<long long>(tally.speaking.draws), static_cast<long long>(tally.silent),
                tally.coverage(), tally.width(), tally.mostly_silent() ? "  (of all)" : "",
                low    ? "  FAILED: too low"
                : high ? "  FAILED: too high"
                       : "");
    std::fflush(stdout);
    failures_ += low || high ? 1 : 0;
    least_ = std::min(least_, tally.coverage());
    fewest_ = std::min(fewest_, tally.judged().draws);
  }

  Verdict Judge(const std::string& name, double false_alarm) const {
    return {.name = name,
            .result = std::to_string(failures_) + " columns failed; least " + Digits(least_),
            .power = "coverage " + Digits(LeastFound(), 3) + ": 0.99",
            .passed = failures_ == 0,
            .false_alarm = false_alarm};
  }

 private:
  // The largest coverage that is found with a chance of 0.99, in the column that speaks least.
  double LeastFound() const {
    const auto alarms = [&](std::int64_t hits) {
      return ChanceOfAtMost({.draws = fewest_, .hits = hits}, kLevel) < each_;
    };
    std::int64_t most = -1;  // hits that raise an alarm
    for (std::int64_t step = std::int64_t{1} << 40; step > 0; step /= 2) {
      if (most + step <= fewest_ && alarms(most + step)) most += step;
    }
    if (most < 0) return 0;
    double found = 0;
    double missed = kLevel;
    while (missed - found > 1e-4) {
      const double middle = (found + missed) / 2;
      const double chance = ChanceOfAtMost({.draws = fewest_, .hits = most}, middle);
      (chance >= 0.99 ? found : missed) = middle;
    }
    return found;
  }

  double each_;
  int failures_ = 0;
  double least_ = 1;
  std::int64_t fewest_ = std::numeric_limits<std::int64_t>::max();
};

std::size_t NumberOfColumns() {
  std::size_t columns = 0;
  for (const Question& question : kQuestions) columns += question.size();
  return columns;
}

class Coverage {
 public:
  Coverage(Setting setting, std::int64_t draws)
      : setting_(setting), rounds_((draws + kGroups - 1) / kGroups) {
    MakeRows(database_, setting.units);
    for (const Purse& purse : kPurses) {
      WritePolicy(Policy(purse), purse.accountant, setting.epsilon);
    }
  }

  // Adds a verdict for each kind of noise.
  void Run(Verdicts& verdicts) {
    std::printf("groups of %lld units, epsilon %g\n", static_cast<long long>(setting_.units),
                setting_.epsilon);
    std::printf("%-86s %-8s %6s %6s %8s %10s\n", "column", "noise", "speak", "silent", "coverage",
                "width");
    const double tests = 2 * static_cast<double>(NumberOfColumns());
    std::vector<Columns> columns(kPurses.size(), Columns(verdicts.each() / tests));
    for (const Question& question : kQuestions) {
      const Truth truth = ReadTruth(database_, question);
      for (std::size_t i = 0; i < kPurses.size(); ++i) {
        Ask(question, kPurses[i], truth, columns[i]);
      }
    }
    const std::string name =
        std::to_string(setting_.units) + " units, epsilon " + Digits(setting_.epsilon, 2) + ", ";
    for (std::size_t i = 0; i < kPurses.size(); ++i) {
      verdicts.Add(columns[i].Judge(name + kPurses[i].noise, verdicts.each()));
    }
  }

 private:
  std::string Policy(const Purse& purse) const { return folder_ / (purse.accountant + ".toml"); }

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

  void Ask(const Question& question, const Purse& purse, const Truth& truth, Columns& columns) {
    const std::string sql = SqlOf(question, "visit");
    std::vector<Tally> tallies(question.size());
    // A new ledger before its budget is spent.
    const auto rounds_of_ledger = static_cast<std::int64_t>(0.9 * kBudget / setting_.epsilon);
    std::optional<Session> session;
    for (std::int64_t round = 0; round < rounds_; ++round) {
      if (round % rounds_of_ledger == 0) session.emplace(Open(purse));
      const auto answer = session->Ask(sql);
      if (!answer) Fail(answer.error(), sql);
      Compare(*answer, truth, tallies);
    }
    for (std::size_t i = 0; i < question.size(); ++i) {
      columns.Report(question[i], purse.noise, tallies[i]);
    }
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

  MemoryFolder folder_;
  Setting setting_;
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
    dpsql::Verdicts verdicts("Intervals",
                             static_cast<int>(dpsql::kSettings.size() * dpsql::kPurses.size()));
    for (const dpsql::Setting& setting : dpsql::kSettings) {
      dpsql::Coverage(setting, draws).Run(verdicts);
    }
    return verdicts.Finish();
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << "\n";
    return 1;
  }
}
