#include "validate/validate.h"

#include <gtest/gtest.h>

#include <set>

#include "sql/parser.h"
#include "support/test_catalog.h"

namespace dpsql {
namespace {

const char* const kAccepted[] = {
    "SELECT count(*) FROM customer",
    "SELECT count(*) AS n, count(*) FROM customer",
    "SELECT count(age) FROM customer",
    "SELECT count(city) FROM customer",
    "SELECT count(active) FROM customer",
    "SELECT count(DISTINCT customer_id) FROM customer",
    "SELECT sum(age) FROM customer",
    "SELECT avg(age) FROM customer",
    "SELECT sum(balance), avg(balance), count(balance) FROM customer",
    "SELECT sum(age, 0, 50) FROM customer",
    "SELECT sum(age, lower => 0, upper => 50) FROM customer",
    "SELECT avg(age, upper => 50, lower => 0) FROM customer",
    "SELECT sum(2 * age - 10) FROM customer",
    "SELECT sum(-age) FROM customer",
    "SELECT sum(age * balance) FROM customer",
    "SELECT avg(score + age) FROM customer",
    "SELECT sum(big, -5, 5) FROM orders",
    "SELECT count(big + big) FROM orders",
    "SELECT city, count(*) FROM customer GROUP BY city",
    "SELECT count(*) FROM customer GROUP BY city",
    "SELECT city AS town, count(*) FROM customer GROUP BY town",
    "SELECT city, count(*) FROM customer GROUP BY 1",
    "SELECT count(*), city FROM customer GROUP BY city",
    "SELECT city, city, count(*) FROM customer GROUP BY city",
    "SELECT city, count(*) FROM customer GROUP BY city, city",
    "SELECT city, active, count(*) FROM customer GROUP BY city, active",
    "SELECT city, count(*) FROM customer GROUP BY city, active",
    "SELECT segment, avg(age) FROM customer GROUP BY segment",
    "SELECT born, count(*) FROM customer GROUP BY born",
    "SELECT balance, count(*) FROM customer GROUP BY balance",
    "SELECT age + 1, count(*) FROM customer GROUP BY age + 1",
    "SELECT age > 30, count(*) FROM customer GROUP BY 1",
    "SELECT age IS NULL, count(*) FROM customer GROUP BY 1",
    "SELECT count(*) FROM customer WHERE age > 30",
    "SELECT count(*) FROM customer WHERE customer_id = 5",
    "SELECT count(*) FROM customer WHERE age BETWEEN 20 AND 30 OR NOT active",
    "SELECT count(*) FROM customer WHERE city IN ('Paris', 'Lyon')",
    "SELECT count(*) FROM customer WHERE city NOT LIKE 'P%'",
    "SELECT count(*) FROM customer WHERE born >= '1955-01-01'",
    "SELECT count(*) FROM customer WHERE score IS NOT NULL AND balance <> 0.5",
    "SELECT count(*) FROM customer WHERE 1 = 0",
    "SELECT count(*) FROM \"CUSTOMER\" WHERE \"Age\" > 3",
    "SELECT count(*) FROM customer c",
    "SELECT c.city, count(*) FROM customer AS c GROUP BY c.city",
    "SELECT count(*) FROM orders",
    "SELECT ordered, sum(amount) FROM orders GROUP BY ordered",
    "SELECT status, count(DISTINCT customer_id) FROM orders GROUP BY status",
    "SELECT count(*) FROM item",
    "SELECT product, sum(quantity) FROM item GROUP BY product",
    "SELECT count(*) FROM item i JOIN orders o ON i.order_id = o.order_id",
    "SELECT o.ordered, count(*) FROM item i, orders o WHERE o.order_id = i.order_id "
    "GROUP BY o.ordered",
    "SELECT count(DISTINCT o.customer_id) FROM item i JOIN orders o ON i.order_id = o.order_id",
    "SELECT count(*) FROM customer c JOIN orders o ON c.customer_id = o.customer_id",
    "SELECT count(*) FROM customer c, orders o WHERE o.customer_id = c.customer_id",
    "SELECT c.city, avg(o.amount) FROM customer c JOIN orders o ON c.customer_id = o.customer_id "
    "AND o.amount > c.age GROUP BY c.city",
    "SELECT count(*) FROM item i JOIN orders o ON i.order_id = o.order_id "
    "JOIN customer c ON c.customer_id = o.customer_id",
    "SELECT t.country, count(*) FROM customer c JOIN city t ON c.city = t.name GROUP BY t.country",
    "SELECT count(*) FROM customer CROSS JOIN city",
    "SELECT count(*) FROM city, customer",
    "SELECT count(*) FROM orders a JOIN orders b ON a.customer_id = b.customer_id",
    "SELECT page, sum(seconds) FROM visit GROUP BY page",
};

// The query as a reader of the bound tree sees it, without the validator's own walks.
class Reading {
 public:
  explicit Reading(const BoundDoor& query) : query_(query) {}

