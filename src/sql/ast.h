#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dpsql/error.h"

// The syntax tree: what the parser reads from the analyst's text and what the printer writes for a
// database. Both directions share it, so that a bound plan is lowered to a tree and never to a
// string. Names are as the grammar folds them (unquoted names are lower case); nothing here knows
// whether a name exists.
namespace dpsql::ast {

struct Expr;
struct Select;
using ExprPtr = std::unique_ptr<Expr>;
using SelectPtr = std::unique_ptr<Select>;

struct Null {};
struct Boolean {
  bool value;
};
struct Number {
  std::string text;  // digits as typed, sign folded in: "-12.50", "1e6"
};
struct String {
  std::string value;  // after unescaping
};
struct Parameter {
  int index;  // $1 is 1
};

// a, t.a, s.t.a: one part each.
struct ColumnRef {
  std::vector<std::string> parts;
};
// *, t.*: the qualifying parts.
struct Star {
  std::vector<std::string> qualifier;
};

struct OrderItem {
  ExprPtr expr;
  bool descending = false;
  std::optional<bool> nulls_first;
};

enum class FrameMode { kRows, kRange, kGroups };
enum class FrameBoundKind {
  kUnboundedPreceding,
  kPreceding,
  kCurrentRow,
  kFollowing,
  kUnboundedFollowing
};
struct FrameBound {
  FrameBoundKind kind = FrameBoundKind::kUnboundedPreceding;
  ExprPtr offset;  // of kPreceding and kFollowing
};
struct Frame {
  FrameMode mode = FrameMode::kRange;
  FrameBound start;
  FrameBound end;
  std::string exclude;  // "", "current row", "group", "ties"
};
struct Window {
  std::string name;       // of a WINDOW clause's entry
  std::string base_name;  // the named window it refers to, also of `OVER w`
  std::vector<ExprPtr> partition_by;
  std::vector<OrderItem> order_by;
  std::optional<Frame> frame;
  SourceSpan span;
};

struct Argument {
  std::string name;  // of `name => value`, else empty
  ExprPtr value;
};

// A function call, and every operator, by one name: "+", "=", "like", "not like", "count".
// Operators have one or two arguments and `is_operator` set; a pattern match with ESCAPE has three.
// `x AT TIME ZONE z` is timezone(z, x), as in PostgreSQL.
struct Call {
  std::string name;
  std::vector<std::string> schema;  // of a qualified name, else empty
  std::vector<Argument> arguments;
  bool is_operator = false;
  bool star = false;      // count(*)
  bool distinct = false;  // count(DISTINCT x)
  std::vector<OrderItem> order_by;
  bool within_group = false;
  ExprPtr filter;
  std::optional<Window> over;
  SourceSpan name_span;
};

enum class LogicOp { kAnd, kOr, kNot };
struct Logic {
  LogicOp op;
  std::vector<ExprPtr> operands;
};

// IS [NOT] NULL, IS [NOT] TRUE, IS [NOT] FALSE, IS [NOT] UNKNOWN.
enum class TestKind { kNull, kTrue, kFalse, kUnknown };
struct Test {
  TestKind kind;
  bool negated = false;
  ExprPtr operand;
};

struct Between {
  bool negated = false;
  bool symmetric = false;
  ExprPtr operand;
  ExprPtr low;
  ExprPtr high;
};

struct InList {
  bool negated = false;
  ExprPtr operand;
  std::vector<ExprPtr> items;
};

struct WhenClause {
  ExprPtr condition;
  ExprPtr result;
};
struct Case {
  ExprPtr operand;  // of the simple form, else null
  std::vector<WhenClause> when;
  ExprPtr otherwise;  // null when there is no ELSE
};

struct TypeName {
  std::string name;  // as the grammar names it: "int8", "numeric", "varchar", "date"
  std::vector<std::int64_t> modifiers;  // numeric(12,2); of an interval PostgreSQL's mask of units
  bool array = false;
  SourceSpan span;
};
struct Cast {
  ExprPtr operand;
  TypeName type;
};

struct Row {
  std::vector<ExprPtr> items;
};

// A subquery in an expression. `test` with its operator is set for IN, ANY and ALL.
enum class SubqueryKind { kScalar, kExists, kAny, kAll, kArray };
struct Subquery {
  SubqueryKind kind;
  ExprPtr test;               // x in `x IN (…)`; null for scalar and EXISTS
  std::string operator_name;  // "=" for IN
  SelectPtr select;
};

struct Expr {
  std::variant<Null, Boolean, Number, String, Parameter, ColumnRef, Star, Call, Logic, Test,
               Between, InList, Case, Cast, Row, Subquery>
      node;
  SourceSpan span;
};

// --- Relations -----------------------------------------------------------------------------

struct From;
using FromPtr = std::unique_ptr<From>;

struct TableName {
  std::vector<std::string> parts;  // t, schema.t, catalog.schema.t
};
struct DerivedTable {
  SelectPtr select;
  bool lateral = false;
};
struct TableFunction {
  ExprPtr call;
  bool lateral = false;
};
enum class JoinKind { kInner, kLeft, kRight, kFull, kCross };
struct Join {
  JoinKind kind = JoinKind::kInner;
  bool natural = false;
  FromPtr left;
  FromPtr right;
  ExprPtr on;  // null for USING, NATURAL and CROSS
  std::vector<std::string> using_columns;
};

struct From {
  std::variant<TableName, DerivedTable, TableFunction, Join> node;
  std::string alias;
  std::vector<std::string> column_aliases;
  SourceSpan span;
};

// --- Queries -------------------------------------------------------------------------------

struct SelectItem {
  ExprPtr expr;
  std::string alias;
};

enum class GroupingKind { kExpr, kEmpty, kRollup, kCube, kSets };
struct GroupItem {
  GroupingKind kind = GroupingKind::kExpr;
  ExprPtr expr;                     // of kExpr
  std::vector<GroupItem> elements;  // of the others
  SourceSpan span;
};

struct Cte {
  std::string name;
  std::vector<std::string> column_aliases;
  SelectPtr select;
  SourceSpan span;
};

enum class SetOp { kUnion, kIntersect, kExcept };
struct SetOperation {
  SetOp op;
  bool all = false;
  SelectPtr left;
  SelectPtr right;
};

// One `name = value` of a privacy clause: the name in lower case; the value is a literal or a name,
// without its quotes.
struct PrivacyOption {
  std::string name;
  std::string value;
  SourceSpan name_span;
  SourceSpan value_span;
};

// WITH DIFFERENTIAL_PRIVACY [OPTIONS (…)] or PRIVATE_QUERY OPTIONS (…), behind the word SELECT.
struct PrivacyOptions {
  std::vector<PrivacyOption> options;
  SourceSpan span;
};

// One query block, or a set operation over two, with what may stand around either.
struct Select {
  std::vector<Cte> with;
  bool recursive = false;

