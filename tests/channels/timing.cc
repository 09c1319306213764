// How much longer a question takes because of one person: channels_timing REPETITIONS [FILE]
//
// The same questions, in turn, of three databases: without the person, with one who has as many
// rows as others, with one who has a tenth of all rows. A second copy of the first shows what the
// clock itself is worth. Medians of the processor time are compared: what the rows cause, without
// what else the machine does. A second table has the time of one draw of noise by its size, which
// would tell the noise to whoever could see it. Running time is not among the product's promises:
// nothing here fails, and FILE gets the table.
#include <time.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "dpsql/session.h"
#include "noise/noise.h"
#include "privacy/fixed_point.h"
#include "privacy/laplace.h"
#include "support/memory_folder.h"
#include "support/reference_duckdb.h"

namespace dpsql {
namespace {

constexpr int kPeople = 10'000;
constexpr int kPerson = 5'000;
constexpr int kRowsEach = 20;
constexpr int kRounds = 20;
constexpr int kDraws = 200'000;  // of noise, of each law
constexpr int kHeavyRows = kPeople * kRowsEach / 10;

struct Question {
  const char* name;
  const char* sql;
};

const std::vector<Question> kQuestions = {
    {"count", "SELECT count(*) FROM visit"},
    {"sum", "SELECT sum(seconds) FROM visit"},
    {"mean and spread", "SELECT avg(seconds), stddev_pop(seconds) FROM visit"},
    {"people", "SELECT count(DISTINCT id) FROM visit"},
    {"different pages", "SELECT count(DISTINCT page) FROM visit"},
    {"declared keys", "SELECT kind, count(*), sum(seconds) FROM visit GROUP BY kind"},
    {"discovered keys", "SELECT page, count(*) FROM visit GROUP BY page"},
    {"a condition that only the person meets", "SELECT count(*) FROM visit WHERE id = 5000"},
    {"a condition on text", "SELECT count(*) FROM visit WHERE upper(page) LIKE '%7%'"},
    {"rows of a person first",
     "SELECT n, count(*) FROM (SELECT id, count(*) AS n FROM visit GROUP BY id) t GROUP BY n"},
    {"a join",
     "SELECT p.city, sum(v.seconds) FROM person p JOIN visit v ON p.id = v.id "
     "GROUP BY p.city"},
    {"an existence",
     "SELECT count(*) FROM person p WHERE EXISTS (SELECT 1 FROM visit v WHERE v.id = p.id AND "
     "v.seconds > 290)"},
};

struct World {
  const char* name;
  int rows = 0;  // of the person
};

const std::vector<World> kWorlds = {
    {"without", 0}, {"without, again", 0}, {"usual", kRowsEach}, {"heavy", kHeavyRows}};

// The person is one among the others, and the rows come in one order whoever is there.
std::string Data(int rows) {
  const std::string people = std::to_string(kPeople);
  const std::string person = std::to_string(kPerson);
  const std::string all = std::to_string(kPeople * kRowsEach);
  const std::string step = std::to_string(kPeople * kRowsEach / std::max(1, rows));
  return "CREATE TABLE person (id INTEGER PRIMARY KEY, city VARCHAR NOT NULL);"
         "INSERT INTO person SELECT i, ['Berlin', 'Lyon', 'Osaka'][1 + i % 3] FROM range(" +
         people + ") t(i)" + (rows == 0 ? " WHERE i <> " + person : "") +
         ";CREATE TABLE visit AS SELECT id, '/page' || (j * 7919 % 400) AS page, "
         "['a', 'b', 'c'][1 + j % 3] AS kind, (j * 31 % 300)::INTEGER AS seconds FROM (SELECT j, "
         "(j % " +
         people + ")::INTEGER AS id FROM range(" + all + ") t(j) WHERE j % " + people + " <> " +
         person + " UNION ALL SELECT j * " + step + ", " + person + " FROM range(" +
         std::to_string(rows) + ") t(j)) ORDER BY j, id;";
}

constexpr const char* kPolicy = R"(
[dataset]
name = "timing"
unit = "person"
[budget]
epsilon = 100
delta = 0.5
[query]
epsilon = 0.1
delta = 1e-6
min_frequency = 10
max_groups_per_unit = 5
[database]
threads = 1
[tables.person]
unit = "id"
[tables.visit]
unit = "id"
max_rows_per_unit = 50
[tables.visit.columns]
seconds = { lower = 0, upper = 300 }
kind = { values = ["a", "b", "c"] }
)";

double Median(std::vector<double> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

// By world, the times of one question in milliseconds.
using Times = std::vector<std::vector<double>>;

class Stopwatch {
 public:
  Stopwatch() {
    std::ofstream(folder_ / "timing.toml") << kPolicy;
    for (std::size_t i = 0; i < kWorlds.size(); ++i) {
      MakeDatabaseFromText(NameOf(i) + ".duckdb", Data(kWorlds[i].rows));
    }
  }

  // A session has secrets and places in memory of its own, which make it faster or slower than
  // another: so new ones are opened in each round, and the worlds take turns in being first.
  void Round(int round, int repetitions, std::vector<Times>& times) {
    std::vector<std::optional<Session>> sessions(kWorlds.size());
    for (std::size_t i = 0; i < sessions.size(); ++i) {
      const std::size_t world = (i + static_cast<std::size_t>(round)) % sessions.size();
      sessions[world].emplace(Open(world));
    }
    for (std::size_t i = 0; i < kQuestions.size(); ++i) {
      times[i].resize(sessions.size());
      Interleave(kQuestions[i].sql, repetitions, sessions, times[i]);
    }
  }

 private:
  static constexpr int kWarmUp = 3;  // caches, and what a session learns of whole tables

  static void Interleave(const std::string& sql, int repetitions,
                         std::vector<std::optional<Session>>& sessions, Times& times) {
    for (int i = -kWarmUp; i < repetitions; ++i) {
      for (std::size_t j = 0; j < sessions.size(); ++j) {
        const std::size_t world = (j + static_cast<std::size_t>(i + kWarmUp)) % sessions.size();
        const double time = Ask(*sessions[world], sql);
        if (i >= 0) times[world].push_back(time);
      }
    }
  }

  std::string NameOf(std::size_t world) const {
    return folder_ / ("world-" + std::to_string(world));
  }

  Session Open(std::size_t world) {
    auto session = Session::Open({.url = NameOf(world) + ".duckdb",
                                  .policy = folder_ / "timing.toml",
                                  .ledger = NameOf(world) + ".ledger",
                                  .analyst = "clock"});
    if (!session) throw std::runtime_error(session.error().message);
    return std::move(session).value();
  }

  static double Ask(Session& session, const std::string& sql) {
    const double start = Clock();
    const auto answer = session.Ask(sql);
    const double time = Clock() - start;
    if (!answer) throw std::runtime_error(RenderError(answer.error(), sql));
    return time;
  }

  // Of all threads of this process, in milliseconds.
  static double Clock() {
    timespec now = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
  }

  MemoryFolder folder_;
};

std::string Changed(double base, double time) {
  std::string text(40, '\0');
  const int length = std::snprintf(text.data(), text.size(), "%+.3f (%+.1f %%)", time - base,
                                   100 * (time / base - 1));
  return text.substr(0, static_cast<std::size_t>(length));
}

struct Report {
  std::string page;
  double usual_most = 0;  // the largest relative change of a median
  double heavy_most = 0;
  double clock_most = 0;
};

void WriteHead(std::ostream& page, int repetitions) {
  page << "# Time, with and without one person\n\n"
       << "Written by `tests/channels/timing.cc` (`build/tests/channels_timing 200 "
          "docs/results/timing.md`). Nothing is\nasserted of it: running time is not among the "
          "promises (A7, A24, A26 and A27 of `docs/threats.md` have what\nis done about it).\n\n"
       << kPeople << " people with " << kRowsEach << " rows each; the person has " << kRowsEach
       << " rows, or " << kHeavyRows << ". Medians of the processor\ntime of " << repetitions
       << " askings in milliseconds, in " << kRounds
       << " sessions, the databases taking turns, one thread; and what\nthe person adds. The same "
          "data a second time shows how far the clock can be believed.\n\n"
       << "A change that is larger than the person's part of the rows is one of layout: cells of "
          "units are kept in an\narray or in a list, and one number far from the others, seen "
          "early, decides which (`src/backend/unit_cells.h`).\nThe answers are the same bits in "
          "either (`tests/layout`).\n\n"
       << "| question | without | the same again | with a usual person | with a heavy one |\n"
       << "|---|---:|---:|---:|---:|\n";
}

// A draw's size in standard deviations is in the first range that ends above it.
constexpr std::array<double, 5> kSizes = {0.5, 1, 2, 3, HUGE_VAL};

struct Law {
  const char* name;
  double sd;  // in grid steps
  std::function<Int128(Noise&)> draw;
};

std::vector<Law> Laws() {
  const auto gaussian = [](double sd) {
    return [sigma = RoundSigmaUp(sd)](Noise& noise) {
      Int128 drawn = 0;
      noise.Draw(sigma, {&drawn, 1});
      return drawn;
    };
  };
  const LaplaceRate rate = RoundRateDown(1, 1);
  const auto laplace = [rate](Noise& noise) {
    Int128 drawn = 0;
    noise.DrawLaplace(rate, {&drawn, 1});
    return drawn;
  };
  constexpr double kCount = 4.68;  // of a count at epsilon 1, delta 1e-7
  constexpr double kSum = 0x1p20 * kCount;
  return {{"Gaussian of a count", kCount, gaussian(kCount)},
          {"Gaussian of a sum", kSum, gaussian(kSum)},
          {"Laplace of a count", std::sqrt(LaplaceVariance(rate)), laplace}};
}

// Medians of the time of one draw in nanoseconds, by size; nothing where fewer than ten were so
// large.
std::vector<std::optional<double>> TimeDraws(const Law& law) {
  const std::unique_ptr<Noise> noise = MakeNoise();
  std::array<std::vector<double>, kSizes.size()> times;
  for (int i = 0; i < kDraws; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const Int128 drawn = law.draw(*noise);
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    const double size = std::abs(static_cast<double>(drawn)) / law.sd;
    const auto range = std::upper_bound(kSizes.begin(), kSizes.end() - 1, size) - kSizes.begin();
    times[static_cast<std::size_t>(range)].push_back(time.count());
  }
  std::vector<std::optional<double>> medians;
  for (const std::vector<double>& of_size : times) {
    medians.push_back(of_size.size() < 10 ? std::nullopt : std::optional(Median(of_size)));
  }
  return medians;
}

void WriteDraws(std::ostream& page) {
  page << "\n## One draw of noise\n\n"
       << "By its size in standard deviations: medians of " << kDraws
       << " draws of each law in nanoseconds, one at a time.\nA larger one takes longer, by a part "
          "of a microsecond. A question draws once for each number of its answer,\nwhatever the "
          "rows are, beside milliseconds of a pass over them.\n\n"
       << "| law | below 0.5 | to 1 | to 2 | to 3 | above |\n|---|---:|---:|---:|---:|---:|\n";
  for (const Law& law : Laws()) {
    page << "| " << law.name;
    for (const std::optional<double> median : TimeDraws(law)) {
      page << " | ";
      if (median) page << std::lround(*median);
    }
    page << " |\n";
  }
}

Report Measure(int repetitions) {
  Stopwatch stopwatch;
  std::vector<Times> times(kQuestions.size());
  for (int round = 0; round < kRounds; ++round) {
    stopwatch.Round(round, std::max(1, repetitions / kRounds), times);
  }
  Report report;
  std::ostringstream page;
  WriteHead(page, repetitions);
  for (std::size_t q = 0; q < kQuestions.size(); ++q) {
    std::vector<double> medians;
    for (const std::vector<double>& of_world : times[q]) medians.push_back(Median(of_world));
    page << "| " << kQuestions[q].name << " | " << std::round(medians[0] * 1000) / 1000;
    for (std::size_t i = 1; i < medians.size(); ++i) {
      page << " | " << Changed(medians[0], medians[i]);
    }
    page << " |\n";
    const auto change = [&](std::size_t i) { return std::abs(medians[i] / medians[0] - 1); };
    report.clock_most = std::max(report.clock_most, change(1));
    report.usual_most = std::max(report.usual_most, change(2));
    report.heavy_most = std::max(report.heavy_most, change(3));
  }
  WriteDraws(page);
  report.page = page.str();
  return report;
}

std::string Percent(double part) {
  return std::to_string(static_cast<int>(std::lround(100 * part))) + " %";
}

}  // namespace
}  // namespace dpsql

int main(int argc, char** argv) {
  const int repetitions = argc >= 2 ? std::atoi(argv[1]) : 0;
  if (repetitions < 1 || argc > 3) {
    std::cerr << "usage: channels_timing REPETITIONS [FILE]\n";
    return 2;
  }
  try {
    const dpsql::Report report = dpsql::Measure(repetitions);
    std::cout << report.page;
    if (argc == 3) std::ofstream(argv[2]) << report.page;
    const nlohmann::ordered_json line = {
        {"kind", "timing"},
        {"name", "one person"},
        {"questions", dpsql::kQuestions.size()},
        {"note", "largest change of a median: " + dpsql::Percent(report.usual_most) +
                     " by a usual person, " + dpsql::Percent(report.heavy_most) +
                     " by a heavy one, " + dpsql::Percent(report.clock_most) +
                     " by the clock alone; a report, not a promise"}};
    std::cout << "#audit " << line.dump() << "\n";
    return 0;
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << "\n";
    return 1;
  }
}
