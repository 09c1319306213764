#include "account/journal_view.h"

#include "account/ledger_errors.h"
#include "base/sha256.h"
#include "base/try.h"

namespace dpsql {

Error JournalView::Damage(std::string_view what) const { return DamageError(what, path_); }

Status JournalView::CheckWitnessed(const Entry& entry) const {
  if (!HashHolds(entry)) {
    return Damage("entry " + std::to_string(entry.sequence) + " does not fit the chain");
  }
  if (entry.sequence > head_last_) return Done{};  // of the last commit, which the tail vouches for
  TRY(const HeadLine line, head_->Line(entry.sequence));
  if (line.hash == entry.hash) return Done{};
  return Damage("entry " + std::to_string(entry.sequence) + " does not match the head file");
}

Result<Standing> JournalView::StandingOf(std::string_view analyst) {
  TRY(std::optional<Entry> analyst_last, rows_.LastOf(analyst, last_.sequence + 1));
  if (analyst_last) TRY_DONE(CheckWitnessed(*analyst_last));
  return Standing{.last = last_, .analyst_last = std::move(analyst_last)};
}

Result<std::optional<KeptAnswer>> JournalView::FindAnswer(std::string_view plan_digest) {
  TRY(const std::optional<Entry> store, rows_.KeptStore(plan_digest));
  if (!store) return std::optional<KeptAnswer>();
  TRY_DONE(CheckWitnessed(*store));
  TRY(SqliteStatement rows,
      database_->Prepare("SELECT reservation, bytes FROM answers WHERE plan_digest = ?"));
  rows.Bind(plan_digest);
  TRY(const bool found, rows.Step());
  if (!found) return Damage("a stored answer is missing");
  KeptAnswer kept{
      .reservation = rows.Int(0), .analyst = store->event.analyst, .bytes = rows.Blob(1)};
  if (store->event.reservation != kept.reservation ||
      store->event.payload_digest != Sha256Hex(kept.bytes)) {
    return Damage("a stored answer does not fit the chain");
  }
  return std::optional<KeptAnswer>(std::move(kept));
}

Result<bool> JournalView::HasReceipt(std::int64_t reservation, std::string_view analyst) {
  TRY(const std::optional<Entry> receipt, rows_.Receipt(reservation, analyst));
  if (!receipt) return false;
  TRY_DONE(CheckWitnessed(*receipt));
  return true;
}

Result<bool> JournalView::HasBought(const KeptAnswer& kept, std::string_view plan_digest,
                                    std::string_view analyst) {
  TRY(const std::optional<Entry> store, rows_.StoreOf(analyst, plan_digest, Sha256Hex(kept.bytes)));
  if (!store) return false;
  TRY_DONE(CheckWitnessed(*store));
  return true;
}

Result<std::vector<std::int64_t>> JournalView::OpenReservations(std::string_view analyst) {
  TRY(SqliteStatement rows,
      database_->Prepare("SELECT reservation FROM open_reservations WHERE analyst = ?"));
  rows.Bind(analyst);
  std::vector<std::int64_t> open;
  while (true) {
    TRY(const bool found, rows.Step());
    if (!found) return open;
    const std::int64_t reservation = rows.Int(0);
    if (reservation < 1 || reservation > last_.reservations) {
      return Damage("an open reservation was never made");
    }
    open.push_back(reservation);
  }
}

Result<std::string> JournalView::TermsText(std::int64_t sequence) {
  TRY(const std::optional<Entry> grant, rows_.At(sequence));
  if (!grant) return Damage("the entry that set its terms is missing");
  TRY_DONE(CheckWitnessed(*grant));
  TRY(SqliteStatement rows, database_->Prepare("SELECT text FROM terms WHERE sequence = ?"));
  rows.Bind(sequence);
  TRY(const bool found, rows.Step());
  if (!found) return Damage("the terms of a grant are missing");
  std::string text = rows.Text(0);
  if (grant->event.payload_digest == Sha256Hex(text)) return text;
  return Damage("the terms of a grant do not fit the chain");
}

Result<FixedTerms> JournalView::TermsInForce() {
  TRY(const std::string text, TermsText(last_.terms));
  std::optional<FixedTerms> fixed = ParseTerms(text);
  if (!fixed) return Damage("its terms are unreadable");
  return *std::move(fixed);
}

}  // namespace dpsql
