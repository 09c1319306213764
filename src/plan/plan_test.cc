#include "plan/plan.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <set>

#include "plan/calibrate.h"
#include "privacy/door_calibration.h"
#include "privacy/threshold.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;

const char* const kQueries[] = {
    "SELECT count(*) FROM customer",
    "SELECT count(*), count(age), sum(age), avg(balance) FROM customer",
    "SELECT city, count(*) FROM customer GROUP BY city",
    "SELECT city, avg(age), count(DISTINCT customer_id) FROM customer GROUP BY city",
    "SELECT segment, sum(score) FROM customer GROUP BY segment",
    "SELECT ordered, count(*), sum(amount), avg(big, 0, 9) FROM orders GROUP BY ordered",
    "SELECT status, count(*) FROM orders GROUP BY status",
    "SELECT product, avg(quantity), count(DISTINCT o.customer_id) FROM item i "
    "JOIN orders o ON i.order_id = o.order_id GROUP BY product",
    "SELECT page, count(*), sum(seconds) FROM visit GROUP BY page",
};

// sensitivity^2 / sigma^2 in units of 2^-96, rounded up, by integers of any size.
cpp_int Charge(cpp_int sensitivity_squared, GridSigma sigma) {
  const cpp_int numerator = sensitivity_squared << (2 * sigma.bits + 96);
  const cpp_int denominator = cpp_int(sigma.numerator) * sigma.numerator;
  return (numerator + denominator - 1) / denominator;
}

cpp_int Cells(const Door& door) {
  return cpp_int(door.groups_per_unit.value) * door.classes.size();
}

// What a unit can move a statistic by, from the caps alone. The coordinates of these queries have
// weights of one.
cpp_int SensitivitySquared(const Door& door, const Statistic& statistic) {
  if (statistic.shape.kind == StatisticKind::kUnits) return door.groups_per_unit.value;
  const cpp_int clip = cpp_int(door.rows_per_unit.value) << 20;
  return clip * clip;
}

double MuSquared(const Door& door, const Statistic& statistic) {
  const double sigma = statistic.sigmas.at(0).value();
  return static_cast<double>(SensitivitySquared(door, statistic)) / (sigma * sigma);
}

// The delta of a door as planned, from the sigmas and tau it will really use.
double DeltaOf(const Door& door, double epsilon) {
  double mu_squared = 0;
  for (const Statistic& statistic : door.statistics) mu_squared += MuSquared(door, statistic);
  if (!door.selects_keys()) return GaussianDelta(epsilon, std::sqrt(mu_squared));
  return JointDelta({.epsilon = epsilon,
                     .cells = static_cast<std::int64_t>(Cells(door)),
                     .sigma_count = door.count_sigma.value(),
                     .shown = ShownProbability(door.count_sigma, door.tau - door.min_frequency),
                     .mu_statistics = std::sqrt(mu_squared)});
}

class PlanTest : public ::testing::Test {
 protected:
  DpPlan PlanOf(const std::string& sql) const { return PlanQuery(sql, catalog_); }
  DpPlan PlanOf(const std::string& sql, const Settings& settings) const {
    return PlanQuery(sql, catalog_, settings);
  }
  Settings Defaults() const { return DefaultSettings(catalog_.policy()); }

  std::string ErrorOf(const std::string& sql, const Settings& settings) const {
    const Result<DpPlan> plan = TryPlan(sql, catalog_, settings);
    return plan ? "accepted" : plan.error().code;
  }

  Catalog catalog_ = MakeShopCatalog({.min_frequency = 10, .max_groups = 3});
};

TEST_F(PlanTest, PriceIsTheSumOfItsCharges) {
  for (const char* sql : kQueries) {
    const DpPlan plan = PlanOf(sql);
    ASSERT_EQ(plan.doors().size(), 1u) << sql;
    const Door& door = plan.doors()[0];
    cpp_int mu_squared = 0;
    for (const Statistic& statistic : door.statistics) {
      EXPECT_EQ(cpp_int(SensitivityOf(door, statistic).l2_squared),
                SensitivitySquared(door, statistic))
          << sql;
      ASSERT_LE(TotalDegree(statistic.shape), 1u);
      mu_squared += Charge(SensitivitySquared(door, statistic), statistic.sigmas.at(0));
    }
    cpp_int delta_infinity = 0;
    if (door.selects_keys()) {
      mu_squared += Charge(Cells(door), door.count_sigma);
      delta_infinity =
          cpp_int(static_cast<UInt128>(std::ceil(std::ldexp(door.delta_infinity, 120))));
    }
    EXPECT_EQ(cpp_int(plan.cost().by_mechanism.mu_squared), mu_squared) << sql;
    EXPECT_EQ(cpp_int(plan.cost().by_mechanism.delta), delta_infinity) << sql;
    EXPECT_EQ(plan.cost().doors, 1) << sql;
    EXPECT_EQ(plan.cost().asked.epsilon, 1.0) << sql;
    EXPECT_EQ(plan.cost().asked.delta, 1e-7) << sql;
  }
}

