// Random questions to random databases, with zero noise: the same answers in every engine.
//
//   random_engines QUESTIONS SEED ENGINE…
//
// asks until every engine has answered so many of the questions that DuckDB answers. Engines that
// this machine does not have are left out; without any the program ends with 77. Numbers must be
// the same to the last bit. What an engine refuses before anything is paid is counted and shown by
// its words, and must be rare. A difference is shown with the smallest database and question that
// were found to have it; the program then ends with 1.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "conformance/engine_house.h"
#include "random/reference_greedy.h"
#include "random/shrink.h"
#include "support/read_number.h"
#include "support/temp_folder.h"

namespace dpsql {
namespace {

constexpr std::uint64_t kQuestionsPerDatabase = 50;
constexpr std::uint64_t kMostTriesPerAnswer = 20;
constexpr std::size_t kMostFindings = 3;
constexpr int kMostShrinkings = 60;
// An engine must answer so many of what DuckDB answers; what it has no functions or keys for it
// refuses.
constexpr std::uint64_t kLeastAnswered = 60;  // of a hundred
// Files keep no keys: what belongs to a unit by a link, and joins that need a key, are refused.
constexpr std::uint64_t kLeastAnsweredOfFiles = 35;

using Engines = std::vector<std::shared_ptr<EngineCopies>>;

struct Tally {
  std::uint64_t answered = 0;
  std::uint64_t refused = 0;
  std::map<std::string, std::uint64_t> refusals;
};

class RandomEngines {
 public:
  RandomEngines(std::uint64_t seed, std::string folder, const Engines& engines)
      : seed_(seed), folder_(std::move(folder)), engines_(engines), tallies_(engines.size()) {}

  void Run(std::uint64_t wanted) {
    const std::uint64_t most = wanted * kMostTriesPerAnswer;
    for (std::uint64_t number = 0; LeastAnswered() < wanted && asked_ < most; ++number) {
      if (findings_ >= kMostFindings) return;
      AskDatabase(number, wanted);
    }
    Require(LeastAnswered() >= wanted,
            "only " + std::to_string(LeastAnswered()) + " questions were answered everywhere");
    for (std::size_t i = 0; i < engines_.size(); ++i) {
      const Tally& tally = tallies_[i];
      const std::uint64_t least = engines_[i]->is_files() ? kLeastAnsweredOfFiles : kLeastAnswered;
      Require(tally.answered * 100 >= (tally.answered + tally.refused) * least,
              std::string(engines_[i]->engine()) + " refuses too much");
    }
  }

  void Report() const {
    std::cout << compared_ << " of " << asked_ << " questions to " << databases_
              << " databases answered by DuckDB\n";
    for (std::size_t i = 0; i < engines_.size(); ++i) {
      const Tally& tally = tallies_[i];
      const std::string_view name = engines_[i]->engine();
      std::cout << name << ": " << tally.answered << " answered, " << tally.refused << " refused\n";
      for (const auto& [words, count] : tally.refusals) {
        std::cout << "  " << count << "  " << words << "\n";
      }
      std::cout << "#audit {\"kind\":\"engines\",\"name\":\"" << name
                << ", random questions\",\"questions\":" << tally.answered
                << ",\"refused\":" << tally.refused << ",\"differences\":" << findings_ << "}\n";
    }
  }

  std::size_t findings() const { return findings_; }

 private:
  // By the engine that answered fewest.
  std::uint64_t LeastAnswered() const {
    return std::ranges::min(tallies_, {}, &Tally::answered).answered;
  }

  std::string NewStem() { return folder_ + "random" + std::to_string(++files_); }

  void Require(bool holds, const std::string& words) {
    if (holds) return;
    ++findings_;
    std::cout << words << "\n";
  }

