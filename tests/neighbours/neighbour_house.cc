#include "neighbours/neighbour_house.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "base/error_codes.h"
#include "base/names.h"
#include "base/try.h"
#include "engine/statement_options.h"
#include "neighbours/answer_shape.h"
#include "neighbours/language_tally.h"
#include "neighbours/movement.h"
#include "neighbours/stage_agreement.h"
#include "plan/plan.h"
#include "sql/parser.h"
#include "support/reference_duckdb.h"
#include "support/temp_folder.h"
#include "validate/validate.h"

namespace dpsql {
namespace {

// A clip rounds to whole steps, so that a vector that it cut is a little inside.
constexpr double kWhole = 0.999;

std::string TextOf(const Schema& schema) {
  std::string text;
  for (const SchemaTable& table : schema.tables) {
    text += table.name + ":";
    for (const SchemaColumn& column : table.columns) {
      text += " " + column.name + " " + column.type.name + (column.nullable ? "?" : "");
    }
    text += " (" + std::to_string(table.unique_keys.size()) + ")\n";
  }
  return text;
}

void AddVerified(const std::vector<CaseKey>& keys, Schema& schema) {
  for (const CaseKey& key : keys) {
    for (SchemaTable& table : schema.tables) {
      if (SameName(table.name, key.table)) table.verified_keys.push_back(key.columns);
    }
  }
}

std::string TextOf(const Error& error) {
  return error.code + " " + error.message + " | " + error.hint;
}

template <typename T>
T Must(Result<T> result) {
  if (!result) throw std::runtime_error(TextOf(result.error()));
  return std::move(result).value();
}

bool Claims(const DpPlan& plan) {
  for (const Door& door : plan.doors()) {
    for (const Statistic& statistic : door.statistics) {
      if (statistic.shape.kind == StatisticKind::kDistinct) return true;
    }
  }
  return false;
}

}  // namespace

NeighbourHouse::NeighbourHouse(const NeighbourCase& world, EngineCopies* engine)
    : units_(world.Units()) {
  std::string text = world.policy;
  if (engine != nullptr) {
    text = CopySides(world, *engine);
  } else {
    sides_.emplace_back(world.Sql(""));
    for (const std::string& unit : units_) sides_.emplace_back(world.Sql(unit));
  }
  Schema schema = sides_[0].ReadSchema();
  for (const ExactSide& side : sides_) {
    if (TextOf(side.ReadSchema()) != TextOf(schema)) throw std::runtime_error("two schemas");
  }
  // What the owner found to be unique is believed of files alone.
  if (engine == nullptr) AddVerified(world.verified, schema);
  keys_ = world.verified.empty() ? Keys::kEnforced : Keys::kVerified;
  Policy policy = Must(ReadPolicy(text, "random.toml"));
  catalog_ = std::make_unique<Catalog>(Must(Catalog::Make(std::move(policy), schema)));
}

// Copies the database with everybody, and without each unit. Returns the policy of the copies.
std::string NeighbourHouse::CopySides(const NeighbourCase& world, EngineCopies& engine) {
  const TempFolder folder;
  static std::atomic<int> houses = 0;
  const std::string house = "house" + std::to_string(++houses) + "_";
  std::vector<std::string> missing = {""};
  missing.insert(missing.end(), units_.begin(), units_.end());
  std::string text;
  for (std::size_t i = 0; i < missing.size(); ++i) {
    const std::string name = house + std::to_string(i);
    const std::string file = folder / (name + ".duckdb");
    MakeDatabaseFromText(file, world.Sql(missing[i]));
    const auto url = engine.Fill(name, file);
    if (!url) throw std::runtime_error("the engine is not here");
    // Where tables are files, the policy says which. Whether a key is kept does not hang on rows.
    const std::string own = engine.PolicyText(name, world.policy);
    sides_.emplace_back(*url, Must(ReadPolicy(own, "random.toml")));
    if (i == 0) text = own;
  }
  return text;
}

Result<DpPlan> NeighbourHouse::Plan(const std::string& sql) const {
  TRY(const std::vector<ast::Statement> statements, Parse(sql));
  const auto* ask =
      statements.size() == 1 ? std::get_if<ast::SelectStatement>(&statements[0].node) : nullptr;
  if (ask == nullptr) return MakeError(ErrorCode::kUnsupportedStatement, "no question");
  const Settings defaults = DefaultSettings(catalog_->policy());
  TRY(const Settings settings, SettingsFor(ask->select, *catalog_, defaults));
  TRY(BoundQuery query, Validate(ask->select, *catalog_));
  TRY(DpPlan plan, ::dpsql::Plan(std::move(query), settings));
  TRY_DONE(sides_[0].CanRun(plan));
  return plan;
}

std::optional<NeighbourFinding> NeighbourHouse::Try(const DpPlan& plan, std::span<const Door> doors,
                                                    const Manner& manner) {
  try {
    return Compare(plan, doors, manner);
  } catch (const std::exception& bug) {
    return NeighbourFinding{"", std::string("an accepted question breaks: ") + bug.what()};
  }
}

namespace {

// Where two ways sum other integers. What counts units may differ: each way has its own priorities.
std::optional<std::string> FindOtherSums(const DpPlan& plan, const SideIntegers& a,
                                         const SideIntegers& b) {
  for (std::size_t d = 0; d < plan.doors().size(); ++d) {
    std::vector<bool> same;  // per coordinate, whether it must be
    for (const Statistic& statistic : plan.doors()[d].statistics) {
      same.insert(same.end(), Coordinates(statistic.shape), !CountsUnits(statistic.shape.kind));
    }
    for (const auto& [key, numbers] : a.doors[d].sums) {
      const std::vector<Int128>& others = b.doors[d].sums.at(key);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (!same[i] || numbers[i] == others[i]) continue;
        return "door " + std::to_string(d + 1) + ", coordinate " + std::to_string(i) +
               " differs between statements and cells";
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> FindInStages(const DpPlan& plan, const SideIntegers& side,
                                        const std::vector<DoorScript>& script, Keys believed) {
  for (std::size_t i = 0; i < side.doors.size(); ++i) {
    const auto words = FindBetweenStages(plan.doors()[i], side.doors[i], script[i].keys, believed);
    if (words) return "door " + std::to_string(i + 1) + ", " + *words;
  }
  return std::nullopt;
}

}  // namespace

std::optional<NeighbourFinding> NeighbourHouse::Compare(const DpPlan& plan,
                                                        std::span<const Door> doors,
                                                        const Manner& manner) {
  // Cells that outgrow their memory make no claims.
  const bool refused = Claims(plan) && manner.way == Way::kOutgrown;
  const Way way = refused ? Way::kOwn : manner.way;
  const DoorRun run{.plan = plan,
                    .doors = doors,
                    .keys = keys_,
                    .way = way,
                    .publishes = manner.publishes,
                    .forgets = manner.forgets};
  std::vector<DoorScript> script;
  const Result<SideIntegers> all = sides_[0].ReadFirst(run, manner.shown, script);
  if (!all) {
    return NeighbourFinding{"", "an accepted question fails: " + TextOf(all.error()) + "\n" +
                                    sides_[0].last_incident()};
  }
  if (auto words = FindInStages(plan, *all, script, keys_)) return NeighbourFinding{"", *words};
  if (way == Way::kStatements && manner.engine == nullptr) {
    const DoorRun own{.plan = plan, .doors = doors, .keys = keys_, .way = Way::kOwn};
    const Result<SideIntegers> cells = sides_[0].Read(own, script);
    if (!cells) return NeighbourFinding{"", "the cells' way fails: " + TextOf(cells.error())};
    if (auto words = FindOtherSums(plan, *all, *cells)) return NeighbourFinding{"", *words};
  }
  WholeOfUnits whole;
  for (std::size_t unit = 0; unit < units_.size(); ++unit) {
    const Result<SideIntegers> others = sides_[unit + 1].Read(run, script);
    if (!others) {
      return NeighbourFinding{units_[unit], "it fails without the unit: " + TextOf(others.error()) +
                                                "\n" + sides_[unit + 1].last_incident()};
    }
    if (auto words = FindInStages(plan, *others, script, keys_)) {
      return NeighbourFinding{units_[unit], *words};
    }
    if (auto words = TryUnit(run, *all, *others)) return NeighbourFinding{units_[unit], *words};
    whole.Add(plan, {*all, *others});
  }
  if (auto words = whole.Find(plan, *all)) return NeighbourFinding{"", *words};
  return std::nullopt;
}

std::optional<std::string> NeighbourHouse::TryUnit(const DoorRun& run, const SideIntegers& all,
                                                   const SideIntegers& others) {
  Spent spent;
  for (std::size_t i = 0; i < all.doors.size(); ++i) {
    const Door& planned = run.plan.doors()[i];
    const auto words = FindInDoor(planned, {all.doors[i], others.doors[i]}, spent);
    if (words) return "door " + std::to_string(i + 1) + ", " + *words;
  }
  if (auto words = FindInPlan(run.plan, spent)) return words;
  if (spent.mu_squared > 0 || spent.epsilon > 0) ++moved_;
  const double share = ShareOf(run.plan, spent);
  if (share > kWhole) ++moved_statistics_[LanguageTally::kWholeCharge];
  closest_ = std::max(closest_, share);
  for (const std::string& name : spent.statistics) ++moved_statistics_[name];
  if (auto words = FindAbove({all, others})) return words;
  if (!run.publishes) return std::nullopt;
  ++published_;
  return FindInShape(run.plan, {all, others});
}

}  // namespace dpsql
