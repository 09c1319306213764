#pragma once

#include "catalog/catalog.h"
#include "dpsql/result.h"
#include "plan/settings.h"
#include "sql/ast.h"

namespace dpsql {

// The settings of one query: the session's, with what the clause of its outermost block says in
// their place. A door of an inner block has its own clause on top (plan/plan.h).
Result<Settings> SettingsFor(const ast::Select& select, const Catalog& catalog,
                             const Settings& session);

// ALTER PRIVATE_TABLE is allowed where it says what the policy says, and changes nothing.
Status CheckAlter(const ast::AlterPrivateTable& alter, const Catalog& catalog);

}  // namespace dpsql
