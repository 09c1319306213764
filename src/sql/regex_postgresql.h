#pragma once

#include <string>

#include "sql/regex.h"

namespace dpsql {

// A regular expression as PostgreSQL reads it, with the meaning of Regex and by code points, where
// the collation is "C". No character of it stands for more than itself, so that neither rules of
// PostgreSQL's own ([[:alpha:]], *** and (?i) in front) nor its own idea of upper and lower case,
// which knows fewer than RE2's, change what it finds.
//
// Requires: the database is in UTF-8.
std::string WritePostgreSqlRegex(const Regex& regex);

}  // namespace dpsql