// Doors that ask the same are one; all others share what was asked, and each is charged.
TEST_F(PlanTest, EveryDoorIsPaidFor) {
  const auto beside = [](const std::string& rows) {
    return "SELECT a.n, b.n FROM (SELECT count(*) AS n FROM customer) a "
           "CROSS JOIN (SELECT count(*) AS n FROM " +
           rows + ") b";
  };
  EXPECT_EQ(PlanOf(beside("customer")).doors().size(), 1u);
  for (const char* rows : {"customer WHERE age > 30", "orders"}) {
    const DpPlan plan = PlanOf(beside(rows));
    ASSERT_EQ(plan.doors().size(), 2u) << rows;
    Purses drawn;
    for (const Door& door : plan.doors()) {
      EXPECT_EQ(door.asked.epsilon, 0.5) << rows;
      EXPECT_EQ(door.asked.delta, 0.5e-7) << rows;
      EXPECT_LE(DeltaOf(door, 0.5), 0.5e-7) << rows;
      drawn = SumOf(drawn, DrawnBy(door));
    }
    EXPECT_TRUE(plan.cost().by_mechanism == drawn) << rows;
    EXPECT_EQ(plan.cost().asked.epsilon, 1.0) << rows;
    EXPECT_EQ(plan.cost().doors, 2) << rows;
  }
}

TEST_F(PlanTest, DoorKeepsItsDelta) {
  for (const std::int64_t min_frequency : {1, 10, 500}) {
    const Catalog catalog = MakeShopCatalog({.min_frequency = min_frequency, .max_groups = 3});
    Settings settings = DefaultSettings(catalog.policy());
    for (const double epsilon : {0.01, 0.3, 2.0}) {
      settings.epsilon = epsilon;
      for (const char* sql : kQueries) {
        const DpPlan plan = PlanQuery(sql, catalog, settings);
        const double delta = DeltaOf(plan.doors()[0], epsilon);
        EXPECT_LE(delta, settings.delta) << sql;
        EXPECT_GT(delta, 0.95 * settings.delta) << sql;  // and does not add noise for nothing
      }
    }
  }
}

TEST_F(PlanTest, KeySelectionLeaksWhatThePlanSays) {
  const Door door = PlanOf(kQueries[2]).doors()[0];
  ASSERT_TRUE(door.selects_keys());
  const double shown = ShownProbability(door.count_sigma, door.tau - door.min_frequency);
  EXPECT_GE(door.delta_infinity, -std::expm1(std::log1p(-shown)));
  EXPECT_GT(ShownProbability(door.count_sigma, door.tau - door.min_frequency - 1), 1e-11);
}

TEST_F(PlanTest, GroupCapIsInferred) {
  const auto cap = [&](const std::string& sql) {
    return PlanOf(sql).doors()[0].groups_per_unit.value;
  };
  EXPECT_EQ(cap("SELECT count(*) FROM orders"), 1);
  EXPECT_EQ(cap("SELECT city, count(*) FROM customer GROUP BY city"), 1);
  EXPECT_EQ(cap("SELECT c.city, count(*) FROM customer c JOIN orders o "
                "ON c.customer_id = o.customer_id GROUP BY c.city"),
            1);
  EXPECT_EQ(cap("SELECT t.country, count(*) FROM customer c JOIN city t ON c.city = t.name "
                "GROUP BY t.country"),
            1);
  EXPECT_EQ(cap("SELECT t.country, count(*) FROM customer c CROSS JOIN city t "
                "GROUP BY t.country"),
            3);
  EXPECT_EQ(cap("SELECT ordered, count(*) FROM orders GROUP BY ordered"), 3);
  EXPECT_EQ(cap("SELECT c.city, o.ordered, count(*) FROM customer c JOIN orders o "
                "ON c.customer_id = o.customer_id GROUP BY c.city, o.ordered"),
            3);
  // Four known values: the cap of the policy is lower.
  EXPECT_EQ(cap("SELECT status, count(*) FROM orders GROUP BY status"), 3);
}

