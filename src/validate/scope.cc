#include "validate/scope.h"

#include <algorithm>
#include <utility>

#include "base/error_codes.h"
#include "base/names.h"
#include "base/suggest.h"
#include "base/try.h"
#include "validate/rewrite.h"

namespace dpsql {
namespace {

std::string Join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ".") + part;
  return text;
}

Error Ambiguous(const std::string& name, SourceSpan span) {
  return MakeError(ErrorCode::kAmbiguousColumn, "the column " + name + " is in several tables",
                   span);
}

}  // namespace

Status Scope::AddTable(const ast::From& from) {
  const auto& name = std::get<ast::TableName>(from.node);
  const auto index =
      name.parts.size() == 1 ? catalog_.FindTable(name.parts[0]) : std::optional<std::size_t>();
  if (!index) {
    std::vector<std::string> names;
    for (const CatalogTable& table : catalog_.tables()) names.push_back(table.name);
    const auto nearest = Suggest(name.parts.back(), names);
    std::string hint = nearest ? "did you mean  " + *nearest + " ?" : "";
    if (name.parts.size() > 1) hint = "write the table's name without a schema";
    return MakeError(ErrorCode::kUnknownTable, "the policy declares no table " + Join(name.parts),
                     from.span, hint);
  }
  const std::string alias = from.alias.empty() ? catalog_.table(*index).name : from.alias;
  return AddScan({.table = *index, .alias = alias, .span = from.span}, from.column_aliases);
}

Status Scope::AddNode(NodePtr node, const std::string& alias,
                      const std::vector<std::string>& columns, SourceSpan span) {
  return AddScan({.node = std::move(node), .alias = alias, .span = span}, columns);
}

// The columns a table shows, the first of them under new names where FROM gives some.
Status Scope::AddScan(Scan scan, const std::vector<std::string>& columns) {
  const CatalogTable& table = TableOf(scan, catalog_);
  VisibleTable visible{.alias = scan.alias, .columns = {}};
  std::size_t shown = 0;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const bool renamed = !table.columns[c].hidden && shown < columns.size();
    visible.columns.push_back({.name = renamed ? columns[shown] : table.columns[c].name,
                               .at = {scans_.size(), c},
                               .computed = nullptr,
                               .hidden = table.columns[c].hidden});
    if (!table.columns[c].hidden) ++shown;
  }
  if (columns.size() > shown) {
    return MakeError(ErrorCode::kUnknownColumn,
                     scan.alias + " has " + std::to_string(shown) + " columns, and " +
                         std::to_string(columns.size()) + " new names",
                     scan.span, "give as many names as there are columns, or fewer");
  }
  const SourceSpan span = scan.span;
  scans_.push_back(std::move(scan));
  return AddVisible(std::move(visible), span);
}

Status Scope::AddVisible(VisibleTable table, SourceSpan span) {
  for (const VisibleTable& other : tables_) {
    if (!table.alias.empty() && SameName(other.alias, table.alias)) {
      return MakeError(ErrorCode::kDuplicateTable,
                       "the name " + table.alias + " stands for two tables", span);
    }
  }
  tables_.push_back(std::move(table));
  return Done{};
}

Status Scope::AddJoined(NodePtr node, const Scope& joined, SourceSpan span) {
  const std::size_t scan = scans_.size();
  std::string alias;
  for (const VisibleTable& table : joined.tables_) {
    if (!table.alias.empty()) alias += (alias.empty() ? "" : "+") + table.alias;
  }
  scans_.push_back({.node = std::move(node), .alias = alias, .span = span});
  const std::size_t first_table = tables_.size();
  std::size_t next = 0;
  for (const Merged& merged : joined.merged_) {
    VisibleColumn column = merged.column;
    column.at = {scan, next++};
    column.computed = nullptr;
    merged_.push_back({std::move(column), first_table + merged.table});
  }
  for (VisibleTable table : joined.tables_) {
    for (VisibleColumn& column : table.columns) {
      column.at = {scan, next++};
      column.computed = nullptr;
    }
    TRY_DONE(AddVisible(std::move(table), span));
  }
  return Done{};
}

Status Scope::AddComputed(VisibleTable table, SourceSpan span) {
  return AddVisible(std::move(table), span);
}

void Scope::MakeOptional(std::size_t position, std::vector<BoundExprPtr> on) {
  scans_.at(position).role = ScanRole::kOptional;
  scans_.at(position).on = std::move(on);
}

