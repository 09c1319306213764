#pragma once

#include <string>

#include "dpsql/result.h"
#include "validate/bound_query.h"

namespace dpsql {

BoundExprPtr BooleanLiteral(bool value, SourceSpan span);
BoundExprPtr TextLiteral(std::string value, SourceSpan span);

// A number as typed: BIGINT where it is a whole number of 64 bits, else DOUBLE.
Result<BoundExprPtr> NumberLiteral(const std::string& text, SourceSpan span);

// A literal in quotes read as a date, a timestamp or a UUID, strictly, before any data is touched.
Result<BoundExprPtr> TypedLiteral(const std::string& text, const Type& type, SourceSpan span);

}  // namespace dpsql
