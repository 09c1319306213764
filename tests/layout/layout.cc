// The answer is a function of the rows: not of their order on disk, not of the number of threads,
// not of the memory. layout some|all ROWS.
//
// The same rows in five orders, with 1, 2 and 4 threads, and units of four types; zero noise and a
// fixed key of priorities, so that runs can be compared. Answers come through the public API, and
// must be the same to the last bit; the integers before noise are compared too. Where the cells
// outgrow their memory, DuckDB groups the rows and spills, and the integers are the same again.
// Without one unit, the integers move by what that unit is alone (removed_units.h).
//
// "some" asks half of the questions for each type of unit, and goes to the integers or to the
// answers by turns; "all" tries every combination. No chance is involved.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "dpsql/session.h"
#include "layout/exact_numbers.h"
#include "layout/layout_questions.h"
#include "layout/removed_units.h"
#include "layout/row_orders.h"

namespace dpsql {
namespace {

std::string FileText(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Every cell, then the ends of every interval.
using Cells = std::vector<std::vector<Value>>;

Cells CellsOf(const Answer& answer) {
  Cells cells = answer.rows;
  for (std::size_t row = 0; row < cells.size(); ++row) {
    for (const auto& interval : answer.intervals[row]) {
      if (!interval) {
        cells[row].emplace_back(std::string("no interval"));
        continue;
      }
      cells[row].emplace_back(interval->low);
      cells[row].emplace_back(interval->high);
    }
  }
  return cells;
}

class LayoutTest {
 public:
  LayoutTest(bool all, std::int64_t rows) : all_(all), rows_(rows), removed_(folder_, rows, all) {
    std::vector<LaidRows> laid = removed_.Databases();
    for (std::size_t i = 0; i < RowOrders().size(); ++i) {
      databases_.push_back(folder_.Database("order-" + std::to_string(i)));
      laid.push_back({.path = databases_[i], .order = i});
    }
    MakeDatabases(rows, laid);
  }

  int Run() {
    for (std::size_t order = 0; order < databases_.size(); ++order) {
      for (std::size_t unit = 0; unit < UnitColumns().size(); ++unit) RunPair(order, unit);
    }
    for (std::size_t unit = 0; unit < UnitColumns().size(); ++unit) RunOutgrown(unit);
    CheckBounding();
    std::cout << exact_.size() << " tables of integers and " << answers_.size()
              << " answers, compared " << compared_ << " times, " << differences_
              << " differences\n";
    return differences_ + removed_.Run(databases_);
  }

 private:
  void RunPair(std::size_t order, std::size_t unit) {
    if (!all_) {
      const Setup setup{.unit = unit,
                        .threads = ThreadCounts()[(order + unit) % ThreadCounts().size()]};
      const bool odd = (order + unit) % 2 == 1;
      if (order == 0 || odd) CompareExact(order, setup);
      if (order == 0 || !odd) CompareAnswers(order, setup);
      return;
    }
    for (const int threads : ThreadCounts()) {
      CompareExact(order, {.unit = unit, .threads = threads});
      CompareAnswers(order, {.unit = unit, .threads = threads});
    }
  }

  // Of "some", a number and a text, each in an order of its own.
  void RunOutgrown(std::size_t unit) {
    for (std::size_t order = 0; order < databases_.size(); ++order) {
      if (!all_ && (order != unit + 1 || unit % 3 == 0)) continue;
      CompareExact(order, {.unit = unit, .threads = 2, .path = Path::kOutgrown});
    }
  }

  void CompareExact(std::size_t order, const Setup& setup) {
    ExactHouse house = folder_.Open(databases_[order], setup);
    for (const std::size_t question : QuestionsOf(setup.unit, all_)) {
      const std::string sql = SqlOf(Questions()[question], setup.unit);
      Result<ExactNumbers> numbers = house.Read(sql, setup.path);
      if (setup.path == Path::kOutgrown && Questions()[question].claims) {
        // The one thing that tells from outside that the cells did not fit.
        const bool refused = !numbers && house.last_incident().find("outgrew") != std::string::npos;
        if (!refused) Fail("the cells did not outgrow their memory: " + sql);
        continue;
      }
      if (!numbers) Fail(RenderError(numbers.error(), sql) + house.last_incident());
      const auto [first, is_new] = exact_.try_emplace({setup.unit, question}, *numbers);
      if (!is_new) Note(first->second == *numbers, "integers", sql, {order, setup});
    }
  }

  void CompareAnswers(std::size_t order, const Setup& setup) {
    const std::string ledger = folder_.NextLedger();
    Session session = Must(Session::Open({.url = databases_[order],
                                          .policy = folder_.WritePolicy(setup),
                                          .ledger = ledger,
                                          .analyst = "tester"}),
                           "");
    for (const std::size_t question : QuestionsOf(setup.unit, all_)) {
      const std::string sql = SqlOf(Questions()[question], setup.unit);
      const Result<Answer> answer = session.Ask(sql);
      if (!answer) Fail(RenderError(answer.error(), sql) + FileText(ledger + ".incidents"));
      const Cells cells = CellsOf(*answer);
      const auto [first, is_new] = answers_.try_emplace({setup.unit, question}, cells);
      if (!is_new) Note(first->second == cells, "answer", sql, {order, setup});
    }
  }

  struct Place {
    std::size_t order = 0;
    Setup setup;
  };

  void Note(bool same, const std::string& what, const std::string& sql, const Place& place) {
    ++compared_;
    if (same) return;
    ++differences_;
    std::cout << "another " << what << " " << RowOrders()[place.order].name << ", "
              << place.setup.threads << " threads"
              << (place.setup.path == Path::kOutgrown ? ", outgrown" : "") << ", unit "
              << UnitColumns()[place.setup.unit] << ": " << sql << "\n";
  }

  // Whether the rows are such that something is at stake: units clipped, groups withheld, values
  // that a unit found claimed.
  void CheckBounding() const {
    const ExactNumbers& cities = exact_.at({0, 0});
    const ExactNumbers& pairs = exact_.at({1, 1});
    const ExactNumbers& claims = exact_.at({0, 2});
    const Cells& counts = answers_.at({0, 0});
    std::int64_t counted = 0;
    for (const std::vector<Value>& row : counts) counted += std::get<std::int64_t>(row[1]);
    std::cout << rows_ << " rows, of which " << counted << " count; " << cities[0].sums.size()
              << " cities of " << cities[0].counts.size() << ", " << pairs[0].sums.size()
              << " pairs of " << pairs[0].counts.size() << "\n";
    if (counted < rows_ / 10 || counted > rows_ - rows_ / 10) Fail("no unit is clipped");
    if (pairs[0].sums.empty() || pairs[0].sums.size() == pairs[0].counts.size()) {
      Fail("no group is withheld");
    }
    for (const auto& [key, numbers] : claims[0].sums) {
      const Int128 units = claims[0].counts.at(key)[0];
      std::cout << "kind " << std::get<std::int64_t>(key[0]) << ": " << ToString(units)
                << " units claim " << ToString(numbers[0]) << " tickets, " << ToString(numbers[1])
                << " days\n";
      if (numbers[0] > units - units / 10) Fail("no ticket is contested");
    }
  }

  bool all_;
  std::int64_t rows_;
  LayoutFolder folder_;
  RemovedUnits removed_;
  std::vector<std::string> databases_;
  // By unit and question.
  std::map<std::pair<std::size_t, std::size_t>, ExactNumbers> exact_;
  std::map<std::pair<std::size_t, std::size_t>, Cells> answers_;
  int compared_ = 0;
  int differences_ = 0;
};

}  // namespace
}  // namespace dpsql

int main(int argc, char** argv) {
  const std::string how = argc == 3 ? argv[1] : "";
  const long long rows = argc == 3 ? std::atoll(argv[2]) : 0;
  if ((how != "some" && how != "all") || rows < 1000) {
    std::cerr << "usage: layout some|all ROWS\n";
    return 2;
  }
  try {
    return dpsql::LayoutTest(how == "all", rows).Run() == 0 ? 0 : 1;
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << "\n";
    return 1;
  }
}
