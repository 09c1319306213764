#include "neighbours/teeth.h"

#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "neighbours/kept_manner.h"
#include "neighbours/neighbour_house.h"
#include "neighbours/shrink_case.h"
#include "support/temp_folder.h"

namespace dpsql {
namespace {

NeighbourCase Shop() {
  return {.policy = R"([dataset]
name = "teeth"
unit = "person"
[budget]
epsilon = 8.0
delta = 1e-6
[query]
epsilon = 1.0
delta = 1e-7
min_frequency = 1
max_groups_per_unit = 1
[tables.person]
unit = "id"
[tables.rare]
unit = "id"
[tables.act]
unit = "who"
max_rows_per_unit = 12
[tables.act.columns]
x = { lower = 0, upper = 10 }
)",
          .verified = {},
          .tables = {{"person",
                      "id INTEGER PRIMARY KEY, age INTEGER",
                      {{"1, 5", "person 1"}, {"2, 5", "person 2"}, {"3, 7", "person 3"}}},
                     {"rare", "id INTEGER PRIMARY KEY", {{"3", "person 3"}}},
                     {"act",
                      "who INTEGER, x INTEGER, k VARCHAR",
                      {{"1, 10, 'a'", "person 1"},
                       {"1, 10, 'b'", "person 1"},
                       {"1, 10, 'c'", "person 1"},
                       {"1, 9, 'c'", "person 1"},
                       {"2, 3, 'a'", "person 2"},
                       {"4, 3, 'b'", "person 4"},
                       {"4, 8, 'b'", "person 4"}}}},
          .question = ""};
}

void Untie(Door& door, const std::function<void(BoundDoor&)>& change) {
  BoundDoor query = *door.query;
  change(query);
  door.query = std::make_shared<const BoundDoor>(std::move(query));
}

// The windows of the query in FROM lose their PARTITION BY, and their rows the rest of an order.
void OverEverybody(Door& door) {
  Untie(door, [](BoundDoor& query) {
    for (Scan& scan : query.relation.scans) {
      if (!scan.node) continue;
      QueryNode node = *scan.node;
      auto* windows = std::get_if<Windowing>(&node.body);
      if (windows == nullptr) {
        auto& projection = std::get<Projection>(node.body);
        QueryNode inner = *projection.relation.scans[0].node;
        for (WindowCall& call : std::get<Windowing>(inner.body).windows) call.partition_by.clear();
        projection.relation.scans[0].node = std::make_shared<const QueryNode>(std::move(inner));
      } else {
        for (WindowCall& call : windows->windows) call.partition_by.clear();
      }
      scan.node = std::make_shared<const QueryNode>(std::move(node));
    }
  });
}

struct Tooth {
  const char* name;
  const char* sql;
  void (*break_door)(Door& door);
};

const std::vector<Tooth>& Teeth() {
  static const std::vector<Tooth> kTeeth = {
      {"a test of other people's rows",
       "SELECT count(*) FROM act a WHERE NOT EXISTS (SELECT 1 FROM rare r WHERE r.id = a.who)",
       [](Door& door) {
         Untie(door, [](BoundDoor& query) { query.relation.scans[1].on.clear(); });
       }},
      {"a join with other people's rows",
       "SELECT count(*) FROM act a JOIN person p ON p.id = a.who AND a.x > 3",
       [](Door& door) {
         Untie(door, [](BoundDoor& query) { query.relation.conditions.clear(); });
       }},
      {"an optional join with other people's rows",
       "SELECT sum(coalesce(a.x, 10), 0, 10) FROM person p LEFT JOIN act a ON p.id = a.who",
       [](Door& door) {
         Untie(door, [](BoundDoor& query) { query.relation.scans[1].on.clear(); });
       }},
      {"a window over everybody",
       "SELECT count(*) FROM (SELECT who, row_number() OVER (PARTITION BY who ORDER BY x) AS r "
       "FROM act) w WHERE r <= 1",
       OverEverybody},
      {"a cap on rows that is not kept",
       "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (contribution_bound = 2) count(*), sum(x) FROM "
       "act",
       [](Door& door) {
         for (Statistic& statistic : door.statistics) statistic.clip <<= 4;
         door.rows_per_unit.value <<= 4;
       }},
      {"a cap on groups that is not kept", "SELECT k, count(DISTINCT who) FROM act GROUP BY k",
       [](Door& door) { door.groups_per_unit.value = 3; }},
      {"units counted in stage 2 that are not those of stage 1",
       "SELECT k, count(DISTINCT who), count(DISTINCT who) FILTER (WHERE x > 5) FROM act GROUP BY "
       "k",
       [](Door& door) { door.statistics[0].cell_class = door.statistics[1].cell_class; }},
      {"more units in stage 2 than in stage 1",
       "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (min_frequency = 2) count(DISTINCT who) FILTER "
       "(WHERE x > 5), count(DISTINCT who) FROM act",
       [](Door& door) { door.statistics[0].cell_class = door.statistics[1].cell_class; }},
      {"a clip that leaves nothing of who was counted", "SELECT k, count(*) FROM act GROUP BY k",
       [](Door& door) {
         for (Statistic& statistic : door.statistics) statistic.clip = 1;
         door.rows_per_unit.value = 0;
       }},
      {"a row taken for a unit", "SELECT count(DISTINCT who) FROM act",
       [](Door& door) { door.rows_are_units = true; }},
  };
  return kTeeth;
}

// What ends in an error is not found out: nobody moved anything.
void MustFind(const std::string& name, const std::optional<NeighbourFinding>& finding) {
  const bool compared = finding && finding->words.find(" breaks: ") == std::string::npos &&
                        finding->words.find(" fails") == std::string::npos;
  if (compared) return;
  throw std::runtime_error(name + " was not found out" + (finding ? ": " + finding->words : ""));
}

// No door breaks this: the two stages choose a unit's groups by other priorities.
void ProvePriorities(NeighbourHouse& house) {
  const DpPlan plan = house.Plan("SELECT k, count(DISTINCT who) FROM act GROUP BY k").value();
  for (const Way way : {Way::kOwn, Way::kOutgrown, Way::kStatements}) {
    const NeighbourHouse::Manner forgets{
        .shown = {.rule = Shown::Rule::kAll}, .way = way, .forgets = true};
    MustFind("priorities that stage 2 forgets", house.Try(plan, forgets));
  }
}

void Must(bool holds, const std::string& words) {
  if (!holds) throw std::runtime_error("a finding does not become a test: " + words);
}

// What is found becomes a file that says all of it, is small, and fails again.
void ProveFiles() {
  const NeighbourHouse::Manner forgets{
      .shown = {.rule = Shown::Rule::kAll, .seed = 412}, .way = Way::kStatements, .forgets = true};
  NeighbourCase failing = Shop();
  failing.verified = {{"rare", {"id"}}};
  failing.tables[0].rows.clear();
  failing.tables[1].rows.clear();
  std::erase_if(failing.tables[2].rows, [](const CaseRow& row) { return row.owner == "person 4"; });
  failing.question = "SELECT k, count(DISTINCT who), sum(x) FROM act GROUP BY k";
  NeighbourCase small = ShrinkCase(failing, forgets);
  small.manner = WriteManner(forgets);
  const TempFolder folder;
  const std::string path = folder / "found.sql";
  std::ofstream(path) << small.ToFile("found without person 1:\nquestion");
  const NeighbourCase read = NeighbourCase::FromFile(path);
  Must(read == small, "its file reads otherwise");
  KeptManner kept = ReadManner(read.manner);
  Must(WriteManner(kept.manner) == small.manner && kept.engine.empty(), "its manner is another");
  kept.manner.forgets = true;
  Must(FindIn(read, {kept.manner}).has_value(), "its file does not fail");
  std::size_t rows = 0;
  for (const CaseTable& table : read.tables) rows += table.rows.size();
  Must(read.tables.size() == 1 && rows <= 3, "its file has rows that do not matter");
  Must(read.question.find("sum") == std::string::npos, "its question has words without need");
}

}  // namespace

void ProveTeeth() {
  ProveFiles();
  NeighbourHouse house(Shop());
  ProvePriorities(house);
  for (const Tooth& tooth : Teeth()) {
    const Result<DpPlan> plan = house.Plan(tooth.sql);
    if (!plan) throw std::runtime_error(std::string(tooth.sql) + ": " + plan.error().message);
    const NeighbourHouse::Manner manner{.shown = {.rule = Shown::Rule::kAll}};
    if (const auto finding = house.Try(*plan, manner)) {
      throw std::runtime_error(std::string(tooth.sql) + ": " + finding->words);
    }
    std::vector<Door> broken = plan->doors();
    for (Door& door : broken) tooth.break_door(door);
    MustFind(tooth.name, house.Try(*plan, broken, manner));
  }
}

}  // namespace dpsql
