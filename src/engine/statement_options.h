#pragma once

#include "catalog/catalog.h"
#include "dpsql/result.h"
#include "plan/settings.h"
#include "sql/ast.h"

namespace dpsql {

// The settings of one query: the session's, with what the clause of its outermost block says in
// their place. A clause in an inner block is refused in this version.
// Requires: `select` is the query of `statement`.
Result<Settings> SettingsFor(const ast::Statement& statement, const ast::Select& select,
                             const Catalog& catalog, const Settings& session);

// ALTER PRIVATE_TABLE is allowed where it says what the policy says, and changes nothing.
Status CheckAlter(const ast::AlterPrivateTable& alter, const Catalog& catalog);

}  // namespace dpsql
