#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "aggregates/aggregate.h"
#include "base/type.h"
#include "catalog/catalog.h"
#include "dpsql/error.h"
#include "dpsql/value.h"
#include "sql/ast.h"
#include "validate/functions.h"

namespace dpsql {

struct BoundExpr;
using BoundExprPtr = std::shared_ptr<const BoundExpr>;

struct QueryNode;
using NodePtr = std::shared_ptr<const QueryNode>;

// A column by position: which scan of the relation, which column of its table.
struct BoundColumn {
  std::size_t scan = 0;
  std::size_t column = 0;

  friend bool operator==(const BoundColumn&, const BoundColumn&) = default;
};

enum class BoundKind {
  kLiteral,
  kColumn,
  kCall,
  kExists,  // whether a tested scan has a row that fulfils the scan's own conditions
};

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
  BoundColumn column;  // of kExists only its scan
  std::string function;
  std::vector<BoundExprPtr> arguments;
  const ScalarFunction* overload = nullptr;  // of a call: which form of `function` it is
  std::size_t written_size = 1;              // nodes when written out, shared ones each time
};

// How a scan takes part in its relation.
enum class ScanRole {
  kInner,     // joined, under the relation's conditions
  kOptional,  // LEFT JOINed: its rows where all of its own conditions hold, else one row of NULLs
  kFull,      // FULL JOINed with the one scan before it, under its own conditions
  kTested,    // not joined: an expression asks whether a row of it fulfils its own conditions
};

// One input of a relation: a table of the catalog, or a query of its own (`node`).
struct Scan {
  static constexpr std::size_t kNoTable = static_cast<std::size_t>(-1);

  std::size_t table = kNoTable;  // of the catalog, where there is no node
  NodePtr node;
  std::string alias;
  bool added = false;  // by the binder: to find the unit, or for a subquery of an expression
  SourceSpan span;

  ScanRole role = ScanRole::kInner;
  std::vector<BoundExprPtr> on;  // its own conditions, where it is not inner
};

// The column that says whose a row is.
struct Owner {
  std::string kind;
  BoundColumn column;
};

// A join of scans: the inner ones among each other under a conjunction of conditions, then the
// optional ones, each LEFT JOINed under its own. With an owner it is Private(kind): every row
// belongs to exactly one unit, named by the owner column, and adding or removing a unit adds or
// removes exactly its rows. Without one it is Public.
struct Relation {
  std::vector<Scan> scans;
  std::vector<BoundExprPtr> conditions;
  std::optional<Owner> owner;

  // The columns that hold the unit in every row: unit columns, and what a condition equates with
  // them, foreign keys included. Copies may be NULL instead: those of optional scans.
  std::vector<BoundColumn> unit_columns;
  std::vector<BoundColumn> unit_copies;

  // How many tables are read, inside nodes too, and how many scans can each multiply a unit's
  // rows: those not reached by a key that the database keeps unique.
  std::size_t total_scans = 0;
  std::size_t wide_scans = 0;
  std::size_t wide_public_scans = 0;  // of these, in a private relation: those of public tables

  // Facts of this relation. `determined[s]`: a unit has one row of scan s here at most, so that
  // its columns are functions of the unit.
  std::vector<bool> determined;
  // The owner's cap on rows per unit of the whole relation; the table that lacks one otherwise.
  std::optional<std::int64_t> rows_per_unit;
  std::string uncapped_table;
};

// What a scan reads: a table of the catalog, or the columns and facts of a query.
const CatalogTable& TableOf(const Scan& scan, const Catalog& catalog);

// Products and sums of caps on rows per unit end here.
inline constexpr std::int64_t kMostRowsPerUnit = 1'000'000'000;

// A relation with the catalog of its tables: what says what a column is.
struct RelationView {
  const Relation& relation;
  const Catalog& catalog;

  const CatalogTable& table(const Scan& scan) const { return TableOf(scan, catalog); }
  const CatalogColumn& column(BoundColumn at) const {
    return table(relation.scans.at(at.scan)).columns.at(at.column);
  }
};

struct BoundKey {
  BoundExprPtr expr;
  std::vector<Value> values;  // all that can be released, where the owner declared them
  bool determined = false;    // by the unit
};

// What an aggregate takes of a row, and where it needs them the bounds that clamp it.
struct BoundedArgument {
  BoundExprPtr expr;
  Interval bounds;
  std::string origin;
};

struct BoundAggregate {
  const Aggregate* aggregate = nullptr;
  std::vector<BoundedArgument> arguments;  // x, or x and y of f(y, x); none for count(*)
  SourceSpan span;

  // The first, or null.
  BoundExprPtr argument() const { return arguments.empty() ? nullptr : arguments[0].expr; }
};

