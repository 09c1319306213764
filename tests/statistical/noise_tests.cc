#include "statistical/noise_tests.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "statistical/laws.h"

namespace dpsql {
namespace {

constexpr std::size_t kCoordinates = NoiseSample::kCoordinates;
constexpr std::size_t kCells = NoiseSample::kCells;

// A sum over draws that has a gamma law of scale 1: of squares halved, or of absolute values.
struct SpreadSum {
  double shape = 0;
  double sum = 0;

  void Add(NoiseKind kind, double number) {
    shape += kind == NoiseKind::kGaussian ? 0.5 : 1;
    sum += kind == NoiseKind::kGaussian ? number * number / 2 : std::fabs(number) * std::sqrt(2.0);
  }
  // Of the standard deviation, over what is stated.
  double ratio(NoiseKind kind) const {
    return kind == NoiseKind::kGaussian ? std::sqrt(sum / shape) : sum / shape;
  }
  double chance() const {
    const double above = GammaAbove(shape, sum);
    return 2 * std::min(above, 1 - above);
  }
};

// The error of sigma that `false_alarm` lets through in one of a hundred runs.
std::string SpreadPower(NoiseKind kind, double shape, double false_alarm) {
  const double limit = GammaQuantileAbove(shape, 1 - false_alarm / 2);
  const double times = limit / GammaQuantileAbove(shape, 0.01);
  const double sigma = kind == NoiseKind::kGaussian ? std::sqrt(times) : times;
  return "sigma " + Digits(100 * (1 - sigma), 3) + " % too small: 0.99";
}

// The worst of several sums, each at its share of the false-alarm rate.
Verdict JudgeSpread(const std::string& name, NoiseKind kind, const std::vector<SpreadSum>& sums,
                    double false_alarm) {
  const double each = false_alarm / static_cast<double>(sums.size());
  const auto worst = std::min_element(
      sums.begin(), sums.end(),
      [](const SpreadSum& a, const SpreadSum& b) { return a.chance() < b.chance(); });
  return {.name = name,
          .result = "worst sd " + Digits(worst->ratio(kind), 4) + " of stated",
          .power = SpreadPower(kind, worst->shape, each),
          .passed = worst->chance() >= each,
          .false_alarm = false_alarm};
}

// Bits that tell which numbers are positive.
class Signs {
 public:
  void Add(double number) {
    if (size_ % 64 == 0) words_.push_back(0);
    if (number > 0) words_.back() |= std::uint64_t{1} << (size_ % 64);
    ++size_;
  }
  std::int64_t size() const { return static_cast<std::int64_t>(size_); }
  std::int64_t Positive() const {
    return Count([](std::uint64_t word, std::size_t) { return word; });
  }
  std::int64_t Differing(const Signs& other) const {
    return Count([&](std::uint64_t word, std::size_t i) { return word ^ other.words_[i]; });
  }

 private:
  template <typename Pick>
  std::int64_t Count(const Pick& pick) const {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) count += std::popcount(pick(words_[i], i));
    return count;
  }

  std::vector<std::uint64_t> words_;
  std::size_t size_ = 0;
};

// Signs that differ more or less often than a fair coin falls.
class CoinTest {
 public:
  CoinTest(std::int64_t tosses, double comparisons, double false_alarm)
      : tosses_(tosses),
        false_alarm_(false_alarm),
        too_many_(BinomialTooMany(tosses, 0.5, false_alarm / comparisons / 2)) {}

  void Add(std::int64_t heads) { worst_ = std::max(worst_, std::max(heads, tosses_ - heads)); }

  Verdict Judge(const std::string& name) const {
    return {
        .name = name,
        .result = "most alike " +
                  Digits(100.0 * static_cast<double>(worst_) / static_cast<double>(tosses_), 4) +
                  " %",
        .power = Power(),
        .passed = worst_ < too_many_,
        .false_alarm = false_alarm_};
  }

 private:
  // Normal numbers with correlation r have the same sign with chance 1/2 + asin(r)/pi.
  std::string Power() const {
    const auto found = [&](double correlation) {
      const double same = 0.5 + std::asin(correlation) / std::numbers::pi;
      return BinomialAtLeast(tosses_, std::min(same, 1 - 1e-15), too_many_);
    };
    const double correlation = WhereReached(found, 0.99, 0, 1);
    return "correlation " + Digits(correlation, 2) + ": 0.99";
  }

  std::int64_t tosses_;
  double false_alarm_;
  std::int64_t too_many_;
  std::int64_t worst_ = 0;
};

double PairsOf(std::size_t things) {
  return static_cast<double>(things) * static_cast<double>(things - 1) / 2;
}

void CompareAll(const std::vector<Signs>& signs, CoinTest& test) {
  for (std::size_t i = 0; i < signs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) test.Add(signs[i].Differing(signs[j]));
  }
}