TEST_F(PlanTest, KnownKeysCapTheGroups) {
  Settings settings = Defaults();
  settings.max_groups = std::nullopt;
  const std::string by_status = "SELECT status, count(*) FROM orders GROUP BY status";
  EXPECT_EQ(PlanOf(by_status, settings).doors()[0].groups_per_unit.value, 4);
  settings.max_groups = 9;
  EXPECT_EQ(PlanOf(by_status, settings).doors()[0].groups_per_unit.value, 4);
  settings.max_groups = 2;
  EXPECT_EQ(PlanOf(by_status, settings).doors()[0].groups_per_unit.value, 2);
}

TEST_F(PlanTest, CapsThatNobodyGaveAreRefused) {
  Settings settings = Defaults();
  settings.max_groups = std::nullopt;
  EXPECT_EQ(ErrorOf("SELECT ordered, count(*) FROM orders GROUP BY ordered", settings), "V315");
  EXPECT_EQ(ErrorOf("SELECT count(*) FROM wild", settings), "V316");
  settings.contribution_bound = 6;
  const Door door = PlanOf("SELECT count(*) FROM wild", settings).doors()[0];
  EXPECT_EQ(door.rows_per_unit.value, 6);
  settings.contribution_bound = 1'000'000'000;
  settings.epsilon = 1e-6;
  settings.delta = 1e-50;
  EXPECT_EQ(ErrorOf("SELECT count(*) FROM wild", settings), "V321");
}

TEST_F(PlanTest, NoMinimumFrequencyMeansOne) {
  const Catalog zero = MakeShopCatalog({.min_frequency = 0, .max_groups = 3});
  const Catalog one = MakeShopCatalog({.min_frequency = 1, .max_groups = 3});
  const DpPlan by_zero = PlanQuery(kQueries[2], zero);
  const DpPlan by_one = PlanQuery(kQueries[2], one);
  EXPECT_TRUE(by_zero.doors()[0].selects_keys());
  EXPECT_EQ(by_zero.doors()[0].min_frequency, 1);
  EXPECT_EQ(by_zero.doors()[0].tau, by_one.doors()[0].tau);
  EXPECT_EQ(by_zero.cost().by_mechanism.mu_squared, by_one.cost().by_mechanism.mu_squared);
  EXPECT_EQ(by_zero.Print(), by_one.Print());
}

TEST_F(PlanTest, PublicKeysAreSelectedForKOnly) {
  const Catalog one = MakeShopCatalog({.min_frequency = 1});
  for (const char* sql : {"SELECT count(*) FROM customer",
                          "SELECT segment, count(*) FROM customer GROUP BY segment"}) {
    EXPECT_FALSE(PlanQuery(sql, one).doors()[0].selects_keys()) << sql;
    EXPECT_EQ(PlanQuery(sql, one).cost().by_mechanism.delta, UInt128{0}) << sql;
    EXPECT_TRUE(PlanOf(sql).doors()[0].selects_keys()) << sql;
  }
}

TEST_F(PlanTest, ALargerKMovesTauAndNothingElse) {
  const Door ten = PlanOf(kQueries[2]).doors()[0];
  const Catalog more = MakeShopCatalog({.min_frequency = 50, .max_groups = 3});
  const Door fifty = PlanQuery(kQueries[2], more).doors()[0];
  EXPECT_EQ(fifty.tau - fifty.min_frequency, ten.tau - ten.min_frequency);
  EXPECT_EQ(fifty.count_sigma.numerator, ten.count_sigma.numerator);
}

class DigestTest : public PlanTest {
 protected:
  static std::string Digest(const DpPlan& plan) { return plan.cost().plan_digest; }
};

