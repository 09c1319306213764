#include "catalog/catalog.h"

#include <algorithm>
#include <utility>

#include "base/names.h"
#include "base/suggest.h"
#include "catalog/declared_values.h"

namespace dpsql {
namespace {

template <typename T>
std::optional<std::size_t> FindByName(const std::vector<T>& items, std::string_view name) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (SameName(items[i].name, name)) return i;
  }
  return std::nullopt;
}

// The name that was probably meant, else what to do where none is near.
template <typename T>
std::string DidYouMean(const std::vector<T>& items, std::string_view name, std::string otherwise) {
  std::vector<std::string> names;
  for (const T& item : items) names.push_back(item.name);
  const auto nearest = Suggest(name, names);
  return nearest ? "did you mean  " + *nearest + " ?" : std::move(otherwise);
}

// Lays one policy file over a schema. Goes on after a problem, so that an owner sees all of them;
// what does not fit is left out, and nobody uses a catalog with problems.
class CatalogMaker {
 public:
  CatalogMaker(const Policy& policy, const Schema& schema, PolicyProblems& problems)
      : policy_(policy), schema_(schema), problems_(problems) {}

  std::vector<CatalogTable> Make() {
    for (const std::string& macro : schema_.macros) {
      Fail(ErrorCode::kDatabaseMacro, 1, "the database defines the macro " + macro);
    }
    for (const TablePolicy& declared : policy_.tables) tables_.push_back(MakeTable(declared));
    for (std::size_t i = 0; i < tables_.size(); ++i) SetLink(i);
    for (std::size_t i = 0; i < tables_.size(); ++i) CheckChain(i);
    for (std::size_t i = 0; i < tables_.size(); ++i) AddOwnerKeys(i);
    return std::move(tables_);
  }

 private:
  void Fail(ErrorCode code, int line, std::string message, std::string hint = "") {
    problems_.push_back(
        {.code = code, .line = line, .message = std::move(message), .hint = std::move(hint)});
  }

  // A table that is not there has no columns.
  CatalogTable MakeTable(const TablePolicy& declared) {
    CatalogTable table{.name = declared.name,
                       .is_public = declared.is_public,
                       .kind = declared.is_public ? "" : declared.kind,
                       .max_rows_per_unit = declared.max_rows_per_unit};
    if (FindByName(tables_, declared.name)) {
      Fail(ErrorCode::kPolicyTable, declared.line, declared.name + " is declared twice",
           "leave one of them out; letter case does not matter");
    }
    const auto index = FindByName(schema_.tables, declared.name);
    if (!index) {
      Fail(ErrorCode::kPolicyTable, declared.line, "the database has no table " + declared.name,
           DidYouMean(schema_.tables, declared.name,
                      "write the name that it has there, or remove the section"));
      return table;
    }
    const SchemaTable& found = schema_.tables[*index];
    table.name = found.name;
    CheckTable(declared, found);
    for (const SchemaColumn& column : found.columns) {
      table.columns.push_back({.name = column.name,
                               .type = column.type,
                               .nullable = column.nullable,
                               .has_collation = column.has_collation});
    }
    AddUniqueKeys(found.unique_keys, table);
    AddUniqueKeys(found.verified_keys, table);
    for (const ColumnPolicy& column : declared.columns) ApplyColumn(declared, column, table);
    SetUnit(declared, table);
    return table;
  }

  void CheckTable(const TablePolicy& declared, const SchemaTable& found) {
    if (found.is_view) {
      Fail(ErrorCode::kPolicyTable, declared.line, declared.name + " is a view",
           "declare the tables it reads; a view could hide whose rows they are");
    }
    if (found.has_collation) {
      Fail(ErrorCode::kPolicyTable, declared.line, declared.name + " has a column with a collation",
           "copy it to a column without one; equal texts must be the same text");
    }
    if (found.has_generated_column) {
      Fail(ErrorCode::kPolicyTable, declared.line, declared.name + " has a generated column",
           "store its values; computed when read, they could fail or change");
    }
  }

  static void AddUniqueKeys(const std::vector<std::vector<std::string>>& keys,
                            CatalogTable& table) {
    for (const std::vector<std::string>& key : keys) {
      std::vector<std::size_t> positions;
      for (const std::string& name : key) {
        if (const auto at = table.FindColumn(name)) positions.push_back(*at);
      }
      std::sort(positions.begin(), positions.end());
      if (positions.size() == key.size()) table.unique_keys.push_back(std::move(positions));
    }
  }

