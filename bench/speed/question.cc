#include "speed/question.h"

#include <array>
#include <cstdint>
#include <utility>

namespace dpsql {
namespace {

constexpr const char* kStatusKeys = "o_orderstatus = { values = [\"F\", \"O\", \"P\"] }\n";
constexpr const char* kSegmentKeys =
    R"(c_mktsegment = { values = ["AUTOMOBILE", "BUILDING", "FURNITURE", "HOUSEHOLD", )"
    R"("MACHINERY"] })"
    "\n";

// As in the paper.
constexpr const char* kExtremes = R"([tables.customer]
unit = "c_custkey"
[tables.orders]
unit = "o_custkey"
max_rows_per_unit = 41
[tables.lineitem]
unit = { through = "l_orderkey", references = "orders.o_orderkey" }
max_rows_per_unit = 178
[tables.lineitem.columns]
l_extendedprice = { lower = 901, upper = 104949.5 }
l_discount = { lower = 0, upper = 0.1 }
[tables.orders.columns]
o_totalprice = { lower = 857.71, upper = 555285.16 }
)";
constexpr const char* kExtremeBalance = "c_acctbal = { lower = -999.99, upper = 9999.99 }\n";

// What an owner would write who knows the business and has not looked.
constexpr const char* kRound = R"([tables.customer]
unit = "c_custkey"
[tables.orders]
unit = "o_custkey"
max_rows_per_unit = 50
[tables.lineitem]
unit = { through = "l_orderkey", references = "orders.o_orderkey" }
max_rows_per_unit = 200
[tables.lineitem.columns]
l_extendedprice = { lower = 0, upper = 120000 }
l_discount = { lower = 0, upper = 0.1 }
[tables.orders.columns]
o_totalprice = { lower = 0, upper = 600000 }
)";
constexpr const char* kRoundBalance = "c_acctbal = { lower = -1000, upper = 10000 }\n";

std::string TpchTables(const TpchKnowledge& knowledge) {
  std::string tables = knowledge.extremes ? kExtremes : kRound;
  if (knowledge.keys) tables += kStatusKeys;
  tables += "[tables.customer.columns]\n";
  tables += knowledge.extremes ? kExtremeBalance : kRoundBalance;
  if (knowledge.keys) tables += kSegmentKeys;
  return tables;
}

Question Asked(std::string name, const std::string& sql, std::string per_unit) {
  return {.name = std::move(name),
          .exact = sql,
          .per_unit = std::move(per_unit),
          .settings = "",
          .sql = sql};
}

// Count, sum and sum of squares of a column of customer for each unit.
std::string CustomerMoments(const std::string& inner, const std::string& outer) {
  return "SELECT " + outer + " FROM (SELECT c_custkey, " + inner +
         " FROM customer GROUP BY c_custkey)";
}

constexpr const char* kJoin = "FROM customer c JOIN orders o ON c.c_custkey = o.o_custkey";

Question StatusQuestion(const std::string& name) {
  return Asked(name, "SELECT o_orderstatus, AVG(o_totalprice) FROM orders GROUP BY o_orderstatus",
               "SELECT count(*), sum(n), sum(s) FROM (SELECT o_custkey, o_orderstatus, count(*) n, "
               "sum(o_totalprice) s FROM orders GROUP BY o_custkey, o_orderstatus)");
}

Question SegmentQuestion(const std::string& name) {
  return Asked(
      name,
      std::string("SELECT c_mktsegment, AVG(o_totalprice) ") + kJoin + " GROUP BY c_mktsegment",
      std::string("SELECT count(*), sum(n), sum(s) FROM (SELECT o_custkey, c_mktsegment, "
                  "count(*) n, sum(o_totalprice) s ") +
          kJoin + " GROUP BY o_custkey, c_mktsegment)");
}

Question ClerkQuestion() {
  return Asked("CLERKS", "SELECT o_clerk, COUNT(*) FROM orders GROUP BY o_clerk",
               "SELECT count(*), sum(n) FROM (SELECT o_custkey, o_clerk, count(*) n FROM orders "
               "GROUP BY o_custkey, o_clerk)");
}

}  // namespace

