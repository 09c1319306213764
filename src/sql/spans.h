#pragma once

#include <cstddef>

#include "dpsql/error.h"

// Where constructs end. The grammar's answer gives at most a start, so ends are found by walking
// the tokens, guided by the tree. All indices are those of tokens.
//
// The span of a construct excludes redundant brackets around it, but a construct that holds another
// holds that one's brackets: of `(a + b) * c` the sum is `a + b` and the product is all.
namespace dpsql {

class Tokens;

std::size_t FirstToken(const Tokens& tokens, SourceSpan span);
std::size_t LastToken(const Tokens& tokens, SourceSpan span);

// The span with every pair of round brackets that stands directly around it.
SourceSpan WithBrackets(const Tokens& tokens, SourceSpan span);

// The span with every bracket whose partner lies inside it.
SourceSpan Balanced(const Tokens& tokens, SourceSpan span);

// From the first operand, brackets included, to the last one.
SourceSpan Cover(const Tokens& tokens, SourceSpan first, SourceSpan last);

// The last token of the type name that begins at `first`.
std::size_t EndOfType(const Tokens& tokens, std::size_t first);

// The last token of the units after `INTERVAL '1'`, or `last` where there are none.
std::size_t EndOfIntervalUnits(const Tokens& tokens, std::size_t last);

// The token after a query block that begins at `first`, without its ORDER BY, LIMIT and so on.
std::size_t AfterQueryBody(const Tokens& tokens, std::size_t first);

// The token after a whole query whose remaining part begins at `first`.
std::size_t AfterQuery(const Tokens& tokens, std::size_t first);

// Whether ORDER BY, LIMIT, OFFSET, FETCH or FOR begins at `i`.
bool IsQueryTail(const Tokens& tokens, std::size_t i);

// Whether UNION, INTERSECT or EXCEPT stands at `i`.
bool IsSetOperator(const Tokens& tokens, std::size_t i);

// The FROM of the query block in [first, end), or `end`.
std::size_t FindFrom(const Tokens& tokens, std::size_t first, std::size_t end);

}  // namespace dpsql
