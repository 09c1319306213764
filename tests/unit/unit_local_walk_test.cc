#include "support/unit_local_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "support/test_catalog.h"

namespace dpsql {
namespace {

using ::testing::HasSubstr;

// Changes one node or door of a tree, on a copy.
template <typename Body>
void Change(NodePtr& node, const std::function<void(Body&)>& change) {
  QueryNode copy = *node;
  change(std::get<Body>(copy.body));
  node = std::make_shared<const QueryNode>(std::move(copy));
}

void ChangeDoor(NodePtr& node, const std::function<void(BoundDoor&)>& change) {
  Change<Release>(node, [&](Release& release) {
    BoundDoor door = *release.door;
    change(door);
    release.door = std::make_shared<const BoundDoor>(std::move(door));
  });
}

class UnitLocalWalk : public ::testing::Test {
 protected:
  // What the walk says of a query after a change to its only door.
  std::string AfterDoor(const std::string& sql, const std::function<void(BoundDoor&)>& change) {
    QueryNode root = BindQuery(sql, catalog_).root();
    EXPECT_EQ(FindBrokenPromise(root, catalog_), std::nullopt) << sql;
    ChangeDoor(std::get<Projection>(root.body).relation.scans[0].node, change);
    return FindBrokenPromise(root, catalog_).value_or("nothing");
  }

  // The same after a change to the first node that the door reads, of the kind `Body`. A query in
  // FROM ends with a projection; what it selects from stands below that.
  template <typename Body>
  std::string AfterNode(const std::string& sql, const std::function<void(Body&)>& change) {
    return AfterDoor(sql, [&](BoundDoor& door) {
      NodePtr& node = door.relation.scans[0].node;
      if (std::holds_alternative<Body>(node->body)) return Change<Body>(node, change);
      Change<Projection>(
          node, [&](Projection& top) { Change<Body>(top.relation.scans[0].node, change); });
    });
  }

  // A column of the door's relation, by the name of its scan.
  BoundExprPtr Column(const Relation& relation, const std::string& alias, const std::string& name) {
    BoundExpr column{.kind = BoundKind::kColumn};
    for (std::size_t s = 0; s < relation.scans.size(); ++s) {
      if (relation.scans[s].alias != alias) continue;
      const CatalogTable& table = TableOf(relation.scans[s], catalog_);
      column.column = {s, table.FindColumn(name).value()};
      column.type = table.columns[column.column.column].type;
    }
    EXPECT_FALSE(column.type.name.empty()) << alias << "." << name;
    return std::make_shared<const BoundExpr>(std::move(column));
  }

  BoundExprPtr Equal(const Relation& relation, const std::string& alias, const std::string& other) {
    BoundExpr equal{.kind = BoundKind::kCall, .type = ParseType("BOOLEAN"), .function = "="};
    equal.arguments = {Column(relation, alias, "customer_id"),
                       Column(relation, other, "customer_id")};
    return std::make_shared<const BoundExpr>(std::move(equal));
  }