  void AskDatabase(std::uint64_t number, std::uint64_t wanted) {
    Dice dice(seed_ * 1'000'003 + number);
    const RandomDatabase database = DrawRandomDatabase(dice);
    EngineHouse house(database, NewStem(), engines_);
    ++databases_;
    for (std::uint64_t i = 0; i < kQuestionsPerDatabase && findings_ < kMostFindings; ++i) {
      if (LeastAnswered() >= wanted) return;
      ++asked_;
      RandomCase asked{database, {}};
      if (dice.In16(1)) {
        asked.question = DrawNestedQuestion(dice, database);
      } else {
        asked.question = DrawQuestion(dice, database);
      }
      Ask(number, house, asked);
    }
  }

  void Ask(std::uint64_t number, EngineHouse& house, const RandomCase& asked) {
    const std::vector<EngineHouse::Reply> replies = house.Try(asked);
    if (!replies.empty()) ++compared_;
    for (std::size_t i = 0; i < replies.size(); ++i) {
      tallies_[i].answered += replies[i].answered ? 1 : 0;
      if (!replies[i].answered) {
        ++tallies_[i].refused;
        ++tallies_[i].refusals[replies[i].refusal.substr(0, 60)];
      }
      if (!replies[i].wrong) continue;
      std::cout << *replies[i].wrong << "\n" << asked.asked() << std::endl;
      Show(number, i, asked);
    }
  }

  // What is wrong with a case in one engine, in a house of its own.
  std::optional<std::string> Wrong(const RandomCase& tried, std::size_t engine) {
    EngineHouse house(tried.database, NewStem(), {engines_[engine]});
    const auto replies = house.Try(tried);
    return replies.empty() ? std::nullopt : replies[0].wrong;
  }

  void Show(std::uint64_t number, std::size_t engine, const RandomCase& failing) {
    ++findings_;
    const RandomCase least = Shrink(
        failing, [&](const RandomCase& tried) { return Wrong(tried, engine).has_value(); },
        kMostShrinkings);
    std::cout << "seed " << seed_ << ", database " << number << ", " << engines_[engine]->engine()
              << ":\n"
              << Wrong(least, engine).value_or("only after the questions before it") << "\n"
              << least.asked() << "\n"
              << least.database.Sql() << "\n";
  }

  std::uint64_t seed_;
  std::string folder_;
  const Engines& engines_;
  std::vector<Tally> tallies_;
  std::uint64_t files_ = 0;
  std::uint64_t databases_ = 0;
  std::uint64_t asked_ = 0;
  std::uint64_t compared_ = 0;
  std::size_t findings_ = 0;
};

// Those of this machine.
Engines FindEngines(const std::vector<std::string>& names) {
  Engines engines;
  for (const std::string& name : names) {
    auto copies = std::make_shared<EngineCopies>(name);
    if (copies->IsInstalled()) {
      engines.push_back(std::move(copies));
    } else {
      std::cout << name << " is not here\n";
    }
  }
  return engines;
}

int Run(std::uint64_t questions, std::uint64_t seed, const std::vector<std::string>& names) {
  constexpr int kNotInstalled = 77;  // which ctest shows as skipped
  // Files in memory where the machine has a place for them: a test need not wait for a disk.
  if (std::filesystem::exists("/dev/shm")) setenv("TMPDIR", "/dev/shm", 0);
  const Engines engines = FindEngines(names);
  if (engines.empty()) return kNotInstalled;
  const TempFolder folder;
  RandomEngines random(seed, folder / "", engines);
  random.Run(questions);
  random.Report();
  return random.findings() == 0 ? 0 : 1;
}

}  // namespace

// Statements have no turns, and an answer need not be that of the turns.
bool UnitsTakeTurns() { return false; }

}  // namespace dpsql

int main(int argc, char** argv) {
  const auto questions = dpsql::ReadNumber(argc > 1 ? argv[1] : "");
  const auto seed = dpsql::ReadNumber(argc > 2 ? argv[2] : "");
  if (!questions || !seed || argc < 4) {
    std::cerr << "usage: random_engines QUESTIONS SEED ENGINE…\n";
    return 2;
  }
  try {
    return dpsql::Run(*questions, *seed, {argv + 3, argv + argc});
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << "\n";
    return 1;
  }
}
