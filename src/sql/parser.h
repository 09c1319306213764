#pragma once

#include <string_view>
#include <vector>

#include "dpsql/parameters.h"
#include "dpsql/result.h"
#include "sql/ast.h"

namespace dpsql {

// Parses PostgreSQL's SELECT language into our own tree, every node with its span in `sql`.
// Requires: nothing; any bytes may be given.
// Ensures: hostile text (size, depth, bad bytes) is refused before the grammar sees it, quickly and
// without recursion on the caller's stack; anything but SELECT, EXPLAIN (DP) SELECT, SET dp.x and
// ALTER PRIVATE_TABLE is refused; a construct the tree cannot hold is refused, never dropped.
// Privacy clauses (privacy_clauses.h) are part of the tree, and so are parameters: a $name is the
// literal of its value. The value itself is never parsed.
Result<std::vector<ast::Statement>> Parse(std::string_view sql, const Parameters& parameters = {});

}  // namespace dpsql