std::vector<Signs> SignsOfCells(const NoiseSample& sample) {
  std::vector<Signs> signs(kCoordinates * kCells);
  for (std::size_t i = 0; i < sample.questions(); ++i) {
    const auto numbers = sample.question(i);
    for (std::size_t j = 0; j < numbers.size(); ++j) signs[j].Add(numbers[j]);
  }
  return signs;
}

std::vector<Signs> SignsOfQuestions(const NoiseSample& sample) {
  std::vector<Signs> signs(sample.questions());
  for (std::size_t i = 0; i < signs.size(); ++i) {
    for (const double number : sample.question(i)) signs[i].Add(number);
  }
  return signs;
}

std::vector<Signs> SignsOfCoordinates(const NoiseSample& sample) {
  std::vector<Signs> signs(kCoordinates);
  for (std::size_t i = 0; i < sample.questions(); ++i) {
    for (std::size_t c = 0; c < kCoordinates; ++c) {
      for (std::size_t cell = 0; cell < kCells; ++cell) signs[c].Add(sample.number(i, c, cell));
    }
  }
  return signs;
}

// The number of positive ones of a question varies more where its cells have something in common:
// by 1 + (n - 1) 2 asin(r) / pi. Sums of many fair coins have shorter tails than a normal law.
Verdict JudgeCommonPart(const std::string& name, const std::vector<Signs>& questions,
                        double false_alarm) {
  double sum = 0;
  const auto n = static_cast<double>(questions[0].size());
  for (const Signs& one : questions) {
    const double off = static_cast<double>(one.Positive()) - n / 2;
    sum += off * off / (n / 4) / 2;
  }
  const double shape = static_cast<double>(questions.size()) / 2;
  const double limit = GammaQuantileAbove(shape, false_alarm);
  const double times = limit / GammaQuantileAbove(shape, 0.99);
  const double correlation = std::sin((times - 1) / (n - 1) * std::numbers::pi / 2);
  return {.name = name,
          .result = "variance " + Digits(sum / shape, 4) + " of independent",
          .power = "correlation " + Digits(correlation, 2) + " of all: 0.99",
          .passed = sum < limit,
          .false_alarm = false_alarm};
}

}  // namespace

std::string NameOf(NoiseKind kind) { return kind == NoiseKind::kGaussian ? "gaussian" : "laplace"; }

void TestSpread(Verdicts& verdicts, NoiseKind kind, const NoiseSample& sample) {
  std::vector<SpreadSum> coordinates(kCoordinates);
  std::vector<SpreadSum> cells(kCoordinates * kCells);
  for (std::size_t i = 0; i < sample.questions(); ++i) {
    const auto numbers = sample.question(i);
    for (std::size_t j = 0; j < numbers.size(); ++j) {
      cells[j].Add(kind, numbers[j]);
      coordinates[j / kCells].Add(kind, numbers[j]);
    }
  }
  const std::string name = NameOf(kind);
  verdicts.Add(JudgeSpread(name + ", sd of coordinates", kind, coordinates, verdicts.each()));
  verdicts.Add(JudgeSpread(name + ", sd of each cell", kind, cells, verdicts.each()));
}

void TestSigns(Verdicts& verdicts, NoiseKind kind, const NoiseSample& sample,
               const NoiseSample& all) {
  const std::string name = NameOf(kind);
  const std::vector<Signs> cells = SignsOfCells(sample);
  CoinTest pairs(cells[0].size(), PairsOf(cells.size()), verdicts.each());
  CompareAll(cells, pairs);
  verdicts.Add(pairs.Judge(name + ", cells and coordinates by pairs"));

  const std::vector<Signs> coordinates = SignsOfCoordinates(sample);
  CoinTest of_coordinates(coordinates[0].size(), PairsOf(kCoordinates), verdicts.each());
  CompareAll(coordinates, of_coordinates);
  verdicts.Add(of_coordinates.Judge(name + ", coordinates, all cells"));

  const std::vector<Signs> questions = SignsOfQuestions(sample);
  const std::int64_t width = questions[0].size();
  CoinTest following(width * static_cast<std::int64_t>(questions.size() - 1), 1, verdicts.each());
  std::int64_t differing = 0;
  for (std::size_t i = 1; i < questions.size(); ++i) {
    differing += questions[i].Differing(questions[i - 1]);
  }
  following.Add(differing);
  verdicts.Add(following.Judge(name + ", a question and the next"));

  const std::vector<Signs> everywhere = SignsOfQuestions(all);
  CoinTest any_two(width, PairsOf(everywhere.size()), verdicts.each());
  CompareAll(everywhere, any_two);
  verdicts.Add(any_two.Judge(name + ", any two of sessions, processes"));

  verdicts.Add(JudgeCommonPart(name + ", all cells together", questions, verdicts.each()));
}

}  // namespace dpsql