TEST_F(DigestTest, SameTextTwiceIsTheSamePlan) {
  for (const char* sql : kQueries) {
    EXPECT_EQ(Digest(PlanOf(sql)), Digest(PlanOf(sql))) << sql;
    EXPECT_EQ(Digest(PlanOf(sql)).size(), 64u);
    const Catalog again = MakeShopCatalog({.min_frequency = 10, .max_groups = 3});
    EXPECT_EQ(Digest(PlanOf(sql)), Digest(PlanQuery(sql, again))) << sql;
  }
}

TEST_F(DigestTest, EveryDifferenceOfTheQueryShows) {
  std::set<std::string> seen;
  for (const char* sql : {
           "SELECT count(*), sum(age, 0, 50) FROM customer",
           "SELECT count(*), sum(age, 0, 50.000000001) FROM customer",
           "SELECT count(*), sum(age, 1e-9, 50) FROM customer",
           "SELECT sum(age, 0, 50), count(*) FROM customer",
           "SELECT count(*) AS n, sum(age, 0, 50) FROM customer",
           "SELECT count(*) AS n, sum(age, 0, 50) AS m FROM customer",
           "SELECT count(*) AS \"n  sum\", sum(age, 0, 50) AS m FROM customer",
           "SELECT count(*), sum(age, 0, 50) FROM customer WHERE active",
           "SELECT count(*), sum(age, 0, 50) FROM customer WHERE NOT active",
           "SELECT count(*), sum(age, 0, 50) FROM customer WHERE score > 1",
           "SELECT count(*), sum(age, 0, 50) FROM customer WHERE score > 1.0000000000000002",
           "SELECT count(*), sum(age, 0, 50) FROM customer WHERE city = '1'",
           "SELECT count(*), sum(age, 0, 50) FROM customer WHERE city = '1 '",
           "SELECT count(*), avg(age, 0, 50) FROM customer",
           "SELECT count(age), sum(age, 0, 50) FROM customer",
           "SELECT segment, count(*), sum(age, 0, 50) FROM customer GROUP BY segment",
           "SELECT count(*), sum(age, 0, 50) FROM customer GROUP BY segment",
           "SELECT segment, count(*), sum(age, 0, 50) FROM customer GROUP BY segment, city",
       }) {
    EXPECT_TRUE(seen.insert(Digest(PlanOf(sql))).second) << sql;
  }
}

// The columns of an answer by what they hold, in their order, and by where each name ends.
TEST_F(DigestTest, EveryDifferenceOfTheOutputsShows) {
  std::set<std::string> seen;
  for (const char* sql : {
           "SELECT segment AS a, count(*) AS b FROM customer GROUP BY segment",
           "SELECT count(*) AS a, segment AS b FROM customer GROUP BY segment",
           "SELECT count(*) AS \"a  b\", count(*) AS c FROM customer GROUP BY segment",
           "SELECT count(*) AS a, count(*) AS \"b  c\" FROM customer GROUP BY segment",
       }) {
    EXPECT_TRUE(seen.insert(Digest(PlanOf(sql))).second) << sql;
  }
}

// A whole number overflows to NULL and compares exactly; a real one does neither.
TEST_F(DigestTest, TypesOfLiteralsShow) {
  EXPECT_NE(Digest(PlanOf("SELECT count(big + 1) FROM orders")),
            Digest(PlanOf("SELECT count(big + 1.0) FROM orders")));
  EXPECT_NE(Digest(PlanOf("SELECT count(*) FROM orders WHERE big = 9007199254740992")),
            Digest(PlanOf("SELECT count(*) FROM orders WHERE big = 9007199254740992.0")));
}

// Quoted names may hold any text, also one that looks like a line of the printed plan.
TEST_F(DigestTest, NamesCannotImitateAnotherQuery) {
  const DpPlan filtered =
      PlanOf("SELECT count(*) FROM customer c CROSS JOIN city t WHERE c.active");
  const DpPlan unfiltered =
      PlanOf("SELECT count(*) FROM customer c CROSS JOIN city \"t\n  where       c.active\"");
  ASSERT_EQ(filtered.doors()[0].query->relation.conditions.size(), 1u);
  ASSERT_EQ(unfiltered.doors()[0].query->relation.conditions.size(), 0u);
  EXPECT_NE(Digest(filtered), Digest(unfiltered));
}