  const Catalog catalog_ = MakeShopCatalog({.max_groups = 20});
};

TEST_F(UnitLocalWalk, PrivateTablesStandBelowDoors) {
  QueryNode root = BindQuery("SELECT name FROM city", catalog_).root();
  EXPECT_EQ(FindBrokenPromise(root, catalog_), std::nullopt);
  auto& relation = std::get<Projection>(root.body).relation;
  relation.scans[0].table = catalog_.FindTable("customer").value();
  EXPECT_THAT(FindBrokenPromise(root, catalog_).value_or(""), HasSubstr("only public tables"));
  relation.scans[0].table = catalog_.FindTable("city").value();
  relation.scans.push_back(
      {.table = catalog_.FindTable("orders").value(), .alias = "o", .role = ScanRole::kTested});
  EXPECT_THAT(FindBrokenPromise(root, catalog_).value_or(""), HasSubstr("only public tables"));
}

TEST_F(UnitLocalWalk, JoinsNeedOneOwner) {
  const std::string join =
      "SELECT count(*) FROM customer c JOIN orders o ON c.customer_id = o.customer_id";
  const auto drop = [](BoundDoor& door) { door.relation.conditions.clear(); };
  EXPECT_THAT(AfterDoor(join, drop), HasSubstr("one owner"));
  EXPECT_THAT(AfterDoor("SELECT count(*) FROM item", drop), HasSubstr("one owner"));
  EXPECT_THAT(AfterDoor(join,
                        [&](BoundDoor& door) {
                          BoundExpr other = *door.relation.conditions[0];
                          other.arguments[0] = Column(door.relation, "c", "age");
                          door.relation.conditions[0] =
                              std::make_shared<const BoundExpr>(std::move(other));
                        }),
              HasSubstr("one owner"));
  EXPECT_THAT(AfterDoor(join,
                        [](BoundDoor& door) {
                          BoundExpr under_not{.kind = BoundKind::kCall, .function = "not"};
                          under_not.arguments = {door.relation.conditions[0]};
                          door.relation.conditions[0] =
                              std::make_shared<const BoundExpr>(std::move(under_not));
                        }),
              HasSubstr("one owner"));
  EXPECT_THAT(AfterDoor(join,
                        [&](BoundDoor& door) {
                          door.relation.scans[1].table = catalog_.FindTable("visit").value();
                          door.relation.conditions.clear();
                        }),
              HasSubstr("two kinds"));
  EXPECT_THAT(AfterDoor("SELECT count(*) FROM item",
                        [](BoundDoor& door) {
                          door.relation.scans.pop_back();
                          door.relation.conditions.clear();
                        }),
              HasSubstr("owner of a private row is among its columns"));
}

TEST_F(UnitLocalWalk, OptionalScansAreTiedByTheirOwnConditions) {
  const std::string two =
      "SELECT count(*) FROM customer c LEFT JOIN orders o ON o.customer_id = c.customer_id "
      "LEFT JOIN wild w ON w.customer_id = c.customer_id";
  EXPECT_THAT(AfterDoor(two, [](BoundDoor& door) { door.relation.scans[1].on.clear(); }),
              HasSubstr("by its own conditions"));
  // The nullable copy is no owner, for other scans either.
  EXPECT_THAT(AfterDoor(two,
                        [&](BoundDoor& door) {
                          door.relation.scans[2].on = {Equal(door.relation, "w", "o")};
                        }),
              HasSubstr("by its own conditions"));
  EXPECT_THAT(AfterDoor(two,
                        [&](BoundDoor& door) {
                          door.relation.owner->column =
                              Column(door.relation, "o", "customer_id")->column;
                        }),
              HasSubstr("the owner that was written down"));
  EXPECT_THAT(AfterDoor("SELECT count(*) FROM customer c JOIN city t ON t.name = c.city",
                        [&](BoundDoor& door) {
                          door.relation.scans[0].role = ScanRole::kOptional;
                          door.relation.scans[0].on = std::exchange(door.relation.conditions, {});
                        }),
              HasSubstr("public rows never ask"));
}

TEST_F(UnitLocalWalk, TestsAreTiedByTheirOwnConditions) {
  for (const std::string test : {"EXISTS", "NOT EXISTS"}) {
    const std::string sql = "SELECT count(*) FROM customer c WHERE " + test +
                            " (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id)";
    EXPECT_THAT(AfterDoor(sql, [](BoundDoor& door) { door.relation.scans[1].on.clear(); }),
                HasSubstr("by its own conditions"));
  }
}

TEST_F(UnitLocalWalk, FullJoinsOwnTheirRowsTogether) {
  const std::string sql =
      "SELECT count(*) FROM (SELECT customer_id, age FROM customer) c FULL JOIN (SELECT "
      "customer_id, big FROM orders) o ON c.customer_id = o.customer_id";
  EXPECT_THAT(
      AfterNode<Projection>(sql, [](Projection& full) { full.relation.scans[1].on.clear(); }),
      HasSubstr("by its own conditions"));
  EXPECT_THAT(AfterNode<Projection>(
                  sql, [](Projection& full) { full.columns.back() = full.columns.front(); }),
              HasSubstr("keeps the owner"));
}

TEST_F(UnitLocalWalk, GroupsHoldTheOwner) {
  const std::string sql =
      "SELECT sum(n, 0, 10) FROM (SELECT customer_id, age, count(*) AS n FROM customer GROUP BY "
      "customer_id, age) g";
  EXPECT_THAT(AfterNode<Grouping>(sql, [](Grouping& groups) { groups.keys[0] = groups.keys[1]; }),
              HasSubstr("owner among its keys"));
  EXPECT_THAT(AfterNode<Grouping>(sql,
                                  [](Grouping& groups) {
                                    groups.aggregates[0].function = "first";
                                    groups.aggregates[0].argument = groups.keys[1];
                                  }),
              HasSubstr("depends on no order"));
}

TEST_F(UnitLocalWalk, WindowsAreOfOneOwnerInATotalOrder) {
  const std::string sql =
      "SELECT sum(r, 0, 10) FROM (SELECT customer_id, row_number() OVER (PARTITION BY customer_id "
      "ORDER BY ordered) AS r, status FROM orders) w";
  EXPECT_THAT(
      AfterNode<Windowing>(sql, [](Windowing& body) { body.windows[0].partition_by.clear(); }),
      HasSubstr("one owner's rows"));
  EXPECT_THAT(
      AfterNode<Windowing>(sql, [](Windowing& body) { body.windows[0].order_by.pop_back(); }),
      HasSubstr("orders by all its inputs"));
}

TEST_F(UnitLocalWalk, DistinctRowsAndSidesKeepTheOwner) {
  const std::string distinct =
      "SELECT count(*) FROM (SELECT DISTINCT customer_id, age FROM customer) d";
  EXPECT_THAT(
      AfterNode<Projection>(distinct, [](Projection& body) { body.columns[0] = body.columns[1]; }),
      HasSubstr("keeps the owner"));
  EXPECT_THAT(AfterNode<Projection>(distinct, [](Projection& body) { body.limit = 3; }),
              HasSubstr("neither ordered nor limited"));
  const std::string sides =
      "SELECT count(*) FROM (SELECT customer_id, age FROM customer UNION SELECT customer_id, big "
      "FROM orders) d";
  const std::string same =
      "SELECT count(*) FROM (SELECT customer_id, age FROM customer UNION SELECT customer_id, age "
      "FROM customer) d";
  EXPECT_THAT(AfterNode<SetOperation>(same,
                                      [](SetOperation& body) {
                                        Change<Projection>(body.right, [](Projection& right) {
                                          std::swap(right.columns[0], right.columns[1]);
                                        });
                                      }),
              HasSubstr("unit column of a query holds the owner"));
  EXPECT_EQ(AfterDoor(sides, [](BoundDoor&) {}), "nothing");
}

TEST_F(UnitLocalWalk, ExpressionsReadTheirOwnRelation) {
  const auto move = [](std::size_t scan, std::size_t column) {
    return [=](BoundDoor& door) {
      BoundExpr moved = *door.keys[0].expr;
      moved.column = {scan, column};
      door.keys[0].expr = std::make_shared<const BoundExpr>(std::move(moved));
    };
  };
  const std::string sql = "SELECT age, count(*) FROM customer GROUP BY age";
  EXPECT_THAT(AfterDoor(sql, move(9, 0)), HasSubstr("its own relation"));
  EXPECT_THAT(AfterDoor(sql, move(0, 99)), HasSubstr("columns that are there"));
  EXPECT_THAT(AfterDoor(sql, move(0, 1)), HasSubstr("type of its table"));
}

TEST_F(UnitLocalWalk, UnitsAndTheirCopiesAreNotReleased) {
  const std::string sql =
      "SELECT count(*) FROM customer c LEFT JOIN orders o ON o.customer_id = c.customer_id LEFT "
      "JOIN fair f ON f.year = c.customer_id";
  for (const auto& [alias, name] :
       {std::pair("c", "customer_id"), std::pair("o", "customer_id"), std::pair("f", "year")}) {
    EXPECT_THAT(AfterDoor(sql,
                          [&](BoundDoor& door) {
                            door.keys.push_back({.expr = Column(door.relation, alias, name)});
                          }),
                HasSubstr("no key of a door"));
    EXPECT_THAT(
        AfterDoor(sql,
                  [&](BoundDoor& door) {
                    door.aggregates[0].arguments = {{.expr = Column(door.relation, alias, name)}};
                  }),
        HasSubstr("no argument of a door"));
  }
}

TEST_F(UnitLocalWalk, OneRowPerUnitIsNotJustSaid) {
  const std::string orders = "SELECT status, count(*) FROM orders GROUP BY status";
  EXPECT_THAT(AfterDoor(orders, [](BoundDoor& door) { door.keys[0].determined = true; }),
              HasSubstr("one value of a key"));
  EXPECT_THAT(AfterDoor(orders, [](BoundDoor& door) { door.relation.determined[0] = true; }),
              HasSubstr("determined scan"));
  // With two orders, one above 5, a profile is found for one of two rows.
  const std::string sometimes =
      "SELECT count(*) FROM customer c LEFT JOIN orders o ON o.customer_id = c.customer_id LEFT "
      "JOIN profile p ON p.customer_id = c.customer_id";
  EXPECT_EQ(AfterDoor(sometimes, [](BoundDoor&) {}), "nothing");
  EXPECT_THAT(AfterDoor(sometimes,
                        [&](BoundDoor& door) {
                          BoundExpr found{.kind = BoundKind::kCall, .function = "is not null"};
                          found.arguments = {Column(door.relation, "o", "amount")};
                          door.relation.scans[2].on.push_back(
                              std::make_shared<const BoundExpr>(std::move(found)));
                          door.relation.determined = {true, false, true};
                        }),
              HasSubstr("determined scan"));
}

}  // namespace
}  // namespace dpsql
