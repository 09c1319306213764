#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/type.h"
#include "catalog/catalog.h"
#include "validate/bound_query.h"

// Whose rows are these? Worked out once more from the policy and the shape of the bound tree, and
// from nothing that the validator wrote into it. What unit_local_walk.h walks with.
namespace dpsql::unit_local {

// A promise that the tree breaks.
class Broken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void Promise(bool kept, const std::string& promise) {
  if (!kept) throw Broken(promise);
}

// Columns that name a row of a private table by a unique key of it. Who owns that row owns the one
// that names it: a table's own row, or the parent that the policy's link leads to.
struct Identity {
  std::size_t table = 0;
  std::map<std::size_t, std::size_t> columns;  // of the named table: where its value stands here
};

// What is known of the rows of a table or query, by the position of its columns.
struct RowFacts {
  bool is_private = false;
  std::string kind;
  std::vector<Type> types;
  std::set<std::size_t> owners;   // hold the unit in every row, and are never NULL
  std::set<std::size_t> tainted;  // computed from a unit, copies that may be NULL included
  std::vector<std::set<std::size_t>> keys;  // of one unit, or of public rows: one row each at most
  std::vector<Identity> identities;
};

// A table of the policy. A linked one has no owner column of its own.
RowFacts FactsOfTable(const Catalog& catalog, std::size_t table);

// Types whose equal values cannot be told apart.
bool IsExact(const Type& type);

bool IsColumn(const BoundExpr& expr);

// Whether `test` holds for some column of the expression, or EXISTS.
bool AnyLeaf(const BoundExpr& expr, const auto& test) {
  if (expr.kind == BoundKind::kColumn || expr.kind == BoundKind::kExists) return test(expr);
  for (const BoundExprPtr& argument : expr.arguments) {
    if (AnyLeaf(*argument, test)) return true;
  }
  return false;
}

// Values that are known to be equal: columns of scans, and the unit of each private scan's row.
class Classes {
 public:
  explicit Classes(const std::vector<RowFacts>& scans);

  std::size_t Column(BoundColumn at) const { return Find(first_[at.scan] + at.column); }
  std::size_t OwnerOf(std::size_t scan) const { return Find(owners_ + scan); }
  bool Join(std::size_t a, std::size_t b);  // whether that was news

 private:
  std::size_t Find(std::size_t element) const;

  std::vector<std::size_t> parents_;
  std::vector<std::size_t> first_;
  std::size_t owners_ = 0;
};

// A join, with the facts of what it reads. Throws Broken where a row could have two owners, or
// where somebody else's rows decide about it.
class RelationFacts {
 public:
  // Requires: expressions of the relation lie inside it. Both arguments outlive this.
  RelationFacts(const Relation& relation, const std::vector<RowFacts>& scans);

  bool is_private() const { return is_private_; }
  const std::string& kind() const { return kind_; }
  bool is_full() const { return is_full_; }

  bool HoldsOwner(const BoundExpr& expr) const;
  bool HoldsOwnerAt(BoundColumn at) const;
  bool Tainted(const BoundExpr& expr) const;

  // A unit has one row of the scan here at most; of a public relation: it has one row in all.
  bool Single(std::size_t scan) const { return single_[scan]; }
  bool AllSingle() const { return AllJoined(single_); }
  // Whether the unit determines the value.
  bool Fixed(const BoundExpr& expr) const;

  // What can be said of a query with these columns.
  RowFacts Project(const std::vector<BoundExprPtr>& columns) const;

 private:
  bool joined(std::size_t scan) const;
  bool inner(std::size_t scan) const;
  void AddEqualities(const std::vector<BoundExprPtr>& conditions, Classes& classes) const;
  void TieParents(const std::set<std::size_t>& members, Classes& classes) const;
  Classes WithOwn(std::size_t scan) const;
  void FindOwner();
  void CheckAttached(std::size_t scan);
  void FindTaint();
  std::vector<bool> Close(const std::vector<BoundColumn>& given) const;
  bool Reached(std::size_t scan, const Classes& classes, const std::set<std::size_t>& fixed) const;
  bool ReadsFixed(std::size_t scan, const std::set<std::size_t>& fixed) const;
  bool AllJoined(const std::vector<bool>& single) const;
  void AddKeys(const std::vector<BoundExprPtr>& columns, RowFacts& facts) const;

  const Relation& relation_;
  const std::vector<RowFacts>& scans_;
  Classes classes_;
  bool is_private_ = false;
  bool is_full_ = false;
  std::string kind_;
  std::optional<std::size_t> owner_;  // a private inner scan
  std::set<std::pair<std::size_t, std::size_t>> tainted_;
  std::vector<bool> single_;
};

}  // namespace dpsql::unit_local
