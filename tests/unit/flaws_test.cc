// Figures of the prototype beside ours: flaws and looseness of tests/flaws/flaws.tsv that are
// matters of arithmetic. Its formulas are those of its paper and program.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "backend/cell_bounding.h"
#include "backend/encode.h"
#include "privacy/accountant.h"
#include "privacy/bernstein.h"
#include "privacy/bounding.h"
#include "privacy/clip.h"
#include "privacy/door_calibration.h"
#include "privacy/fixed_point.h"
#include "privacy/gaussian.h"
#include "privacy/gdp_filter.h"
#include "privacy/moment_grid.h"
#include "privacy/purses.h"
#include "privacy/threshold.h"
#include "support/opened_table.h"

namespace dpsql {
namespace {

// Its part for each of n aggregates and for key selection: (epsilon, delta)/(n+1).
double PrototypeSigma(EpsilonDelta asked, int aggregates) {
  const double parts = aggregates + 1;
  return 1 / GaussianMu({.epsilon = asked.epsilon / parts, .delta = asked.delta / parts});
}

// It stopped where |delta(sigma) - delta| <= 1e-12, which every sigma does that is large enough.
TEST(FlawsTest, F17CalibrationIsRelative) {
  const EpsilonDelta asked = {.epsilon = 0.05, .delta = 1e-14};
  const double theirs = 124.0;
  EXPECT_GT(GaussianDelta(asked.epsilon, 1 / theirs), 35 * asked.delta);
  const double ours = 1 / GaussianMu(asked);
  EXPECT_NEAR(ours, 134.4, 0.1);
  EXPECT_LE(GaussianDelta(asked.epsilon, 1 / ours), asked.delta);
  EXPECT_GE(GaussianDelta(asked.epsilon, 1 / (0.9999 * ours)), asked.delta);
}

// What may come out of a mechanism, and how likely on two neighbours.
struct Outcome {
  double with = 0;
  double without = 0;
};

// The delta of a mechanism at this epsilon: what is likelier with the person than e^epsilon allows.
double DeltaOf(std::span<const Outcome> outcomes, double epsilon) {
  double delta = 0;
  for (const Outcome& o : outcomes) delta += std::max(0.0, o.with - std::exp(epsilon) * o.without);
  return delta;
}

// One outcome, then a mechanism that may depend on it.
void Continue(Outcome first, std::span<const Outcome> second, std::vector<Outcome>& out) {
  for (const Outcome& o : second) out.push_back({first.with * o.with, first.without * o.without});
}

// A fair lie, and two continuations that each end at (1, 1e-6) exactly. Who takes the one after the
// truth and the other after the lie passes it, although every path kept it: composing loss
// distributions is no filter. Caps that are fixed in advance hold on all paths.
TEST(FlawsTest, F16ChoosingByEarlierLossesPassesTheBudget) {
  const EpsilonDelta total = {.epsilon = 1, .delta = 1e-6};
  const double pure = 0.5;
  const double truth = std::exp(pure) / (1 + std::exp(pure));
  const std::array<Outcome, 2> answers = {Outcome{truth, 1 - truth}, {1 - truth, truth}};
  const double rare = total.delta / (truth * -std::expm1(-1));  // at a loss of 1.5
  const std::array<Outcome, 2> often = {Outcome{rare, rare * std::exp(-1.5)},
                                        {1 - rare, 1 - rare * std::exp(-1.5)}};
  const std::array<Outcome, 3> reveals = {
      Outcome{total.delta, 0}, {0, total.delta}, {1 - total.delta, 1 - total.delta}};

  std::vector<Outcome> always_often;
  std::vector<Outcome> always_reveals;
  std::vector<Outcome> chosen;
  for (const Outcome& answer : answers) {
    Continue(answer, often, always_often);
    Continue(answer, reveals, always_reveals);
  }
  Continue(answers[0], often, chosen);
  Continue(answers[1], reveals, chosen);
  EXPECT_NEAR(DeltaOf(always_often, total.epsilon), total.delta, 1e-15);
  EXPECT_NEAR(DeltaOf(always_reveals, total.epsilon), total.delta, 1e-15);
  EXPECT_NEAR(DeltaOf(chosen, total.epsilon), 1.3775e-6, 1e-10);

  // Neither continuation fits, whatever was answered; and all that does fit after each answer, both
  // purses spent to the end, keeps the budget.
  const Budget budget = {.total = total, .pure_epsilon = pure};
  const Purses caps = CapsOf(budget);
  EXPECT_FALSE(Fits(caps, {}, {.delta = DeltaInfinityUp(rare)}));
  EXPECT_FALSE(Fits(caps, {}, {.delta = DeltaInfinityUp(total.delta)}));
  const double mu = std::sqrt(MuSquaredToDoubleUp(caps.mu_squared));
  double spent = DeltaInfinityToDoubleUp(caps.delta);
  for (const Outcome& answer : answers) {
    const double loss = std::log(answer.with / answer.without);
    spent += answer.with * GaussianDelta(total.epsilon - loss, mu);
  }
  EXPECT_LE(spent, total.delta);
}

constexpr double kFarLow = 1000000000000123;

// L + j/8 with random j, for L large: doubles there are 1/8 apart.
std::vector<double> FarRows() {
  std::uint64_t state = 2;
  std::vector<double> rows(5000);
  for (double& row : rows) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    row = kFarLow + static_cast<double>(state >> 61) / 8;
  }
  return rows;
}

// sum(x - L) as sum(x) - n L in doubles.
double SumInDoubles(std::span<const double> rows) {
  double sum = 0;
  for (const double row : rows) sum += row;
  return sum - static_cast<double>(rows.size()) * kFarLow;
}

// The coordinates of the mean of x in [L, L + 1], as the product's encoding, cells and bounding
// make them before noise: of U - x and of x - L, in steps.
std::vector<Int128> SumInSteps(std::span<const double> rows) {
  const Statistic mean{.shape = Moments(1),
                       .arguments = {{.expr = nullptr, .bounds = {kFarLow, kFarLow + 1}}}};
  const CellLayout layout{
      .values = {EncodingOf(mean, 0)}, .classes = {{.values = {0}}}, .sums = {{.a = 0}}};
  const std::vector<ColumnType> types = {{.payload = Payload::kInt32},
                                         {.payload = Payload::kDouble}};
  std::vector<std::int32_t> units(rows.size());
  std::iota(units.begin(), units.end(), 0);
  const std::vector<ColumnData> columns = {{units.data(), nullptr}, {rows.data(), nullptr}};
  const auto memory = std::make_shared<CellMemory>(std::size_t{1} << 26);
  std::vector<std::unique_ptr<UnitCells>> tables;
  tables.push_back(std::make_unique<UnitCells>(layout, types, *memory));
  tables[0]->Add(columns, rows.size());
  const MergedCells cells(layout, types, memory, std::move(tables), 1);
  const std::vector<CellStatistic> statistics = {
      {.sums = {0},
       .width = 2,
       .coordinates =
           [&](std::span<const Int128> counts, std::span<const Int128> sums,
               std::span<Int128> out) {
             std::ranges::copy(Coordinates(mean, counts, sums), out.begin());
           },
       .clip = [](std::span<Int128> vector) { ClipL2(vector, std::int64_t{1} << kMostStepBits); },
       .rows_inside = 1}};
  KeySet all;
  all.keys.push_back({.key = {}, .cells = {true}});
  return OpenTable(SumCells(cells, all, statistics, {.key = {1, 2, 3, 4}})).begin()->second;
}

// One row moves a sum of doubles by far more than its bounds are apart, and the product's by what
// it is, to the last step.
TEST(FlawsTest, F18OneRowMovesASumByOneRow) {
  constexpr std::int64_t kSteps = std::int64_t{1} << kMostStepBits;
  const std::vector<double> rows = FarRows();
  double most_moved = 0;
  for (std::size_t less = 1; less < 50; ++less) {
    const auto rest = std::span(rows).first(rows.size() - less);
    const auto more = std::span(rows).first(rows.size() - less + 1);
    most_moved = std::max(most_moved, std::abs(SumInDoubles(more) - SumInDoubles(rest)));
    const auto steps = static_cast<std::int64_t>((more.back() - kFarLow) * kSteps);
    const std::vector<Int128> with = SumInSteps(more);
    const std::vector<Int128> without = SumInSteps(rest);
    EXPECT_EQ(with[1] - without[1], steps);
    EXPECT_EQ(with[0] - without[0], kSteps - steps);
  }
  EXPECT_GT(most_moved, 100) << "times the sensitivity of 1";
  Int128 exact = 0;
  for (const double row : rows) exact += static_cast<std::int64_t>((row - kFarLow) * kSteps);
  EXPECT_EQ(SumInSteps(rows)[1], exact);
  EXPECT_GT(std::abs(SumInDoubles(rows) - static_cast<double>(exact) / kSteps), 100'000);
}

// docs/results/noise.md has the plans themselves.
TEST(FlawsTest, F21aOneMuForAllAggregates) {
  const EpsilonDelta asked = {.epsilon = 1, .delta = 1e-6};
  const std::array<double, 8> ratios = {1.98, 2.09, 2.27, 2.45, 2.63, 2.80, 2.96, 3.11};
  for (int n = 1; n <= 8; ++n) {
    const DoorCalibration door = CalibrateDoor({.asked = asked, .statistics = n});
    const double ours = 1 / door.mu_statistic;
    EXPECT_NEAR(PrototypeSigma(asked, n) / ours, ratios[static_cast<std::size_t>(n - 1)], 0.01);
  }
}

// Adding deltas counts the same failures twice.
TEST(FlawsTest, F21cTheJointDeltaIsBelowTheSum) {
  double least = 1;
  for (const std::int64_t cells : {1, 3, 10}) {
    for (const double tau_above_k : {20.0, 25.0, 30.0}) {
      const double sigma = 5 * std::sqrt(static_cast<double>(cells));
      const double shown =
          ContinuousDeltaInfinity({.sigma = sigma, .cells = 1}, tau_above_k * sigma / 5);
      const double mu = std::sqrt(static_cast<double>(cells)) / sigma;
      const double noise = GaussianDelta(1, mu);
      const double selection = -std::expm1(static_cast<double>(cells) * std::log1p(-shown));
      const double joint = JointDelta(
          {.epsilon = 1, .cells = cells, .sigma_count = sigma, .shown = shown, .mu_statistics = 0});
      EXPECT_LE(joint, (noise + selection) * (1 + 1e-9));
      least = std::min(least, joint / (noise + selection));
    }
  }
  EXPECT_LT(least, 0.8) << "where both parts are of the same size";
}

// How many questions of one mu fit: by its conversion of rho, and by the exact curve.
TEST(FlawsTest, F21dTheExactCurveAdmitsMore) {
  for (const EpsilonDelta total : {EpsilonDelta{1, 1e-6}, {4, 1e-6}, {1, 1e-9}, {0.2, 1e-6}}) {
    const double mu = 0.002;
    const double rho = mu * mu / 2;
    double theirs = 0;
    const double log = std::log(1 / total.delta);
    while ((theirs + 1) * rho + 2 * std::sqrt((theirs + 1) * rho * log) <= total.epsilon) ++theirs;
    const double ours = std::floor(std::pow(GaussianMu(total) / mu, 2));
    EXPECT_GT(ours / theirs, 1.2) << total.epsilon << " " << total.delta;
    EXPECT_LT(ours / theirs, 2.0);
  }
}

// Figure 2b: grouped questions of (0.1, 1e-7), one aggregate, with the prototype's own noise.
TEST(FlawsTest, F21eKeySelectionTakesASmallPartOfDelta) {
  const Budget budget = {.total = {.epsilon = 1, .delta = 2e-7}};
  const EpsilonDelta part = {.epsilon = 0.1 / 2, .delta = 1e-7 / 2};
  const double theirs = std::floor(budget.total.delta / (part.delta / 2) + 1e-9);
  EXPECT_EQ(theirs, 8);
  const GridSigma sum = RoundSigmaUp(1 / GaussianMu(part));
  const GridSigma count =
      RoundSigmaUp(1 / GaussianMu({.epsilon = part.epsilon, .delta = part.delta / 2}));
  const Purses charge = {
      .mu_squared = SumOfCharges(MuSquaredCharge(1, sum), MuSquaredCharge(1, count)),
      .delta = DeltaInfinityUp(kDeltaInfinityShare * budget.total.delta)};
  EXPECT_EQ(TimesLeft(CapsOf(budget), {}, charge), 168);
}

// A row at (1-t)^2, 2t(1-t), t^2 is longest at its ends; the middle coordinate may weigh twice as
// much, and so has half of the variance.
TEST(FlawsTest, F21gTheMiddleWeighsAsMuchAsItCan) {
  const ClipWeights weights = MiddleWeights({.x_degree = 2, .y_degree = 0});
  ASSERT_EQ(weights.weight.size(), 3u);
  EXPECT_EQ(weights.weight[0], weights.whole);
  EXPECT_EQ(weights.weight[2], weights.whole);
  EXPECT_GT(weights.weight[1], weights.whole) << "the prototype's is the same as the ends'";
  const double middle = static_cast<double>(weights.weight[1]) / static_cast<double>(weights.whole);
  double longest = 0;
  for (double t = 0; t <= 1; t += 1.0 / 4096) {
    const double a = (1 - t) * (1 - t);
    const double b = 2 * t * (1 - t);
    longest = std::max(longest, a * a + middle * b * b + t * t * t * t);
  }
  EXPECT_LE(longest, 1 + 1e-12);
  EXPECT_GT(longest, 1 - 1e-3);
}

// People with very different numbers of rows in very different numbers of groups.
class Crowd {
 public:
  Crowd() {
    std::uint64_t state = 7;
    const auto next = [&] {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return static_cast<double>(state >> 11) * 0x1p-53;
    };
    for (auto& person : rows_) {
      const int groups = 1 + static_cast<int>(std::pow(next(), 3) * kGroups);
      const double weight = std::min(200.0, 1 / (0.02 + next() * next()));
      for (int i = 0; i < groups; ++i) {
        person[static_cast<std::size_t>(next() * kGroups) % kGroups] += std::ceil(weight * next());
      }
    }
  }

  // The error of the groups' counts of rows, in the mean over groups: what bounding takes away,
  // and the noise. `keep` says which part of a person's rows is left.
  template <class Keep>
  double Error(double sensitivity, Keep keep) const {
    std::array<double, kGroups> lost{};
    for (const auto& person : rows_) {
      const std::array<double, kGroups> kept = keep(person);
      for (std::size_t g = 0; g < kGroups; ++g) lost[g] += person[g] - kept[g];
    }
    double squares = 0;
    for (const double bias : lost) squares += bias * bias;
    return std::sqrt(squares / kGroups + std::pow(sensitivity / kMu, 2));
  }

  static constexpr std::size_t kGroups = 30;
  static constexpr double kMu = 0.2367;  // (1, 1e-6)

 private:
  std::array<std::array<double, kGroups>, 1000> rows_{};
};

// The prototype's: a sample of so many of a person's rows, here its expectation.
double SamplingError(const Crowd& crowd, double rows) {
  const Sensitivity moved = OfRowBound(static_cast<std::uint64_t>(rows), {.l1 = 1, .l2 = 1});
  return crowd.Error(L2Up(moved), [&](std::array<double, Crowd::kGroups> person) {
    double mine = 0;
    for (const double count : person) mine += count;
    for (double& count : person) count *= std::min(1.0, rows / std::max(1.0, mine));
    return person;
  });
}

double ClipError(const Crowd& crowd, double bound) {
  const Sensitivity moved = OfL2Clip(static_cast<std::uint64_t>(bound), Crowd::kGroups);
  return crowd.Error(L2Up(moved), [&](std::array<double, Crowd::kGroups> person) {
    double squares = 0;
    for (const double count : person) squares += count * count;
    const double scale = std::min(1.0, bound / std::sqrt(std::max(1.0, squares)));
    for (double& count : person) count *= scale;
    return person;
  });
}

// Each at its own best bound.
TEST(FlawsTest, F21hOneClipIsBetterThanSamplingRows) {
  const Crowd crowd;
  double sampled = std::numeric_limits<double>::infinity();
  double clipped = sampled;
  for (double bound = 1; bound <= 2000; bound = std::ceil(bound * 1.1)) {
    clipped = std::min(clipped, ClipError(crowd, bound));
    sampled = std::min(sampled, SamplingError(crowd, bound));
  }
  EXPECT_GT(sampled / clipped, 1.5);
  std::cout << "error " << sampled << " sampled, " << clipped << " clipped\n";
}

}  // namespace
}  // namespace dpsql
