#pragma once

#include <optional>
#include <string>

#include "backend/postgresql_relations.h"
#include "backend/public_table.h"
#include "catalog/schema.h"

// The values of PostgreSQL as ours.
namespace dpsql {

// The relation as the catalog shall see it. Views that are stored count as views: like those they
// could hide whose rows they hold.
SchemaTable ToSchemaTable(const PostgreSqlRelation& relation);

// Why a relation cannot be asked at all, and what to do; nothing for a view, which the catalog
// refuses itself.
std::optional<SchemaWarning> FindFlaw(const PostgreSqlRelation& relation);

// SqlEngine::ReadTable. A column that cannot be asked is an empty text, or NULL where it is.
std::string PrintRead(const std::string& schema, const PostgreSqlRelation& relation);

// SqlEngine::InlineTable.
std::string PrintInline(const PublicTable& table);

}  // namespace dpsql
