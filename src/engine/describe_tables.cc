#include "engine/describe_tables.h"

#include <string>

namespace dpsql {
namespace {

ColumnInfo InfoOf(const CatalogColumn& column) {
  ColumnInfo info{.name = column.name,
                  .type = column.type.name,
                  .nullable = column.nullable && !column.drops_null_rows,
                  .lower = std::nullopt,
                  .upper = std::nullopt,
                  .values = {}};
  if (column.bounds) {
    info.lower = column.bounds->low;
    info.upper = column.bounds->high;
  }
  for (const Value& value : column.values) info.values.push_back(ToText(value));
  return info;
}

std::string UnitOf(const CatalogTable& table, const Catalog& catalog) {
  if (table.is_public) return "";
  if (table.unit_column) {
    return table.kind + ", named by " + table.columns[*table.unit_column].name;
  }
  return table.kind + ", reached through " + catalog.table(table.link->parent_table).name;
}

}  // namespace

std::vector<TableInfo> DescribeTables(const Catalog& catalog) {
  std::vector<TableInfo> tables;
  for (const CatalogTable& table : catalog.tables()) {
    TableInfo info{.name = table.name,
                   .is_public = table.is_public,
                   .unit = UnitOf(table, catalog),
                   .max_rows_per_unit = table.max_rows_per_unit,
                   .columns = {}};
    for (const CatalogColumn& column : table.columns) {
      if (!column.hidden) info.columns.push_back(InfoOf(column));
    }
    tables.push_back(std::move(info));
  }
  return tables;
}

}  // namespace dpsql
