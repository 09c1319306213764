#pragma once

#include <string>
#include <vector>

#include "dpsql/result.h"

// What a file of text says of its columns, where no policy says it yet.
namespace dpsql {

// Refuses (C204) what is more likely a row than a list of names: a file without its first line must
// not put a person's values into a policy. Also one name that other programs' separators divide.
Status CheckColumnNames(const std::vector<std::string>& names);

// The keys of the object in the first line of a file of JSON lines, in order; their values are not
// kept. Refuses (C204) a line that is no object.
Result<std::vector<std::string>> ReadJsonKeys(const std::string& path);

}  // namespace dpsql
