#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "neighbours/exact_side.h"
#include "neighbours/neighbour_case.h"
#include "plan/dp_plan.h"
#include "support/engine_copies.h"

namespace dpsql {

// A violation, and whose going made it.
struct NeighbourFinding {
  std::string unit;  // nothing where it is of all of them together
  std::string words;

  std::string Text() const { return (unit.empty() ? "" : "without " + unit + ": ") + words; }
};

// One database with all of its neighbours: the same without each unit in turn.
class NeighbourHouse {
 public:
  // In DuckDB, or copied to another engine. Throws std::runtime_error where the policy does not fit
  // the database.
  explicit NeighbourHouse(const NeighbourCase& world, EngineCopies* engine = nullptr);

  const Catalog& catalog() const { return *catalog_; }
  const std::vector<std::string>& units() const { return units_; }

  // Of all that was tried: in how many cases the unit moved something, and the largest share of
  // its charge that one moved.
  std::int64_t moved() const { return moved_; }
  double closest() const { return closest_; }

  // In how many cases the unit moved a statistic of this name, or all that its door charges for
  // (LanguageTally::kWholeCharge), and how many were published.
  const std::map<std::string, std::int64_t>& moved_statistics() const { return moved_statistics_; }
  std::int64_t published() const { return published_; }

  // The plan of a question that the product accepts, and the engine can run.
  Result<DpPlan> Plan(const std::string& sql) const;

  // How a question is read and its cells are chosen.
  struct Manner {
    Shown shown;
    Way way = Way::kOwn;
    EngineCopies* engine = nullptr;  // that the house is of
    bool publishes = false;          // and the answers of all sides are compared
    bool forgets = false;            // broken: stage 2 has priorities of its own
  };

  // Reads the doors, or broken ones in their place, on all sides.
  std::optional<NeighbourFinding> Try(const DpPlan& plan, std::span<const Door> doors,
                                      const Manner& manner);
  std::optional<NeighbourFinding> Try(const DpPlan& plan, const Manner& manner) {
    return Try(plan, plan.doors(), manner);
  }

 private:
  std::string CopySides(const NeighbourCase& world, EngineCopies& engine);
  std::optional<NeighbourFinding> Compare(const DpPlan& plan, std::span<const Door> doors,
                                          const Manner& manner);
  std::optional<std::string> TryUnit(const DoorRun& run, const SideIntegers& all,
                                     const SideIntegers& others);

  std::vector<std::string> units_;
  std::vector<ExactSide> sides_;  // with everybody, then without each unit
  std::unique_ptr<Catalog> catalog_;
  Keys keys_ = Keys::kEnforced;
  std::int64_t moved_ = 0;
  double closest_ = 0;
  std::map<std::string, std::int64_t> moved_statistics_;
  std::int64_t published_ = 0;
};

}  // namespace dpsql
