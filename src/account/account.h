#pragma once

#include <optional>
#include <string>

#include "account/budget_terms.h"
#include "dpsql/answer.h"
#include "dpsql/result.h"
#include "privacy/cost.h"

// Whether a plan may be paid for, and what is left: the questions that are asked of the dataset's
// budget and of the analyst's own.
namespace dpsql {

// One budget as it stands.
struct Account {
  std::string name;  // for messages: "dataset shop", "analyst alice"
  Budget budget;
  Purses caps;
  Purses spent;
};

// B405 when the charge could never fit, B402 when it does not fit what is left.
Status CheckFits(const Account& account, const Cost& cost);

Remaining RemainingOf(const Account& account, const Cost& cost);

// What is left to somebody who draws on both.
Remaining LesserOf(const Remaining& a, const Remaining& b);

}  // namespace dpsql
