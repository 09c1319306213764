#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "account/budget_terms.h"
#include "account/chain.h"
#include "account/entry_rows.h"
#include "account/head_file.h"
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
  // Requires: a transaction is open on `database`; both outlive the view. `head_last` is the last
  // line of the head file that is sure to be whole.
  JournalView(SqliteHandle& database, const std::string& path, const HeadFile& head,
              std::int64_t head_last, Entry last)
      : database_(&database),
        path_(path),
        head_(&head),
        head_last_(head_last),
        rows_(database, path),
        last_(std::move(last)) {}

  const Entry& last() const { return last_; }
  void Advance(Entry last) { last_ = std::move(last); }

  Result<Standing> StandingOf(std::string_view analyst);

  // The answer kept for a plan, checked against the digest in its chained entry (else L601).
  Result<std::optional<KeptAnswer>> FindAnswer(std::string_view plan_digest);

  // Whether the analyst has been charged for an answer that somebody else paid for.
  Result<bool> HasReceipt(std::int64_t reservation, std::string_view analyst);

  // Whether the analyst has paid for the plan himself, and was handed the kept answer because its
  // buyer was quicker. Reads all entries of his.
  Result<bool> HasBought(const KeptAnswer& kept, std::string_view plan_digest,
                         std::string_view analyst);

  // Paid, and not ended since: at work, or lost in a crash.
  Result<std::vector<std::int64_t>> OpenReservations(std::string_view analyst);

  // The terms that an entry set, checked against the digest in it (else L601).
  Result<std::string> TermsText(std::int64_t sequence);

  // Those in force. Requires: an entry set them, last().terms > 0.
  Result<FixedTerms> TermsInForce();

  // L601 unless the entry is the one that the head file bears witness to. What is read from the
  // middle of the chain is not believed without it.
  Status CheckWitnessed(const Entry& entry) const;

  EntryRows& rows() { return rows_; }

 private:
  Error Damage(std::string_view what) const;

  SqliteHandle* database_;
  std::string path_;
  const HeadFile* head_;
  std::int64_t head_last_;
  EntryRows rows_;
  Entry last_;
};

}  // namespace dpsql
