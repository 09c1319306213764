#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/type.h"
#include "catalog/catalog.h"
#include "random/dice.h"

namespace dpsql {

// Draws questions that are mostly accepted, over whatever the language has: every aggregate with
// and without FILTER; every scalar function in filters, keys and arguments; joins of every kind by
// unit, by link and with public rows, by ON, USING and NATURAL; queries in FROM that project, group
// by the unit with values of every exact type, look at a unit's other rows through windows with
// frames of every kind, or combine by set operations; tests of own rows and of public ones; several
// doors beside and above each other, with HAVING, ORDER BY, LIMIT, windows and arithmetic above
// them; options in a clause. Many slip in one place: they leave out what ties rows to their unit.
// Those are to be refused, and where one is not, it is asked like any other.
class SqlMaker {
 public:
  SqlMaker(Dice& dice, const std::vector<CatalogTable>& tables) : dice_(dice), tables_(tables) {}

  std::string Make();

 private:
  struct Column {
    std::string text;
    TypeFamily family = TypeFamily::kInteger;
    bool bounded = false;
    bool listed = false;     // the owner declared its values
    bool is_public = false;  // of a public table
  };
  // What FROM reads, and what can be said of a row of it.
  struct Rows {
    std::string from;
    std::vector<std::string> conditions;  // of joins by comma
    std::vector<Column> columns;
    std::string owner;  // names the unit; nothing where no column does
    std::string kind;   // of units; nothing where rows are public
  };
  // A query that can stand in FROM: its columns by name.
  struct Query {
    std::string sql;
    std::vector<Column> columns;
    bool has_owner = false;  // its first column
    std::string kind;
  };
  struct NamedQuery {
    std::string name;
    Query query;
  };

  // draw_sql.cc: questions and doors.
  std::string Question();
  std::string Above();
  std::string Door(int depth);
  std::string DoorOf(const Rows& rows, int depth, const std::string& options);
  Query Release(int depth);
  std::string Options();
  std::string Tail(std::size_t columns);
  std::string AboveOne();
  std::string AboveTwo();
  std::string With();

  // draw_sql_from.cc: what is read.
  Rows Private(const std::string& kind, int depth, bool needs_owner);
  Rows Joined(const std::string& kind, int depth, bool needs_owner);
  Rows WithComputed(Rows rows);
  Rows Single(const std::string& kind, int depth, bool needs_owner);
  Rows TableRows(const CatalogTable& table);
  Rows WithParents(const CatalogTable& table, bool needs_owner);
  Rows JoinByUnit(const std::string& kind, int depth);
  Rows JoinByLink(const std::string& kind);
  Rows JoinPublic(Rows rows, int depth);
  Rows Public(int depth);
  Rows Named(const Query& query, const std::string& text, const std::string& alias);
  Query Derived(const std::string& kind, int depth);
  Query Projection(const std::string& kind, int depth);
  Query Grouping(const std::string& kind, int depth);
  Query Windowing(const std::string& kind, int depth);
  Column WindowFunction(const Rows& rows);
  std::string Frame();
  Query Combination(const std::string& kind, int depth);
  const CatalogTable& PickTable(const std::string& kind);
  std::string PickKind();

  // draw_sql_expr.cc: expressions over one row.
  std::string Value(const Rows& rows, TypeFamily family, int depth);
  std::string Number(const Rows& rows, int depth);
  std::string Literal(TypeFamily family);
  std::string ColumnOf(const Rows& rows, TypeFamily family);
  TypeFamily ExactFamily(const Rows& rows);
  TypeFamily KeyFamily(const Rows& rows);
  TypeFamily AnyFamily(const Rows& rows);
  std::string Key(const Rows& rows, bool known);
  std::string Predicate(const Rows& rows, int depth);
  std::string PredicateOfCall(const Rows& rows);
  std::string Comparison(const Rows& rows);
  std::string Test(const Rows& rows, int depth);
  std::string OwnTest(const Rows& rows, int depth);
  std::string PublicTest(const Rows& rows, int depth);
  std::string Aggregate(const Rows& rows);
  std::string Bounded(const Rows& rows);
  Column ExactAggregate(const Rows& rows, bool in_window = false);
  std::string Where(const Rows& rows, int depth);

  // draw_sql_call.cc: calls of every scalar function.
  std::string Call(const Rows& rows, TypeFamily family, int depth);
  std::string Argument(const Rows& rows, char letter, TypeFamily any, int depth);

  // Whether to leave the unit out here; once in a question, so that nothing else has it refused.
  bool Slips() {
    const bool here = slips_left_ > 0 && dice_.In16(6);
    if (here) --slips_left_;
    return here;
  }
  std::string Owner(const Rows& rows);

  std::string NewName(const char* stem) { return stem + std::to_string(++names_); }

  Dice& dice_;
  const std::vector<CatalogTable>& tables_;
  std::vector<NamedQuery> named_;
  int slips_left_ = 0;
  int names_ = 0;
};

}  // namespace dpsql
