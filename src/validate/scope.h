#pragma once

#include <map>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "dpsql/result.h"
#include "sql/ast.h"
#include "validate/bound_query.h"

namespace dpsql {

// A column that a name can reach.
struct VisibleColumn {
  std::string name;
  BoundColumn at;
  BoundExprPtr computed;  // where it is no column of a scan
  bool hidden = false;    // by the owner
  bool merged = false;    // by USING: reached with its table's name only
};

struct VisibleTable {
  std::string alias;
  std::vector<VisibleColumn> columns;
};

// The names a query block can see: its tables by alias, and their columns. An alias hides the
// table's name; a name the policy does not declare does not exist. What this block has no name for
// is looked for in the query around it, where there is one.
class Scope {
 public:
  explicit Scope(const Catalog& catalog, const Scope* outer = nullptr)
      : catalog_(catalog), outer_(outer) {}

  // Adds one table of the FROM clause by its name.
  Status AddTable(const ast::From& from);

  // Adds a query of its own, or a CTE, under an alias.
  Status AddNode(NodePtr node, const std::string& alias, const std::vector<std::string>& columns,
                 SourceSpan span);

  // Adds the result of a join that was bound in a scope of its own: one scan, and the names of the
  // join for its columns, which come first in the node, in the order of `joined.AllColumns()`.
  Status AddJoined(NodePtr node, const Scope& joined, SourceSpan span);

  // Adds names for expressions over the scans that are there already.
  Status AddComputed(VisibleTable table, SourceSpan span);

  // Makes the scan at `position` the optional side of a LEFT JOIN: its columns may be NULL.
  void MakeOptional(std::size_t position, std::vector<BoundExprPtr> on);

  // Lets USING (name) stand for both columns of a join: `left` and `right` are what it finds among
  // the tables before and from `middle` on.
  struct Merge {
    BoundExprPtr left;
    BoundExprPtr right;
  };
  Result<Merge> FindMerge(const std::string& name, std::size_t begin, std::size_t middle,
                          SourceSpan span) const;
  void AddMerged(const std::string& name, std::size_t begin, BoundExprPtr value);

  // The names that both sides of a NATURAL JOIN have.
  std::vector<std::string> CommonNames(std::size_t begin, std::size_t middle) const;

  // Puts the tables from `middle` on before those from `begin` on, as a RIGHT JOIN shows them.
  void Rotate(std::size_t begin, std::size_t middle);

  // Narrows what is known of a column's values.
  void Narrow(BoundColumn at, Interval interval, const std::string& origin);

  // A column by position, as ResolveColumn would give it.
  BoundExprPtr ColumnAt(BoundColumn at, SourceSpan span) const;

  Result<BoundExprPtr> ResolveColumn(const ast::ColumnRef& name, SourceSpan span) const;

  // Whether this block, and not only a query around it, has the name.
  bool Knows(const ast::ColumnRef& name) const;

  // What * or t.* stands for; nothing where no table has the name.
  std::vector<VisibleColumn> Star(const ast::Star& star) const;
  std::vector<VisibleColumn> AllColumns() const;
  BoundExprPtr Value(const VisibleColumn& column, SourceSpan span) const;

  const Catalog& catalog() const { return catalog_; }
  const std::vector<Scan>& scans() const { return scans_; }
  std::size_t visible_tables() const { return tables_.size(); }

 private:
  Status AddScan(Scan scan, const std::vector<std::string>& columns);
  Status AddVisible(VisibleTable table, SourceSpan span);
  const VisibleColumn* FindIn(const std::string& name, std::size_t begin, std::size_t end,
                              bool& ambiguous) const;
  Result<const VisibleColumn*> Find(const ast::ColumnRef& name, SourceSpan span) const;
  Error UnknownColumn(const ast::ColumnRef& name, SourceSpan span) const;

  struct Known {
    Interval interval;
    std::string origin;
  };

  const Catalog& catalog_;
  const Scope* outer_;
  std::vector<Scan> scans_;
  std::vector<VisibleTable> tables_;
  struct Merged {
    VisibleColumn column;
    std::size_t table;  // the first of those it merges
  };
  std::vector<Merged> merged_;
  std::map<std::pair<std::size_t, std::size_t>, Known> narrowed_;
};

// A column of a list of scans by position: typed, and nullable where its scan or its type makes it
// so.
BoundExprPtr ColumnExpr(const std::vector<Scan>& scans, const Catalog& catalog, BoundColumn at,
                        SourceSpan span);

}  // namespace dpsql