// What is asked of private rows: the one way from private to public. Closed: it reads its own
// relation alone, so that it runs once, whatever reads its release.
struct BoundDoor {
  const Catalog* catalog = nullptr;
  Relation relation;
  std::vector<BoundKey> keys;
  std::vector<BoundAggregate> aggregates;
  std::optional<ast::PrivacyOptions> options;  // of its own SELECT
  SourceSpan span;

  RelationView view() const { return {relation, *catalog}; }
  const CatalogTable& table(const Scan& scan) const { return view().table(scan); }
  const CatalogColumn& column(BoundColumn at) const { return view().column(at); }
};

// --- Queries as tables -----------------------------------------------------------------------

struct BoundOrder {
  BoundExprPtr expr;
  bool descending = false;
  bool nulls_first = false;

  friend bool operator==(const BoundOrder&, const BoundOrder&) = default;
};

// One row for each row of the relation. Order and limits are of public queries only.
struct Projection {
  Relation relation;
  std::vector<BoundExprPtr> columns;
  bool distinct = false;
  std::vector<BoundOrder> order_by;
  std::optional<std::int64_t> limit;
  std::optional<std::int64_t> offset;
  bool total_order = false;  // only equal rows are undecided
};

// An exact aggregate: over public rows, or over the rows of one unit.
struct ExactAggregate {
  std::string function;
  BoundExprPtr argument;  // null for count(*)
  bool distinct = false;
  Type type;
};

// Columns: the keys, then the aggregates. Over private rows the keys hold the unit.
struct Grouping {
  Relation relation;
  std::vector<BoundExprPtr> keys;
  std::vector<ExactAggregate> aggregates;
};

struct WindowCall {
  std::string function;
  std::vector<BoundExprPtr> arguments;
  bool star = false;
  std::vector<BoundExprPtr> partition_by;
  std::vector<BoundOrder> order_by;
  bool needs_order = false;             // no aggregate: it tells of a row's place
  std::optional<ast::FrameMode> frame;  // then with both ends
  bool stable = true;                   // the same for the same rows, in whatever order they come
  ast::FrameBoundKind start = ast::FrameBoundKind::kUnboundedPreceding;
  ast::FrameBoundKind end = ast::FrameBoundKind::kCurrentRow;
  std::int64_t start_offset = 0;
  std::int64_t end_offset = 0;
  Type type;
  SourceSpan span;
};

// Columns: the inputs, then the windows. Over private rows each window is of one unit's rows, in an
// order that leaves only equal rows undecided.
struct Windowing {
  Relation relation;
  std::vector<BoundExprPtr> inputs;
  std::vector<WindowCall> windows;
};

// Columns by position. Over private rows the unit stands at one position on both sides.
struct SetOperation {
  ast::SetOp op = ast::SetOp::kUnion;
  bool all = false;
  NodePtr left;
  NodePtr right;
};

// Columns: the keys, then the aggregates, both public.
struct Release {
  std::shared_ptr<const BoundDoor> door;
};

// A query, seen from outside as a table: its columns, whose its rows are, and the facts about them.
// Unit-local where the table is private: docs/proofs/unit-local.md.
struct QueryNode {
  CatalogTable table;
  std::variant<Projection, Grouping, Windowing, SetOperation, Release> body;
  std::size_t total_scans = 0;
  std::size_t wide_scans = 0;
  std::size_t wide_public_scans = 0;
  std::string uncapped_table;
  SourceSpan span;

  // Two readings give the same rows. A door reads its relation twice, and what it reads must be a
  // function of the data: no LIMIT without a total order, no running sum of floats.
  bool stable = true;
};

// The relation that a node reads, or null where it reads other nodes or a door.
const Relation* RelationOf(const QueryNode& node);

// A query that is known to be safe to plan: every name resolved, every private row owned, every
// path from a private column to the output through a door. Only the validator makes one.
class BoundQuery {
 public:
  const Catalog& catalog() const { return *catalog_; }

  // What is answered: a public table.
  const QueryNode& root() const { return *root_; }

 private:
  friend class Validator;
  BoundQuery(const Catalog& catalog, NodePtr root) : catalog_(&catalog), root_(std::move(root)) {}

  const Catalog* catalog_;
  NodePtr root_;
};

// Every door that a node reads, those that others need first. One that is read twice comes once.
std::vector<std::shared_ptr<const BoundDoor>> DoorsOf(const QueryNode& node);

// Whether two expressions are the same tree.
bool SameExpr(const BoundExpr& a, const BoundExpr& b);

// The same where either may be absent.
bool SameArgument(const BoundExprPtr& a, const BoundExprPtr& b);

// An expression in SQL-like text with the query's own aliases: for plans and messages.
std::string Describe(const BoundExpr& expr, const RelationView& view);

}  // namespace dpsql
