#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "account/budget_terms.h"
#include "account/chain.h"
#include "account/ledger.h"
#include "dpsql/result.h"

// What the owner of a ledger asks of it and does with it. None of it creates one: a ledger begins
// with the first question.
namespace dpsql {

struct AnalystStanding {
  std::string name;
  Purses spent;  // in the present window
  std::int64_t queries = 0;
  std::int64_t aborts = 0;  // since the last pardon, lost ones included
};

struct LedgerReport {
  FixedTerms fixed;  // in force
  Calendar calendar;
  std::int64_t window = 0;  // the present one
  Purses spent;             // in it
  std::int64_t entries = 0;
  std::int64_t reservations = 0;
  std::int64_t releases = 0;
  std::vector<AnalystStanding> analysts;  // by name
  std::vector<Entry> history;             // newest first
};

// Which entries of the history.
struct HistoryPart {
  std::optional<std::string> analyst;  // nobody in particular: all
  std::int64_t before = std::numeric_limits<std::int64_t>::max();
  std::int64_t limit = std::numeric_limits<std::int64_t>::max();
};

// Requires of all below: `options.terms` are those of the policy; `options.analyst` is who asks.

// The ledger as it stands. Where there is none yet: the policy's terms, with nothing spent.
Result<LedgerReport> ReadLedger(const LedgerOptions& options, std::size_t history);

// Puts the policy's terms in force. A larger budget weakens the promise from here on: the guarantee
// is that of the largest one that ever was in force.
Status GrantTerms(const LedgerOptions& options);

// Stops all further spending of an analyst, or of everybody (an empty name); see FixedTerms. Goes
// by the terms in force, whatever the policy says. What is revoked already stays so. Refuses (B403)
// a name that is neither listed nor ever asked: a slip of the pen would stop nobody.
Status RevokeSpending(const LedgerOptions& options, const std::string& analyst);

// Lifts the revocation of one analyst; that of everybody is lifted by GrantTerms.
Status AdmitAnalyst(const LedgerOptions& options, const std::string& analyst);

// Calls `visit` for pages of the history, newest first, each entry checked against the head file.
// Where there is no ledger yet there are none.
Status VisitHistory(const LedgerOptions& options, const HistoryPart& part,
                    const std::function<void(const std::vector<Entry>& page)>& visit);

// Forgets the aborts of an analyst.
Status PardonAnalyst(const LedgerOptions& options, const std::string& analyst);

// Calls `visit` for the meta once, then for each entry from the first on. Everything there is is
// verified before the first call, and what is added meanwhile against what was before it.
struct LedgerVisitor {
  std::function<void(const LedgerMeta&)> meta;
  std::function<void(const Entry&, const std::string& granted_terms)> entry;
};
Status ExportLedger(const LedgerOptions& options, const LedgerVisitor& visit);

}  // namespace dpsql
