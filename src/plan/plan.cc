#include "plan/plan.h"

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "base/error_codes.h"
#include "base/names.h"
#include "base/sha256.h"
#include "base/try.h"
#include "plan/calibrate.h"
#include "plan/plan_bytes.h"
#include "plan/plan_door.h"
#include "plan/target_error.h"
#include "privacy/basic_accountant.h"

namespace dpsql {

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
      TRY(Door door, PlanDoor(queries_[i], own));
      door.numbers = plan_.numbers_;
      door.target = own.target;
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
    cost.by_mechanism = SumOf(cost.by_mechanism, DrawnBy(door));
  }

  void SetDigest() {
    plan_.cost_.plan_digest =
        Sha256Hex(PlanBytes(plan_) + policy().digest + policy().data_version.value_or(""));
    // An answer from public tables alone costs nothing, and is computed again for nothing: kept, it
    // would let anybody fill the ledger's disk.
    plan_.cost_.storable = policy().data_version.has_value() && !plan_.doors_.empty();
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

Result<DpPlan> PlanAt(BoundQuery query, const Settings& settings) {
  return Planner(std::move(query), settings).Run();
}

Result<DpPlan> Plan(BoundQuery query, const Settings& settings) {
  if (settings.target) return PlanForTarget(query, settings);
  return PlanAt(std::move(query), settings);
}

}  // namespace dpsql
