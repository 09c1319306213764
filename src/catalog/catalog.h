#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/type.h"
#include "catalog/policy.h"
#include "catalog/schema.h"
#include "dpsql/result.h"
#include "dpsql/value.h"

namespace dpsql {

// Where a number may lie. Ensures: finite, low <= high.
struct Interval {
  double low = 0;
  double high = 0;
};

struct CatalogColumn {
  std::string name;
  Type type;
  bool nullable = true;
  bool has_collation = false;    // the database takes unequal texts of it for equal
  bool drops_null_rows = false;  // the owner said nullable = false: rows with NULL are dropped
  bool hidden = false;
  std::optional<Interval> bounds;
  std::string bounds_origin = "policy";
  std::vector<Value> values;
  bool reads_unit = false;  // of a query in FROM: computed from the unit, and never shown
};

// A foreign key on the way to the unit, by position. The parent's columns are a unique key that
// the database enforces or the owner verified, so that each child row has at most one owner.
struct CatalogLink {
  std::vector<std::size_t> columns;
  std::size_t parent_table = 0;
  std::vector<std::size_t> parent_columns;
};

// Columns of a table or query that name a row of a private parent table, by the parent's unique
// key: whoever owns that row owns this one. A child has its link, a parent the keys that links lead
// to.
struct OwnerKey {
  std::size_t parent_table = 0;
  std::vector<std::size_t> parent_columns;
  std::vector<std::size_t> columns;
};

struct CatalogTable {
  std::string name;
  bool is_public = false;
  std::string kind;
  std::optional<std::size_t> unit_column;
  std::optional<CatalogLink> link;
  std::optional<std::int64_t> max_rows_per_unit;
  std::vector<CatalogColumn> columns;
  // Enforced by the database, or verified by the owner on the very data that is open.
  std::vector<std::vector<std::size_t>> unique_keys;
  std::vector<OwnerKey> owner_keys;

  // Whether `key`, in any order, is one of the unique keys.
  bool IsUnique(std::vector<std::size_t> key) const;
  std::optional<std::size_t> FindColumn(std::string_view column) const;
};

// The closed world of a session: the policy laid over the database's schema. A table that is not
// here cannot be asked, whatever the database holds.
class Catalog {
 public:
  // Refuses (C2xx) what does not fit: tables or columns that are missing, views, units of an
  // inexact type or with a collation, links whose target is not unique, not private, or leads round
  // in a circle. Ensures: each of a column's `values` is one that the column's type can hold.
  static Result<Catalog> Make(Policy policy, const Schema& schema);

  // Adds everything for which Make would refuse.
  static void FindProblems(const Policy& policy, const Schema& schema, PolicyProblems& problems);

  const Policy& policy() const { return policy_; }
  const std::vector<CatalogTable>& tables() const { return tables_; }
  const CatalogTable& table(std::size_t index) const { return tables_.at(index); }

  // By the engine's own rule for names: letter case does not matter, quoted or not.
  std::optional<std::size_t> FindTable(std::string_view name) const;

 private:
  Catalog(Policy policy, std::vector<CatalogTable> tables)
      : policy_(std::move(policy)), tables_(std::move(tables)) {}

  Policy policy_;
  std::vector<CatalogTable> tables_;
};

}  // namespace dpsql
