#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ledger/ledger_calls.h"
#include "ledger/observations.h"

namespace dpsql {

// What a ledger may do when it is opened.
enum class Opening {
  kMustSucceed,
  kMayStop,     // with L601 or L602: the disk did what no disk should
  kMayBeStale,  // the same, and its head file may be an old one: somebody changed the files
};

struct Verdict {
  bool opened = false;
  std::string code;  // of the refusal
  std::vector<std::string> violations;
};

// Opens the ledger, verifies it from end to end, and compares it with what the world has seen:
//   - spent is at least what was acknowledged, at most what was asked for, and within the caps;
//   - the head file knows of every entry that was acknowledged;
//   - a release count no smaller than the answers handed out;
//   - each storable plan that was handed out is served, as the release it was served before, with
//     the bytes that its first reader got.
Verdict Judge(const LedgerPlace& place, const Facts& facts, Opening opening);

// Spends one unit more and answers a new plan: the ledger is not only whole but of use, and gives
// no number a second time. Adds to the violations. Requires: a verdict that opened.
void SpendOneMore(const LedgerPlace& place, const Facts& facts, Verdict& verdict);

// Judge while others go on writing: without the upper bound on what is spent, and without the
// walk from end to end, which would keep them waiting.
Verdict JudgeInUse(const LedgerPlace& place, const Facts& facts);

}  // namespace dpsql
