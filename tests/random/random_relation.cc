#include "random/random_relation.h"

#include <array>
#include <utility>

namespace dpsql {
namespace {

const Expression kEverything{.asked = "TRUE", .plain = "TRUE", .kind = Kind::kTruth};

}  // namespace

std::string RelationMaker::NewAlias() { return "r" + std::to_string(++aliases_); }

RandomRelation RelationMaker::Table(const RandomTable& table) {
  const std::string alias = NewAlias();
  RandomRelation relation{.shape = table.name,
                          .asked = table.name + " " + alias,
                          .plain = "plain_" + table.name + " " + alias,
                          .owner = alias + ".u"};
  if (table.name == "person") relation.asked_unit = alias + ".id";
  if (table.name == "act") relation.asked_unit = alias + ".who";
  for (const RandomColumn& column : table.columns) {
    relation.columns.push_back({.asked = alias + "." + column.name,
                                .plain = alias + "." + column.name,
                                .kind = column.kind,
                                .range = column.range,
                                .unbounded = !column.range});
  }
  return relation;
}

RandomRelation RelationMaker::PrivateTable() {
  const std::array tables = {&database_.person, &database_.act, &database_.part};
  return Table(*dice_.Pick(tables));
}

Expression RelationMaker::OnOwners(const RandomRelation& left, const RandomRelation& right) {
  return {.asked = *left.asked_unit + " = " + *right.asked_unit,
          .plain = left.owner + " = " + right.owner,
          .kind = Kind::kTruth};
}

RandomRelation RelationMaker::Join(const std::string& words, RandomRelation left,
                                   RandomRelation right, const Expression& on) {
  std::vector<Expression> columns = left.columns;
  columns.insert(columns.end(), right.columns.begin(), right.columns.end());
  left.columns = std::move(columns);
  if (words == ", ") {
    left.asked += ", " + right.asked;
    left.plain += ", " + right.plain;
    left.condition = left.condition ? And(*left.condition, on) : on;
    left.shape += ", " + right.shape;
    return left;
  }
  Expression full = on;
  if (words != " FULL JOIN " && dice_.In16(4)) {
    full = And(on, ExpressionMaker(dice_, left.columns).Condition(1));
  }
  if (words == " JOIN ") {
    for (const std::string& filter : ConjunctsOf(full)) left.filters.push_back(filter);
  }
  left.asked += words + right.asked + " ON " + full.asked;
  left.plain += words + right.plain + " ON " + full.plain;
  left.shape += words + right.shape;
  return left;
}

RandomRelation RelationMaker::UnitJoin() {
  static constexpr std::array kWords = {" JOIN ",      " JOIN ",       ", ",
                                        " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN "};
  RandomRelation left = Table(dice_.In16(10) ? database_.person : database_.act);
  RandomRelation right = Table(left.shape == "act" ? database_.person : database_.act);
  const std::string words = dice_.Pick(kWords);
  const Expression on = OnOwners(left, right);
  const std::string left_owner = left.owner;
  RandomRelation joined = Join(words, std::move(left), right, on);
  if (words == " RIGHT JOIN ") {
    joined.owner = right.owner;
    joined.asked_unit = right.asked_unit;
  }
  if (words == " FULL JOIN ") {
    joined.owner = "coalesce(" + left_owner + ", " + right.owner + ")";
    joined.asked_unit.reset();
  }
  return joined;
}

RandomRelation RelationMaker::SelfJoin() {
  RandomRelation left = Table(database_.act);
  RandomRelation right = Table(database_.act);
  const Expression on = OnOwners(left, right);
  return Join(dice_.In16(8) ? " JOIN " : " LEFT JOIN ", std::move(left), std::move(right), on);
}

// Rows of a link find their unit over the parent, here written out.
RandomRelation RelationMaker::LinkJoin() {
  RandomRelation act = Table(database_.act);
  RandomRelation part = Table(database_.part);
  const std::string a = act.owner.substr(0, act.owner.find('.'));
  const std::string p = part.owner.substr(0, part.owner.find('.'));
  const std::string text = p + ".act_id = " + a + ".act_id";
  const Expression on{.asked = text, .plain = text, .kind = Kind::kTruth};
  static constexpr std::array kWords = {" JOIN ", ", ", " LEFT JOIN "};
  return Join(dice_.Pick(kWords), std::move(act), std::move(part), on);
}

RandomRelation RelationMaker::ThreeTables() {
  RandomRelation left = LinkJoin();
  RandomRelation right = Table(database_.person);
  const Expression on = OnOwners(left, right);
  const bool comma = left.condition.has_value();
  const std::string words = comma ? ", " : dice_.In16(8) ? " JOIN " : " LEFT JOIN ";
  return Join(words, std::move(left), std::move(right), on);
}

RandomRelation RelationMaker::PlaceJoin() {
  RandomRelation left = dice_.In16(11) ? PrivateTable() : UnitJoin();
  RandomRelation right = Table(database_.place);
  const std::string alias = right.asked.substr(right.asked.find(' ') + 1);
  const Expression name{.asked = alias + ".name", .plain = alias + ".name", .kind = Kind::kText};
  // One place at most for a person, whose cap is one row; any place for an act, whose cap is high.
  std::vector<const Expression*> words;
  std::vector<const Expression*> wholes;
  const bool one_row = left.shape == "person";
  for (const Expression& column : left.columns) {
    if (column.kind == Kind::kText) words.push_back(&column);
    if (column.kind == Kind::kWhole && !one_row) wholes.push_back(&column);
  }
  right.columns.push_back(name);
  const bool by_number = !wholes.empty() && dice_.In16(4);
  const Expression& mine = *dice_.Pick(by_number ? wholes : words);
  const Expression& its = by_number ? right.columns[0] : name;
  const Expression on{.asked = mine.asked + " = " + its.asked,
                      .plain = mine.plain + " = " + its.plain,
                      .kind = Kind::kTruth};
  const std::string join = left.condition ? ", " : dice_.In16(9) ? " JOIN " : " LEFT JOIN ";
  RandomRelation joined = Join(join, std::move(left), std::move(right), on);
  if (join != " LEFT JOIN ") joined.place = alias;
  return joined;
}

// Exact within a unit: counts, sums of whole numbers, least and largest. A sum is wider than 64
// bits and so counts among the decimals.
RandomRelation RelationMaker::PerUnit() {
  const RandomRelation inner = Table(database_.act);
  ExpressionMaker maker(dice_, inner.columns);
  const Expression x = maker.Whole(1);
  const Expression word = maker.Text(0);
  const Expression where = dice_.In16(6) ? maker.Condition(1) : kEverything;
  const std::string having = dice_.In16(4) ? " HAVING count(*) > 1) " : ") ";
  const std::string alias = NewAlias();
  const auto columns = [](const std::string& value, const std::string& letters) {
    return " AS o, count(*) AS n, count(" + value + ") AS c, count(DISTINCT " + letters +
           ") AS d, max(" + value + ") AS m, min(" + letters + ") AS w, sum(" + value + ") AS s";
  };
  RandomRelation relation{.shape = "per unit",
                          .asked = "(SELECT " + *inner.asked_unit + columns(x.asked, word.asked) +
                                   " FROM " + inner.asked + " WHERE " + where.asked + " GROUP BY " +
                                   *inner.asked_unit + having + alias,
                          .plain = "(SELECT " + inner.owner + columns(x.plain, word.plain) +
                                   " FROM " + inner.plain + " WHERE " + where.plain + " GROUP BY " +
                                   inner.owner + having + alias,
                          .owner = alias + ".o",
                          .asked_unit = alias + ".o"};
  const auto add = [&](const char* name, Kind kind) {
    const std::string path = alias + "." + name;
    relation.columns.push_back({.asked = path, .plain = path, .kind = kind});
  };
  for (const char* name : {"n", "c", "d", "m"}) add(name, Kind::kWhole);
  add("w", Kind::kText);
  add("s", Kind::kDecimal);
  return relation;
}

RandomRelation RelationMaker::PersonWithPerUnit() {
  RandomRelation left = Table(database_.person);
  RandomRelation right = PerUnit();
  const Expression on = OnOwners(left, right);
  return Join(dice_.In16(8) ? " JOIN " : " LEFT JOIN ", std::move(left), std::move(right), on);
}

// A query in FROM that keeps its rows.
RandomRelation RelationMaker::Inner() {
  const RandomRelation inner = dice_.In16(8) ? PrivateTable() : UnitJoin();
  ExpressionMaker maker(dice_, inner.columns);
  const std::string alias = NewAlias();
  RandomRelation relation{.shape = "query of " + inner.shape, .owner = alias + ".o"};
  std::string asked;
  std::string plain = inner.owner + " AS o";
  if (inner.asked_unit) {
    asked = *inner.asked_unit + " AS o";
    relation.asked_unit = alias + ".o";
  }
  for (int i = 0, count = dice_.Between(3, 6); i < count; ++i) {
    Expression value = maker.Any();
    if (i == 0) value = maker.Bounded().value_or(value);
    if (i == 1) value = maker.Key();
    const std::string name = "e" + std::to_string(i);
    asked += (asked.empty() ? "" : ", ") + value.asked + " AS " + name;
    plain += ", " + value.plain + " AS " + name;
    value.asked = value.plain = alias + "." + name;
    relation.columns.push_back(std::move(value));
  }
  Expression where = maker.Condition(1);
  if (inner.condition) where = And(*inner.condition, where);
  relation.asked =
      "(SELECT " + asked + " FROM " + inner.asked + " WHERE " + where.asked + ") " + alias;
  relation.plain =
      "(SELECT " + plain + " FROM " + inner.plain + " WHERE " + where.plain + ") " + alias;
  return relation;
}

RandomRelation RelationMaker::Make() {
  // Plain DuckDB, which is told not to optimize, would join many rows with many.
  if (database_.copies > 1) return Table(database_.act);
  switch (dice_.Below(14)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
      return PrivateTable();
    case 5:
    case 6:
      return UnitJoin();
    case 7:
      return SelfJoin();
    case 8:
      return LinkJoin();
    case 9:
      return ThreeTables();
    case 10:
      return PlaceJoin();
    case 11:
      return PerUnit();
    case 12:
      return PersonWithPerUnit();
    default:
      return Inner();
  }
}

// On the unit, or on a column that everybody may know.
Expression RelationMaker::Membership(const RandomRelation& relation) {
  const std::string negated = dice_.In16(5) ? "NOT " : "";
  if (!relation.asked_unit || dice_.In16(5)) {
    const RandomRelation place = Table(database_.place);
    const Expression word = ExpressionMaker(dice_, relation.columns).Text(0);
    const Expression where = ExpressionMaker(dice_, place.columns).Condition(0);
    const std::string list = " " + negated + "IN (SELECT name FROM ";
    return {.asked = word.asked + list + place.asked + " WHERE " + where.asked + ")",
            .plain = word.plain + list + place.plain + " WHERE " + where.plain + ")",
            .kind = Kind::kTruth};
  }
  const RandomRelation other = Table(dice_.In16(8) ? database_.person : database_.act);
  const Expression where = ExpressionMaker(dice_, other.columns).Condition(0);
  if (dice_.In16(8)) {
    const Expression same = And(OnOwners(relation, other), where);
    return {
        .asked = negated + "EXISTS (SELECT 1 FROM " + other.asked + " WHERE " + same.asked + ")",
        .plain = negated + "EXISTS (SELECT 1 FROM " + other.plain + " WHERE " + same.plain + ")",
        .kind = Kind::kTruth};
  }
  const std::string list = " " + negated + "IN (SELECT ";
  return {.asked = *relation.asked_unit + list + *other.asked_unit + " FROM " + other.asked +
                   " WHERE " + where.asked + ")",
          .plain = relation.owner + list + other.owner + " FROM " + other.plain + " WHERE " +
                   where.plain + ")",
          .kind = Kind::kTruth};
}

Expression RelationMaker::Condition(const RandomRelation& relation) {
  if (database_.copies == 1 && dice_.In16(5)) return Membership(relation);
  return ExpressionMaker(dice_, relation.columns).Condition(dice_.Between(0, 2));
}

}  // namespace dpsql