QuestionSet PaperQuestions(const TpchKnowledge& knowledge) {
  const std::string one = "count(*) n, sum(c_acctbal) s";
  const std::string two = one + ", sum(c_acctbal::DOUBLE * c_acctbal::DOUBLE) q";
  return {
      .tables = TpchTables(knowledge),
      .questions = {
          Asked("COUNT", "SELECT COUNT(*) FROM customer",
                CustomerMoments("count(*) n", "count(*), sum(n)")),
          Asked("COUNT_DISTINCT", "SELECT COUNT(DISTINCT c_nationkey) FROM customer",
                "SELECT count(*), sum(n) FROM (SELECT c_custkey, c_nationkey, count(*) n "
                "FROM customer GROUP BY c_custkey, c_nationkey)"),
          Asked("SUM", "SELECT SUM(c_acctbal) FROM customer",
                CustomerMoments("sum(c_acctbal) s", "count(*), sum(s)")),
          Asked("AVG", "SELECT AVG(c_acctbal) FROM customer",
                CustomerMoments(one, "count(*), sum(n), sum(s)")),
          Asked("VAR", "SELECT VAR_SAMP(c_acctbal) FROM customer",
                CustomerMoments(two, "count(*), sum(n), sum(s), sum(q)")),
          Asked("STDDEV", "SELECT STDDEV_SAMP(c_acctbal) FROM customer",
                CustomerMoments(two, "count(*), sum(n), sum(s), sum(q)")),
          Asked("COVAR", "SELECT COVAR_SAMP(l_extendedprice, l_discount) FROM lineitem",
                "SELECT count(*), sum(n), sum(p), sum(d), sum(pd) FROM (SELECT o_custkey, "
                "count(*) n, sum(l_extendedprice) p, sum(l_discount) d, "
                "sum(l_extendedprice::DOUBLE * l_discount::DOUBLE) pd FROM lineitem "
                "JOIN orders ON l_orderkey = o_orderkey GROUP BY o_custkey)"),
          Asked("JOIN",
                std::string("SELECT AVG(o_totalprice) ") + kJoin +
                    " WHERE c.c_mktsegment = 'BUILDING'",
                std::string("SELECT count(*), sum(n), sum(s) FROM (SELECT o_custkey, count(*) n, "
                            "sum(o_totalprice) s ") +
                    kJoin + " WHERE c.c_mktsegment = 'BUILDING' GROUP BY o_custkey)"),
          StatusQuestion("GROUPBY"),
          SegmentQuestion("GROUPBY_JOIN"),
      }};
}

QuestionSet FrequencyQuestions() {
  QuestionSet set = PaperQuestions();
  for (Question& question : set.questions) question.settings = "SET dp.min_frequency = 10";
  return set;
}

QuestionSet UnknownKeyQuestions() {
  QuestionSet set{.tables = TpchTables({.keys = false}), .questions = {}};
  for (const int k : {1, 10}) {
    for (Question question :
         {StatusQuestion("GROUPBY"), SegmentQuestion("GROUPBY_JOIN"), ClerkQuestion()}) {
      question.name += ", k = " + std::to_string(k);
      question.settings = "SET dp.min_frequency = " + std::to_string(k);
      set.questions.push_back(std::move(question));
    }
  }
  return set;
}

QuestionSet GroupQuestions() {
  QuestionSet set{.tables = R"([tables.events]
unit = "unit"
max_rows_per_unit = 20
[tables.events.columns]
amount = { lower = 0, upper = 100 }
)",
                  .questions = {}};
  for (const char* groups : {"10", "100", "1000", "10000", "100000", "1000000"}) {
    for (const int cap : {1, 5}) {
      const std::string key = std::string("key") + groups;
      Question question = Asked(std::string(groups) + " groups, C0 = " + std::to_string(cap),
                                "SELECT " + key + ", SUM(amount) FROM events GROUP BY " + key,
                                "SELECT count(*), sum(s) FROM (SELECT unit, " + key +
                                    ", sum(amount) s FROM events GROUP BY unit, " + key + ")");
      // What comes back would be a million rows: counted, so that no transfer is timed.
      question.exact = "SELECT count(*), sum(s) FROM (SELECT " + key +
                       ", sum(amount) s FROM events GROUP BY " + key + ")";
      question.settings = "SET dp.max_groups_contributed = " + std::to_string(cap);
      set.questions.push_back(std::move(question));
    }
  }
  return set;
}

QuestionSet UnitQuestions() {
  QuestionSet set;
  constexpr std::int64_t kRows = 10'000'000;
  for (const std::int64_t units : {1'000, 10'000, 100'000, 1'000'000, 10'000'000}) {
    const std::string table = "events" + std::to_string(units);
    // Twice the mean, and some more where that is small: the cap cuts nobody off.
    set.tables += "[tables." + table + "]\nunit = \"unit\"\nmax_rows_per_unit = " +
                  std::to_string(2 * kRows / units + 20) + "\n[tables." + table +
                  ".columns]\namount = { lower = 0, upper = 100 }\n"
                  "key10 = { values = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] }\n";
    Question question =
        Asked(std::to_string(units) + " units",
              "SELECT key10, SUM(amount) FROM " + table + " GROUP BY key10",
              "SELECT count(*), sum(s) FROM (SELECT unit, key10, sum(amount) s FROM " + table +
                  " GROUP BY unit, key10)");
    question.settings = "SET dp.min_frequency = 10";
    set.questions.push_back(std::move(question));
  }
  return set;
}

// Under gdp delta_infinity of one key selection is 1e-5 of the budget's delta: at 1e-5 it stays far
// below the delta of a question.
std::string PolicyOf(const QuestionSet& set, const std::string& accountant) {
  return "[dataset]\nname = \"bench\"\n"
         "[budget]\nepsilon = 100\ndelta = 1e-5\naccountant = \"" +
         accountant +
         "\"\n[query]\nepsilon = 1\ndelta = 1e-7\nmin_frequency = 1\nmax_groups_per_unit = 5\n" +
         set.tables;
}

// Of an epsilon of 100 a question pays 1, or under gdp its share of a sum of squares.
int MostRepetitions(const std::string& accountant) { return accountant == "gdp" ? 400 : 90; }

}  // namespace dpsql