  void ApplyColumn(const TablePolicy& declared, const ColumnPolicy& policy, CatalogTable& table) {
    const auto at = table.FindColumn(policy.name);
    if (!at) {
      Fail(ErrorCode::kPolicyTable, policy.line,
           "table " + declared.name + " has no column " + policy.name,
           DidYouMean(table.columns, policy.name,
                      "write the name that it has there, or remove the line"));
      return;
    }
    const auto same = [&](const ColumnPolicy& other) { return SameName(other.name, policy.name); };
    if (std::count_if(declared.columns.begin(), declared.columns.end(), same) > 1) {
      Fail(ErrorCode::kPolicyTable, policy.line,
           "the column " + policy.name + " of " + declared.name + " is declared twice",
           "leave one of them out; letter case does not matter");
    }
    CatalogColumn& column = table.columns[*at];
    column.hidden = policy.hidden;
    column.values = policy.values;
    if (policy.nullable == false && column.nullable) {
      column.drops_null_rows = true;
      column.nullable = false;
    }
    CheckType(policy, column);
    if (policy.lower && policy.upper) SetBounds(policy, column);
    CheckValues(policy, column);
  }

  void CheckType(const ColumnPolicy& policy, const CatalogColumn& column) {
    if (!policy.type || *policy.type == column.type) return;
    Fail(ErrorCode::kPolicyTable, policy.line,
         "the type of " + policy.name + " is " + column.type.name + ", not " + policy.type->name,
         "write  type = \"" + column.type.name + "\"  or leave it out");
  }

  void SetBounds(const ColumnPolicy& policy, CatalogColumn& column) {
    if (!column.type.is_numeric()) {
      Fail(ErrorCode::kPolicyTable, policy.line,
           "bounds are for numbers, and " + policy.name + " is " + column.type.name,
           "remove  lower  and  upper");
      return;
    }
    column.bounds = Interval{.low = *policy.lower, .high = *policy.upper};
  }

  void CheckValues(const ColumnPolicy& policy, const CatalogColumn& column) {
    const auto flaw = FindValuesFlaw(policy.name, column.type, policy.values);
    if (flaw) Fail(ErrorCode::kPolicyTable, policy.line, flaw->message, flaw->hint);
  }

  // We compare bytes: what the database holds for one person would be several people here.
  void RefuseCollation(ErrorCode code, int line, const CatalogTable& table, std::size_t column) {
    if (!table.columns[column].has_collation) return;
    Fail(code, line,
         table.name + "." + table.columns[column].name +
             " tells whose a row is and has a collation under which unequal texts are equal",
         "copy it to a column without one; spellings of one person would count as several");
  }

  void SetUnit(const TablePolicy& declared, CatalogTable& table) {
    if (!declared.unit_column) return;
    table.unit_column = table.FindColumn(*declared.unit_column);
    if (!table.unit_column) {
      Fail(ErrorCode::kPolicyTable, declared.line,
           "table " + declared.name + " has no column " + *declared.unit_column + " for its unit",
           DidYouMean(table.columns, *declared.unit_column,
                      "name the column that tells whose row it is"));
      return;
    }
    RefuseCollation(ErrorCode::kPolicyTable, declared.line, table, *table.unit_column);
    const Type& type = table.columns[*table.unit_column].type;
    const bool exact = type.family == TypeFamily::kInteger || type.family == TypeFamily::kText ||
                       type.family == TypeFamily::kUuid;
    if (exact) return;
    Fail(ErrorCode::kPolicyTable, declared.line,
         "the unit " + *declared.unit_column + " is " + type.name,
         "a unit is an integer, a text or a UUID, so that two people never compare equal");
  }

  void SetLink(std::size_t index) {
    const TablePolicy& declared = policy_.tables[index];
    if (!declared.link) return;
    const LinkPolicy& policy = *declared.link;
    CatalogTable& table = tables_[index];
    const auto parent = FindByName(tables_, policy.parent_table);
    if (!parent || tables_[*parent].is_public) {
      Fail(ErrorCode::kPolicyLink, declared.line,
           declared.name + " leads to " + policy.parent_table +
               ", which is not declared as a private table",
           DidYouMean(tables_, policy.parent_table,
                      "declare it with a  unit , or lead to a table that has one"));
      return;
    }
    // That a table is missing was said already.
    if (table.columns.empty() || tables_[*parent].columns.empty()) return;
    CatalogLink link{.parent_table = *parent};
    for (std::size_t i = 0; i < policy.columns.size(); ++i) {
      const auto child_column = table.FindColumn(policy.columns[i]);
      const auto parent_column = tables_[*parent].FindColumn(policy.parent_columns[i]);
      if (!child_column || !parent_column) {
        Fail(ErrorCode::kPolicyLink, declared.line,
             "no such column: " + (child_column
                                       ? policy.parent_table + "." + policy.parent_columns[i]
                                       : table.name + "." + policy.columns[i]),
             "write columns that the two tables have");
        return;
      }
      link.columns.push_back(*child_column);
      link.parent_columns.push_back(*parent_column);
    }
    CheckLink(declared, table, link);
    table.link = std::move(link);
  }

