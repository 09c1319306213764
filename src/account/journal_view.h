#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "account/chain.h"
#include "account/entry_rows.h"
#include "account/sqlite_handle.h"
#include "dpsql/result.h"

namespace dpsql {

struct KeptAnswer {
  std::int64_t reservation = 0;
  std::string analyst;  // who paid for it
  std::string bytes;
};

// The ledger as it stands inside one transaction: what a writer decides upon.
class JournalView {
 public:
  // Requires: a transaction is open on `database`, and both outlive the view.
  JournalView(SqliteHandle& database, std::string path, Entry last)
      : database_(&database),
        path_(path),
        rows_(database, std::move(path)),
        last_(std::move(last)) {}

  const Entry& last() const { return last_; }
  void Advance(Entry last) { last_ = std::move(last); }

  Result<Standing> StandingOf(std::string_view analyst);

  // The answer kept for a plan, checked against the digest in its chained entry (else L601).
  Result<std::optional<KeptAnswer>> FindAnswer(std::string_view plan_digest);

  // Whether the analyst has been charged for an answer that somebody else paid for.
  Result<bool> HasReceipt(std::int64_t reservation, std::string_view analyst) {
    return rows_.HasReceipt(reservation, analyst);
  }

  // Paid, and not ended since: at work, or lost in a crash.
  Result<std::vector<std::int64_t>> OpenReservations(std::string_view analyst);

  // The number of the grant that is in force; 0 for the terms of the creation.
  Result<std::int64_t> TermsSequence();

  // The terms that a grant brought, checked against the digest in its entry (else L601).
  Result<std::string> TermsText(std::int64_t sequence);

  EntryRows& rows() { return rows_; }

 private:
  SqliteHandle* database_;
  std::string path_;
  EntryRows rows_;
  Entry last_;
};

}  // namespace dpsql