  void Check() {
    for (const BoundKey& key : query_.keys) {
      Walk(*key.expr);
      EXPECT_FALSE(reads_unit_) << "a key shows the unit";
    }
    for (const BoundAggregate& aggregate : query_.aggregates) CheckAggregate(aggregate);
    for (const BoundExprPtr& condition : query_.relation.conditions) {
      Walk(*condition);
      EXPECT_EQ(condition->type.family, TypeFamily::kBoolean);
    }
    CheckOwner();
  }

 private:
  void CheckAggregate(const BoundAggregate& bound) {
    ASSERT_NE(bound.aggregate, nullptr);
    const bool has_argument = bound.aggregate->form == AggregateForm::kArgument;
    EXPECT_EQ(bound.argument() != nullptr, has_argument);
    for (const BoundedArgument& argument : bound.arguments) {
      Walk(*argument.expr);
      EXPECT_EQ(bound.aggregate->needs_bounds, argument.bounds.low < argument.bounds.high);
    }
    EXPECT_FALSE(reads_unit_) << "an aggregate shows the unit";
  }

  void CheckOwner() const {
    const Relation& relation = query_.relation;
    ASSERT_TRUE(relation.owner.has_value());
    const Scan& owner = relation.scans.at(relation.owner->column.scan);
    EXPECT_FALSE(query_.table(owner).is_public);
    EXPECT_EQ(query_.table(owner).unit_column, relation.owner->column.column);
    EXPECT_EQ(relation.determined.size(), relation.scans.size());
  }

  // Every column exists and is not hidden; remembers whether one names the unit.
  void Walk(const BoundExpr& expr) {
    reads_unit_ = false;
    Visit(expr);
  }
  void Visit(const BoundExpr& expr) {
    if (expr.kind == BoundKind::kColumn) {
      const CatalogColumn& column = query_.column(expr.column);
      EXPECT_FALSE(column.hidden) << column.name;
      EXPECT_EQ(column.type, expr.type);
      const std::string& table = query_.table(query_.relation.scans[expr.column.scan]).name;
      reads_unit_ |= column.name == "customer_id" || (table == "visit" && column.name == "who");
    }
    for (const BoundExprPtr& argument : expr.arguments) Visit(*argument);
  }

  const BoundDoor& query_;
  bool reads_unit_ = false;
};

class ValidateTest : public ::testing::Test {
 protected:
  BoundDoor Bind(const std::string& sql) const { return BindDoor(sql, catalog_); }

  std::string ErrorOf(const std::string& sql) const {
    const Result<BoundQuery> query = TryBind(sql, catalog_);
    return query ? "accepted" : query.error().code;
  }

  // The tables read, those the binder added with a plus.
  std::string Scans(const std::string& sql) const {
    const BoundDoor query = Bind(sql);
    std::string text;
    for (const Scan& scan : query.relation.scans) {
      text += (text.empty() ? "" : " ") + query.table(scan).name + (scan.added ? "+" : "");
    }
    return text;
  }

  std::string Determined(const std::string& sql) const {
    const BoundDoor query = Bind(sql);
    std::string text;
    for (const bool determined : query.relation.determined) text += determined ? '1' : '0';
    return text;
  }

  std::int64_t Rows(const std::string& sql) const {
    return Bind(sql).relation.rows_per_unit.value_or(-1);
  }

