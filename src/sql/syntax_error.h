#pragma once

#include <pg_query.h>

#include <string_view>

#include "dpsql/error.h"

namespace dpsql {

class Tokens;

// The refusal for what PostgreSQL's scanner or grammar could not read, at the token it names.
// `tokens` is null while there are none; then one character is marked.
Error SyntaxError(const PgQueryError& error, std::string_view sql, const Tokens* tokens);

}  // namespace dpsql
