#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "account/chain.h"
#include "account/sqlite_handle.h"
#include "dpsql/result.h"

// Entries as rows of the ledger's table. Reading checks the form of a row and, of several, their
// order (L601), not their links: SQLite believes the tree of a damaged file, which may hand out
// rows in any order, or one of them again and again.
namespace dpsql {

class EntryRows {
 public:
  // Requires: `database` outlives it. `path` is for messages.
  EntryRows(SqliteHandle& database, std::string path)
      : database_(&database), path_(std::move(path)) {}

  // L601, and nothing is written, where a count is such that the row could not be read again: the
  // rows before it are damaged in a way that only the full check finds.
  Status Insert(const Entry& entry);

  // The last entries, newest first, as far as there are any.
  Result<std::vector<Entry>> Newest(std::int64_t count);

  // So many entries before the given one, newest first, as far as there are any; with a name, those
  // of this analyst.
  Result<std::vector<Entry>> Before(std::int64_t before, std::int64_t count);
  Result<std::vector<Entry>> Before(std::int64_t before, std::int64_t count,
                                    std::string_view analyst);

  Result<std::optional<Entry>> At(std::int64_t sequence);

  // The last entry of an analyst before the given one.
  Result<std::optional<Entry>> LastOf(std::string_view analyst, std::int64_t before);

  // The entry of a kind for a reservation, of which there is one at most.
  Result<std::optional<Entry>> OfReservation(EntryKind kind, std::int64_t reservation);
  Result<std::optional<Entry>> Receipt(std::int64_t reservation, std::string_view analyst);

  // The store whose answer is handed out again for a plan.
  Result<std::optional<Entry>> KeptStore(std::string_view plan_digest);

  // Calls `visit` for each entry from the given one on, or for so many of them, and stops at the
  // first error.
  Status ForEach(std::int64_t from, const std::function<Status(const Entry&)>& visit);
  Status ForEach(std::int64_t from, std::int64_t count,
                 const std::function<Status(const Entry&)>& visit);

  // The store of an analyst for a plan with this answer, which another may keep.
  Result<std::optional<Entry>> StoreOf(std::string_view analyst, std::string_view plan_digest,
                                       std::string_view payload_digest);

  // The last entry of each analyst, by name. `last` is the last of all: L601 where the index, by
  // which LastOf() finds them, has not each of them once. Reads the whole index.
  Result<std::vector<Entry>> LastOfEach(std::int64_t last);

 private:
  Result<std::vector<Entry>> Backwards(std::int64_t before, SqliteStatement rows);
  Result<std::optional<Entry>> One(SqliteStatement rows);
  Result<std::vector<Entry>> All(SqliteStatement rows);
  Status Visit(SqliteStatement rows, const std::function<Status(const Entry&)>& visit);

  SqliteHandle* database_;
  std::string path_;
};

}  // namespace dpsql
