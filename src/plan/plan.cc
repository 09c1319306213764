#include "plan/plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "base/error_codes.h"
#include "base/names.h"
#include "base/sha256.h"
#include "base/try.h"
#include "plan/choose_statistics.h"
#include "plan/plan_bytes.h"
#include "privacy/basic_accountant.h"
#include "privacy/door_calibration.h"

namespace dpsql {
namespace {

constexpr std::size_t kMostKnownKeys = 100'000;
constexpr double kLargestSigma = 0x1p58;  // in grid steps; the sampler takes less than 2^60

// All tuples of declared values, or nothing where a key has none or they are too many to list.
std::vector<std::vector<Value>> KnownKeys(const std::vector<BoundKey>& keys) {
  std::vector<std::vector<Value>> tuples = {{}};
  for (const BoundKey& key : keys) {
    if (key.values.empty() || tuples.size() * key.values.size() > kMostKnownKeys) return {};
    std::vector<std::vector<Value>> longer;
    for (const std::vector<Value>& tuple : tuples) {
      for (const Value& value : key.values) {
        longer.push_back(tuple);
        longer.back().push_back(value);
      }
    }
    tuples = std::move(longer);
  }
  return tuples;
}

}  // namespace

// Plans one door.
class DoorPlanner {
 public:
  DoorPlanner(std::shared_ptr<const BoundDoor> query, const Settings& settings)
      : query_(std::move(query)), settings_(settings) {}

  Result<Door> Run() {
    // A group exists only through a unit in it, so k = 0 means what k = 1 means.
    Door door{.query = query_,
              .asked = {settings_.epsilon, settings_.delta},
              .min_frequency = std::max<std::int64_t>(1, settings_.min_frequency)};
    StatisticChoice choice = ChooseStatistics(*query_);
    door.classes = std::move(choice.classes);
    door.statistics = std::move(choice.statistics);
    door.readings = std::move(choice.readings);
    SetKeys(door);
    TRY_DONE(SetRowCap(door));
    TRY_DONE(SetGroupCap(door));
    TRY_DONE(Calibrate(door));
    return door;
  }

 private:
  void SetKeys(Door& door) const {
    door.known_keys = KnownKeys(query_->keys);
    door.key_mode = query_->keys.empty()      ? KeyMode::kScalar
                    : door.known_keys.empty() ? KeyMode::kDiscovered
                                              : KeyMode::kKnown;
    door.selects_keys = door.key_mode == KeyMode::kDiscovered || door.min_frequency > 1;
  }

  // The tables' caps, or the analyst's own where it is stricter or they have none.
  Status SetRowCap(Door& door) const {
    const Relation& relation = query_->relation;
    const auto& asked = settings_.contribution_bound;
    if (asked && (!relation.rows_per_unit || *asked < *relation.rows_per_unit)) {
      door.rows_per_unit = {*asked, "dp.contribution_bound"};
      return Done{};
    }
    if (!relation.rows_per_unit) {
      return MakeError(ErrorCode::kNoRowCap,
                       "no cap on rows per unit is known for " + relation.uncapped_table +
                           ": without one a single person could weigh any amount",
                       relation.scans[0].span,
                       "write  SET dp.contribution_bound = 10  first, or let the owner add  "
                       "max_rows_per_unit = …  under [tables." +
                           relation.uncapped_table + "]");
    }
    const bool one = std::all_of(relation.determined.begin(), relation.determined.end(),
                                 [](bool determined) { return determined; });
    door.rows_per_unit = {*relation.rows_per_unit,
                          one ? "one row per unit" : "caps of the private tables"};
    return Done{};
  }

  Status SetGroupCap(Door& door) const {
    const std::vector<BoundKey>& keys = query_->keys;
    const bool determined =
        std::all_of(keys.begin(), keys.end(), [](const BoundKey& key) { return key.determined; });
    const auto known = static_cast<std::int64_t>(door.known_keys.size());
    if (door.key_mode == KeyMode::kScalar) {
      door.groups_per_unit = {1, "no groups"};
    } else if (determined) {
      door.groups_per_unit = {1, "the unit determines the key"};
    } else if (settings_.max_groups && (known == 0 || *settings_.max_groups < known)) {
      door.groups_per_unit = {*settings_.max_groups, "max_groups"};
    } else if (known > 0) {
      door.groups_per_unit = {known, "the number of known keys"};
    } else {
      return MakeError(ErrorCode::kNoGroupCap,
                       "no cap on groups per unit is known: one person may be in many groups",
                       keys[0].expr->span,
                       "write  SET dp.max_groups_contributed = 3  first, or let the owner add  "
                       "max_groups_per_unit = …  under [query]");
    }
    return Done{};
  }

