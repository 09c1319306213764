#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "statistical/audit_house.h"
#include "statistical/audit_parts.h"
#include "statistical/laws.h"
#include "statistical/verdicts.h"

// What the selection of keys leaks, at delta = 0.05. Groups have k - 1 units without the unit that
// is attacked, so that nothing of them is ever shown, and k with it: that any key of its groups
// comes out at all betrays it, and may happen with the stated probability.
namespace dpsql {
namespace {

constexpr double kDelta = 0.05;
constexpr std::int64_t kLeast = 5;        // k
constexpr std::int64_t kCells = 1536;     // groups in all
constexpr double kStatedNearAsked = 0.8;  // else the attack would say little about what was asked

struct DeltaAttack {
  std::string name;
  std::string noise;
  double epsilon = 0;      // at which whole thresholds come near to the delta that is asked for
  std::int64_t cap = 1;    // C0
  std::int64_t block = 1;  // groups that the unit is in
};

// The others of a group are in as many groups as the cap allows, so that all of them count.
std::string Data(const DeltaAttack& attack) {
  const std::string cells = std::to_string(kCells);
  return "CREATE TABLE edge (id BIGINT NOT NULL, g BIGINT NOT NULL);"
         "INSERT INTO edge SELECT -1 - ((g // " +
         std::to_string(attack.cap) + ") * 100 + i), g FROM range(" + cells + ") t(g), range(" +
         std::to_string(kLeast - 1) + ") u(i); INSERT INTO edge SELECT b, b * " +
         std::to_string(attack.block) + " + j FROM range(0, " +
         std::to_string(kCells / attack.block) + ", 2) t(b), range(" +
         std::to_string(attack.block) + ") u(j);";
}

struct Leaks {
  std::int64_t with = 0;     // blocks of which a key came out
  std::int64_t without = 0;  // the same where nobody of the block is there
};

Leaks Draw(AuditHouse& house, const DeltaAttack& attack, std::int64_t draws) {
  Leaks leaks;
  std::int64_t drawn = 0;
  while (drawn < draws) {
    const NoisyRows rows = house.AskRows("SELECT g, count(*) FROM edge GROUP BY g");
    for (std::int64_t block = 0; block < kCells / attack.block && drawn < draws; block += 2) {
      const auto any = [&](std::int64_t first) {
        const auto found = rows.lower_bound(first);
        return found != rows.end() && found->first < first + attack.block;
      };
      if (any(block * attack.block)) ++leaks.with;
      if (any((block + 1) * attack.block)) ++leaks.without;
      ++drawn;
    }
  }
  return leaks;
}

double AnyOf(double cell, std::int64_t cells) {
  return -std::expm1(static_cast<double>(cells) * std::log1p(-cell));
}

// The chance that a group of exactly k units is shown.
double CellLeak(const StatedPlan& plan, std::int64_t lower) {
  if (plan.count_noise_sd == 0) return plan.selection_delta;
  const auto above = static_cast<double>(plan.threshold - lower - kLeast);
  return RoundedGaussianAtLeast(plan.count_noise_sd, above);
}

// The same of k - 1 units, where k is one too low.
double BelowLeak(const StatedPlan& plan) {
  return plan.count_noise_sd == 0 ? plan.selection_delta : CellLeak(plan, -1);
}

std::string PowerOf(const DeltaAttack& attack, const StatedPlan& plan,
                    const std::function<std::string(double)>& found) {
  std::string text;
  const auto add = [&](const std::string& mistake, double leak) {
    text += (text.empty() ? "" : "; ") + mistake + ": " + found(leak);
  };
  if (attack.cap > 1) add("delta for each group", AnyOf(kDelta, attack.cap));
  if (attack.block > attack.cap) add("no cap", AnyOf(CellLeak(plan, 0), attack.block));
  if (plan.count_noise_sd > 0) add("threshold 1 too low", AnyOf(CellLeak(plan, 1), attack.cap));
  return text;
}

void Run(Verdicts& verdicts, const DeltaAttack& attack, std::int64_t draws) {
  AuditHouse house({.accountant = "basic",
                    .noise = attack.noise,
                    .epsilon = attack.epsilon,
                    .delta = kDelta,
                    .min_frequency = kLeast,
                    .groups_per_unit = attack.cap},
                   Data(attack), TableToml("edge", "max_rows_per_unit = 1\n"));
  const StatedPlan plan = house.Explain("SELECT g, count(*) FROM edge GROUP BY g");
  const double stated = AnyOf(CellLeak(plan, 0), attack.cap);
  const double rate = verdicts.each();
  verdicts.AddCertain(
      attack.name + ", stated",
      stated <= kDelta && stated >= kStatedNearAsked * kDelta &&
          (plan.count_noise_sd == 0 || std::fabs(plan.selection_delta / stated - 1) < 1e-6),
      "delta " + Digits(stated, 4) + " of " + Digits(kDelta, 4), "any, above 1e-6: certain");
  const Leaks leaks = Draw(house, attack, draws);
  const std::int64_t too_many = BinomialTooMany(draws, stated, rate / 2);
  const std::int64_t too_few = BinomialTooFew(draws, stated, rate / 2);
  const auto found = [&](double leak) { return Digits(BinomialAtLeast(draws, leak, too_many), 2); };
  verdicts.Add({.name = attack.name,
                .result = "delta " +
                          Digits(static_cast<double>(leaks.with) / static_cast<double>(draws), 4) +
                          " of " + Digits(stated, 4),
                .power = PowerOf(attack, plan, found),
                .passed = leaks.with > too_few && leaks.with < too_many,
                .false_alarm = rate});
  verdicts.AddCertain(attack.name + ", k - 1 units", leaks.without == 0,
                      std::to_string(leaks.without) + " shown of " + std::to_string(draws),
                      "k one too low: " + Digits(AnyOf(BelowLeak(plan), draws), 2));
}

const std::vector<DeltaAttack> kAttacks = {
    {.name = "threshold, one group", .noise = "gaussian", .epsilon = 2, .cap = 1, .block = 1},
    {.name = "threshold, three groups", .noise = "gaussian", .epsilon = 3, .cap = 3, .block = 3},
    {.name = "threshold, cap 3, in twelve groups",
     .noise = "gaussian",
     .epsilon = 3,
     .cap = 3,
     .block = 12},
    {.name = "coins, two groups", .noise = "laplace", .epsilon = 1, .cap = 2, .block = 2},
    {.name = "coins, cap 2, in eight groups",
     .noise = "laplace",
     .epsilon = 1,
     .cap = 2,
     .block = 8}};

}  // namespace

int AuditDelta(std::int64_t draws) {
  Verdicts verdicts("Delta audit", static_cast<int>(kAttacks.size()));
  for (const DeltaAttack& attack : kAttacks) Run(verdicts, attack, draws);
  return verdicts.Finish();
}

}  // namespace dpsql
