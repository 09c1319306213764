#pragma once

#include <string>
#include <vector>

#include "dpsql/answer.h"
#include "dpsql/result.h"

// What a change of a policy does to the promise that it makes. Reads two files and nothing else.
namespace dpsql {

enum class Effect { kWeaker, kStronger, kSame };

struct PolicyChange {
  Effect effect = Effect::kSame;
  bool needs_grant = false;  // a session refuses the new policy until `dpsql budget grant`
  std::string what;          // "[budget] epsilon: 4 -> 8"
  std::string meaning;       // in plain words
};

// All differences that the program can see, the weaker first. Fails where one of the files is no
// policy.
Result<std::vector<PolicyChange>> ComparePolicies(const std::string& old_file,
                                                  const std::string& new_file);

bool HasWeaker(const std::vector<PolicyChange>& changes);

// Two lines for each, or one JSON object {"changes": […], "weaker": 1, "stronger": 0, "same": 2}.
// Ensures: ends with a newline.
std::string FormatPolicyChanges(const std::vector<PolicyChange>& changes, Format format);

}  // namespace dpsql
