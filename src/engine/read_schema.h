#pragma once

#include <string>

#include "catalog/policy.h"
#include "catalog/schema.h"
#include "dpsql/result.h"

namespace dpsql {

// The schema of the database at a URL, which is opened for this and closed again.
Result<Schema> ReadSchemaOf(const std::string& url, const Policy& policy);

}  // namespace dpsql
