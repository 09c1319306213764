#include <stdio.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "statistical/audit_parts.h"
#include "statistical/laws.h"
#include "statistical/noise_tests.h"

// The noise of answers, by itself: questions about an empty table whose keys are declared. Its
// size, its law, and that no two numbers of any cell, coordinate, question, session or process have
// anything in common.
namespace dpsql {
namespace {

constexpr double kEpsilon = 1;
constexpr double kDelta = 0.1;
constexpr int kTestsOfLaw = 3;
constexpr double kGroupCap = 2;

// P(X >= x) where the noise is `times` as large as stated.
using Tail = std::function<double(double times, double x)>;

double Normal(double times, double x) { return NormalAbove(x / times); }
double Laplace(double times, double x) { return LaplaceAtLeast(std::sqrt(2.0) * x / times); }

// Kolmogorov and Smirnov's test: the largest distance of the draws from a law exceeds d with
// probability 2 exp(-2 n d^2) at most, for whole numbers too (Massart 1990).
class DistanceTest {
 public:
  DistanceTest(Tail tail, bool whole, double false_alarm)
      : tail_(std::move(tail)), whole_(whole), false_alarm_(false_alarm) {}

  void Add(double number) { numbers_.push_back(number); }

  Verdict Judge(const std::string& name) {
    std::sort(numbers_.begin(), numbers_.end());
    const double limit = std::sqrt(std::log(2 / false_alarm_) / (2 * n()));
    const double distance = Distance();
    return {.name = name,
            .result = "distance " + Digits(distance, 2) + ", limit " + Digits(limit, 2),
            .power = Power(limit),
            .passed = distance < limit,
            .false_alarm = false_alarm_};
  }

 private:
  double n() const { return static_cast<double>(numbers_.size()); }

  double Distance() const {
    double distance = 0;
    for (std::size_t i = 0; i < numbers_.size();) {
      const double x = numbers_[i];
      std::size_t next = i;
      while (next < numbers_.size() && numbers_[next] == x) ++next;
      const double below = 1 - tail_(1, x);
      const double with = whole_ ? 1 - tail_(1, x + 1) : below;
      distance = std::max({distance, std::fabs(below - static_cast<double>(i) / n()),
                           std::fabs(with - static_cast<double>(next) / n())});
      i = next;
    }
    return distance;
  }

  // An error of the size that moves the law by so much that the draws are near it for certain.
  std::string Power(double limit) const {
    const double needed = limit + std::sqrt(std::log(200.0) / (2 * n()));
    const auto moved = [&](double less) {
      double most = 0;
      for (double x = 0; x < 40; x += whole_ ? 1 : 0.01) {
        most = std::max(most, std::fabs(tail_(1 - less, x) - tail_(1, x)));
      }
      return most;
    };
    const double less = WhereReached(moved, needed, 0, 0.999);
    return "sigma " + Digits(100 * less, 3) + " % too small: 0.99";
  }

  Tail tail_;
  bool whole_;
  double false_alarm_;
  std::vector<double> numbers_;
};

HouseTerms TermsOf(NoiseKind kind) {
  const bool gaussian = kind == NoiseKind::kGaussian;
  return {.accountant = gaussian ? "gdp" : "basic",
          .noise = NameOf(kind),
          .epsilon = kEpsilon,
          .delta = kDelta,
          .groups_per_unit = static_cast<std::int64_t>(kGroupCap)};
}

void TestLaw(Verdicts& verdicts, NoiseKind kind, AuditHouse& house, const NoiseSample& sample) {
  const std::string name = NameOf(kind);
  const bool gaussian = kind == NoiseKind::kGaussian;
  const Tail fine = gaussian ? Normal : Laplace;
  DistanceTest cells(fine, false, verdicts.each());
  for (const double number : sample.numbers()) cells.Add(number);
  verdicts.Add(cells.Judge(name + ", law of cells"));

  const std::string scalar = "SELECT sum(x) FROM nil";
  const double sd = house.Explain(scalar).noise_sds.at(0);
  DistanceTest of_scalar(fine, false, verdicts.each());
  for (std::size_t i = 0; i < 2 * sample.questions(); ++i) {
    of_scalar.Add(NumberOf(house.Ask(scalar).rows.at(0).at(0)).value() / sd);
  }
  verdicts.Add(of_scalar.Judge(name + ", law of a scalar"));

  const std::string units = "SELECT g, count(DISTINCT id) FROM nil GROUP BY g";
  const double sigma = house.Explain(units).noise_sds.at(0);
  const Tail whole = [=](double times, double x) {
    return gaussian ? RoundedGaussianAtLeast(times * sigma, x)
                    : DiscreteLaplaceAtLeast(kEpsilon / kGroupCap / times, x);
  };
  DistanceTest of_units(whole, true, verdicts.each());
  for (std::size_t i = 0; i < sample.questions(); ++i) {
    for (const auto& [key, row] : house.AskRows(units)) of_units.Add(row.at(0).value());
  }
  verdicts.Add(of_units.Judge(name + ", law of whole numbers"));
}

// As many questions in a process of its own.
NoiseSample DrawElsewhere(const std::string& program, std::int64_t questions) {
  const std::string command = "'" + program + "' draw " + std::to_string(questions);
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no other process starts");
  std::stringstream text;
  std::string buffer(1 << 16, '\0');
  while (const std::size_t read = fread(buffer.data(), 1, buffer.size(), pipe)) {
    text.write(buffer.data(), static_cast<std::streamsize>(read));
  }
  if (pclose(pipe) != 0) throw std::runtime_error("another process failed");
  return NoiseSample::Read(text);
}

}  // namespace

int DrawForParent(std::int64_t questions) {
  AuditHouse house(TermsOf(NoiseKind::kGaussian), NoiseSample::Data(), NoiseSample::Tables());
  NoiseSample::Draw(house, questions).Write(std::cout);
  return 0;
}

int AuditNoiseLaw(std::int64_t draws, const std::string& program) {
  Verdicts verdicts("Noise law", 2 * (kTestsOfSpread + kTestsOfSigns + kTestsOfLaw));
  for (const NoiseKind kind : {NoiseKind::kGaussian, NoiseKind::kLaplace}) {
    AuditHouse house(TermsOf(kind), NoiseSample::Data(), NoiseSample::Tables());
    const NoiseSample sample = NoiseSample::Draw(house, draws);
    const std::int64_t few = std::min<std::int64_t>(draws, 50);
    NoiseSample all = sample;
    AuditHouse second(TermsOf(kind), NoiseSample::Data(), NoiseSample::Tables());
    all.Append(NoiseSample::Draw(second, few));
    if (kind == NoiseKind::kGaussian) {
      for (int process = 0; process < 2; ++process) all.Append(DrawElsewhere(program, few));
    }
    TestSpread(verdicts, kind, sample);
    TestSigns(verdicts, kind, sample, all);
    TestLaw(verdicts, kind, house, sample);
  }
  return verdicts.Finish();
}

}  // namespace dpsql
