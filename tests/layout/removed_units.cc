#include "layout/removed_units.h"

#include <iostream>
#include <optional>
#include <utility>

#include "neighbours/movement.h"
#include "random/dice.h"

namespace dpsql {
namespace {

ExactNumbers MustRead(ExactHouse& house, const std::string& sql, std::vector<KeySet>& shown) {
  Result<ExactNumbers> numbers = house.Read(sql, shown);
  if (!numbers) Fail(RenderError(numbers.error(), sql) + house.last_incident());
  return std::move(numbers).value();
}

// What is wrong with the numbers of all doors, or nothing.
std::optional<std::string> FindIn(const DpPlan& plan, Pair<ExactNumbers> pair,
                                  const ExactNumbers& alone) {
  Spent spent;
  for (std::size_t i = 0; i < plan.doors().size(); ++i) {
    auto found = FindInDoor(plan.doors()[i], {pair.with[i], pair.without[i]}, spent);
    if (found) return found;
  }
  if (auto found = FindInPlan(plan, spent)) return found;
  if (spent.mu_squared == 0 && spent.epsilon == 0) return "the unit moves nothing";
  const SideIntegers with{.doors = pair.with, .above = {}};
  const SideIntegers without{.doors = pair.without, .above = {}};
  WholeOfUnits whole;
  whole.Add(plan, {with, without});
  return whole.Find(plan, {.doors = alone, .above = {}});
}

}  // namespace

RemovedUnits::RemovedUnits(LayoutFolder& folder, std::int64_t rows, bool all)
    : folder_(folder), all_(all) {
  constexpr std::uint64_t kSeed = 20;
  Dice dice(kSeed);
  const auto units = static_cast<std::size_t>(NumberOfUnits(rows));
  const auto heavy = [&] {
    return static_cast<std::int64_t>(
        dice.Below(static_cast<std::size_t>(NumberOfHeavyUnits(rows))));
  };
  const auto light = [&] { return static_cast<std::int64_t>(units / 2 + dice.Below(units / 2)); };
  if (!all) {
    constexpr std::size_t kRandom = 3;
    Add(heavy(), kRandom, {0});
    Add(light(), kRandom + 1, {3});
    return;
  }
  for (std::size_t order = 0; order < RowOrders().size(); ++order) {
    Add(heavy(), order, {0, 1, 2, 3});
    Add(light(), order, {0, 1, 2, 3});
  }
}

void RemovedUnits::Add(std::int64_t unit, std::size_t order,
                       std::vector<std::size_t> unit_columns) {
  const std::string name = "removed-" + std::to_string(removals_.size());
  const std::string number = std::to_string(unit);
  // By turns in the same order, where everybody behind the unit moves up, and in another.
  const std::size_t other = (order + removals_.size() % 2) % RowOrders().size();
  removals_.push_back(
      {.unit = unit,
       .order = order,
       .unit_columns = std::move(unit_columns),
       .without = {.path = folder_.Database(name + "-without"),
                   .order = other,
                   .which = "n <> " + number},
       .alone = {
           .path = folder_.Database(name + "-alone"), .order = order, .which = "n = " + number}});
}

std::vector<LaidRows> RemovedUnits::Databases() const {
  std::vector<LaidRows> databases;
  for (const Removal& removal : removals_) {
    databases.push_back(removal.without);
    databases.push_back(removal.alone);
  }
  return databases;
}

int RemovedUnits::Run(const std::vector<std::string>& databases) {
  for (const Removal& removal : removals_) {
    for (const std::size_t column : removal.unit_columns) {
      Try(removal, column, databases[removal.order]);
    }
  }
  std::cout << removals_.size() << " units removed, compared " << compared_ << " times, "
            << violations_ << " violations\n";
  return violations_;
}

// All rows are read on one number of threads, which turns; the rest without the unit on each.
void RemovedUnits::Try(const Removal& removal, std::size_t unit_column,
                       const std::string& database) {
  const auto& threads = ThreadCounts();
  const std::size_t turn = (removal.order + unit_column) % threads.size();
  const Setup of_all{.unit = unit_column, .threads = threads[turn]};
  ExactHouse with = folder_.Open(database, of_all);
  ExactHouse alone = folder_.Open(removal.alone.path, {.unit = unit_column});
  references_.assign(Questions().size(), {});
  for (const std::size_t question : QuestionsOf(unit_column, all_)) {
    const std::string sql = SqlOf(Questions()[question], unit_column);
    Reference& own = references_[question];
    own.with = MustRead(with, sql, own.shown);
    own.alone = MustRead(alone, sql, own.shown);
  }
  for (const int count : threads) {
    const Setup setup{.unit = unit_column, .threads = count};
    ExactHouse without = folder_.Open(removal.without.path, setup);
    for (const std::size_t question : QuestionsOf(unit_column, all_)) {
      Compare(without, removal, question, setup);
    }
  }
}

void RemovedUnits::Compare(ExactHouse& without, const Removal& removal, std::size_t question,
                           const Setup& setup) {
  const std::string sql = SqlOf(Questions()[question], setup.unit);
  const DpPlan plan = Must(without.Plan(sql), sql);
  Reference& own = references_[question];
  const ExactNumbers others = MustRead(without, sql, own.shown);
  ++compared_;
  const auto found = FindIn(plan, {own.with, others}, own.alone);
  if (!found) return;
  ++violations_;
  std::cout << "without unit " << removal.unit << " of " << UnitColumns()[setup.unit]
            << ", all rows " << RowOrders()[removal.order].name << ", the others "
            << RowOrders()[removal.without.order].name << ", " << setup.threads
            << " threads: " << *found << ": " << sql << "\n";
}

}  // namespace dpsql
