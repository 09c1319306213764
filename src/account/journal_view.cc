#include "account/journal_view.h"

#include "account/ledger_errors.h"
#include "base/sha256.h"
#include "base/try.h"

namespace dpsql {

Result<Standing> JournalView::StandingOf(std::string_view analyst) {
  TRY(std::optional<Entry> analyst_last, rows_.LastOf(analyst, last_.sequence + 1));
  return Standing{.last = last_, .analyst_last = std::move(analyst_last)};
}

Result<std::optional<KeptAnswer>> JournalView::FindAnswer(std::string_view plan_digest) {
  TRY(SqliteStatement rows,
      database_->Prepare("SELECT reservation, bytes FROM answers WHERE plan_digest = ?"));
  rows.Bind(plan_digest);
  TRY(const bool found, rows.Step());
  if (!found) return std::optional<KeptAnswer>();
  KeptAnswer kept{.reservation = rows.Int(0), .analyst = "", .bytes = rows.Blob(1)};
  TRY(const std::optional<Entry> store, rows_.OfReservation(EntryKind::kStore, kept.reservation));
  if (!store || !HashHolds(*store) || store->event.plan_digest != plan_digest ||
      store->event.payload_digest != Sha256Hex(kept.bytes)) {
    return DamageError("a stored answer does not fit the chain", path_);
  }
  kept.analyst = store->event.analyst;
  return std::optional<KeptAnswer>(std::move(kept));
}

Result<std::vector<std::int64_t>> JournalView::OpenReservations(std::string_view analyst) {
  TRY(SqliteStatement rows,
      database_->Prepare("SELECT reservation FROM open_reservations WHERE analyst = ?"));
  rows.Bind(analyst);
  std::vector<std::int64_t> open;
  while (true) {
    TRY(const bool found, rows.Step());
    if (!found) return open;
    open.push_back(rows.Int(0));
  }
}

Result<std::int64_t> JournalView::TermsSequence() {
  return database_->QueryInt("SELECT coalesce(max(sequence), 0) FROM entries WHERE kind = 'grant'");
}

Result<std::string> JournalView::TermsText(std::int64_t sequence) {
  TRY(SqliteStatement rows, database_->Prepare("SELECT text FROM terms WHERE sequence = ?"));
  rows.Bind(sequence);
  TRY(const bool found, rows.Step());
  if (!found) return DamageError("the terms of a grant are missing", path_);
  std::string text = rows.Text(0);
  TRY(const std::optional<Entry> grant, rows_.At(sequence));
  if (!grant || !HashHolds(*grant) || grant->event.payload_digest != Sha256Hex(text)) {
    return DamageError("the terms of a grant do not fit the chain", path_);
  }
  return text;
}

}  // namespace dpsql
