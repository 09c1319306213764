#include <cmath>
#include <stdexcept>

#include "statistical/audit_parts.h"
#include "statistical/gdp_pairs.h"
#include "statistical/laws.h"
#include "statistical/rate_gap.h"
#include "statistical/verdicts.h"

// Attacks on the Gaussian releases at mu = 1, through the public interface. For each pair of
// databases a likelihood-ratio test guesses whether the unit is there; how often it errs gives the
// mu that the product really has. It must not be above what the plan states, and on the worst pairs
// not below either, or the attack would be too weak to mean anything.
namespace dpsql {
namespace {

constexpr double kEpsilon = 1;
const double kDelta = NormalAbove(0.5) - std::exp(1.0) * NormalAbove(1.5);  // of mu = 1

// A cut at z standard deviations above the mean without the unit, which adds mu of them.
Rates CutAt(double z, double mu) {
  return {.without = NormalAbove(z), .with = NormalAbove(z - mu)};
}

std::string Share(double part) { return Digits(100 * part, 3) + " %"; }

// What is known of a pair before it is drawn.
struct Stated {
  double claimed = 0;   // mu that the plan allows
  double expected = 0;  // mu of this pair on a correct build
  double cut = 0;       // of the score
  double z = 0;         // the cut in standard deviations of the score without the unit
  double uncapped = 0;  // mu of this pair where the cap is forgotten; 0: not asked
};

// One test: the attack's mu against the claim.
class MuTest {
 public:
  MuTest(const Stated& stated, std::int64_t draws, double false_alarm)
      : stated_(stated),
        false_alarm_(false_alarm),
        gap_(RateGap::Scale::kMu, draws),
        far_(gap_.TooFar(CutAt(stated.z, stated.claimed), false_alarm / 2)),
        near_(gap_.TooNear(CutAt(stated.z, stated.expected), false_alarm / 2)) {}

  Verdict Judge(const std::string& name, const Hits& hits) const {
    const double mu = gap_.Estimate(hits);
    return {.name = name,
            .result = "mu " + Digits(mu, 4) + " of " + Digits(stated_.claimed, 4),
            .power = Power(),
            .passed = mu >= near_ && mu < far_,
            .false_alarm = false_alarm_};
  }

 private:
  double ChanceToFind(double noise) const {
    return gap_.ChanceAtLeast(CutAt(stated_.z / noise, stated_.expected / noise), far_);
  }

  std::string Power() const {
    const double noise =
        1 / WhereReached([&](double times) { return ChanceToFind(1 / times); }, 0.99, 1, 20);
    std::string text = "sigma " + Share(1 - noise) + " too small: 0.99";
    if (stated_.uncapped > 0) {
      const double found = gap_.ChanceAtLeast(CutAt(stated_.z, stated_.uncapped), far_);
      text += "; no cap: " + Digits(found, 2);
    }
    return text;
  }

