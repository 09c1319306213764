#pragma once

#include <string>
#include <vector>

#include "catalog/policy.h"
#include "catalog/schema.h"

namespace dpsql {

// The schema as the policy itself declares it, for a check without a database. Nobody enforces its
// keys: a session never sees this.
struct DeclaredSchema {
  Schema schema;
  std::vector<std::string> untyped;     // tables that do not list their columns with types
  std::vector<std::string> key_owners;  // tables whose keys are declared and enforced by nobody
};

DeclaredSchema DeclareSchema(const Policy& policy);

// Takes the tables away that have no types, and those whose link leads to one.
void KeepTyped(Policy& policy, DeclaredSchema& declared);

}  // namespace dpsql
