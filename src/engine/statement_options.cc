#include "engine/statement_options.h"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "base/error_codes.h"
#include "base/names.h"
#include "base/suggest.h"
#include "base/try.h"

namespace dpsql {
namespace {

struct NamedTable {
  const CatalogTable* table = nullptr;
  std::string alias;
};

// Collects the declared tables that a FROM names. A name of the WITH list is no table.
void AddTables(const ast::From& from, const ast::Select& select, const Catalog& catalog,
               std::vector<NamedTable>& tables) {
  if (const auto* join = std::get_if<ast::Join>(&from.node)) {
    AddTables(*join->left, select, catalog, tables);
    AddTables(*join->right, select, catalog, tables);
    return;
  }
  const auto* name = std::get_if<ast::TableName>(&from.node);
  if (name == nullptr || name->parts.size() != 1) return;
  const bool shadowed =
      std::any_of(select.with.begin(), select.with.end(),
                  [&](const ast::Cte& cte) { return SameName(cte.name, name->parts[0]); });
  const auto index = catalog.FindTable(name->parts[0]);
  if (shadowed || !index) return;
  tables.push_back(
      {.table = &catalog.table(*index), .alias = from.alias.empty() ? name->parts[0] : from.alias});
}

bool IsUnitOf(const NamedTable& named, const std::string& value) {
  if (!named.table->unit_column) return false;
  const std::string& column = named.table->columns[*named.table->unit_column].name;
  return SameName(value, column) || SameName(value, named.alias + "." + column);
}

std::string UnitText(const CatalogTable& table, const Catalog& catalog) {
  if (table.unit_column) return table.name + "." + table.columns[*table.unit_column].name;
  return "reached through " + catalog.table(table.link->parent_table).name;
}

// A claim about the unit changes nothing; it is refused unless it is true.
Status CheckClaim(const ast::PrivacyOption& claim, const ast::Select& select,
                  const Catalog& catalog) {
  std::vector<NamedTable> tables;
  for (const ast::From& from : select.from) AddTables(from, select, catalog, tables);
  for (const NamedTable& named : tables) {
    if (IsUnitOf(named, claim.value)) return Done{};
  }
  const auto first = std::find_if(tables.begin(), tables.end(),
                                  [](const NamedTable& named) { return !named.table->is_public; });
  return MakeError(ErrorCode::kOwnerOnly, "only the owner says who is protected: " + claim.name,
                   claim.value_span,
                   first == tables.end() ? ""
                                         : "leave it out: the policy's unit here is " +
                                               UnitText(*first->table, catalog));
}

Error UnknownTable(const ast::AlterPrivateTable& alter, const Catalog& catalog) {
  std::vector<std::string> names;
  for (const CatalogTable& table : catalog.tables()) names.push_back(table.name);
  const auto nearest = Suggest(alter.table.back(), names);
  return MakeError(ErrorCode::kUnknownTable, "there is no table " + alter.table.back(),
                   alter.table_span, nearest ? "did you mean  " + *nearest + " ?" : "");
}

}  // namespace

Result<Settings> SettingsFor(const ast::Select& select, const Catalog& catalog,
                             const Settings& session) {
  Settings settings = session;
  if (!select.privacy) return settings;
  TRY(const std::optional<ast::PrivacyOption> claim,
      ApplyOptions(*select.privacy, catalog.policy(), settings));
  if (claim) TRY_DONE(CheckClaim(*claim, select, catalog));
  return settings;
}

Status CheckAlter(const ast::AlterPrivateTable& alter, const Catalog& catalog) {
  TRY(const ast::PrivacyOption option, ReadTableOption(alter.options));
  const auto index = alter.table.size() == 1 ? catalog.FindTable(alter.table[0]) : std::nullopt;
  if (!index) return UnknownTable(alter, catalog);
  const CatalogTable& table = catalog.table(*index);
  if (IsUnitOf({.table = &table, .alias = table.name}, option.value)) return Done{};
  return MakeError(ErrorCode::kOwnerOnly, "only the owner says who is protected: " + table.name,
                   option.value_span,
                   table.is_public
                       ? "the policy declares " + table.name + " public"
                       : "the policy's unit of " + table.name + " is " + UnitText(table, catalog));
}

}  // namespace dpsql
