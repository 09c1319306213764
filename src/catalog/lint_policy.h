#pragma once

#include <vector>

#include "catalog/policy.h"
#include "catalog/schema.h"
#include "dpsql/check.h"

namespace dpsql {

// What a policy allows that its owner may not have meant: no errors, but warnings and remarks.
// Tables that the schema lacks are skipped.
std::vector<Finding> LintPolicy(const Policy& policy, const Schema& schema);

}  // namespace dpsql
