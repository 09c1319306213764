#include "validate/scope.h"

#include <utility>

#include "base/error_codes.h"
#include "base/names.h"
#include "base/suggest.h"
#include "base/try.h"
#include "validate/not_yet.h"

namespace dpsql {
namespace {

std::string Join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ".") + part;
  return text;
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
  if (!from.column_aliases.empty()) {
    return NotYet("new names for a table's columns", from.span,
                  "give the columns their names in the select list");
  }
  const std::string alias = from.alias.empty() ? catalog_.table(*index).name : from.alias;
  return AddScan({.table = *index, .alias = alias, .span = from.span});
}

Status Scope::AddDerived(std::shared_ptr<const DerivedTable> derived, const std::string& alias,
                         SourceSpan span) {
  return AddScan({.derived = std::move(derived), .alias = alias, .span = span});
}

std::size_t Scope::AddHidden(std::shared_ptr<const DerivedTable> derived, SourceSpan span) {
  scans_.push_back(
      {.derived = std::move(derived), .alias = "(subquery)", .added = true, .span = span});
  return scans_.size() - 1;
}

Status Scope::AddScan(Scan scan) {
  for (const Scan& other : scans_) {
    if (SameName(other.alias, scan.alias)) {
      return MakeError(ErrorCode::kDuplicateTable,
                       "the name " + scan.alias + " stands for two tables", scan.span);
    }
  }
  scans_.push_back(std::move(scan));
  return Done{};
}

Error Scope::UnknownColumn(const ast::ColumnRef& name, SourceSpan span) const {
  std::vector<std::string> names;
  for (const Scan& scan : scans_) {
    for (const CatalogColumn& column : table(scan).columns) {
      if (!column.hidden) names.push_back(column.name);
    }
  }
  const auto nearest = Suggest(name.parts.back(), names);
  return MakeError(ErrorCode::kUnknownColumn, "there is no column " + Join(name.parts), span,
                   nearest ? "did you mean  " + *nearest + " ?" : "");
}

Result<BoundColumn> Scope::Find(const ast::ColumnRef& name, SourceSpan span) const {
  if (name.parts.size() > 2) return UnknownColumn(name, span);
  std::optional<BoundColumn> found;
  for (std::size_t i = 0; i < scans_.size(); ++i) {
    if (scans_[i].added) continue;
    if (name.parts.size() == 2 && !SameName(scans_[i].alias, name.parts[0])) continue;
    const auto at = table(scans_[i]).FindColumn(name.parts.back());
    if (!at) continue;
    if (found) {
      return MakeError(ErrorCode::kAmbiguousColumn,
                       "the column " + name.parts.back() + " is in several tables", span);
    }
    found = BoundColumn{.scan = i, .column = *at};
  }
  if (!found) return UnknownColumn(name, span);
  return *found;
}

Result<BoundExprPtr> Scope::ResolveColumn(const ast::ColumnRef& name, SourceSpan span) const {
  TRY(const BoundColumn at, Find(name, span));
  const CatalogColumn& column = table(scans_[at.scan]).columns[at.column];
  if (column.hidden) {
    return MakeError(ErrorCode::kHiddenColumn, "the column " + column.name + " is hidden", span);
  }
  return ColumnAt(at, span);
}

BoundExprPtr Scope::ColumnAt(BoundColumn at, SourceSpan span) const {
  return ColumnExpr(scans_, catalog_, at, span);
}

BoundExprPtr ColumnExpr(const std::vector<Scan>& scans, const Catalog& catalog, BoundColumn at,
                        SourceSpan span) {
  const Scan& scan = scans.at(at.scan);
  const CatalogColumn& column = TableOf(scan, catalog).columns[at.column];
  // A float may be NaN, which a row expression reads as NULL.
  const bool nullable =
      column.nullable || scan.optional || column.type.family == TypeFamily::kFloat;
  return std::make_shared<const BoundExpr>(
      BoundExpr{.kind = BoundKind::kColumn,
                .type = column.type,
                .nullable = nullable,
                .interval = column.bounds,
                .interval_origin = column.bounds ? "policy" : "",
                .span = span,
                .column = at});
}

bool IsUnknown(const Result<BoundExprPtr>& resolved) {
  return !resolved && resolved.error().code == MakeError(ErrorCode::kUnknownColumn, "").code;
}

}  // namespace dpsql
