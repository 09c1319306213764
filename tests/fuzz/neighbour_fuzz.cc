// Generated queries on small random databases with and without one unit, with zero noise:
//
//   neighbour_fuzz shop|link QUESTIONS SEED [FILE…]
//
// The entries of the files come first; they are separated by empty lines. Of each accepted query
// that is one plain release:
//   - what the door reads of each unit is the same whoever else is there: the rows per unit and
//     group of both stages are those of the others, plus those of the unit alone;
//   - the answers with and without the unit differ by what the plan claims, and no more;
//   - nothing ends in an error of the database.
// Findings are written with their text; the program then ends with 1.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "backend/lower.h"
#include "dpsql/session.h"
#include "engine/read_schema.h"
#include "fuzz/neighbour_database.h"
#include "plan/plan.h"
#include "sql/dialect.h"
#include "sql/parser.h"
#include "sql/printer.h"
#include "support/query_generator.h"
#include "support/read_number.h"
#include "support/reference_duckdb.h"
#include "support/temp_folder.h"
#include "support/test_catalog.h"
#include "validate/validate.h"

namespace dpsql {
namespace {

constexpr std::uint64_t kQuestionsPerShop = 150;
constexpr std::int64_t kMaxGroups = 20;  // above what any unit of a small shop is in

// Caps: those of the policy, far above the data, and some that bind.
struct Caps {
  const char* name;
  std::optional<std::int64_t> rows;
  std::optional<std::int64_t> groups;
};
constexpr Caps kCaps[] = {{"wide", std::nullopt, std::nullopt}, {"narrow", 2, 1}};

// Small prices out of a large budget: a session answers thousands of questions.
std::string SmallPrices(std::string policy) {
  const auto replace = [&](const std::string& old, const std::string& fresh) {
    const std::size_t at = policy.find(old);
    if (at == std::string::npos) throw std::runtime_error("the policy has no  " + old);
    policy.replace(at, old.size(), fresh);
  };
  replace("epsilon = 8.0\ndelta = 1e-6", "epsilon = 100.0\ndelta = 0.1");
  replace("epsilon = 1.0\n", "epsilon = 0.001\ndelta = 1e-9\n");
  const std::size_t second = policy.find("delta = 1e-7\n");
  if (second != std::string::npos) policy.erase(second, std::string("delta = 1e-7\n").size());
  return policy;
}

// What is asked about: a policy, and databases that fit it.
struct World {
  std::string policy;
  DrawDatabase draw;
  Catalog catalog;
};

World MakeWorld(const std::string& name, const std::string& folder) {
  std::ostringstream link;
  link << std::ifstream(std::string("tests/databases/link.toml")).rdbuf();
  const bool is_link = name == "link";
  const std::string text = SmallPrices(
      is_link ? link.str() : PolicyText({.max_groups = kMaxGroups, .data_version = std::nullopt}));
  const DrawDatabase draw = is_link ? DrawLink : DrawShop;
  const std::string database = folder + "/schema.duckdb";
  MakeDatabaseFromText(database, draw(0, Holds::kAll));
  Policy policy = ReadPolicy(text, name).value();
  const Schema schema = ReadSchemaOf(database, policy).value();
  return {.policy = text, .draw = draw, .catalog = Catalog::Make(policy, schema).value()};
}

using Cells = std::map<std::vector<Value>, Value>;  // of one column, by key

struct Outcome {
  std::string error;
  std::vector<Cells> columns;
};

// One shop three times in memory, for the SQL of a door without the engine: with all units, without
// one of them, with that one alone.
class PlainShops {
 public:
  PlainShops(DrawDatabase draw, std::uint64_t seed)
      : all_(draw(seed, Holds::kAll)),
        others_(draw(seed, Holds::kOthers)),
        one_(draw(seed, Holds::kOne)) {}

  // What the door reads of each unit. Throws where the three do not add up.
  void CheckUnitLocal(const Door& door) {
    const std::string sql = PrintSelect(LowerCells(door), DuckDbDialect());
    const auto all = all_.Rows(sql);
    auto parts = others_.Rows(sql);
    for (const auto& row : one_.Rows(sql)) {
      const bool own = row[0] == kTheCustomer || row[0] == kTheVisitor;
      if (!own) throw std::runtime_error("a row of the only unit belongs to " + row[0]);
      parts.insert(row);
    }
    if (all != parts) throw std::runtime_error("rows of a unit depend on others:\n" + sql);
  }

