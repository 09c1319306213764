#pragma once

#include "catalog/catalog.h"
#include "dpsql/result.h"
#include "sql/ast.h"
#include "validate/bound_query.h"

namespace dpsql {

// Room 1. Resolves, types and checks one SELECT against the owner's catalog.
// Requires: the catalog outlives the result.
// Ensures: what is accepted reads declared tables only, has one owner per private row, and shows
// private columns through aggregates or group keys alone; anything else is an Error with a span.
Result<BoundQuery> Validate(const ast::Select& select, const Catalog& catalog);

}  // namespace dpsql
