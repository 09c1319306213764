#include "plan/plan_door.h"

#include <algorithm>
#include <utility>

#include "base/error_codes.h"
#include "base/try.h"
#include "plan/calibrate.h"
#include "plan/choose_statistics.h"
#include "plan/public_keys.h"

namespace dpsql {
namespace {

// All tuples of declared values, or nothing where a key has none or they are too many to list.
std::vector<std::vector<Value>> KnownKeys(const std::vector<BoundKey>& keys) {
  std::vector<std::vector<Value>> tuples = {{}};
  for (const BoundKey& key : keys) {
    if (key.values.empty() || tuples.size() * key.values.size() > kMostDeclaredKeys) return {};
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
    TRY_DONE(Calibrate(door, settings_));
    return door;
  }

 private:
  void SetKeys(Door& door) const {
    door.known_keys = KnownKeys(query_->keys);
    door.key_mode = query_->keys.empty()      ? KeyMode::kScalar
                    : door.known_keys.empty() ? KeyMode::kDiscovered
                                              : KeyMode::kKnown;
    // With k above 1 there is a test for every cell anyway, and a row for each key of a public
    // table would mostly be a row of NULLs.
    if (door.key_mode == KeyMode::kDiscovered && door.min_frequency <= 1) {
      door.public_keys = PublicKeysOf(*query_);
      if (!door.public_keys.empty()) door.key_mode = KeyMode::kPublic;
    }
    const bool selects = door.key_mode == KeyMode::kDiscovered || door.min_frequency > 1;
    door.selection = selects ? KeySelection::kThreshold : KeySelection::kNone;
  }

  // The tables' caps, or the analyst's own where it is stricter or they have none.
  Status SetRowCap(Door& door) const {
    const Relation& relation = query_->relation;
    door.rows_are_units = std::all_of(relation.determined.begin(), relation.determined.end(),
                                      [](bool determined) { return determined; });
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
    door.rows_per_unit = {*relation.rows_per_unit,
                          door.rows_are_units ? "one row per unit" : "caps of the private tables"};
    return Done{};
  }

  // Sums are bounded by the clip of the unit's whole vector; only what counts units needs C0.
  static bool NeedsGroupCap(const Door& door) {
    return door.selects_keys() ||
           std::any_of(door.statistics.begin(), door.statistics.end(),
                       [](const Statistic& one) { return CountsUnits(one.shape.kind); });
  }

  Status SetGroupCap(Door& door) const {
    const std::vector<BoundKey>& keys = query_->keys;
    const bool determined =
        std::all_of(keys.begin(), keys.end(), [](const BoundKey& key) { return key.determined; });
    const auto known = static_cast<std::int64_t>(door.known_keys.size());
    if (!NeedsGroupCap(door)) {
      door.groups_per_unit = {0, "nothing here counts units"};
    } else if (door.key_mode == KeyMode::kScalar) {
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

  std::shared_ptr<const BoundDoor> query_;
  const Settings& settings_;
};

}  // namespace

Result<Door> PlanDoor(std::shared_ptr<const BoundDoor> query, const Settings& settings) {
  return DoorPlanner(std::move(query), settings).Run();
}

}  // namespace dpsql