  // Whether some unit is in more groups than the cap: then others' rows may follow the keys that
  // are shown, which the price of the keys covers.
  bool AnyAbove(const Door& door) {
    std::map<std::string, std::int64_t> groups;
    for (const auto& row : all_.Rows(PrintSelect(LowerCells(door), DuckDbDialect()))) {
      if (++groups[row[0]] > door.groups_per_unit.value) return true;
    }
    return false;
  }

 private:
  PlainDatabase all_;
  PlainDatabase others_;
  PlainDatabase one_;
};

// The same shop in files, with and without the unit, for the engine.
class Shop {
 public:
  Shop(const World& world, std::uint64_t seed, const std::string& folder)
      : plain_(world.draw, seed) {
    static int shops = 0;  // a ledger is of one shop
    const std::string stem = folder + "/" + std::to_string(++shops);
    std::ofstream(stem + ".toml") << world.policy;
    MakeDatabaseFromText(stem + "all.duckdb", world.draw(seed, Holds::kAll));
    MakeDatabaseFromText(stem + "others.duckdb", world.draw(seed, Holds::kOthers));
    for (const Caps& caps : kCaps) {
      for (const std::string side : {"all", "others"}) {
        sessions_.emplace(caps.name + side, Open(stem, side, caps));
      }
    }
  }

  PlainShops& plain() { return plain_; }

  Outcome Ask(const std::string& name, const std::string& sql, std::size_t keys) {
    Outcome outcome;
    const auto answer = sessions_.at(name).Ask(sql);
    if (!answer) {
      outcome.error = answer.error().code + " " + answer.error().message;
      return outcome;
    }
    outcome.columns.resize(answer->columns.size());
    for (const auto& row : answer->rows) {
      std::vector<Value> key;
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (answer->columns[i].role == ColumnRole::kKey) key.push_back(row[i]);
      }
      // Keys that are not selected cannot tell rows apart.
      if (key.size() < keys) return {};
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (!IsNull(row[i])) outcome.columns[i][key] = row[i];
      }
    }
    return outcome;
  }

 private:
  static Session Open(const std::string& stem, const std::string& side, const Caps& caps) {
    auto session = Session::Open({.url = stem + side + ".duckdb",
                                  .policy = stem + ".toml",
                                  .ledger = stem + side + caps.name + ".ledger",
                                  .analyst = "tester"});
    if (!session) throw std::runtime_error(session.error().message);
    std::string settings;
    if (caps.rows) settings += "SET dp.contribution_bound = " + std::to_string(*caps.rows) + ";";
    if (caps.groups) {
      settings += "SET dp.max_groups_contributed = " + std::to_string(*caps.groups) + ";";
    }
    if (settings.empty()) return std::move(session).value();
    const auto status = session->Run(settings, [](const Reply&) {});
    if (!status) throw std::runtime_error(status.error().message);
    return std::move(session).value();
  }

  PlainShops plain_;
  std::map<std::string, Session> sessions_;
};

