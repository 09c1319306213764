// Random questions to random databases, with zero noise, k = 1, unknown keys and caps above the
// data, against plain DuckDB:
//
//   random_answers QUESTIONS SEED
//
// asks until so many questions were answered. Counts must be exact, other numbers within what
// rounding to the grid allows (random/tolerance.h), COUNT(DISTINCT) the number that a reference
// greedy finds (random/reference_greedy.h). Questions that are refused do not count; but every
// aggregate must have been answered kLeastAnswers times. A difference is shown with the smallest
// database and question that were found to have it; the program then ends with 1.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "random/shrink.h"
#include "support/read_number.h"
#include "support/temp_folder.h"

namespace dpsql {
namespace {

constexpr std::uint64_t kQuestionsPerDatabase = 200;
constexpr std::uint64_t kQuestionsToLarge = 10;  // which is the first database
constexpr std::uint64_t kMostTriesPerAnswer = 10;
constexpr std::uint64_t kLeastAnswers = 50;
constexpr std::size_t kMostFindings = 3;
constexpr int kMostShrinkings = 40;

class RandomAnswers {
 public:
  RandomAnswers(std::uint64_t seed, std::string folder) : seed_(seed), folder_(std::move(folder)) {}

  void Run(std::uint64_t wanted) {
    const std::uint64_t most = wanted * kMostTriesPerAnswer;
    for (std::uint64_t number = 0; answered_ < wanted && asked_ < most; ++number) {
      if (findings_ >= kMostFindings) return;
      AskDatabase(number);
    }
    Require(answered_ >= wanted, "only " + std::to_string(answered_) + " questions were answered");
    for (std::size_t i = 0; i < kMeasures; ++i) {
      Require(measures_[i] >= kLeastAnswers, std::string(InfoOf(static_cast<Measure>(i)).name) +
                                                 " was answered " + std::to_string(measures_[i]) +
                                                 " times");
    }
  }

  void Report() const {
    std::cerr << answered_ << " of " << asked_ << " questions to " << databases_
              << " databases answered\n";
    const auto show = [](const std::map<std::string, std::uint64_t>& counts) {
      for (const auto& [name, count] : counts) std::cerr << "  " << count << "  " << name << "\n";
    };
    for (std::size_t i = 0; i < kMeasures; ++i) {
      std::cerr << "  " << measures_[i] << "  " << InfoOf(static_cast<Measure>(i)).name << "\n";
    }
    std::cerr << "with\n";
    show(features_);
    std::cerr << "refused\n";
    show(refusals_);
  }

  std::size_t findings() const { return findings_; }

 private:
  std::string NewStem() { return folder_ + std::to_string(++files_); }

  void Require(bool holds, const std::string& words) {
    if (holds) return;
    ++findings_;
    std::cerr << words << "\n";
  }

  void AskDatabase(std::uint64_t number) {
    Dice dice(seed_ * 1'000'003 + number);
    const bool large = number == 0;
    const RandomDatabase database = large ? DrawLargeDatabase(dice) : DrawRandomDatabase(dice);
    RandomHouse house(database, NewStem());
    ++databases_;
    const std::uint64_t questions = large ? kQuestionsToLarge : kQuestionsPerDatabase;
    for (std::uint64_t i = 0; i < questions && findings_ < kMostFindings; ++i) {
      ++asked_;
      if (!large && dice.In16(1)) {
        const NestedQuestion question = DrawNestedQuestion(dice, database);
        const auto outcome = house.Try(question);
        Count(outcome);
        if (outcome.accepted) ++features_[question.shape];
        if (outcome.wrong) Show(number, {database, question});
      } else {
        const Question question = DrawQuestion(dice, database);
        const auto outcome = house.Try(question);
        Count(outcome);
        if (outcome.accepted) CountFeatures(question);
        if (outcome.wrong) Show(number, {database, question});
      }
    }
  }

  void Show(std::uint64_t number, RandomCase failing) {
    ++findings_;
    const RandomCase least = Shrink(
        std::move(failing),
        [&](const RandomCase& tried) { return Wrong(tried, NewStem()).has_value(); },
        kMostShrinkings);
    std::cerr << "seed " << seed_ << ", database " << number << ":\n"
              << Wrong(least, NewStem()).value_or("only after the questions before it") << "\n"
              << least.asked() << "\n"
              << least.database.PlainSql();
    if (const auto* nested = std::get_if<NestedQuestion>(&least.question)) {
      std::cerr << "plainly: " << nested->plain << "\n\n";
    } else {
      std::cerr << "rows: " << std::get<Question>(least.question).PlainRows() << "\n\n";
    }
  }

  void Count(const RandomHouse::Outcome& outcome) {
    if (!outcome.accepted) ++refusals_[outcome.refusal.substr(0, 60)];
    answered_ += outcome.accepted ? 1 : 0;
  }

  void CountFeatures(const Question& question) {
    for (const Item* item : question.items()) {
      ++measures_[static_cast<std::size_t>(item->measure)];
      if (item->filter) ++features_["FILTER"];
      if (item->inline_bounds) ++features_["bounds in the query"];
    }
    ++features_[std::to_string(question.keys.size()) + " keys"];
    ++features_["from " + question.relation.shape];
    if (question.where) ++features_["WHERE"];
    if (question.least_rows) ++features_["HAVING"];
    if (question.is_sorted()) ++features_["ORDER BY"];
    if (question.limit) ++features_["LIMIT"];
  }

  std::uint64_t seed_;
  std::string folder_;
  std::uint64_t files_ = 0;
  std::uint64_t databases_ = 0;
  std::uint64_t asked_ = 0;
  std::uint64_t answered_ = 0;
  std::size_t findings_ = 0;
  std::array<std::uint64_t, kMeasures> measures_{};
  std::map<std::string, std::uint64_t> features_;
  std::map<std::string, std::uint64_t> refusals_;
};

// Files in memory where the machine has a place for them: a test need not wait for a disk.
void UseMemory() {
  if (std::filesystem::exists("/dev/shm")) setenv("TMPDIR", "/dev/shm", 0);
}

}  // namespace
}  // namespace dpsql

int main(int argc, char** argv) {
  const auto questions = dpsql::ReadNumber(argc > 1 ? argv[1] : "");
  const auto seed = dpsql::ReadNumber(argc > 2 ? argv[2] : "");
  if (!questions || !seed || argc != 3) {
    std::cerr << "usage: random_answers QUESTIONS SEED\n";
    return 2;
  }
  dpsql::UseMemory();
  const dpsql::TempFolder folder;
  dpsql::RandomAnswers answers(*seed, folder / "");
  answers.Run(*questions);
  answers.Report();
  return answers.findings() == 0 ? 0 : 1;
}
