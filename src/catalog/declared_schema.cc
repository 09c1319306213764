#include "catalog/declared_schema.h"

#include <algorithm>
#include <utility>

#include "base/names.h"

namespace dpsql {
namespace {

bool IsTyped(const TablePolicy& table) {
  return !table.columns.empty() &&
         std::all_of(table.columns.begin(), table.columns.end(),
                     [](const ColumnPolicy& column) { return column.type.has_value(); });
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& known) { return SameName(known, name); });
}

}  // namespace

DeclaredSchema DeclareSchema(const Policy& policy) {
  DeclaredSchema declared;
  for (const TablePolicy& table : policy.tables) {
    if (!IsTyped(table)) {
      declared.untyped.push_back(table.name);
      continue;
    }
    SchemaTable found{.name = table.name, .unique_keys = table.declared_keys};
    for (const ColumnPolicy& column : table.columns) {
      found.columns.push_back({.name = column.name, .type = *column.type});
    }
    if (!table.declared_keys.empty()) declared.key_owners.push_back(table.name);
    declared.schema.tables.push_back(std::move(found));
  }
  return declared;
}

void KeepTyped(Policy& policy, DeclaredSchema& declared) {
  const auto leads_away = [&](const TablePolicy& table) {
    return Contains(declared.untyped, table.name) ||
           (table.link && Contains(declared.untyped, table.link->parent_table));
  };
  // A table goes when its parent has gone, so this looks again after each.
  for (;;) {
    const auto gone = std::find_if(policy.tables.begin(), policy.tables.end(), leads_away);
    if (gone == policy.tables.end()) return;
    if (!Contains(declared.untyped, gone->name)) declared.untyped.push_back(gone->name);
    policy.tables.erase(gone);
  }
}

}  // namespace dpsql
