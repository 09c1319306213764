#include "validate/bind_subquery.h"

#include <algorithm>
#include <utility>

#include "base/error_codes.h"
#include "base/try.h"
#include "validate/literals.h"
#include "validate/not_yet.h"
#include "validate/overloads.h"
#include "validate/ownership.h"

namespace dpsql {
namespace {

bool ReadsNode(const BoundExpr& expr) {
  return AnyPart(expr, [](const BoundExpr& part) {
    return part.kind == BoundKind::kColumn && part.column.scan == kNodeScan;
  });
}

// Whether a column of the node is equated with a value of the query around.
bool Equates(const BoundBlock& block, std::size_t column) {
  const auto is_column = [&](const BoundExpr& expr) {
    return expr.kind == BoundKind::kColumn && expr.column == BoundColumn{kNodeScan, column};
  };
  return std::any_of(block.correlated.begin(), block.correlated.end(),
                     [&](const BoundExprPtr& condition) {
                       if (condition->function != "=") return false;
                       const BoundExpr& x = *condition->arguments[0];
                       const BoundExpr& y = *condition->arguments[1];
                       if (x.type != y.type) return false;
                       return (is_column(x) && !ReadsNode(y)) || (is_column(y) && !ReadsNode(x));
                     });
}

// Whether some unique key of the node is equated, column by column: then each row of the query
// around finds one row of the node at most.
bool FindsOneRow(const BoundBlock& block) {
  const auto& keys = block.node->table.unique_keys;
  return std::any_of(keys.begin(), keys.end(), [&](const std::vector<std::size_t>& key) {
    return std::all_of(key.begin(), key.end(),
                       [&](std::size_t column) { return Equates(block, column); });
  });
}

BoundExprPtr AsTest(const char* name, const BoundExprPtr& condition) {
  return MakeBoundCall(name, {condition}, condition->span);
}

}  // namespace

BoundExprPtr SubqueryBinder::ColumnOf(const BoundBlock& block, std::size_t column,
                                      SourceSpan span) const {
  const CatalogColumn& described = block.node->table.columns[column];
  return std::make_shared<const BoundExpr>(
      BoundExpr{.kind = BoundKind::kColumn,
                .type = described.type,
                .nullable = described.nullable || described.type.family == TypeFamily::kFloat,
                .interval = described.bounds,
                .interval_origin = described.bounds ? described.bounds_origin : "",
                .span = span,
                .column = {kSubqueryScans + pending_.size(), column}});
}

// The conditions between the next subquery and the query around it, in that query's own columns.
Result<std::vector<BoundExprPtr>> SubqueryBinder::Correlate(const BoundBlock& block) const {
  std::vector<BoundExprPtr> conditions;
  for (const BoundExprPtr& condition : block.correlated) {
    TRY(BoundExprPtr placed,
        Rewrite(condition, [&](const BoundExprPtr& part) -> Result<BoundExprPtr> {
          if (part->kind != BoundKind::kColumn) return BoundExprPtr();
          BoundExpr column = *part;
          if (part->column.scan == kNodeScan) {
            column.column.scan = kSubqueryScans + pending_.size();
          } else {
            column.column.scan -= kOuterScans;
          }
          return std::make_shared<const BoundExpr>(std::move(column));
        }));
    conditions.push_back(std::move(placed));
  }
  return conditions;
}

Result<BoundExprPtr> SubqueryBinder::AddTested(const BoundBlock& block,
                                               const std::vector<BoundExprPtr>& compared,
                                               SourceSpan span) {
  TRY(std::vector<BoundExprPtr> on, Correlate(block));
  for (const BoundExprPtr& condition : compared) AppendConjuncts(condition, on);
  const std::size_t number = kSubqueryScans + pending_.size();
  pending_.push_back({.scan = {.node = block.node,
                               .alias = "(subquery)",
                               .added = true,
                               .span = span,
                               .role = ScanRole::kTested,
                               .on = std::move(on)},
                      .place = std::nullopt});
  return std::make_shared<const BoundExpr>(BoundExpr{.kind = BoundKind::kExists,
                                                     .type = ParseType("BOOLEAN"),
                                                     .nullable = false,
                                                     .span = span,
                                                     .column = {number, 0}});
}

Result<SubqueryBinder::Test> SubqueryBinder::BindOperands(const ast::Subquery& subquery,
                                                          SourceSpan span) {
  Test test{.operands = {}, .comparison = subquery.operator_name, .block = {}, .span = span};
  static constexpr std::string_view kComparisons[] = {"=", "<>", "<", "<=", ">", ">="};
  if (std::find(std::begin(kComparisons), std::end(kComparisons), test.comparison) ==
      std::end(kComparisons)) {
    return NotYet(test.comparison + " before ANY or ALL", span, "compare with = <> < <= > or >=");
  }
  std::vector<const ast::Expr*> items = {subquery.test.get()};
  if (const auto* row = std::get_if<ast::Row>(&subquery.test->node)) {
    items.clear();
    for (const ast::ExprPtr& item : row->items) items.push_back(item.get());
    if (test.comparison != "=" && test.comparison != "<>") {
      return NotYet("an order of rows of values", span, "compare the columns one by one");
    }
  }
  for (const ast::Expr* item : items) {
    TRY(BoundExprPtr operand, BindExpr(*item, scope_));
    if (ReadsOuter(*operand)) {
      return NotYet("a test of the query around in a subquery", operand->span,
                    "test it there, in a condition of its own");
    }
    test.operands.push_back(std::move(operand));
  }
  TRY(test.block, BindBlock(*subquery.select, scope_.catalog(),
                            {.ctes = ctes_, .name = "the subquery", .outer = &scope_}));
  if (test.block.shown == test.operands.size()) return test;
  return MakeError(ErrorCode::kWrongArguments,
                   "the subquery has " + std::to_string(test.block.shown) + " columns, and " +
                       std::to_string(test.operands.size()) + " are compared",
                   span, "select as many columns as stand on the left");
}

// Rows of values are equal where all their columns are, and different where one is.
Result<BoundExprPtr> SubqueryBinder::Compare(const Test& test) const {
  std::vector<BoundExprPtr> pairs;
  for (std::size_t i = 0; i < test.operands.size(); ++i) {
    TRY(BoundExprPtr pair, BindComparison(test.comparison, test.operands[i],
                                          ColumnOf(test.block, i, test.span), test.span));
    pairs.push_back(std::move(pair));
  }
  const std::string joined = test.comparison == "<>" ? "or" : "and";
  return pairs.size() == 1 ? pairs[0] : MakeBoundCall(joined, std::move(pairs), test.span);
}

Result<BoundExprPtr> SubqueryBinder::Exists(const Test& test, Truth truth) {
  TRY(BoundExprPtr compared, Compare(test));
  if (truth == Truth::kUnknown) compared = AsTest("is unknown", compared);
  if (truth == Truth::kFalse) compared = AsTest("not", compared);
  if (truth == Truth::kNotFalse && compared->nullable) {
    compared = AsTest("is not false", compared);
  }
  if (truth == Truth::kNotTrue) {
    compared = AsTest(compared->nullable ? "is not true" : "not", compared);
  }
  return AddTested(test.block, {std::move(compared)}, test.span);
}

Result<BoundExprPtr> SubqueryBinder::BindTest(const ast::Subquery& subquery, bool negated,
                                              SourceSpan span) {
  if (subquery.kind == ast::SubqueryKind::kExists) {
    TRY(BoundExprPtr exists, Bind(subquery, span));
    return negated ? AsTest("not", exists) : exists;
  }
  TRY(const Test test, BindOperands(subquery, span));
  const bool any = subquery.kind == ast::SubqueryKind::kAny;
  // x op ANY: a row where it is true. Not so: no row where it is not false; ALL is its mirror.
  if (any && !negated) return Exists(test, Truth::kTrue);
  if (!any && negated) return Exists(test, Truth::kFalse);
  TRY(const BoundExprPtr counterexample, Exists(test, any ? Truth::kNotFalse : Truth::kNotTrue));
  return AsTest("not", counterexample);
}

Result<BoundExprPtr> SubqueryBinder::Bind(const ast::Subquery& subquery, SourceSpan span) {
  if (subquery.kind == ast::SubqueryKind::kScalar) return BindScalar(subquery, span);
  if (subquery.kind == ast::SubqueryKind::kArray) return NotYet("ARRAY of a query", span);
  if (subquery.kind == ast::SubqueryKind::kExists) {
    TRY(const BoundBlock block,
        BindBlock(*subquery.select, scope_.catalog(),
                  {.ctes = ctes_, .name = "the subquery", .outer = &scope_, .exists = true}));
    return AddTested(block, {}, span);
  }
  TRY(const Test test, BindOperands(subquery, span));
  const bool any = subquery.kind == ast::SubqueryKind::kAny;
  TRY(const BoundExprPtr compared, Compare(test));
  TRY(BoundExprPtr decides, Exists(test, any ? Truth::kTrue : Truth::kFalse));
  if (!compared->nullable) return any ? decides : AsTest("not", decides);
  TRY(BoundExprPtr unknown, Exists(test, Truth::kUnknown));
  return BindCase({std::move(decides), BooleanLiteral(any, span), std::move(unknown),
                   NullLiteral(ParseType("BOOLEAN"), span), BooleanLiteral(!any, span)},
                  span);
}

Result<BoundExprPtr> SubqueryBinder::BindScalar(const ast::Subquery& subquery, SourceSpan span) {
  TRY(const BoundBlock block,
      BindBlock(*subquery.select, scope_.catalog(),
                {.ctes = ctes_, .name = "the subquery", .outer = &scope_, .scalar = true}));
  if (block.shown != 1) {
    return MakeError(ErrorCode::kWrongArguments, "a subquery that is a value selects one column",
                     span, "select one column");
  }
  if (!FindsOneRow(block)) {
    if (!block.node->table.is_public && !Equates(block, *block.node->table.unit_column)) {
      return NotComparedOnUnit(span);
    }
    return MakeError(ErrorCode::kWrongArguments,
                     "this subquery could have more than one row where a value is needed", span,
                     "aggregate it without GROUP BY, or compare a unique key with =");
  }
  BoundExpr column = *ColumnOf(block, 0, span);
  column.nullable = true;
  BoundExprPtr value = std::make_shared<const BoundExpr>(std::move(column));
  if (block.if_empty) {
    BoundExprPtr missing = AsTest("is null", ColumnOf(block, block.shown, span));
    TRY(value, BindCase({std::move(missing), block.if_empty, value}, span));
  }
  TRY(std::vector<BoundExprPtr> on, Correlate(block));
  pending_.push_back({.scan = {.node = block.node,
                               .alias = "(subquery)",
                               .added = true,
                               .span = span,
                               .role = ScanRole::kOptional,
                               .on = std::move(on)},
                      .place = std::nullopt});
  return value;
}

Status SubqueryBinder::Attach(const Catalog& catalog, Relation& relation, const Replace& rewrite) {
  for (Pending& pending : pending_) {
    if (pending.place) continue;
    pending.place = relation.scans.size();
    Scan scan = pending.scan;
    for (BoundExprPtr& condition : scan.on) {
      TRY(condition, Rewrite(condition, rewrite));
      TRY(condition, Place(condition));
    }
    TRY_DONE(AttachScan(catalog, relation, std::move(scan)));
  }
  return Done{};
}

Result<BoundExprPtr> SubqueryBinder::Place(const BoundExprPtr& expr) const {
  return Rewrite(expr, [&](const BoundExprPtr& part) -> Result<BoundExprPtr> {
    const bool leaf = part->kind == BoundKind::kColumn || part->kind == BoundKind::kExists;
    if (!leaf || !IsSubquery(part->column)) return BoundExprPtr();
    const std::optional<std::size_t>& place = pending_.at(part->column.scan - kSubqueryScans).place;
    if (!place) return BoundExprPtr();
    BoundExpr placed = *part;
    placed.column.scan = *place;
    return std::make_shared<const BoundExpr>(std::move(placed));
  });
}

Result<BoundExprPtr> RowHooks::BindAggregate(const ast::Call& call, SourceSpan span) {
  return MakeError(ErrorCode::kMisplacedAggregate,
                   "the aggregate " + call.name + " cannot stand here", span);
}

Result<BoundExprPtr> RowHooks::BindWindow(const ast::Call&, SourceSpan span) {
  return MakeError(ErrorCode::kMisplacedAggregate, "a window may not stand here", span,
                   "windows belong in the select list and in ORDER BY");
}

Result<BoundExprPtr> RowHooks::BindSubquery(const ast::Subquery& subquery, SourceSpan span) {
  return subqueries_.Bind(subquery, span);
}

}  // namespace dpsql
