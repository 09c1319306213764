#include "validate/bind_from.h"

#include <algorithm>
#include <utility>

#include "base/error_codes.h"
#include "base/names.h"
#include "base/try.h"
#include "validate/not_yet.h"
#include "validate/overloads.h"
#include "validate/ownership.h"
#include "validate/query_node.h"
#include "validate/select_items.h"

namespace dpsql {

namespace {

// Words of other systems' joins, which PostgreSQL's grammar reads as the name of the table before.
Status RefuseJoinWords(const ast::From& from) {
  static constexpr std::string_view kWords[] = {"semi", "anti", "asof", "positional"};
  if (std::find(std::begin(kWords), std::end(kWords), from.alias) == std::end(kWords)) {
    return Done{};
  }
  return MakeError(ErrorCode::kUnsupportedSyntax,
                   "syntax is not supported: " + ToUpper(from.alias) + " JOIN", from.span,
                   "write  WHERE EXISTS (…)  or  WHERE NOT EXISTS (…)");
}

}  // namespace

Status FromBinder::Collect(const ast::From& from) {
  TRY_DONE(RefuseJoinWords(from));
  if (std::holds_alternative<ast::TableName>(from.node)) return CollectTable(from);
  if (const auto* derived = std::get_if<ast::DerivedTable>(&from.node)) {
    return CollectQuery(*derived, from);
  }
  const auto* join = std::get_if<ast::Join>(&from.node);
  if (join == nullptr) {
    return MakeError(ErrorCode::kUnknownTable, "a function in FROM is no table of the policy",
                     from.span, "only tables that the policy declares can be asked");
  }
  if (from.alias.empty()) return CollectJoin(*join, from.span);
  TRY(Side side, BindSide(from));
  return scope_.AddNode(std::move(side.node), from.alias, from.column_aliases, from.span);
}

// A CTE hides a table of the same name, as an alias does.
Status FromBinder::CollectTable(const ast::From& from) {
  const auto& name = std::get<ast::TableName>(from.node);
  for (CteScope* scope = ctes_; scope != nullptr; scope = scope->outer) {
    if (name.parts.size() != 1 || !SameName(scope->cte->name, name.parts[0])) continue;
    TRY(NodePtr node, BindCte(*scope, scope_.catalog()));
    const std::string alias = from.alias.empty() ? scope->cte->name : from.alias;
    return scope_.AddNode(std::move(node), alias, from.column_aliases, from.span);
  }
  return scope_.AddTable(from);
}

Status FromBinder::CollectQuery(const ast::DerivedTable& derived, const ast::From& from) {
  const ast::Select& select = *derived.select;
  const bool bare = select.from.empty() && !select.set_operation && select.values.empty();
  if (derived.lateral && bare) return CollectLateral(select, from);
  const Scope* outer = derived.lateral ? &scope_ : nullptr;
  TRY(BoundBlock block,
      BindBlock(select, scope_.catalog(), {.ctes = ctes_, .name = from.alias, .outer = outer}));
  if (!block.correlated.empty()) {
    return NotYet("a LATERAL query that reads the tables beside it", from.span,
                  "join it with ON, or use EXISTS or a scalar subquery");
  }
  return scope_.AddNode(std::move(block.node), from.alias, from.column_aliases, from.span);
}

// LATERAL (SELECT a + b AS c): names for expressions over the tables before it.
Status FromBinder::CollectLateral(const ast::Select& select, const ast::From& from) {
  const bool plain = select.with.empty() && !select.privacy && !select.distinct &&
                     select.distinct_on.empty() && !select.where && select.group_by.empty() &&
                     !select.having && select.order_by.empty() && !select.limit && !select.offset;
  if (!plain) return NotYet("this LATERAL query", from.span, "select expressions only");
  VisibleTable table{.alias = from.alias, .columns = {}};
  for (std::size_t i = 0; i < select.items.size(); ++i) {
    const ast::SelectItem& item = select.items[i];
    TRY(BoundExprPtr value, BindExpr(*item.expr, scope_));
    std::string name = item.alias.empty() ? DefaultName(*item.expr) : item.alias;
    if (i < from.column_aliases.size()) name = from.column_aliases[i];
    table.columns.push_back({.name = std::move(name), .at = {}, .computed = std::move(value)});
  }
  return scope_.AddComputed(std::move(table), from.span);
}

// (A LEFT JOIN b ON p) x C is (A x C) LEFT JOIN b ON p, so that the inner tables can come first
// wherever they stand, as long as the optional side is one scan.
Status FromBinder::CollectJoin(const ast::Join& join, SourceSpan span) {
  if (join.kind == ast::JoinKind::kFull) return CollectFull(join, span);
  const bool right = join.kind == ast::JoinKind::kRight;
  const bool outer = right || join.kind == ast::JoinKind::kLeft;
  const std::size_t begin = scope_.visible_tables();
  TRY_DONE(Collect(right ? *join.right : *join.left));
  const std::size_t middle = scope_.visible_tables();
  const std::size_t position = scope_.scans().size();
  const ast::From& other = right ? *join.left : *join.right;
  if (outer) {
    TRY_DONE(CollectOptional(other));
  } else {
    TRY_DONE(Collect(other));
  }
  TRY(std::vector<BoundExprPtr> on, BindOn(join, begin, middle, scope_, span));
  if (outer) {
    scope_.MakeOptional(position, std::move(on));
  } else {
    conditions_.insert(conditions_.end(), on.begin(), on.end());
  }
  if (right) scope_.Rotate(begin, middle);
  return Done{};
}

// What ON, USING or NATURAL ask of the tables of the two sides, in a list. USING gives the merged
// column the value of the side that is kept.
Result<std::vector<BoundExprPtr>> FromBinder::BindOn(const ast::Join& join, std::size_t begin,
                                                     std::size_t middle, Scope& scope,
                                                     SourceSpan span) {
  std::vector<BoundExprPtr> on;
  if (join.on) {
    TRY(const BoundExprPtr bound, BindCondition(*join.on, scope));
    AppendConjuncts(bound, on);
    return on;
  }
  const std::vector<std::string> names =
      join.natural ? scope.CommonNames(begin, middle) : join.using_columns;
  for (const std::string& name : names) {
    TRY(const Scope::Merge merge, scope.FindMerge(name, begin, middle, span));
    TRY(BoundExprPtr equal, BindComparison("=", merge.left, merge.right, span));
    on.push_back(std::move(equal));
    BoundExprPtr value = merge.left;
    if (join.kind == ast::JoinKind::kFull) {
      TRY(value, BindOverload("coalesce", {merge.left, merge.right}, span));
    }
    scope.AddMerged(name, begin, std::move(value));
  }
  return on;
}

// A table that finds its unit over a foreign key, or a join, becomes a query with its own owner
// before it is optional.
Status FromBinder::CollectOptional(const ast::From& from) {
  const auto* name = std::get_if<ast::TableName>(&from.node);
  const auto table = name != nullptr && name->parts.size() == 1
                         ? scope_.catalog().FindTable(name->parts[0])
                         : std::nullopt;
  const auto* query = std::get_if<ast::DerivedTable>(&from.node);
  if (query != nullptr && query->lateral) {
    return NotYet("an outer join with a LATERAL query", from.span, "use an inner JOIN");
  }
  const bool linked = table && scope_.catalog().table(*table).link;
  const bool join = std::holds_alternative<ast::Join>(from.node) && from.alias.empty();
  if (!linked && !join) return Collect(from);
  TRY(Side side, BindSide(from));
  return scope_.AddJoined(std::move(side.node), side.scope, from.span);
}

Result<FromBinder::Side> FromBinder::BindSide(const ast::From& from) const {
  Side side{.node = nullptr, .scope = Scope(scope_.catalog())};
  Relation relation;
  FromBinder binder(ctes_, side.scope, relation.conditions);
  const auto* join = std::get_if<ast::Join>(&from.node);
  if (join != nullptr) {
    TRY_DONE(binder.CollectJoin(*join, from.span));
  } else {
    TRY_DONE(binder.Collect(from));
  }
  relation.scans = side.scope.scans();
  TRY_DONE(ResolveOwnership(scope_.catalog(), relation));
  DropNullRows(scope_.catalog(), relation);
  std::vector<NamedExpr> columns;
  for (const VisibleColumn& column : side.scope.AllColumns()) {
    columns.push_back({.name = column.name,
                       .expr = side.scope.Value(column, from.span),
                       .hidden = column.hidden});
  }
  Projection body;
  body.relation = std::move(relation);
  TRY(side.node,
      MakeProjection(std::move(body), std::move(columns), "(join)", scope_.catalog(), from.span));
  return side;
}

Status FromBinder::CollectFull(const ast::Join& join, SourceSpan span) {
  TRY(Side left, BindSide(*join.left));
  TRY(Side right, BindSide(*join.right));
  if (left.node->table.is_public != right.node->table.is_public) {
    return MakeError(ErrorCode::kNotJoinedOnUnit,
                     "a FULL JOIN of private with public rows would show which public rows nobody "
                     "matches",
                     span, "use an inner JOIN, or count with GROUP BY and join the result");
  }
  Scope both(scope_.catalog());
  TRY_DONE(both.AddJoined(left.node, left.scope, join.left->span));
  const std::size_t middle = both.visible_tables();
  TRY_DONE(both.AddJoined(right.node, right.scope, join.right->span));
  TRY(std::vector<BoundExprPtr> on, BindOn(join, 0, middle, both, span));
  Projection body;
  body.relation.scans = both.scans();
  body.relation.scans[1].role = ScanRole::kFull;
  body.relation.scans[1].on = std::move(on);
  TRY_DONE(ResolveOwnership(scope_.catalog(), body.relation));
  std::vector<NamedExpr> columns;
  for (const VisibleColumn& column : both.AllColumns()) {
    columns.push_back(
        {.name = column.name, .expr = both.Value(column, span), .hidden = column.hidden});
  }
  TRY(NodePtr node, MakeFullJoin(std::move(body), columns, scope_.catalog(), span));
  return scope_.AddJoined(std::move(node), both, span);
}

void DropNullRows(const Catalog& catalog, Relation& relation) {
  for (std::size_t s = 0; s < relation.scans.size(); ++s) {
    Scan& scan = relation.scans[s];
    if (scan.node) continue;
    const CatalogTable& table = catalog.table(scan.table);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (!table.columns[c].drops_null_rows) continue;
      BoundExprPtr column = ColumnExpr(relation.scans, catalog, {s, c}, scan.span);
      std::vector<BoundExprPtr>& conditions =
          scan.role == ScanRole::kInner ? relation.conditions : scan.on;
      conditions.push_back(MakeBoundCall("is not null", {std::move(column)}, scan.span));
    }
  }
}

}  // namespace dpsql