  Status Calibrate(Door& door) const {
    const double delta_budget = query_->catalog->policy().budget.delta;
    const auto cells = door.groups_per_unit.value * static_cast<std::int64_t>(door.classes.size());
    const DoorCalibration calibration = CalibrateDoor(
        {.asked = {settings_.epsilon, settings_.delta},
         .selects_keys = door.selects_keys,
         .cells = cells,
         .delta_infinity = std::min(kDeltaInfinityShare * delta_budget, settings_.delta / 2),
         .min_frequency = door.min_frequency,
         .statistics = static_cast<int>(door.statistics.size())});
    if (door.selects_keys) {
      door.count_sigma = calibration.sigma_count;
      door.tau = calibration.tau;
      door.delta_infinity = calibration.delta_infinity;
    }
    for (Statistic& statistic : door.statistics) {
      SetSensitivity(door, statistic);
      const double sensitivity = std::sqrt(static_cast<double>(statistic.sensitivity_squared));
      const double sigma = sensitivity / calibration.mu_statistic;
      if (!(sigma < kLargestSigma)) {
        return MakeError(ErrorCode::kTooNoisy, "the noise would drown any answer",
                         query_->relation.scans[0].span);
      }
      statistic.sigma = RoundSigmaUp(sigma);
    }
    return Done{};
  }

  static void SetSensitivity(const Door& door, Statistic& statistic) {
    if (statistic.kind == StatisticKind::kUnits) {
      statistic.sensitivity_squared = static_cast<UInt128>(door.groups_per_unit.value);
      return;
    }
    statistic.clip = static_cast<std::uint64_t>(door.rows_per_unit.value * kStatisticScale);
    statistic.sensitivity_squared = static_cast<UInt128>(statistic.clip) * statistic.clip;
  }

  std::shared_ptr<const BoundDoor> query_;
  const Settings& settings_;
};

class Planner {
 public:
  Planner(BoundQuery query, const Settings& settings)
      : settings_(settings), plan_(std::make_shared<const BoundQuery>(std::move(query))) {}

  Result<DpPlan> Run() {
    TRY_DONE(FindDoors());
    for (std::size_t i = 0; i < own_.size(); ++i) {
      Settings& own = own_[i];
      const auto doors = static_cast<double>(own_.size());
      if (!own.epsilon_per_door) own.epsilon /= doors;
      if (!own.delta_per_door) own.delta /= doors;
      TRY(Door door, DoorPlanner(queries_[i], own).Run());
      door.numbers = plan_.numbers_;
      Charge(door);
      plan_.doors_.push_back(std::move(door));
    }
    TRY_DONE(CheckTotal());
    SetDigest();
    return std::move(plan_);
  }

 private:
  const Policy& policy() const { return plan_.query_->catalog().policy(); }

  // Doors that ask the same, with the same options, are one: it runs once and is charged once.
  Status FindDoors() {
    std::map<std::string, std::size_t> known;
    auto numbers = std::make_shared<DoorNumbers>();
    for (const std::shared_ptr<const BoundDoor>& door : DoorsOf(plan_.query_->root())) {
      TRY(Settings own, SettingsOf(*door));
      const std::string bytes = DoorBytes(*door, *numbers) + SettingsBytes(own);
      const auto [at, is_new] = known.emplace(bytes, queries_.size());
      (*numbers)[door.get()] = at->second;
      if (!is_new) continue;
      queries_.push_back(door);
      own_.push_back(own);
    }
    plan_.numbers_ = std::move(numbers);
    return Done{};
  }

