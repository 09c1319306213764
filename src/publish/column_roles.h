#pragma once

#include <vector>

#include "dpsql/answer.h"
#include "plan/dp_plan.h"

namespace dpsql {

// The columns of an answer: an estimate is an aggregate of a release as it is, what is computed
// from one is derived, and a key is the key of a release or computed from keys.
std::vector<AnswerColumn> AnswerColumns(const DpPlan& plan);

}  // namespace dpsql
