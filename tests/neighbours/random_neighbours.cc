// Random schemas, policies and databases, random questions, and each unit removed in turn:
//
//   random_neighbours CASES SEED [WORKERS [FOLDER [ENGINE]]]
//   random_neighbours --replay FILE…
//
// A case is a database, an accepted question and a removed unit. The rooms of a session run up to
// the noise, with one key of priorities and the same shown cells and earlier releases on both
// sides, and the integers before noise are compared: stage 1 moves by 1 in at most C0 groups; each
// statistic by its claim, in the norm of its noise and in every cell; all of them together by what
// the plan charges; known keys, keys of the answer and public tables not at all; and what units
// move one by one adds up to the whole. No accepted question ends in an error. Answers that
// are a door's release, and some of the others, are published as well, without noise: their shape
// does not change.
//
// A long run also fails where it tried too little: a word of the language that no accepted question
// had, or a statistic that no unit moved. A run that is not very short fails where units hardly
// ever moved anything, and one on another engine also where it lacks what each engine has.
//
// With an ENGINE (support/conformance_engines.h) every database is copied there and read by the
// product's own reader of it; where this machine has none, the program ends with 77.
//
// A finding is made small and written to FOLDER as one SQL file with the manner in which it was
// seen, which --replay tries before all others; kept in tests/neighbours/found it is a test. The
// program then ends with 1.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "neighbours/draw_sql.h"
#include "neighbours/draw_world.h"
#include "neighbours/kept_manner.h"
#include "neighbours/language_tally.h"
#include "neighbours/neighbour_house.h"
#include "neighbours/shrink_case.h"
#include "neighbours/teeth.h"
#include "support/query_generator.h"
#include "support/read_number.h"

namespace dpsql {
namespace {

constexpr int kQuestionsOfWorld = 40;   // accepted ones
constexpr int kQuestionsOfCopies = 15;  // the same where each side is a database of a server
constexpr int kTriesOfWorld = 400;
// Of so many answers that are computed above doors one is published: that takes longer than the
// reading of all doors.
constexpr int kComputedOfPublished = 32;
constexpr std::int64_t kMostFindings = 5;  // of a worker

// From so many cases on a run must have tried all of the language.
constexpr std::int64_t kLongRun = 50'000;

// The unit moves something in 45 of 100 cases; a generator whose questions read nothing any more
// stays far below the floors. That of a short run is a quarter: it has a few databases only.
constexpr std::int64_t kShortRun = 1'000;
constexpr double kLeastMoved = 0.25;
constexpr double kLeastMovedOfShort = 0.11;

// On another engine: from so many cases on as for a short run, and then with more of the language.
constexpr std::int64_t kShortRunOfEngine = 200;
constexpr std::int64_t kLongRunOfEngine = 2'000;

struct Counts {
  std::int64_t cases = 0;
  std::int64_t moved = 0;      // cases where the unit moved something
  std::int64_t published = 0;  // cases whose answers were compared
  std::int64_t worlds = 0;
  std::int64_t tried = 0;  // questions
  std::int64_t findings = 0;
  double closest = 0;  // the largest share of its charge that a unit moved
  LanguageTally language;

  void Add(const Counts& other) {
    cases += other.cases;
    moved += other.moved;
    published += other.published;
    worlds += other.worlds;
    tried += other.tried;
    findings += other.findings;
    closest = std::max(closest, other.closest);
    language.Add(other.language);
  }
};

class Worker {
 public:
  Worker(std::int64_t cases, std::uint64_t seed, std::string folder, EngineCopies* engine)
      : cases_(cases), seed_(seed), folder_(std::move(folder)), engine_(engine) {}

  void Run() {
    for (std::uint64_t i = 0; counts_.cases < cases_ && counts_.findings < kMostFindings; ++i) {
      AskWorld(seed_ * 1'000'003 + i);
    }
  }

  const Counts& counts() const { return counts_; }

