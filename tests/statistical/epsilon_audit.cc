#include <cmath>
#include <functional>

#include "statistical/audit_parts.h"
#include "statistical/gdp_pairs.h"
#include "statistical/laws.h"
#include "statistical/rate_gap.h"
#include "statistical/verdicts.h"

// Attacks on Laplace releases under `basic` at epsilon = 1. The event "every cell of the block is
// at least what the unit adds to it" has the largest ratio of chances that Laplace noise allows: it
// must be e^epsilon, not more, and on these pairs not less.
namespace dpsql {
namespace {

constexpr double kEpsilon = 1;

struct EpsilonPair {
  std::string name;
  GdpPair pair;
  // P(cell >= cut) without the unit and with it, where the noise is `noise` of what is stated.
  std::function<Rates(double sd, double noise)> cell;
};

// Noise on a fine grid; answers rounded to whole numbers are cut half a number lower.
std::function<Rates(double, double)> Continuous(double shift, double cut) {
  return [=](double sd, double noise) {
    const double scale = noise * sd / std::sqrt(2.0);
    return Rates{.without = LaplaceAtLeast(cut / scale),
                 .with = LaplaceAtLeast((cut - shift) / scale)};
  };
}

// Units are counted in whole numbers: a cell gets an equal part of epsilon.
Rates WholeCell(double, double noise) {
  const double rate = kEpsilon / kGroupCap / noise;
  return {.without = DiscreteLaplaceAtLeast(rate, 1), .with = DiscreteLaplaceAtLeast(rate, 0)};
}

std::vector<EpsilonPair> Pairs() {
  constexpr auto kRows = static_cast<double>(kRowCap);
  constexpr double kPart = kRows / kGroupCap;
  const auto sql = [](const std::string& columns, const std::string& table) {
    return "SELECT g, " + columns + " FROM " + table + " GROUP BY g";
  };
  return {
      {.name = "count, all rows in one group",
       .pair = {.sql = sql("count(*)", "one"), .scored = 1, .shift = kRows},
       .cell = Continuous(kRows, kRows - 0.5)},
      {.name = "count, more rows than the cap",
       .pair = {.sql = sql("count(*)", "over"), .shift = kPart},
       .cell = Continuous(kPart, kPart - 0.5)},
      {.name = "sum, rows and values beyond",
       .pair = {.sql = sql("sum(x)", "over"), .score = CellScore::kSum, .shift = kPart},
       .cell = Continuous(kPart, kPart)},
      {.name = "avg, rows and values beyond",
       .pair = {.sql = sql("sum(x), count(x), avg(x)", "over"),
                .score = CellScore::kUpper,
                .shift = kPart},
       .cell = Continuous(kPart, kPart)},
      {.name = "units, in as many groups as may be",
       .pair = {.sql = sql("count(DISTINCT id)", "spread"), .shift = 1},
       .cell = WholeCell},
      {.name = "distinct values, many of each unit",
       .pair = {.sql = sql("count(DISTINCT v)", "over"), .shift = 1},
       .cell = WholeCell},
  };
}

bool AllReach(const GdpPair& pair, const NoisyRows& rows, std::int64_t block) {
  // Exact numbers come back through a sum and a count, which are rounded to a millionth.
  const double cut = pair.shift - 1e-5;
  for (std::int64_t i = 0; i < pair.scored; ++i) {
    if (ScoreOf(pair, rows.at(block * pair.block + i)) < cut) return false;
  }
  return true;
}

Hits Draw(AuditHouse& house, const GdpPair& pair, std::int64_t draws) {
  Hits hits;
  std::int64_t drawn = 0;
  while (drawn < draws) {
    const NoisyRows rows = house.AskRows(pair.sql);
    for (std::int64_t block = 0; block < kGroups / pair.block && drawn < draws; block += 2) {
      if (AllReach(pair, rows, block)) ++hits.with;
      if (AllReach(pair, rows, block + 1)) ++hits.without;
      ++drawn;
    }
  }
  return hits;
}

class EpsilonTest {
 public:
  EpsilonTest(const EpsilonPair& pair, double sd, std::int64_t draws, double false_alarm)
      : pair_(pair), sd_(sd), false_alarm_(false_alarm), gap_(RateGap::Scale::kEpsilon, draws) {
    const Rates expected = BlockRates(1);
    far_ = gap_.TooFar({.without = expected.with * std::exp(-kEpsilon), .with = expected.with},
                       false_alarm / 2);
    near_ = gap_.TooNear(expected, false_alarm / 2);
  }

  Verdict Judge(const Hits& hits) const {
    const double epsilon = gap_.Estimate(hits);
    return {.name = pair_.name,
            .result = "epsilon " + Digits(epsilon, 4) + " of " + Digits(kEpsilon, 4),
            .power = Power(),
            .passed = epsilon >= near_ && epsilon < far_,
            .false_alarm = false_alarm_};
  }

 private:
  Rates BlockRates(double noise) const {
    const Rates cell = pair_.cell(sd_, noise);
    const auto cells = static_cast<double>(pair_.pair.scored);
    return {.without = std::pow(cell.without, cells), .with = std::pow(cell.with, cells)};
  }

  std::string Power() const {
    const auto found = [&](double times) {
      return gap_.ChanceAtLeast(BlockRates(1 / times), far_);
    };
    const double noise = 1 / WhereReached(found, 0.99, 1, 20);
    return "noise " + Digits(100 * (1 - noise), 3) + " % too small: 0.99";
  }

  const EpsilonPair& pair_;
  double sd_;
  double false_alarm_;
  RateGap gap_;
  double far_ = 0;
  double near_ = 0;
};

}  // namespace

int AuditEpsilon(std::int64_t draws) {
  const std::vector<EpsilonPair> pairs = Pairs();
  Verdicts verdicts("Epsilon audit", static_cast<int>(pairs.size()));
  AuditHouse house({.accountant = "basic",
                    .noise = "laplace",
                    .epsilon = kEpsilon,
                    .delta = 0.1,
                    .groups_per_unit = kGroupCap},
                   KnownKeyData(), KnownKeyTables());
  for (const EpsilonPair& pair : pairs) {
    const double sd = house.Explain(pair.pair.sql).noise_sds.at(0);
    const EpsilonTest test(pair, sd, draws, verdicts.each());
    verdicts.Add(test.Judge(Draw(house, pair.pair, draws)));
  }
  return verdicts.Finish();
}

}  // namespace dpsql