TEST_F(DigestTest, EveryDifferenceOfTheSettingsShows) {
  const char* const sql = "SELECT status, count(*) FROM orders GROUP BY status";
  std::set<std::string> seen = {Digest(PlanOf(sql))};
  const auto changed = [&](auto change) {
    Settings settings = Defaults();
    change(settings);
    return seen.insert(Digest(PlanOf(sql, settings))).second;
  };
  EXPECT_TRUE(changed([](Settings& settings) { settings.epsilon = 1.0 + 1e-15; }));
  EXPECT_TRUE(changed([](Settings& settings) { settings.delta = 1.0000000000001e-7; }));
  EXPECT_TRUE(changed([](Settings& settings) { settings.min_frequency = 11; }));
  EXPECT_TRUE(changed([](Settings& settings) { settings.max_groups = 2; }));
  EXPECT_TRUE(changed([](Settings& settings) { settings.contribution_bound = 49; }));
}

TEST_F(DigestTest, EveryDifferenceOfThePolicyShows) {
  std::set<std::string> seen;
  const ShopPolicy policies[] = {
      {},
      {.min_frequency = 2},
      {.max_groups = 4},
      {.data_version = "v2"},
      {.data_version = ""},
      {.data_version = std::nullopt},
      {.age_upper = "100.000000001"},
      {.last_line = "# changed\n"},
  };
  for (const ShopPolicy& policy : policies) {
    const Catalog catalog = MakeShopCatalog(policy);
    EXPECT_TRUE(seen.insert(Digest(PlanQuery("SELECT sum(age) FROM customer", catalog))).second);
  }
}

TEST_F(PlanTest, OnlyLabelledDataIsStorable) {
  EXPECT_TRUE(PlanOf(kQueries[0]).cost().storable);
  const Catalog unlabelled = MakeShopCatalog({.data_version = std::nullopt});
  EXPECT_FALSE(PlanQuery(kQueries[0], unlabelled).cost().storable);
}

TEST_F(PlanTest, A41WhatCostsNothingIsNotKept) {
  const DpPlan free = PlanOf("SELECT a.name FROM city a CROSS JOIN city b");
  ASSERT_TRUE(free.doors().empty());
  EXPECT_FALSE(free.cost().storable);
  EXPECT_TRUE(PlanOf("SELECT b.name FROM city b CROSS JOIN (SELECT count(*) FROM customer) c")
                  .cost()
                  .storable);
}

TEST_F(PlanTest, SettingsStayWithinThePolicy) {
  const auto apply = [&](const std::string& sql) {
    Settings settings = Defaults();
    const Status status = TrySet(sql, catalog_, settings);
    return status ? "accepted" : status.error().code;
  };
  EXPECT_EQ(apply("SET dp.epsilon = 2"), "accepted");
  EXPECT_EQ(apply("SET dp.epsilon = 2.0000001"), "B401");
  EXPECT_EQ(apply("SET dp.epsilon = 0"), "P106");
  EXPECT_EQ(apply("SET dp.epsilon = -1"), "P106");
  EXPECT_EQ(apply("SET dp.epsilon = 'much'"), "P106");
  EXPECT_EQ(apply("SET dp.delta = 1e-6"), "accepted");
  EXPECT_EQ(apply("SET dp.delta = 1.1e-6"), "B401");
  EXPECT_EQ(apply("SET dp.min_frequency = 10"), "accepted");
  EXPECT_EQ(apply("SET dp.min_frequency = 9"), "B401");
  EXPECT_EQ(apply("SET dp.min_frequency = 10.5"), "P106");
  EXPECT_EQ(apply("SET dp.max_groups_contributed = 1"), "accepted");
  EXPECT_EQ(apply("SET dp.max_groups_contributed = 1000001"), "B401");
  EXPECT_EQ(apply("SET dp.contribution_bound = 0"), "P106");
  EXPECT_EQ(apply("SET dp.epsilom = 1"), "P106");
}

TEST_F(PlanTest, ARefusedSettingChangesNothing) {
  Settings settings = Defaults();
  EXPECT_FALSE(TrySet("SET dp.epsilon = 99", catalog_, settings).ok());
  EXPECT_EQ(settings.epsilon, 1.0);
  EXPECT_TRUE(TrySet("SET dp.epsilon = 0.25", catalog_, settings).ok());
  EXPECT_EQ(settings.epsilon, 0.25);
  EXPECT_EQ(PlanOf(kQueries[0], settings).cost().asked.epsilon, 0.25);
}

}  // namespace
}  // namespace dpsql
