#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aggregates/aggregate.h"
#include "base/type.h"
#include "catalog/catalog.h"
#include "dpsql/error.h"
#include "dpsql/value.h"
#include "validate/functions.h"

namespace dpsql {

struct BoundExpr;
using BoundExprPtr = std::shared_ptr<const BoundExpr>;

// A column by position: which scan of the relation, which column of its table.
struct BoundColumn {
  std::size_t scan = 0;
  std::size_t column = 0;

  friend bool operator==(const BoundColumn&, const BoundColumn&) = default;
};

enum class BoundKind { kLiteral, kColumn, kCall };

// A resolved and typed row expression. It is total: whatever the row holds, it has a value or is
// NULL, and never an error. Calls are by the names of validate/functions.h.
struct BoundExpr {
  BoundKind kind = BoundKind::kLiteral;
  Type type;
  bool nullable = true;
  std::optional<Interval> interval;  // where the value is declared to lie; the clamp enforces it
  std::string interval_origin;       // "policy", "literal", "policy by arithmetic"
  SourceSpan span;

  Value literal;
  BoundColumn column;
  std::string function;
  std::vector<BoundExprPtr> arguments;
  const ScalarFunction* overload = nullptr;  // of a call: which form of `function` it is
  std::size_t written_size = 1;              // nodes when written out, shared ones each time
};

struct DerivedTable;

// One input of a join: a table of the catalog, or a query of its own (`derived`).
struct Scan {
  static constexpr std::size_t kNoTable = static_cast<std::size_t>(-1);

  std::size_t table = kNoTable;  // of the catalog, where it is not derived
  std::shared_ptr<const DerivedTable> derived;
  std::string alias;
  bool added = false;  // by the binder, to find the unit or to test for membership
  SourceSpan span;

  // The null-supplying side of a LEFT JOIN: its rows where all of `on` holds, else one row of
  // NULLs. Its unit column is then an ordinary column that may be NULL, and no owner.
  bool optional = false;
  std::vector<BoundExprPtr> on;
};

// The column that says whose a row is.
struct Owner {
  std::string kind;
  BoundColumn column;
};

// A join of scans: those not optional among each other under a conjunction of conditions, then the
// optional ones, each LEFT JOINed under its own. With an owner it is Private(kind):
// every row belongs to exactly one unit, named by the owner column, and adding or removing a unit
// adds or removes exactly its rows. Without one it is Public.
struct Relation {
  std::vector<Scan> scans;
  std::vector<BoundExprPtr> conditions;
  std::optional<Owner> owner;

  // The columns that hold the unit in every row: unit columns, and what a condition equates with
  // them, foreign keys included. Copies may be NULL instead: those of optional scans.
  std::vector<BoundColumn> unit_columns;
  std::vector<BoundColumn> unit_copies;

  // How many tables are read, inside derived tables too.
  std::size_t total_scans = 0;

  // How many scans can each multiply a unit's rows: those not reached by a key that the database
  // keeps unique.
  std::size_t wide_scans = 0;

  // Facts of this node. `determined[s]`: a unit has one row of scan s here at most, so that its
  // columns are functions of the unit.
  std::vector<bool> determined;
  // The owner's cap on rows per unit of the whole relation; the table that lacks one otherwise.
  std::optional<std::int64_t> rows_per_unit;
  std::string uncapped_table;
};

// What a scan reads: a table of the catalog, or the columns and facts of a derived one.
const CatalogTable& TableOf(const Scan& scan, const Catalog& catalog);

struct BoundKey {
  BoundExprPtr expr;
  std::vector<Value> values;  // all that can be released, where the owner declared them
  bool determined = false;    // by the unit
};

struct BoundAggregate {
  const Aggregate* aggregate = nullptr;
  BoundExprPtr argument;  // null for count(*) and count(DISTINCT unit)
  Interval bounds;        // where the aggregate needs them
  std::string bounds_origin;
  SourceSpan span;
};

struct BoundOutput {
  std::string name;
  bool is_key = false;
  std::size_t index = 0;  // into keys or aggregates
};

// A query that is known to be safe to plan: every name resolved, every private row owned, every
// path from a private column to the output through an aggregate. Only the validator makes one.
class BoundQuery {
 public:
  const Catalog& catalog() const { return *catalog_; }
  const Relation& relation() const { return relation_; }
  const std::vector<BoundKey>& keys() const { return keys_; }
  const std::vector<BoundAggregate>& aggregates() const { return aggregates_; }
  const std::vector<BoundOutput>& outputs() const { return outputs_; }

  const CatalogTable& table(const Scan& scan) const { return TableOf(scan, *catalog_); }
  const CatalogColumn& column(BoundColumn at) const {
    return table(relation_.scans.at(at.scan)).columns.at(at.column);
  }

 private:
  friend class Validator;
  friend class DerivedBinder;
  explicit BoundQuery(const Catalog& catalog) : catalog_(&catalog) {}

  const Catalog* catalog_;
  Relation relation_;
  std::vector<BoundKey> keys_;
  std::vector<BoundAggregate> aggregates_;
  std::vector<BoundOutput> outputs_;
};

// A column of a derived table: an expression of its block, or an exact aggregate of one over the
// rows of a unit's group.
struct DerivedColumn {
  BoundExprPtr expr;      // null for count(*)
  std::string aggregate;  // "", "count", "sum", "min", "max"
  bool distinct = false;
};

// A query inside FROM, seen from outside as a table. Unit-local like its block: it keeps the owner
// as a column (`table.unit_column`), and groups by nothing or by keys that include the owner.
struct DerivedTable {
  CatalogTable table;
  std::shared_ptr<const BoundQuery> block;  // whose relation the columns read
  std::vector<DerivedColumn> columns;
  std::vector<BoundExprPtr> group_by;
  bool distinct = false;
};

// Whether two expressions are the same tree.
bool SameExpr(const BoundExpr& a, const BoundExpr& b);

// An expression in SQL-like text with the query's own aliases: for plans and messages.
std::string Describe(const BoundExpr& expr, const BoundQuery& query);
std::string Describe(const BoundExpr& expr, const Relation& relation, const Catalog& catalog);

}  // namespace dpsql