double Number(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

// What one unit can move in the cells of an aggregate, in L2; nothing for what is no sum. A vector
// that is B long in the norm of its weights moves a sum of c_i v_i by B sqrt(sum c_i^2 / w_i).
std::optional<double> Claim(const Door& door, std::size_t aggregate) {
  const Statistic& statistic = door.statistics[door.readings[aggregate].statistic];
  const std::string_view function = door.query->aggregates[aggregate].aggregate->function;
  const auto rows = static_cast<double>(door.rows_per_unit.value);
  if (function != "sum" && function != "count") return std::nullopt;
  if (CountsUnits(statistic.shape.kind)) {
    return std::sqrt(static_cast<double>(door.groups_per_unit.value));
  }
  const auto [low, high] = function == "sum" ? statistic.arguments[0].bounds : Interval{1, 1};
  if (statistic.shape.kind != StatisticKind::kMoments) {
    return rows * std::max(std::abs(low), std::abs(high));
  }
  const ClipWeights weights = WeightsOf(statistic.shape);
  const unsigned degree = statistic.shape.degrees.x_degree;
  double squares = 0;
  for (unsigned i = 0; i < weights.weight.size(); ++i) {
    // The coordinate of rows without a value is in a count of rows and in nothing else.
    const double missing = function == "count" ? 1 : 0;
    const double factor = i > degree ? missing : low + (high - low) * i / degree;
    squares += factor * factor * static_cast<double>(weights.whole) /
               static_cast<double>(weights.weight[i]);
  }
  return rows * std::sqrt(squares);
}

class Neighbours {
 public:
  Neighbours(World world, std::uint64_t seed, std::string folder)
      : world_(std::move(world)), seed_(seed), folder_(std::move(folder)) {}

  // A door whose test is not tied to the unit must be found out, or nothing below means anything.
  void ProveTeeth() const {
    const bool link = world_.draw == DrawLink;
    const auto plan = Plan(link ? "SELECT count(*) FROM orders o WHERE NOT EXISTS (SELECT 1 FROM "
                                  "customer c WHERE c.id = o.cid)"
                                : "SELECT count(*) FROM wild w WHERE NOT EXISTS (SELECT 1 FROM "
                                  "profile p WHERE p.customer_id = w.customer_id)",
                           kCaps[1]);
    BoundDoor untied = *plan->doors()[0].query;
    untied.relation.scans[1].on.clear();
    Door broken = plan->doors()[0];
    broken.query = std::make_shared<const BoundDoor>(std::move(untied));
    bool seen = false;
    for (std::uint64_t seed = 0; seed < 100 && !seen; ++seed) {
      PlainShops shops(world_.draw, seed);
      shops.CheckUnitLocal(plan->doors()[0]);
      try {
        shops.CheckUnitLocal(broken);
      } catch (const std::runtime_error&) {
        seen = true;
      }
    }
    if (!seen) throw std::runtime_error("a test of other people's rows was not found out");
  }

  void Run(const std::vector<std::string>& entries, std::uint64_t questions) {
    for (const std::string& sql : entries) Ask(sql, 0);
    const std::uint64_t all = asked_ + questions;
    for (std::uint64_t seed = seed_; asked_ < all; ++seed) {
      Ask(GenerateQuery(world_.catalog.tables(), seed).sql, seed);
    }
  }

  std::size_t findings() const { return findings_; }

  std::string Summary() const {
    return std::to_string(asked_) + " questions, " + std::to_string(compared_) +
           " columns compared, " + std::to_string(shown_) + " of them not empty\n";
  }

 private:
  void Ask(const std::string& sql, std::uint64_t seed) {
    if (!Plan(sql, kCaps[0])) return;
    const std::uint64_t shop = seed_ + asked_ / kQuestionsPerShop;
    if (asked_++ % kQuestionsPerShop == 0) shop_ = std::make_unique<Shop>(world_, shop, folder_);
    try {
      for (const Caps& caps : kCaps) Check(sql, caps);
    } catch (const std::exception& finding) {
      std::cerr << "finding: " << finding.what() << "\nseed " << seed << ", shop " << shop << "\n"
                << sql << "\n";
      ++findings_;
    }
  }

  // The plan of a query that is one plain release.
  std::optional<DpPlan> Plan(const std::string& sql, const Caps& caps) const {
    const auto statements = Parse(sql);
    if (!statements.ok()) return std::nullopt;
    const auto* ask = std::get_if<ast::SelectStatement>(&statements->at(0).node);
    if (statements->size() != 1 || ask == nullptr || ask->select.privacy) return std::nullopt;
    auto bound = Validate(ask->select, world_.catalog);
    if (!bound.ok()) return std::nullopt;
    Settings settings = DefaultSettings(world_.catalog.policy());
    settings.contribution_bound = caps.rows;
    if (caps.groups) settings.max_groups = caps.groups;
    auto plan = dpsql::Plan(std::move(bound).value(), settings);
    if (!plan.ok() || plan->doors().size() != 1 || !plan->PlainOutputs()) return std::nullopt;
    return std::move(plan).value();
  }

  void Check(const std::string& sql, const Caps& caps) {
    const std::optional<DpPlan> plan = Plan(sql, caps);
    if (!plan) throw std::runtime_error("a stricter cap changes what can be planned");
    const Door& door = plan->doors()[0];
    shop_->plain().CheckUnitLocal(door);
    const std::size_t keys = door.query->keys.size();
    const Outcome with = shop_->Ask(std::string(caps.name) + "all", sql, keys);
    const Outcome without = shop_->Ask(std::string(caps.name) + "others", sql, keys);
    if (!with.error.empty() || !without.error.empty()) {
      throw std::runtime_error(std::string(caps.name) + " caps: with the unit: " + with.error +
                               "; without: " + without.error);
    }
    const bool above = shop_->plain().AnyAbove(door);
    const std::vector<PlainOutput> outputs = *plan->PlainOutputs();
    for (std::size_t i = 0; i < std::min(with.columns.size(), outputs.size()); ++i) {
      if (i >= without.columns.size()) break;
      // Where all keys are shown, whether a mean is NULL follows from its noisy count.
      if (outputs[i].is_key || door.selects_keys()) {
        CheckShown(with.columns[i], without.columns[i], door);
      }
      if (outputs[i].is_key) continue;
      const auto claim = Claim(door, outputs[i].index);
      if (claim) CheckMoved(with.columns[i], without.columns[i], *claim, above);
    }
  }

  // Cells come and go with the unit: not more of them than it is counted in.
  static void CheckShown(const Cells& with, const Cells& without, const Door& door) {
    std::int64_t different = 0;
    for (const auto& [key, value] : with) different += without.contains(key) ? 0 : 1;
    for (const auto& [key, value] : without) different += with.contains(key) ? 0 : 1;
    if (different <= door.groups_per_unit.value) return;
    throw std::runtime_error("one unit makes " + std::to_string(different) + " cells appear");
  }

  void CheckMoved(const Cells& with, const Cells& without, double claim, bool above) {
    std::map<std::vector<Value>, double> moved;
    bool same_cells = with.size() == without.size();
    for (const auto& [key, value] : with) {
      moved[key] += Number(value);
      same_cells = same_cells && without.contains(key);
    }
    for (const auto& [key, value] : without) moved[key] -= Number(value);
    if (above && !same_cells) return;
    ++compared_;
    if (!with.empty()) ++shown_;
    double squares = 0;
    for (const auto& [key, difference] : moved) squares += difference * difference;
    // Shown counts are whole: each is rounded by half at most. Sums lie on a grid.
    const bool whole = !with.empty() && std::holds_alternative<std::int64_t>(with.begin()->second);
    const double slack =
        whole ? std::sqrt(static_cast<double>(moved.size())) : 1e-5 * std::max(1.0, claim);
    if (std::sqrt(squares) <= claim + slack) return;
    throw std::runtime_error("a unit moves " + std::to_string(std::sqrt(squares)) + ", and " +
                             std::to_string(claim) + " are paid for");
  }

  World world_;
  std::uint64_t seed_;
  std::string folder_;
  std::unique_ptr<Shop> shop_;
  std::uint64_t asked_ = 0;
  std::size_t compared_ = 0;
  std::size_t shown_ = 0;
  std::size_t findings_ = 0;
};

void ReadEntries(const std::string& path, std::vector<std::string>& entries) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::string entry;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) {
      entry += line + "\n";
    } else if (!entry.empty()) {
      entries.push_back(std::exchange(entry, ""));
    }
  }
  if (!entry.empty()) entries.push_back(std::move(entry));
}

}  // namespace
}  // namespace dpsql

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  const auto questions = dpsql::ReadNumber(argc > 2 ? argv[2] : "");
  const auto seed = dpsql::ReadNumber(argc > 3 ? argv[3] : "");
  if (!questions || !seed || (name != "shop" && name != "link")) {
    std::cerr << "usage: neighbour_fuzz shop|link QUESTIONS SEED [FILE…]\n";
    return 2;
  }
  std::vector<std::string> entries;
  for (int i = 4; i < argc; ++i) dpsql::ReadEntries(argv[i], entries);
  const dpsql::TempFolder folder;
  dpsql::Neighbours neighbours(dpsql::MakeWorld(name, folder / ""), *seed, folder / "");
  neighbours.ProveTeeth();
  neighbours.Run(entries, *questions);
  std::cerr << neighbours.Summary();
  return neighbours.findings() == 0 ? 0 : 1;
}
