#pragma once

#include <string>
#include <vector>

#include "dpsql/result.h"
#include "sql/ast.h"
#include "validate/bound_query.h"

namespace dpsql {

// Refuses a call that is no plain call of a function on the list, before its arguments are read.
Status CheckCall(const ast::Call& call, SourceSpan span);

// Binds a call by its name. What is known before any row is written out here: now() and pi() as
// literals, the field of EXTRACT as a part of the name, patterns in one spelling.
Result<BoundExprPtr> BindCall(const std::string& name, std::vector<BoundExprPtr> arguments,
                              SourceSpan span);

Result<BoundExprPtr> BindCast(BoundExprPtr operand, const ast::TypeName& type, SourceSpan span);

}  // namespace dpsql