  void CheckLink(const TablePolicy& declared, const CatalogTable& table, const CatalogLink& link) {
    const CatalogTable& parent = tables_[link.parent_table];
    if (!parent.IsUnique(link.parent_columns)) {
      Fail(ErrorCode::kPolicyLink, declared.line,
           "the key of " + parent.name + " that " + table.name +
               " refers to is not kept unique by the database",
           "declare it PRIMARY KEY there, or run  dpsql check --verify ; a child row with two "
           "parents has two owners");
    }
    if (parent.kind != table.kind) {
      Fail(ErrorCode::kPolicyLink, declared.line,
           table.name + " and " + parent.name + " have different kinds of unit",
           "write the same  kind  in both, or leave it out");
    }
    for (std::size_t i = 0; i < link.columns.size(); ++i) {
      const CatalogColumn& child_column = table.columns[link.columns[i]];
      const CatalogColumn& parent_column = parent.columns[link.parent_columns[i]];
      RefuseCollation(ErrorCode::kPolicyLink, declared.line, table, link.columns[i]);
      RefuseCollation(ErrorCode::kPolicyLink, declared.line, parent, link.parent_columns[i]);
      CheckLinkType(declared, child_column);
      if (child_column.type == parent_column.type) continue;
      Fail(ErrorCode::kPolicyLink, declared.line,
           "the types of " + table.name + "." + child_column.name + " and " + parent.name + "." +
               parent_column.name + " differ",
           "give both columns one type in the database");
    }
  }

  // A row has one parent where equal values are one: 0.0 and -0.0 may be two keys of a table and
  // are equal in a join. And comparing two types of one name could fail on a row.
  void CheckLinkType(const TablePolicy& declared, const CatalogColumn& column) {
    const TypeFamily family = column.type.family;
    const bool exact = family != TypeFamily::kFloat && family != TypeFamily::kInterval;
    if (exact && IsWholeName(column.type)) return;
    Fail(ErrorCode::kPolicyLink, declared.line,
         "the link column " + column.name + " is " + column.type.name,
         "a link is of numbers without DOUBLE, texts, dates, times, flags or UUIDs: equal in one "
         "way");
  }

  void CheckChain(std::size_t index) {
    std::size_t at = index;
    for (std::size_t steps = 0; steps <= tables_.size(); ++steps) {
      if (!tables_[at].link) return;
      at = tables_[at].link->parent_table;
    }
    Fail(ErrorCode::kPolicyLink, policy_.tables[index].line,
         "the links of " + tables_[index].name + " lead round in a circle",
         "let one of the tables name its unit column");
  }

  void AddOwnerKeys(std::size_t index) {
    if (!tables_[index].link) return;
    const CatalogLink& link = *tables_[index].link;
    tables_[index].owner_keys.push_back({.parent_table = link.parent_table,
                                         .parent_columns = link.parent_columns,
                                         .columns = link.columns});
    tables_[link.parent_table].owner_keys.push_back({.parent_table = link.parent_table,
                                                     .parent_columns = link.parent_columns,
                                                     .columns = link.parent_columns});
  }

  const Policy& policy_;
  const Schema& schema_;
  PolicyProblems& problems_;
  std::vector<CatalogTable> tables_;
};

}  // namespace

bool CatalogTable::IsUnique(std::vector<std::size_t> key) const {
  std::sort(key.begin(), key.end());
  return std::find(unique_keys.begin(), unique_keys.end(), key) != unique_keys.end();
}

std::optional<std::size_t> CatalogTable::FindColumn(std::string_view column) const {
  return FindByName(columns, column);
}

Result<Catalog> Catalog::Make(Policy policy, const Schema& schema) {
  PolicyProblems problems;
  std::vector<CatalogTable> tables = CatalogMaker(policy, schema, problems).Make();
  if (!problems.empty()) return ToError(problems.front(), policy.file);
  return Catalog(std::move(policy), std::move(tables));
}

void Catalog::FindProblems(const Policy& policy, const Schema& schema, PolicyProblems& problems) {
  CatalogMaker(policy, schema, problems).Make();
}

std::optional<std::size_t> Catalog::FindTable(std::string_view name) const {
  return FindByName(tables_, name);
}

}  // namespace dpsql