// A column by its bare name among some of the tables: what USING has merged counts once.
const VisibleColumn* Scope::FindIn(const std::string& name, std::size_t begin, std::size_t end,
                                   bool& ambiguous) const {
  const VisibleColumn* found = nullptr;
  const auto take = [&](const VisibleColumn& column) {
    if (!SameName(column.name, name)) return;
    ambiguous = ambiguous || found != nullptr;
    found = &column;
  };
  for (const Merged& merged : merged_) {
    if (merged.table >= begin && merged.table < end) take(merged.column);
  }
  for (std::size_t t = begin; t < end; ++t) {
    for (const VisibleColumn& column : tables_[t].columns) {
      if (!column.merged) take(column);
    }
  }
  return found;
}

Result<Scope::Merge> Scope::FindMerge(const std::string& name, std::size_t begin,
                                      std::size_t middle, SourceSpan span) const {
  bool ambiguous = false;
  const VisibleColumn* left = FindIn(name, begin, middle, ambiguous);
  const VisibleColumn* right = FindIn(name, middle, tables_.size(), ambiguous);
  if (ambiguous) return Ambiguous(name, span);
  if (left == nullptr || right == nullptr) {
    return MakeError(ErrorCode::kUnknownColumn,
                     "USING needs the column " + name + " on both sides of the join", span);
  }
  for (const VisibleColumn* column : {left, right}) {
    if (!column->hidden) continue;
    return MakeError(ErrorCode::kHiddenColumn, "the column " + name + " is hidden", span);
  }
  return Merge{Value(*left, span), Value(*right, span)};
}

void Scope::AddMerged(const std::string& name, std::size_t begin, BoundExprPtr value) {
  std::erase_if(merged_, [&](const Merged& merged) {
    return merged.table >= begin && SameName(merged.column.name, name);
  });
  for (std::size_t t = begin; t < tables_.size(); ++t) {
    for (VisibleColumn& column : tables_[t].columns) {
      if (SameName(column.name, name)) column.merged = true;
    }
  }
  merged_.push_back({{.name = name, .at = {}, .computed = std::move(value)}, begin});
}

std::vector<std::string> Scope::CommonNames(std::size_t begin, std::size_t middle) const {
  std::vector<std::string> names;
  const auto consider = [&](const VisibleColumn& column) {
    bool ambiguous = false;
    if (column.hidden || column.merged) return;
    const VisibleColumn* other = FindIn(column.name, middle, tables_.size(), ambiguous);
    if (other != nullptr && !other->hidden) names.push_back(column.name);
  };
  for (const Merged& merged : merged_) {
    if (merged.table >= begin && merged.table < middle) consider(merged.column);
  }
  for (std::size_t t = begin; t < middle; ++t) {
    for (const VisibleColumn& column : tables_[t].columns) consider(column);
  }
  return names;
}

void Scope::Rotate(std::size_t begin, std::size_t middle) {
  const auto at = [&](std::size_t t) { return tables_.begin() + static_cast<std::ptrdiff_t>(t); };
  const std::size_t moved = tables_.size() - middle;
  std::rotate(at(begin), at(middle), tables_.end());
  for (Merged& merged : merged_) {
    if (merged.table < begin) continue;
    merged.table = merged.table >= middle ? merged.table - (middle - begin) : merged.table + moved;
  }
}

void Scope::Narrow(BoundColumn at, Interval interval, const std::string& origin) {
  narrowed_[{at.scan, at.column}] = {interval, origin};
}

Error Scope::UnknownColumn(const ast::ColumnRef& name, SourceSpan span) const {
  std::vector<std::string> names;
  for (const VisibleTable& table : tables_) {
    for (const VisibleColumn& column : table.columns) {
      if (!column.hidden) names.push_back(column.name);
    }
  }
  const auto nearest = Suggest(name.parts.back(), names);
  return MakeError(ErrorCode::kUnknownColumn, "there is no column " + Join(name.parts), span,
                   nearest ? "did you mean  " + *nearest + " ?" : "");
}

Result<const VisibleColumn*> Scope::Find(const ast::ColumnRef& name, SourceSpan span) const {
  const VisibleColumn* found = nullptr;
  bool ambiguous = false;
  if (name.parts.size() == 1) found = FindIn(name.parts[0], 0, tables_.size(), ambiguous);
  for (std::size_t t = 0; t < tables_.size() && name.parts.size() == 2; ++t) {
    if (!SameName(tables_[t].alias, name.parts[0])) continue;
    for (const VisibleColumn& column : tables_[t].columns) {
      if (!SameName(column.name, name.parts[1])) continue;
      ambiguous = ambiguous || found != nullptr;
      found = &column;
    }
  }
  if (ambiguous) return Ambiguous(name.parts.back(), span);
  return found;
}