 private:
  void AskWorld(std::uint64_t seed) {
    Dice dice(seed);
    NeighbourCase world = DrawWorld(dice, engine_ == nullptr);
    // Links over a key that no database keeps are of files alone.
    if (engine_ != nullptr && !world.verified.empty()) return;
    NeighbourHouse house(world, engine_);
    ++counts_.worlds;
    int accepted = 0;
    const int wanted = engine_ == nullptr ? kQuestionsOfWorld : kQuestionsOfCopies;
    for (int i = 0; i < kTriesOfWorld && accepted < wanted; ++i) {
      ++counts_.tried;
      const std::vector<CatalogTable>& tables = house.catalog().tables();
      const bool hostile = dice.In16(4);
      world.question = hostile ? GenerateQuery(tables, seed * kTriesOfWorld + i).sql
                               : SqlMaker(dice, tables).Make();
      NeighbourHouse::Manner manner = DrawManner(dice);
      manner.engine = engine_;
      const Result<DpPlan> plan = house.Plan(world.question);
      if (!plan || plan->doors().empty()) continue;
      ++accepted;
      counts_.language.Add(*plan, world.question);
      manner.publishes = plan->PlainOutputs() || computed_++ % kComputedOfPublished == 0;
      Ask(house, *plan, manner, world);
      if (counts_.cases >= cases_ || counts_.findings >= kMostFindings) break;
    }
    counts_.moved += house.moved();
    counts_.published += house.published();
    counts_.language.AddMoved(house.moved_statistics());
    counts_.language.AddPeople(house.units().size(), house.moved());
    counts_.closest = std::max(counts_.closest, house.closest());
  }