  Stated stated_;
  double false_alarm_;
  RateGap gap_;
  double far_;
  double near_;
};

Stated StateOf(const GdpPair& pair, double sd) {
  const auto cells = static_cast<double>(pair.scored);
  const double score_sd = std::sqrt(cells) * sd;
  Stated stated;
  stated.claimed = pair.sensitivity / sd;
  stated.expected = cells * pair.shift / score_sd;
  stated.cut = cells * (pair.base + pair.shift / 2);
  stated.z = (cells * pair.shift / 2 - (pair.whole ? 0.5 : 0)) / score_sd;
  stated.uncapped = cells * pair.uncapped / score_sd;
  return stated;
}

double BlockScore(const GdpPair& pair, const NoisyRows& rows, std::int64_t block) {
  double score = 0;
  for (std::int64_t i = 0; i < pair.scored; ++i) {
    score += ScoreOf(pair, rows.at(block * pair.block + i));
  }
  return score;
}

Hits DrawBlocks(AuditHouse& house, const GdpPair& pair, double cut, std::int64_t draws) {
  Hits hits;
  std::int64_t drawn = 0;
  while (drawn < draws) {
    const NoisyRows rows = house.AskRows(pair.sql);
    for (std::int64_t block = 0; block < kGroups / pair.block && drawn < draws; block += 2) {
      if (BlockScore(pair, rows, block) >= cut) ++hits.with;
      if (BlockScore(pair, rows, block + 1) >= cut) ++hits.without;
      ++drawn;
    }
  }
  return hits;
}

// What the plan states must be what is paid for, and that what was asked.
void CheckPrice(Verdicts& verdicts, AuditHouse& house, const std::string& keys,
                const std::vector<GdpPair>& pairs) {
  double worst = 0;
  double dearest = 0;
  for (const GdpPair& pair : pairs) {
    const StatedPlan plan = house.Explain(pair.sql);
    double squared = std::pow(pair.sensitivity / plan.noise_sds.at(0), 2);
    if (plan.count_noise_sd > 0) squared += kGroupCap / std::pow(plan.count_noise_sd, 2);
    worst = std::max(worst, std::sqrt(squared) / plan.mu);
    dearest = std::max(dearest, plan.mu);
  }
  const double asked = MuOf(kEpsilon, kDelta);
  verdicts.AddCertain("price, " + keys + " keys", worst < 1 + 1e-9 && dearest < asked * (1 + 1e-6),
                      "stated/paid " + Digits(worst, 6) + ", paid " + Digits(dearest, 6),
                      "any, above 1e-6: certain");
}

void RunPairs(Verdicts& verdicts, AuditHouse& house, const std::vector<GdpPair>& pairs,
              std::int64_t draws) {
  for (const GdpPair& pair : pairs) {
    const Stated stated = StateOf(pair, house.Explain(pair.sql).noise_sds.at(0));
    const MuTest test(stated, draws, verdicts.each());
    verdicts.Add(test.Judge(pair.name, DrawBlocks(house, pair, stated.cut, draws)));
  }
}

// Without GROUP BY: one draw a question. The unit has ten times the rows, all beyond the bounds.
void RunScalar(Verdicts& verdicts, AuditHouse& house, GdpPair pair, std::int64_t draws) {
  const std::string columns = pair.sql;
  const auto sql = [&](const char* table) { return "SELECT 0, " + columns + " FROM " + table; };
  const Stated stated = StateOf(pair, house.Explain(sql("solo")).noise_sds.at(0));
  const MuTest test(stated, draws, verdicts.each());
  Hits hits;
  for (std::int64_t i = 0; i < draws; ++i) {
    if (ScoreOf(pair, house.AskRows(sql("solo")).at(0)) >= stated.cut) ++hits.with;
    if (ScoreOf(pair, house.AskRows(sql("nobody")).at(0)) >= stated.cut) ++hits.without;
  }
  verdicts.Add(test.Judge(pair.name, hits));
}

constexpr auto kRows = static_cast<double>(kRowCap);

const std::vector<GdpPair> kScalarPairs = {{.name = "scalar count, ten times the rows",
                                            .sql = "count(*)",
                                            .scored = 1,
                                            .sensitivity = kRows,
                                            .shift = kRows,
                                            .uncapped = 10 * kRows},
                                           {.name = "scalar sum, rows and values beyond",
                                            .sql = "sum(x)",
                                            .score = CellScore::kSum,
                                            .scored = 1,
                                            .sensitivity = kRows,
                                            .shift = kRows,
                                            .uncapped = 10 * kRows}};

// The selection by itself, where a unit is in one group: groups whose count is at the threshold
// with the unit, and one below without. That a key comes out is all the attacker looks at.
void RunSelection(Verdicts& verdicts, std::int64_t draws) {
  const HouseTerms terms = {
      .epsilon = kEpsilon, .delta = kDelta, .min_frequency = kMinFrequency, .groups_per_unit = 1};
  const std::string toml = TableToml("edge", "max_rows_per_unit = 1\n");
  const std::string create = "CREATE TABLE edge (id BIGINT NOT NULL, g BIGINT NOT NULL);";
  const std::string sql = "SELECT g, count(*) FROM edge GROUP BY g";
  const StatedPlan plan = AuditHouse(terms, create, toml).Explain(sql);
  const std::string groups = std::to_string(kGroups);
  AuditHouse house(terms,
                   create + "INSERT INTO edge SELECT g * 1000 + i, g FROM range(" + groups +
                       ") t(g), range(" + std::to_string(plan.threshold - 1) +
                       ") u(i);"
                       "INSERT INTO edge SELECT -1 - g, g FROM range(0, " +
                       groups + ", 2) t(g), range(10) u(i);",
                   toml);
  const double mu = 1 / plan.count_noise_sd;
  const MuTest test({.claimed = mu, .expected = mu, .z = mu / 2}, draws, verdicts.each());
  Hits hits;
  std::int64_t drawn = 0;
  while (drawn < draws) {
    const NoisyRows rows = house.AskRows(sql);
    for (std::int64_t group = 0; group < kGroups && drawn < draws; group += 2, ++drawn) {
      if (rows.contains(group)) ++hits.with;
      if (rows.contains(group + 1)) ++hits.without;
    }
  }
  verdicts.Add(test.Judge("selection of keys, at the threshold", hits));
}

}  // namespace

int AuditGdp(std::int64_t draws) {
  const std::int64_t scalar_draws = std::max<std::int64_t>(draws / 50, 60);
  const std::vector<GdpPair> known = KnownKeyPairs();
  const std::vector<GdpPair> discovered = DiscoveredPairs();
  Verdicts verdicts("GDP audit",
                    static_cast<int>(known.size() + discovered.size() + kScalarPairs.size()) + 1);
  HouseTerms terms = {.epsilon = kEpsilon, .delta = kDelta, .groups_per_unit = kGroupCap};
  {
    AuditHouse house(terms, KnownKeyData(), KnownKeyTables());
    CheckPrice(verdicts, house, "declared", known);
    RunPairs(verdicts, house, known, draws);
    for (const GdpPair& pair : kScalarPairs) RunScalar(verdicts, house, pair, scalar_draws);
  }
  terms.min_frequency = kMinFrequency;
  AuditHouse house(terms, DiscoveredData(), DiscoveredTables());
  CheckPrice(verdicts, house, "discovered", discovered);
  RunPairs(verdicts, house, discovered, draws);
  RunSelection(verdicts, draws);
  return verdicts.Finish();
}

}  // namespace dpsql
