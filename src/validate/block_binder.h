#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "dpsql/result.h"
#include "sql/ast.h"
#include "validate/bind_block.h"
#include "validate/bind_expr.h"
#include "validate/bind_subquery.h"
#include "validate/bound_query.h"
#include "validate/query_node.h"
#include "validate/rewrite.h"
#include "validate/scope.h"

namespace dpsql {

// Binds one SELECT in the order in which SQL means it: FROM and WHERE make a relation; grouping,
// then windows, each make a query over it and become the relation; the select list is the last.
// Expressions are bound over the names of FROM first, with stand-ins for aggregates, windows and
// subqueries, and are rewritten at each step to what the new relation has.
class BlockBinder final : private ExprHooks {
 public:
  BlockBinder(const ast::Select& select, const Catalog& catalog, const BlockUse& use)
      : select_(select), catalog_(catalog), use_(use), scope_(catalog, use.outer) {}

  Result<BoundBlock> Run();

 private:
  enum class Groups { kNone, kExact, kDoor };

  // bind_block.cc: the flow, FROM and WHERE, and the result.
  Status RefuseUnavailable() const;
  Status AddCtes();
  Status BindFrom();
  Status RefuseOuterJoins() const;
  Status BindWhere(const ast::Expr& where);
  Status AddCondition(const BoundExprPtr& condition);
  Status AttachToRows();
  Status AttachToOutputs(const Replace& rewrite);
  Result<BoundBlock> BindValues();
  Result<BoundBlock> BindSetOperationBlock();
  Result<BoundBlock> Project();
  Result<std::vector<BoundExprPtr>> Export(std::vector<NamedExpr>& columns);
  Status CheckShown() const;
  Status SetLimits(Projection& body) const;
  void MakeOrderTotal(Projection& body) const;
  Status CheckDistinctOrder(const Projection& body) const;

  // bind_outputs.cc: the select list, HAVING and ORDER BY, over the names of FROM.
  Status BindOutputs();
  Status BindItems();
  Status BindOrder();
  Status BindOrderItem(const ast::OrderItem& item);
  Status AddStar(const ast::Star& star, SourceSpan span);
  Result<BoundExprPtr> BindAggregate(const ast::Call& call, SourceSpan span) override;
  Result<BoundExprPtr> BindWindow(const ast::Call& call, SourceSpan span) override;
  Result<BoundExprPtr> BindSubquery(const ast::Subquery& subquery, SourceSpan span) override;

  // bind_groups.cc: groups, doors and windows.
  bool IsGrouped() const;
  Status BindKeys();
  Status AddCorrelatedKeys();
  Status MakeGroups();
  Result<NodePtr> MakeDoor();
  Result<BoundExprPtr> Regroup(const BoundExprPtr& part, const Scan& groups) const;
  Error NotAggregated(const BoundExpr& expr) const;
  Status FindIfEmpty();
  Status MakeWindows();
  Status CheckWindowParts() const;
  std::vector<BoundExprPtr> CollectInputs() const;
  Status RewriteOutputs(const Replace& replace);

  RelationView view() const { return {relation_, catalog_}; }

  const ast::Select& select_;
  const Catalog& catalog_;
  const BlockUse& use_;
  std::deque<CteScope> own_ctes_;
  CteScope* ctes_ = nullptr;
  Scope scope_;
  std::optional<SubqueryBinder> row_subqueries_;     // of WHERE, keys and aggregates' arguments
  std::optional<SubqueryBinder> output_subqueries_;  // of what is selected

  Relation relation_;                     // what the expressions below are over
  std::vector<BoundExprPtr> correlated_;  // conditions that read the query around
  Groups groups_ = Groups::kNone;
  std::vector<BoundExprPtr> keys_;
  std::vector<const ast::Expr*> key_texts_;  // of the first keys: what GROUP BY means by each
  std::vector<BoundAggregate> door_aggregates_;
  std::vector<ExactAggregate> exact_aggregates_;
  std::vector<WindowCall> windows_;
  std::vector<SourceSpan> window_spans_;

  std::vector<NamedExpr> items_;
  std::vector<BoundExprPtr> having_;
  std::vector<BoundOrder> order_by_;
  BoundExprPtr if_empty_;
};

}  // namespace dpsql
