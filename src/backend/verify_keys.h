#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/key_facts.h"
#include "base/incident_log.h"
#include "catalog/policy.h"
#include "dpsql/result.h"

namespace dpsql {

enum class KeyState {
  kEnforced,  // by the database: nothing was read
  kUnique,    // found so in the data, without a NULL
  kHasNull,
  kRepeats,
};

// What was found of a key that the policy declares, or that a link leads to.
struct KeyFinding {
  std::string table;
  std::vector<std::string> columns;
  KeyState state = KeyState::kUnique;
  int line = 0;  // of the policy
};

struct KeyFindings {
  std::vector<KeyFinding> keys;  // in the order of the policy, each once
  KeyFacts facts;                // what may be believed of this very data
};

// Reads the data of a URL to find whether its keys are keys and its files can be read. For the
// owner: the findings are exact. Fails (C202) without a label of the data, (C204) where a column is
// missing or a file has a flaw, and (E503) where the data changes meanwhile. C204 tells the flaws
// of all tables at once, those of the database first, then those of files, then what is no key;
// each in the order of the policy.
Result<KeyFindings> VerifyKeys(std::string_view url, const Policy& policy, IncidentLog& incidents);

}  // namespace dpsql
