#pragma once

#include <optional>
#include <string>
#include <vector>

#include "random/expression.h"

namespace dpsql {

// The rows that a question is about: what stands in FROM and what belongs to it in WHERE, as we are
// asked and for plain DuckDB.
struct RandomRelation {
  std::string shape;  // for the report
  std::string asked;
  std::string plain;
  std::string owner;                      // of a row, in plain DuckDB
  std::optional<std::string> asked_unit;  // the column to count people by, where there is one
  std::vector<Expression> columns;
  std::optional<Expression> condition;  // of a join by comma
  std::vector<std::string> filters;     // what ON asks of every row, in plain DuckDB
  std::optional<std::string> place;     // the public table that every row is joined with
};

class RelationMaker {
 public:
  // Requires: the database outlives this.
  RelationMaker(Dice& dice, const RandomDatabase& database) : dice_(dice), database_(database) {}

  RandomRelation Make();

  // Rows of the public table alone.
  RandomRelation Place() { return Table(database_.place); }

  // A condition on the relation's rows, some of them about other tables. Requires: one of ours.
  Expression Condition(const RandomRelation& relation);

 private:
  RandomRelation Table(const RandomTable& table);
  RandomRelation PrivateTable();
  RandomRelation UnitJoin();
  RandomRelation SelfJoin();
  RandomRelation LinkJoin();
  RandomRelation ThreeTables();
  RandomRelation PlaceJoin();
  RandomRelation PerUnit();
  RandomRelation PersonWithPerUnit();
  RandomRelation Inner();
  Expression Membership(const RandomRelation& relation);
  // `left` JOIN `right`, on their owners or the given text for both.
  RandomRelation Join(const std::string& words, RandomRelation left, RandomRelation right,
                      const Expression& on);
  Expression OnOwners(const RandomRelation& left, const RandomRelation& right);
  std::string NewAlias();

  Dice& dice_;
  const RandomDatabase& database_;
  int aliases_ = 0;
};

}  // namespace dpsql