bool Scope::Knows(const ast::ColumnRef& name) const {
  const auto found = Find(name, {});
  return !found || *found != nullptr;
}

// A name means the nearest thing that has it: a column is the outer query's only where this block
// has none of that name.
Result<BoundExprPtr> Scope::ResolveColumn(const ast::ColumnRef& name, SourceSpan span) const {
  TRY(const VisibleColumn* const column, Find(name, span));
  if (column == nullptr) {
    if (outer_ == nullptr || !outer_->Knows(name)) return UnknownColumn(name, span);
    TRY(const BoundExprPtr far, outer_->ResolveColumn(name, span));
    if (ReadsOuter(*far)) return UnknownColumn(name, span);
    return Rewrite(far, [](const BoundExprPtr& part) -> Result<BoundExprPtr> {
      if (part->kind != BoundKind::kColumn) return BoundExprPtr();
      BoundExpr outer = *part;
      outer.column.scan += kOuterScans;
      return std::make_shared<const BoundExpr>(std::move(outer));
    });
  }
  if (column->hidden) {
    return MakeError(ErrorCode::kHiddenColumn, "the column " + column->name + " is hidden", span);
  }
  return Value(*column, span);
}

std::vector<VisibleColumn> Scope::Star(const ast::Star& star) const {
  std::vector<VisibleColumn> columns;
  const auto add = [&](const VisibleColumn& column) {
    if (!column.hidden) columns.push_back(column);
  };
  if (star.qualifier.empty()) {
    for (const Merged& merged : merged_) add(merged.column);
  }
  for (const VisibleTable& table : tables_) {
    const bool named = star.qualifier.size() == 1 && SameName(table.alias, star.qualifier[0]);
    for (const VisibleColumn& column : table.columns) {
      if (named || (star.qualifier.empty() && !column.merged)) add(column);
    }
  }
  return columns;
}

std::vector<VisibleColumn> Scope::AllColumns() const {
  std::vector<VisibleColumn> columns;
  for (const Merged& merged : merged_) columns.push_back(merged.column);
  for (const VisibleTable& table : tables_) {
    columns.insert(columns.end(), table.columns.begin(), table.columns.end());
  }
  return columns;
}

BoundExprPtr Scope::Value(const VisibleColumn& column, SourceSpan span) const {
  if (!column.computed) return ColumnAt(column.at, span);
  BoundExpr computed = *column.computed;
  computed.span = span;
  return std::make_shared<const BoundExpr>(std::move(computed));
}

BoundExprPtr Scope::ColumnAt(BoundColumn at, SourceSpan span) const {
  BoundExprPtr column = ColumnExpr(scans_, catalog_, at, span);
  const auto known = narrowed_.find({at.scan, at.column});
  if (known == narrowed_.end()) return column;
  BoundExpr narrowed = *column;
  narrowed.interval = known->second.interval;
  narrowed.interval_origin = known->second.origin;
  return std::make_shared<const BoundExpr>(std::move(narrowed));
}

BoundExprPtr ColumnExpr(const std::vector<Scan>& scans, const Catalog& catalog, BoundColumn at,
                        SourceSpan span) {
  const Scan& scan = scans.at(at.scan);
  const CatalogTable& table = TableOf(scan, catalog);
  const CatalogColumn& column = table.columns[at.column];
  const bool optional = scan.role == ScanRole::kOptional || scan.role == ScanRole::kFull;
  // Rows without an owner are dropped. A float may be NaN and a timestamp before all that can be
  // written, which a row expression reads as NULL.
  const bool unit = !table.is_public && table.unit_column == at.column;
  const TypeFamily family = column.type.family;
  const bool odd = family == TypeFamily::kFloat || family == TypeFamily::kTimestamp;
  const bool nullable = (column.nullable && !unit) || optional || odd;
  return std::make_shared<const BoundExpr>(
      BoundExpr{.kind = BoundKind::kColumn,
                .type = column.type,
                .nullable = nullable,
                .interval = column.bounds,
                .interval_origin = column.bounds ? column.bounds_origin : "",
                .span = span,
                .column = at});
}

}  // namespace dpsql
