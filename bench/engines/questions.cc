#include "engines/questions.h"

#include <map>

namespace dpsql {
namespace {

// Bounds and caps are the true extremes at scale 1, as in bench/speed.
constexpr const char* kTpchTables = R"([tables.customer]
unit = "c_custkey"
max_rows_per_unit = 1
[tables.customer.columns]
c_acctbal = { lower = -999.99, upper = 9999.99 }
c_mktsegment.values = ["AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", "MACHINERY"]
[tables.orders]
unit = "o_custkey"
max_rows_per_unit = 41
[tables.orders.columns]
o_totalprice = { lower = 857.71, upper = 555285.16 }
o_orderstatus = { values = ["F", "O", "P"] }
[tables.lineitem]
unit = "l_custkey"
max_rows_per_unit = 178
[tables.lineitem.columns]
l_extendedprice = { lower = 901, upper = 104949.5 }
l_discount = { lower = 0, upper = 0.1 }
)";

// What the queries of TPC-H read besides; it follows the columns of lineitem.
constexpr const char* kMoreTables = R"(l_quantity = { lower = 1, upper = 50 }
l_tax = { lower = 0, upper = 0.08 }
l_returnflag = { values = ["A", "N", "R"] }
l_linestatus = { values = ["F", "O"] }
[tables.part]
public = true
[tables.supplier]
public = true
[tables.nation]
public = true
[tables.region]
public = true
)";

// Without a time limit of the owner's a statement on Spark ends after nine minutes.
constexpr const char* kGrowthTimeout = "2 h";

constexpr const char* kGrowthTables = R"([tables.events]
unit = "unit"
max_rows_per_unit = 20
[tables.events.columns]
amount = { lower = 0, upper = 100 }
)";

std::string Variance(const std::string& x) {
  return "(sum(" + x + " * " + x + ") - sum(" + x + ") * sum(" + x +
         ") / count(*)) / (count(*) - 1)";
}

}  // namespace

EngineQuestions TpchOnEngines() {
  EngineQuestions questions{.set = PaperQuestions(), .tables = {"customer", "orders", "lineitem"}};
  questions.set.tables = kTpchTables;
  return questions;
}

EngineQuestions BesidePeers() {
  EngineQuestions questions = TpchOnEngines();
  questions.set.tables += kMoreTables;
  for (const char* table : {"part", "supplier", "nation", "region"}) {
    questions.tables.emplace_back(table);
  }
  const std::string link = "l_orderkey = o_orderkey";
  for (Question& question : TpchQuestions().questions) {
    const std::size_t place = question.sql.find(link);
    if (place != std::string::npos) question.sql.insert(place, "l_custkey = o_custkey and ");
    questions.set.questions.push_back(std::move(question));
  }
  return questions;
}

EngineQuestions GrowthOnEngines() {
  const auto asked = [](const std::string& name, const std::string& sql) {
    return Question{.name = name, .exact = sql, .per_unit = "", .settings = "", .sql = sql};
  };
  return {.set = {.tables = kGrowthTables,
                  .questions = {asked("SUM", "SELECT SUM(amount) FROM events"),
                                asked("GROUPS",
                                      "SELECT key1000, COUNT(*), SUM(amount) FROM events "
                                      "GROUP BY key1000")}},
          .tables = {"events"},
          .timeout = kGrowthTimeout};
}

std::string InSqlite(const Question& question) {
  const std::map<std::string, std::string> written = {
      {"VAR", "SELECT " + Variance("c_acctbal") + " FROM customer"},
      {"STDDEV", "SELECT sqrt(" + Variance("c_acctbal") + ") FROM customer"},
      {"COVAR",
       "SELECT (sum(l_extendedprice * l_discount) - sum(l_extendedprice) * sum(l_discount) / "
       "count(*)) / (count(*) - 1) FROM lineitem"}};
  const auto found = written.find(question.name);
  return found == written.end() ? question.exact : found->second;
}

std::string PolicyText(const EngineQuestions& questions, const std::string& files) {
  std::string policy = PolicyOf(questions.set, "gdp");
  if (!questions.timeout.empty()) {
    const std::string head = "[query]\n";
    policy.insert(policy.find(head) + head.size(), "timeout = \"" + questions.timeout + "\"\n");
  }
  if (files.empty()) return policy;
  for (const std::string& table : questions.tables) {
    const std::string head = "[tables." + table + "]\n";
    policy.insert(policy.find(head) + head.size(),
                  "source = \"" + files + "/" + table + ".parquet\"\n");
  }
  return policy;
}

}  // namespace dpsql