  static NeighbourHouse::Manner DrawManner(Dice& dice) {
    constexpr Shown::Rule kRules[] = {Shown::Rule::kThreshold, Shown::Rule::kAll,
                                      Shown::Rule::kSome};
    return {.shown = {.rule = dice.Pick(kRules), .seed = dice.Below(1'000)},
            .way = dice.In16(3)   ? Way::kOutgrown
                   : dice.In16(3) ? Way::kStatements
                                  : Way::kOwn};
  }

  void Ask(NeighbourHouse& house, const DpPlan& plan, const NeighbourHouse::Manner& manner,
           const NeighbourCase& world) {
    counts_.cases += static_cast<std::int64_t>(house.units().size());
    const auto finding = house.Try(plan, manner);
    if (!finding) return;
    ++counts_.findings;
    NeighbourCase small = ShrinkCase(world, manner);
    small.manner = WriteManner(manner);
    const auto again = FindIn(small, {manner});
    const std::string words = "found " + (again ? *again : *finding).Text();
    std::filesystem::create_directories(folder_);
    const std::string path =
        folder_ + "/" + std::to_string(seed_) + "-" + std::to_string(counts_.findings) + ".sql";
    std::ofstream(path) << small.ToFile(words);
    static std::mutex mutex;
    const std::lock_guard<std::mutex> lock(mutex);
    std::cerr << "finding: " << words << "\n" << world.question << "\n" << path << "\n";
  }

  std::int64_t cases_;
  std::uint64_t seed_;
  std::string folder_;
  EngineCopies* engine_;
  Counts counts_;
  int computed_ = 0;  // questions with something above their doors
};

struct Task {
  std::int64_t cases = 0;
  std::uint64_t seed = 0;
  int workers = 1;
  std::string folder;
  std::string engine;  // nothing: DuckDB
};

// What a run did not try, a line each. Other engines refuse some of the language, and are asked
// less.
std::string FindUntried(const Task& task, const Counts& counts) {
  const bool duckdb = task.engine.empty();
  if (counts.cases < (duckdb ? kShortRun : kShortRunOfEngine)) return "";
  const bool is_long = counts.cases >= (duckdb ? kLongRun : kLongRunOfEngine);
  std::string lines;
  const double share = static_cast<double>(counts.moved) / static_cast<double>(counts.cases);
  const double least = is_long ? kLeastMoved : kLeastMovedOfShort;
  if (share < least) {
    lines += "the unit moved something in a share of " + std::to_string(share) +
             " of all cases; at least " + std::to_string(least) + " are expected\n";
  }
  if (counts.published == 0) lines += "no answer was published\n";
  if (!duckdb) {
    for (const std::string& word : counts.language.MissingOnEngine(is_long)) lines += word + "\n";
    return lines;
  }
  if (!is_long) return lines;
  for (const std::string& missing : counts.language.Missing()) lines += missing + "\n";
  return lines;
}

int RunAll(const Task& task) {
  constexpr int kNotInstalled = 77;  // which ctest shows as skipped
  std::vector<std::unique_ptr<EngineCopies>> copies;
  const auto start = std::chrono::steady_clock::now();
  std::vector<Worker> all;
  for (int i = 0; i < task.workers; ++i) {
    EngineCopies* engine = nullptr;
    if (!task.engine.empty()) {
      engine = copies.emplace_back(std::make_unique<EngineCopies>(task.engine)).get();
      if (!engine->IsInstalled()) return kNotInstalled;
    }
    all.emplace_back((task.cases + task.workers - 1) / task.workers,
                     task.seed + static_cast<std::uint64_t>(i) * 1'000, task.folder, engine);
  }
  std::vector<std::string> failures(all.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < all.size(); ++i) {
    threads.emplace_back([&, i] {
      try {
        all[i].Run();
      } catch (const std::exception& failure) {
        failures[i] = failure.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  Counts counts;
  for (const Worker& worker : all) counts.Add(worker.counts());
  for (const std::string& failure : failures) {
    if (!failure.empty()) throw std::runtime_error(failure);
  }
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start);
  std::cout << counts.cases << " cases of " << counts.worlds << " databases in " << seconds.count()
            << " s: " << counts.language.questions() << " questions accepted of " << counts.tried
            << "; the unit moved something in " << counts.moved << ", by " << counts.closest
            << " of what is charged at most; " << counts.published << " published; "
            << counts.findings << " violations\n"
            << counts.language.Table();
  std::cout << "#audit {\"kind\":\"neighbours\",\"name\":\"random schemas"
            << (task.engine.empty() ? "" : ", " + task.engine) << "\",\"cases\":" << counts.cases
            << ",\"violations\":" << counts.findings << ",\"note\":\"" << counts.worlds
            << " databases, " << counts.language.questions() << " questions, " << counts.moved
            << " cases moved something\"}\n";
  const std::string untried = counts.findings == 0 ? FindUntried(task, counts) : "";
  std::cerr << untried;
  return counts.findings == 0 && untried.empty() ? 0 : 1;
}

std::vector<NeighbourHouse::Manner> AllManners() {
  std::vector<NeighbourHouse::Manner> manners;
  for (const Way way : {Way::kOwn, Way::kOutgrown, Way::kStatements}) {
    manners.push_back({.shown = {.rule = Shown::Rule::kThreshold}, .way = way, .publishes = true});
    manners.push_back({.shown = {.rule = Shown::Rule::kAll}, .way = way, .publishes = true});
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      manners.push_back({.shown = {.rule = Shown::Rule::kSome, .seed = seed}, .way = way});
    }
  }
  return manners;
}

// What is wrong with a file in the manner in which it was found, on its own engine where that is
// here.
std::optional<std::string> WrongAsFound(const NeighbourCase& kept) {
  if (kept.manner.empty()) return std::nullopt;
  KeptManner found = ReadManner(kept.manner);
  std::optional<EngineCopies> copies;
  if (!found.engine.empty()) copies.emplace(found.engine);
  if (copies && copies->IsInstalled()) found.manner.engine = &*copies;
  const auto finding = FindIn(kept, {found.manner});
  return finding ? std::optional(finding->Text()) : std::nullopt;
}

// What is wrong with a file, asked in every manner.
std::optional<std::string> WrongWith(const NeighbourCase& kept) {
  NeighbourHouse house(kept);
  const Result<DpPlan> plan = house.Plan(kept.question);
  const std::string refusal = plan ? "" : plan.error().code;
  if (refusal != kept.refusal) {
    return refusal.empty() ? "is accepted" : "is refused: " + refusal + " " + plan.error().message;
  }
  if (!plan) return std::nullopt;
  if (auto words = WrongAsFound(kept)) return words;
  for (const NeighbourHouse::Manner& manner : AllManners()) {
    if (const auto finding = house.Try(*plan, manner)) return finding->Text();
  }
  return std::nullopt;
}

int Replay(const std::vector<std::string>& files) {
  int failed = 0;
  for (const std::string& file : files) {
    const auto wrong = WrongWith(NeighbourCase::FromFile(file));
    std::cout << file << ": " << wrong.value_or("holds") << "\n";
    failed += wrong ? 1 : 0;
  }
  return failed == 0 ? 0 : 1;
}

int Run(const std::vector<std::string>& arguments) {
  if (arguments.size() > 1 && arguments[0] == "--replay") {
    return Replay({arguments.begin() + 1, arguments.end()});
  }
  const auto number = [&](std::size_t i, const char* otherwise) {
    return ReadNumber(i < arguments.size() ? arguments[i] : otherwise);
  };
  const auto cases = number(0, "");
  const auto seed = number(1, "");
  const auto workers = number(2, "1");
  if (!cases || !seed || !workers || *workers < 1 || *workers > 64) {
    std::cerr << "usage: random_neighbours CASES SEED [WORKERS [FOLDER [ENGINE]]]\n"
                 "       random_neighbours --replay FILE…\n";
    return 2;
  }
  ProveTeeth();
  const std::string folder = arguments.size() > 3 ? arguments[3] : "build/neighbour-findings";
  return RunAll({.cases = static_cast<std::int64_t>(*cases),
                 .seed = *seed,
                 .workers = static_cast<int>(*workers),
                 .folder = folder,
                 .engine = arguments.size() > 4 ? arguments[4] : ""});
}

}  // namespace
}  // namespace dpsql

int main(int argc, char** argv) {
  try {
    return dpsql::Run({argv + 1, argv + argc});
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << "\n";
    return 1;
  }
}
