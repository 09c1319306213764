#pragma once

#include <functional>

#include "dpsql/session.h"
#include "interrupt.h"

namespace dpsql::cli {

// Whether there is a terminal to ask on.
bool CanAsk();

// Asks on the terminal whether the price is to be spent; no answer and Ctrl-C mean no.
bool AskToSpend(const Explanation& explanation, const InterruptWatcher& watcher);

// Says on stderr what the error that was asked for costs.
void TellSolvedPrice(const Explanation& explanation);

}  // namespace dpsql::cli
