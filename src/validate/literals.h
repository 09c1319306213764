#pragma once

#include <string>

#include "dpsql/result.h"
#include "sql/ast.h"
#include "validate/bound_query.h"

namespace dpsql {

BoundExprPtr BooleanLiteral(bool value, SourceSpan span);
BoundExprPtr TextLiteral(std::string value, SourceSpan span);

// A number as typed: BIGINT where it is a whole number of 64 bits, else DOUBLE.
Result<BoundExprPtr> NumberLiteral(const std::string& text, SourceSpan span);

// A number that the binder writes out itself.
BoundExprPtr WholeLiteral(std::int64_t value, SourceSpan span);
BoundExprPtr RealLiteral(double value, SourceSpan span);

// A literal in quotes read as a date, a timestamp, an interval or a UUID, strictly, before any data
// is touched.
Result<BoundExprPtr> TypedLiteral(const std::string& text, const Type& type, SourceSpan span);

// INTERVAL '3 months', INTERVAL '3' MONTH. The value is "M months D days S seconds".
Result<BoundExprPtr> IntervalLiteral(const std::string& text, const ast::TypeName& type,
                                     SourceSpan span);

// NULL, of a type or of none yet.
BoundExprPtr NullLiteral(const Type& type, SourceSpan span);
bool IsUntypedNull(const BoundExpr& expr);
bool IsTextLiteral(const BoundExpr& expr);

// An untyped NULL or a text literal as a value of the type; every other expression as it is.
Result<BoundExprPtr> ConvertLiteral(BoundExprPtr expr, const Type& type);

}  // namespace dpsql