  std::optional<SetOperation> set_operation;  // then the block below is empty

  std::optional<PrivacyOptions> privacy;
  bool distinct = false;
  std::vector<ExprPtr> distinct_on;
  std::vector<SelectItem> items;
  std::vector<From> from;  // comma list
  ExprPtr where;
  std::vector<GroupItem> group_by;
  bool group_distinct = false;
  ExprPtr having;
  std::vector<Window> windows;
  std::vector<std::vector<ExprPtr>> values;  // VALUES lists

  std::vector<OrderItem> order_by;
  ExprPtr limit;
  ExprPtr offset;
  bool limit_with_ties = false;

  SourceSpan span;
};

// --- Statements ----------------------------------------------------------------------------

struct SelectStatement {
  Select select;
};
struct ExplainStatement {
  Select select;
};
// SET dp.epsilon = 0.5; `value` is the literal's text.
struct SetStatement {
  std::string name;
  std::string value;
  SourceSpan name_span;
  SourceSpan value_span;
};
// ALTER PRIVATE_TABLE t OPTIONS (PRIVACY_UNIT_COLUMN = c).
struct AlterPrivateTable {
  std::vector<std::string> table;
  PrivacyOptions options;
  SourceSpan table_span;
};

struct Statement {
  std::variant<SelectStatement, ExplainStatement, SetStatement, AlterPrivateTable> node;
  std::vector<SourceSpan> privacy_clauses;  // of all its query blocks, in the order of the text
  SourceSpan span;
};

}  // namespace dpsql::ast