  std::string Owner(const std::string& sql) const {
    const BoundDoor query = Bind(sql);
    const BoundColumn at = query.relation.owner->column;
    return query.relation.scans[at.scan].alias + "." + query.column(at).name;
  }

  Catalog catalog_ = MakeShopCatalog({.min_frequency = 10, .max_groups = 3});
};

TEST_F(ValidateTest, OutputsAreKeysAndAggregates) {
  EXPECT_GE(std::size(kAccepted), 60u);
  for (const char* sql : kAccepted) {
    SCOPED_TRACE(sql);
    const auto statements = Parse(sql);
    ASSERT_TRUE(statements.ok());
    const auto& select = std::get<ast::SelectStatement>(statements.value()[0].node).select;
    const Result<BoundQuery> query = Validate(select, catalog_);
    ASSERT_TRUE(query.ok()) << query.error().message;
    EXPECT_EQ(query->root().table.columns.size(), select.items.size());
    Reading(*DoorsOf(query->root()).front()).Check();
  }
}

TEST_F(ValidateTest, WhatShowsPeopleIsRefused) {
  EXPECT_EQ(ErrorOf("SELECT age FROM customer"), "V312");
  EXPECT_EQ(ErrorOf("SELECT city, age + 1, count(*) FROM customer GROUP BY city"), "V312");
  EXPECT_EQ(ErrorOf("SELECT age > 3, count(*) FROM customer GROUP BY city"), "V312");
  EXPECT_EQ(ErrorOf("SELECT customer_id, count(*) FROM customer GROUP BY 1"), "V314");
  EXPECT_EQ(ErrorOf("SELECT count(customer_id + 0) FROM customer"), "V314");
  EXPECT_EQ(ErrorOf("SELECT customer_id = 3, count(*) FROM customer GROUP BY 1"), "V314");
  EXPECT_EQ(ErrorOf("SELECT name, count(*) FROM customer GROUP BY name"), "V304");
  EXPECT_EQ(ErrorOf("SELECT count(*) FROM customer WHERE name = 'x'"), "V304");
}

TEST_F(ValidateTest, OneTable) {
  EXPECT_EQ(Scans("SELECT count(*) FROM customer"), "customer");
  EXPECT_EQ(Determined("SELECT count(*) FROM customer"), "1");
  EXPECT_EQ(Rows("SELECT count(*) FROM customer"), 1);
  EXPECT_EQ(Scans("SELECT count(*) FROM orders"), "orders");
  EXPECT_EQ(Determined("SELECT count(*) FROM orders"), "0");
  EXPECT_EQ(Rows("SELECT count(*) FROM orders"), 50);
  EXPECT_EQ(Rows("SELECT count(*) FROM wild"), -1);
  EXPECT_EQ(Bind("SELECT count(*) FROM wild").relation.uncapped_table, "wild");
}

TEST_F(ValidateTest, AChildReachesItsUnitThroughItsParent) {
  EXPECT_EQ(Scans("SELECT count(*) FROM item"), "item orders+");
  EXPECT_EQ(Determined("SELECT count(*) FROM item"), "00");
  EXPECT_EQ(Rows("SELECT count(*) FROM item"), 100);
  const BoundDoor query = Bind("SELECT count(*) FROM item");
  EXPECT_EQ(query.relation.owner->column.scan, 1u);
  ASSERT_EQ(query.relation.conditions.size(), 1u);
  EXPECT_EQ(Describe(*query.relation.conditions[0], query.view()),
            "(item.order_id = item/orders.order_id)");
}

TEST_F(ValidateTest, AJoinAlongTheForeignKeyIsNotAddedAgain) {
  const std::string sql = "SELECT count(*) FROM item i JOIN orders o ON ";
  for (const char* on : {"i.order_id = o.order_id", "o.order_id = i.order_id",
                         "o.order_id = i.order_id AND i.quantity > 3"}) {
    EXPECT_EQ(Scans(sql + on), "item orders") << on;
    EXPECT_EQ(Owner(sql + on), "o.customer_id") << on;
    EXPECT_EQ(Rows(sql + on), 100) << on;
    EXPECT_EQ(Determined(sql + on), "00") << on;
  }
  EXPECT_EQ(Scans("SELECT count(*) FROM orders o, item i WHERE i.order_id = o.order_id"),
            "orders item");
}

TEST_F(ValidateTest, ThreeTables) {
  const std::string sql =
      "SELECT count(*) FROM customer c JOIN orders o ON c.customer_id = o.customer_id "
      "JOIN item i ON i.order_id = o.order_id";
  EXPECT_EQ(Scans(sql), "customer orders item");
  EXPECT_EQ(Determined(sql), "100");
  EXPECT_EQ(Rows(sql), 100);
  EXPECT_EQ(Owner(sql), "c.customer_id");
}

TEST_F(ValidateTest, CapsMultiply) {
  EXPECT_EQ(Rows("SELECT count(*) FROM customer c JOIN orders o ON c.customer_id = o.customer_id"),
            50);
  EXPECT_EQ(Rows("SELECT count(*) FROM orders a JOIN orders b ON a.customer_id = b.customer_id"),
            2500);
  EXPECT_EQ(Rows("SELECT count(*) FROM item i JOIN orders o ON i.order_id = o.order_id "
                 "JOIN item j ON j.order_id = o.order_id"),
            10'000);
  EXPECT_EQ(Rows("SELECT count(*) FROM customer c JOIN profile p "
                 "ON c.customer_id = p.customer_id"),
            1);
  EXPECT_EQ(Rows("SELECT count(*) FROM customer c JOIN wild w ON c.customer_id = w.customer_id"),
            -1);
}

TEST_F(ValidateTest, APublicTableAddsNoWeight) {
  const std::string keyed = "SELECT count(*) FROM customer c JOIN city t ON c.city = t.name";
  EXPECT_EQ(Scans(keyed), "customer city");
  EXPECT_EQ(Determined(keyed), "11");
  EXPECT_EQ(Rows(keyed), 1);
  EXPECT_EQ(Determined("SELECT count(*) FROM customer CROSS JOIN city"), "10");
  EXPECT_EQ(Determined("SELECT count(*) FROM city CROSS JOIN customer"), "01");
  EXPECT_EQ(Rows("SELECT count(*) FROM customer CROSS JOIN city"), 1);
  EXPECT_EQ(Determined("SELECT count(*) FROM customer c JOIN city t ON c.city = t.country"), "10");
  EXPECT_EQ(Determined("SELECT count(*) FROM customer c JOIN city t ON c.city > t.name"), "10");
  EXPECT_EQ(Determined("SELECT count(*) FROM customer c JOIN city t "
                       "ON c.city = t.name OR c.active"),
            "10");
  EXPECT_EQ(Determined("SELECT count(*) FROM orders o JOIN city t ON o.status = t.name"), "00");
}

TEST_F(ValidateTest, ACompositeKeyIsReachedWhole) {
  const std::string sql = "SELECT count(*) FROM customer c JOIN fair f ON c.city = f.town";
  EXPECT_EQ(Determined(sql), "10");
  EXPECT_EQ(Determined(sql + " AND c.age = f.year"), "11");
  EXPECT_EQ(Determined(sql + " AND f.year = 2026"), "10");
}

// What a subquery's rows are known by: an order names its owner, but another column of the owner's
// rows names nobody, although the owner is a row of a table that links lead to.
TEST_F(ValidateTest, GroupsAreKnownWithoutTheOwnerOnlyByWhatNamesHim) {
  std::string policy = PolicyText({.min_frequency = 10, .max_groups = 3});
  const std::string plain = "[tables.wild]\nunit = \"customer_id\"\n";
  policy.replace(policy.find(plain), plain.size(),
                 "[tables.wild]\nunit = { through = \"customer_id\", references = "
                 "\"customer.customer_id\" }\nmax_rows_per_unit = 5\n");
  catalog_ = Catalog::Make(ReadPolicy(policy, "shop.toml").value(), ShopSchema()).value();
  const auto keys = [&](const std::string& subquery) {
    const BoundDoor query = Bind("SELECT count(*) FROM (" + subquery + ") t");
    return query.relation.scans.at(0).node->table.unique_keys;
  };
  using Keys = std::vector<std::vector<std::size_t>>;
  EXPECT_EQ(keys("SELECT order_id, customer_id, sum(amount) AS s FROM orders GROUP BY 1, 2"),
            (Keys{{0, 1}, {0}}));
  EXPECT_EQ(keys("SELECT value, customer_id, count(*) AS n FROM wild GROUP BY 1, 2"),
            (Keys{{0, 1}}));
  EXPECT_EQ(keys("SELECT customer_id, count(*) AS n FROM customer GROUP BY 1"), (Keys{{0}}));
}

TEST_F(ValidateTest, KeysFollowTheirTables) {
  const BoundDoor query = Bind(
      "SELECT c.city, o.ordered, c.segment, c.city = 'x', c.age > o.big, count(*) FROM customer c "
      "JOIN orders o ON c.customer_id = o.customer_id GROUP BY 1, 2, 3, 4, 5");
  ASSERT_EQ(query.keys.size(), 5u);
  EXPECT_TRUE(query.keys[0].determined);
  EXPECT_FALSE(query.keys[1].determined);
  EXPECT_TRUE(query.keys[2].determined);
  EXPECT_TRUE(query.keys[3].determined);
  EXPECT_FALSE(query.keys[4].determined);
  EXPECT_TRUE(query.keys[0].values.empty());
  EXPECT_EQ(query.keys[2].values.size(), 3u);
}

TEST_F(ValidateTest, TwoOwnersAreRefused) {
  EXPECT_EQ(ErrorOf("SELECT count(*) FROM customer, orders"), "V305");
  EXPECT_EQ(ErrorOf("SELECT count(*) FROM customer c JOIN orders o ON c.age = o.customer_id"),
            "V305");
  EXPECT_EQ(ErrorOf("SELECT count(*) FROM customer c JOIN orders o "
                    "ON c.customer_id = o.customer_id OR c.active"),
            "V305");
  EXPECT_EQ(ErrorOf("SELECT count(*) FROM customer c JOIN orders o "
                    "ON c.customer_id + 0 = o.customer_id"),
            "V305");
  EXPECT_EQ(ErrorOf("SELECT count(*) FROM customer c JOIN orders o "
                    "ON NOT (c.customer_id = o.customer_id)"),
            "V305");
  EXPECT_EQ(ErrorOf("SELECT count(*) FROM item i JOIN orders o ON i.line = o.order_id"), "V305");
  EXPECT_EQ(ErrorOf("SELECT count(*) FROM item i JOIN orders o ON i.order_id > o.order_id"),
            "V305");
  EXPECT_EQ(ErrorOf("SELECT count(*) FROM item a, item b WHERE a.line = b.line"), "V305");
  EXPECT_EQ(ErrorOf("SELECT count(*) FROM customer c JOIN visit v ON c.city = v.who"), "V320");
}

TEST_F(ValidateTest, RowsWithoutADeclaredValueAreDropped) {
  const BoundDoor query = Bind("SELECT count(*) FROM visit");
  ASSERT_EQ(query.relation.conditions.size(), 1u);
  EXPECT_EQ(Describe(*query.relation.conditions[0], query.view()), "(visit.seconds is not null)");
}

TEST_F(ValidateTest, BoundsFollowArithmetic) {
  const auto bounds = [&](const std::string& argument) {
    const BoundDoor door = Bind("SELECT sum(" + argument + ") FROM customer");
    const Interval found = door.aggregates[0].arguments[0].bounds;
    return std::pair(found.low, found.high);
  };
  EXPECT_EQ(bounds("age"), std::pair(0.0, 100.0));
  EXPECT_EQ(bounds("2 * age - 10"), std::pair(-10.0, 190.0));
  EXPECT_EQ(bounds("-age"), std::pair(-100.0, 0.0));
  EXPECT_EQ(bounds("age * balance"), std::pair(-50'000.0, 150'000.0));
  EXPECT_EQ(bounds("balance - age"), std::pair(-600.0, 1500.0));
  EXPECT_EQ(bounds("age, 1, 2"), std::pair(1.0, 2.0));
}

}  // namespace
}  // namespace dpsql