  // The statement's settings, and what the door's own SELECT says.
  Result<Settings> SettingsOf(const BoundDoor& door) const {
    Settings own = settings_;
    if (!door.options) return own;
    own.epsilon_per_door = false;
    own.delta_per_door = false;
    TRY(const std::optional<ast::PrivacyOption> claim, ApplyOptions(*door.options, policy(), own));
    if (claim) TRY_DONE(CheckClaim(*claim, door));
    own.epsilon_per_door = own.epsilon_per_door || settings_.epsilon_per_door;
    own.delta_per_door = own.delta_per_door || settings_.delta_per_door;
    return own;
  }

  // A claim about the unit changes nothing; it is refused unless it is true.
  static Status CheckClaim(const ast::PrivacyOption& claim, const BoundDoor& door) {
    for (const BoundColumn& unit : door.relation.unit_columns) {
      const std::string& column = door.column(unit).name;
      const std::string& alias = door.relation.scans[unit.scan].alias;
      if (SameName(claim.value, column) || SameName(claim.value, alias + "." + column)) {
        return Done{};
      }
    }
    return MakeError(ErrorCode::kOwnerOnly, "only the owner says who is protected: " + claim.name,
                     claim.value_span);
  }

  // The owner's limits are per query, whatever a clause asks for each door.
  Status CheckTotal() const {
    const EpsilonDelta& asked = plan_.cost_.asked;
    constexpr double kRounding = 1 + 1e-9;
    const QueryPolicy& limits = policy().query;
    if (asked.epsilon <= limits.epsilon_max * kRounding &&
        asked.delta <= limits.delta_max * kRounding) {
      return Done{};
    }
    return MakeError(ErrorCode::kOptionOutsidePolicy,
                     "the doors of this query ask for more together than the policy allows",
                     queries_.front()->span,
                     "options of a clause are for each door; ask for less, or in several queries");
  }

  void Charge(const Door& door) {
    Cost& cost = plan_.cost_;
    cost.asked.epsilon += door.asked.epsilon;
    cost.asked.delta += door.asked.delta;
    cost.doors += 1;
    cost.by_claim = SumOf(cost.by_claim, BasicCharge(door.asked));
    Purses drawn;
    for (const Statistic& statistic : door.statistics) {
      drawn.mu_squared = SumOfCharges(
          drawn.mu_squared, MuSquaredCharge(statistic.sensitivity_squared, statistic.sigma));
    }
    if (door.selects_keys) {
      const auto cells = static_cast<UInt128>(door.groups_per_unit.value) * door.classes.size();
      drawn.mu_squared = SumOfCharges(drawn.mu_squared, MuSquaredCharge(cells, door.count_sigma));
      drawn.delta = DeltaInfinityUp(door.delta_infinity);
    }
    cost.by_mechanism = SumOf(cost.by_mechanism, drawn);
  }

  void SetDigest() {
    plan_.cost_.plan_digest =
        Sha256Hex(PlanBytes(plan_) + policy().digest + policy().data_version.value_or(""));
    plan_.cost_.storable = policy().data_version.has_value();
  }

  const Settings& settings_;
  std::vector<std::shared_ptr<const BoundDoor>> queries_;
  std::vector<Settings> own_;
  DpPlan plan_;
};

std::optional<std::vector<PlainOutput>> DpPlan::PlainOutputs() const {
  const auto* top = std::get_if<Projection>(&query_->root().body);
  if (top == nullptr || top->relation.scans.size() != 1 || !top->relation.scans[0].node) {
    return std::nullopt;
  }
  const auto* release = std::get_if<Release>(&top->relation.scans[0].node->body);
  const bool bare = top->relation.conditions.empty() && !top->distinct && top->order_by.empty() &&
                    !top->limit && !top->offset;
  if (release == nullptr || !bare || doors_.size() != 1) return std::nullopt;
  std::vector<PlainOutput> outputs;
  for (std::size_t i = 0; i < top->columns.size(); ++i) {
    const BoundExpr& column = *top->columns[i];
    if (column.kind != BoundKind::kColumn) return std::nullopt;
    const std::size_t keys = release->door->keys.size();
    const bool is_key = column.column.column < keys;
    outputs.push_back({.name = query_->root().table.columns[i].name,
                       .is_key = is_key,
                       .index = is_key ? column.column.column : column.column.column - keys});
  }
  return outputs;
}

Result<DpPlan> Plan(BoundQuery query, const Settings& settings) {
  return Planner(std::move(query), settings).Run();
}

}  // namespace dpsql
