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

// SqlEngine::ReadTable. No row fails because of its texts. PostgreSQL has 1 GB for a value and for
// a row, and a person's text can stand in every column of one. Proof that all stay below:
//
// Every text has at most 65,536 characters, so 262,144 bytes. So has what is cut here.
// Functions of the dialect cut what they make to that many characters or fewer, where it may have
// more than their argument: lower and upper (a letter can become three), concat, ||, repeat,
// replace, lpad, rpad. translate changes characters one for one.
//
// A row has at most 1,664 columns, which is PostgreSQL's own limit, and beside texts one that joins
// the texts of its keys with their lengths before them: 1,664 * (262,144 + 262,160) < 0.88 * 10^9.
// A question has at most 8,000 tokens (sql/limits.h), so that fewer than 4,000 texts are joined by
// one call: 4,000 * 262,144 < 1.05 * 10^9, and 1 GB is 1.07 * 10^9.
//
// What is attached to a table that had no heirs is not read. A column that cannot be asked is an
// empty text, or NULL where it is.
std::string PrintRead(const std::string& schema, const PostgreSqlRelation& relation);

// SqlEngine::InlineTable.
std::string PrintInline(const PublicTable& table);

}  // namespace dpsql
