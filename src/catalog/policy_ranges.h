#pragma once

#include "catalog/policy.h"
#include "catalog/toml_section.h"

// Where the numbers of a policy may lie.
namespace dpsql {

inline constexpr NumberRange kEpsilonRange{.low = kSmallestEpsilon, .high = 100};
inline constexpr NumberRange kDeltaRange{.low = kSmallestDelta, .high = 1, .open_high = true};
inline constexpr NumberRange kShareRange{.low = 0.001, .high = 0.999};

}  // namespace dpsql
