#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "dpsql/result.h"
#include "sql/ast.h"
#include "validate/bound_query.h"

namespace dpsql {

// The names a query block can see: its tables by alias, and their columns. An alias hides the
// table's name; a name the policy does not declare does not exist.
class Scope {
 public:
  explicit Scope(const Catalog& catalog) : catalog_(catalog) {}

  // Adds one table of the FROM clause by its name.
  Status AddTable(const ast::From& from);

  // Adds a query of its own, or a CTE, under an alias.
  Status AddDerived(std::shared_ptr<const DerivedTable> derived, const std::string& alias,
                    SourceSpan span);

  // Adds one that no name of the analyst's reaches. Returns its position.
  std::size_t AddHidden(std::shared_ptr<const DerivedTable> derived, SourceSpan span);

  // Makes the scan at `position` the optional side of a LEFT JOIN: its columns may be NULL.
  void MakeOptional(std::size_t position) { scans_.at(position).optional = true; }

  // A column by position, as ResolveColumn would give it.
  BoundExprPtr ColumnAt(BoundColumn at, SourceSpan span) const;

  Result<BoundExprPtr> ResolveColumn(const ast::ColumnRef& name, SourceSpan span) const;

  const Catalog& catalog() const { return catalog_; }
  const std::vector<Scan>& scans() const { return scans_; }

 private:
  const CatalogTable& table(const Scan& scan) const { return TableOf(scan, catalog_); }
  Status AddScan(Scan scan);
  Result<BoundColumn> Find(const ast::ColumnRef& name, SourceSpan span) const;
  Error UnknownColumn(const ast::ColumnRef& name, SourceSpan span) const;

  const Catalog& catalog_;
  std::vector<Scan> scans_;
};

// A column of a list of scans by position: typed, and nullable where its scan or its type makes it
// so.
BoundExprPtr ColumnExpr(const std::vector<Scan>& scans, const Catalog& catalog, BoundColumn at,
                        SourceSpan span);

// Whether a name was looked up and nothing has it: not where it is hidden, or in several tables.
bool IsUnknown(const Result<BoundExprPtr>& resolved);

}  // namespace dpsql
