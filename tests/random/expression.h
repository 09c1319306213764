#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "random/random_database.h"

namespace dpsql {

// One expression over a row, twice: as we are asked, and as plain DuckDB must be asked so that it
// means the same. Both are written from the same choices; neither is made from the other.
struct Expression {
  std::string asked;
  std::string plain;
  Kind kind = Kind::kWhole;
  std::optional<Range> range;  // where the policy's bounds lead it, if they do
  bool unbounded = false;      // a column of which the policy says nothing
  // Of an AND, its operands in plain DuckDB; empty where this is none.
  std::vector<std::string> conjuncts;
};

// x AND y, without parentheses around it.
Expression And(const Expression& x, const Expression& y);

// The operands of an AND, or the condition itself.
std::vector<std::string> ConjunctsOf(const Expression& condition);

// Makes expressions over some columns.
class ExpressionMaker {
 public:
  // Requires: the columns outlive this.
  ExpressionMaker(Dice& dice, const std::vector<Expression>& columns)
      : dice_(dice), columns_(columns) {}

  Expression Whole(int depth);
  Expression Double(int depth);
  Expression Text(int depth);
  Expression Condition(int depth);

  // Of a type that groups are made of: no DOUBLE.
  Expression Key();

  // Anything.
  Expression Any();

  // A number whose bounds are known: a column of the policy, or a linear function of one. Nothing
  // where no column has bounds.
  std::optional<Expression> Bounded();

 private:
  Expression Leaf(Kind kind);
  Expression Literal(Kind kind);
  Expression WholeOperator(int depth);
  Expression WholeOfOther();
  Expression Chosen(Kind kind);
  Expression OfKind(Kind kind, int depth);
  Expression Comparison(int depth);
  Expression Test(int depth);
  const Expression* Column(Kind kind);

  Dice& dice_;
  const std::vector<Expression>& columns_;
};

// A number as DOUBLE, in plain DuckDB.
std::string AsDouble(const Expression& number);

// A number as SQL reads it back: all digits, negative ones in parentheses.
std::string NumberText(double number);

}  // namespace dpsql
