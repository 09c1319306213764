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

  // Adds one table of the FROM clause.
  Status AddTable(const ast::From& from);

  Result<BoundExprPtr> ResolveColumn(const ast::ColumnRef& name, SourceSpan span) const;

  const Catalog& catalog() const { return catalog_; }
  const std::vector<Scan>& scans() const { return scans_; }

 private:
  const CatalogTable& table(const Scan& scan) const { return catalog_.table(scan.table); }
  Result<BoundColumn> Find(const ast::ColumnRef& name, SourceSpan span) const;
  Error UnknownColumn(const ast::ColumnRef& name, SourceSpan span) const;

  const Catalog& catalog_;
  std::vector<Scan> scans_;
};

}  // namespace dpsql
