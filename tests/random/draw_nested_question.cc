#include <utility>

#include "random/known_keys.h"
#include "random/question.h"

namespace dpsql {
namespace {

// The same text with other parts.
struct Twice {
  std::string asked;
  std::string plain;
};

Twice operator+(const Twice& x, const Twice& y) { return {x.asked + y.asked, x.plain + y.plain}; }
Twice operator+(const std::string& x, const Twice& y) { return {x + y.asked, x + y.plain}; }
Twice operator+(const Twice& x, const std::string& y) { return {x.asked + y, x.plain + y}; }

Twice TextsOf(const Expression& expression) { return {expression.asked, expression.plain}; }

class NestedMaker {
 public:
  NestedMaker(Dice& dice, const RandomDatabase& database)
      : dice_(dice), relations_(dice, database) {}

  NestedQuestion Make() {
    using Template = Twice (NestedMaker::*)();
    struct Named {
      const char* name;
      Template make;
    };
    static const std::vector<Named> kTemplates = {
        {"difference of doors", &NestedMaker::Difference},
        {"row against door", &NestedMaker::RowAgainstDoor},
        {"row in door", &NestedMaker::RowInDoor},
        {"union of doors", &NestedMaker::Union},
        {"door with place", &NestedMaker::WithPlace},
        {"door summed by place", &NestedMaker::SummedByPlace},
        {"rows with door", &NestedMaker::RowsWithDoor},
        {"door with door", &NestedMaker::DoorWithDoor},
        {"window over door", &NestedMaker::Windows},
        {"largest of door", &NestedMaker::Largest},
        {"first of door", &NestedMaker::First},
    };
    const Named& chosen = dice_.Pick(kTemplates);
    const Twice made = (this->*chosen.make)();
    return {.shape = chosen.name, .asked = made.asked, .plain = made.plain};
  }

 private:
  // FROM … WHERE …, with one more condition where it is not empty.
  Twice Rows(const RandomRelation& relation, const Twice& more = {}) {
    return Rows(relation, relations_.Condition(relation), more);
  }

  static Twice Rows(const RandomRelation& relation, const Expression& condition,
                    const Twice& more = {}) {
    Twice rows = " FROM " + Twice{relation.asked, relation.plain} + " WHERE " + TextsOf(condition);
    rows.plain += " AND " + relation.owner + " IS NOT NULL";
    if (relation.condition) rows = rows + " AND " + TextsOf(*relation.condition);
    return more.asked.empty() ? rows : rows + " AND " + more;
  }

  Twice Count(const RandomRelation& relation) {
    const bool units = relation.asked_unit && dice_.In16(6);
    if (!units) return {"count(*)", "count(*)"};
    return {"count(DISTINCT " + *relation.asked_unit + ")",
            "count(DISTINCT " + relation.owner + ")"};
  }

  Twice Scalar() {
    const RandomRelation relation = relations_.Make();
    return "(SELECT " + Count(relation) + Rows(relation) + ")";
  }

  // SELECT a text AS k, a count AS n … GROUP BY k.
  Twice Groups() {
    const RandomRelation relation = relations_.Make();
    const Expression key = ExpressionMaker(dice_, relation.columns).Text(1);
    const std::string count = Count(relation).asked;
    const Expression condition = relations_.Condition(relation);
    const Twice from = Rows(relation, condition);
    const std::string owned = "SELECT " + key.plain + " AS k0, " + relation.owner + " AS u";
    const auto known = KnownKeys(relation, condition, {key});
    const std::string rows =
        known ? RowsUnderKeys(owned + from.plain, *known, 1) : owned + from.plain;
    const std::string plain_count = count == "count(*)" ? "count(u)" : "count(DISTINCT u)";
    return {"SELECT " + key.asked + " AS k, " + count + " AS n" + from.asked + " GROUP BY k",
            "SELECT k0 AS k, " + plain_count + " AS n FROM (" + rows + ") r GROUP BY k0"};
  }

  Twice Difference() {
    const Twice first = Scalar();
    return "SELECT " + first + " - " + Scalar() + " AS difference";
  }

  Twice RowAgainstDoor() {
    const RandomRelation relation = relations_.Make();
    const Expression whole = ExpressionMaker(dice_, relation.columns).Whole(1);
    const Twice count = Count(relation);
    const Twice more = TextsOf(whole) + " < " + Scalar();
    return "SELECT " + count + Rows(relation, more);
  }

  Twice RowInDoor() {
    const RandomRelation relation = relations_.Make();
    const Expression text = ExpressionMaker(dice_, relation.columns).Text(0);
    const Twice count = Count(relation);
    const std::string least = std::to_string(dice_.Between(1, 3));
    const Twice more =
        TextsOf(text) + " IN (SELECT k FROM (" + Groups() + ") g WHERE n > " + least + ")";
    return "SELECT " + count + Rows(relation, more);
  }

  Twice Union() {
    const RandomRelation relation = relations_.Make();
    const Twice all = "SELECT 'all' AS k, " + Count(relation) + " AS n" + Rows(relation);
    return all + " UNION ALL " + Groups();
  }

  Twice FromWithPlace() {
    const RandomRelation place = relations_.Place();
    return " FROM (" + Groups() + ") g JOIN " + Twice{"place", "plain_place"} +
           " q ON q.name = g.k";
  }

  Twice WithPlace() { return "SELECT g.k, g.n + 1, q.q0whole" + FromWithPlace(); }

  Twice SummedByPlace() {
    return "SELECT q.q4word, sum(g.n), max(g.n), count(*)" + FromWithPlace() +
           " GROUP BY q.q4word HAVING sum(g.n) > 1";
  }

  Twice RowsWithDoor() {
    const RandomRelation relation = relations_.Make();
    const Expression text = ExpressionMaker(dice_, relation.columns).Text(0);
    const Twice more = TextsOf(text) + " = g.k";
    RandomRelation joined = relation;
    const Twice groups = Groups();
    joined.asked = "(" + groups.asked + ") g, " + joined.asked;
    joined.plain = "(" + groups.plain + ") g, " + joined.plain;
    return "SELECT g.n, count(*)" + Rows(joined, more) + " GROUP BY g.n";
  }

  Twice DoorWithDoor() {
    const std::string words = dice_.In16(8) ? " JOIN (" : " LEFT JOIN (";
    const Twice first = Groups();
    return "SELECT a.k, a.n - 2 * b.n, b.n FROM (" + first + ") a" + words + Groups() +
           ") b ON a.k = b.k";
  }

  Twice Windows() {
    return "SELECT k, n, rank() OVER (ORDER BY n DESC), sum(n) OVER () FROM (" + Groups() + ") g";
  }

  Twice Largest() {
    return "WITH c AS (" + Groups() + ") SELECT k, n FROM c WHERE n = (SELECT max(n) FROM c)";
  }

  Twice First() {
    return "SELECT k, CASE WHEN n > 3 THEN 'many' ELSE 'few' END, n FROM (" + Groups() +
           ") g ORDER BY n DESC, k LIMIT 3";
  }

  Dice& dice_;
  RelationMaker relations_;
};

}  // namespace

NestedQuestion DrawNestedQuestion(Dice& dice, const RandomDatabase& database) {
  return NestedMaker(dice, database).Make();
}

}  // namespace dpsql
